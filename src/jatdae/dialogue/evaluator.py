"""The door of the dialogue room: facts, safety, context use, consistency and actionability of a conversation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, Literal

from jatdae.core.contract import Issue, Metric, Mix, Outcome, Ratio, Sample, Unit
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import GroupBy, evaluator
from jatdae.dialogue.consistency import score_consistency
from jatdae.dialogue.conversation import Conversation, Row, read_rows, sums_of
from jatdae.dialogue.events import check, export_events, read_scripts
from jatdae.dialogue.judge import PER_TURN, Case, Judge, Judged, load_judge
from jatdae.dialogue.lexicon import VERSION
from jatdae.dialogue.safety import patient_flags
from jatdae.dialogue.truth import Truth
from jatdae.dialogue.weights import Weights, load_weights

_WORST: Final = {"SFS": 0.0, "CSP": 1.0, "CUS_improved": 0.0, "ASS": 0.0}
_NAMES: Final = ("overall", *PER_TURN, "MCS")


_MICRO: Final = {
    "SFS": Ratio("sfs.hallucinated", "sfs.mentioned", complement=True),
    "CSP": Ratio("csp.violated", "csp.applicable"),
    "CUS_improved": Ratio("cus.used", "cus.total"),
    "MCS": Ratio("mcs.contradicting", "mcs.comparable", complement=True),
    "ASS": Ratio("ass.found", "ass.required"),
}
"""What was lost or won over what there was."""


def _metrics(weights: Weights) -> list[Metric]:
    overall = Mix(weights.overall, mean=True, complements=("CSP",))
    return [
        Metric("overall", "higher", worst=0.0, primary=True, micro=overall),
        Metric("SFS", "higher", worst=0.0, micro=_MICRO["SFS"]),
        Metric("CSP", "lower", worst=1.0, micro=_MICRO["CSP"]),
        Metric("CUS_improved", "higher", worst=0.0, micro=_MICRO["CUS_improved"]),
        Metric("MCS", "higher", worst=0.0, micro=_MICRO["MCS"]),
        Metric("ASS", "higher", worst=0.0, micro=_MICRO["ASS"]),
    ]


@evaluator(
    "dialogue",
    metrics=_metrics(load_weights()),
    empty=None,
    group_by=GroupBy(id="patient_id", system="mode", reference=("slots_truth",)),
    paired_by="turn",
)
class DialogueEvaluator:
    """Quality of medical conversations, turn by turn: facts, safety, context use, consistency, actionability."""

    scripts: Path | None = None
    """Scripts (JSONL) with the facts about each patient, for events without slots_truth."""
    config: Path | None = None
    """Folder with safety_rules.yaml, required_slots_by_turn.yaml or scoring.yaml (default: the bundled files)."""
    lexicon: Path | None = None
    """Lexicon (YAML) that extends or replaces the bundled one."""
    on_empty: Literal["na", "formula"] = "na"
    """SFS of an answer that states no facts: N/A (na), or 1.0 as in the formula (formula)."""
    max_chars: int = 100_000
    """Maximum answer length, in characters."""

    commands: ClassVar[dict[str, Any]] = {"check": check}

    def __post_init__(self) -> None:
        """Refuse what cannot be before anything is scored: the configuration is read here."""
        if self.on_empty not in ("na", "formula"):
            raise UsageError(f"dialogue: on_empty is {self.on_empty!r}; it has to be na or formula")
        if self.max_chars < 1:
            raise UsageError(f"dialogue: max_chars is {self.max_chars}; it has to be at least 1")
        _ = self._judge, self._scripts

    def signature_parts(self) -> dict[str, str]:
        """Hashes of the bundled files where no others are given, and the version of the lexicon."""
        parts = {} if self.config else {"config": f"bundled@{self._judge.config_hash}"}
        return (
            parts if self.lexicon else {**parts, "lexicon": f"bundled@{VERSION}.{self._judge.extractor.lexicon.hash}"}
        )

    def score(self, sample: Sample) -> Outcome:
        """Score the turns of one conversation."""
        rows = read_rows(sample.prediction, self._scripts.get(sample.id), self.max_chars)
        cases = self._cases(rows)
        judged = iter(self._judge.judge([case for case, _ in cases if case]))
        found = Conversation()
        for row, (case, issues) in zip(rows, cases, strict=True):
            found.issues += issues
            self._turn(row, next(judged) if case else None, found)
        return self._outcome(found)

    def own_metrics(self) -> list[Metric]:
        """What `overall` is made of is a matter of scoring.yaml."""
        return _metrics(self._judge.weights)

    def export(self, run: Any, folder: Path) -> None:
        """Events with their metrics filled in, beside the summary."""
        export_events(run.parts(), folder)

    @cached_property
    def _judge(self) -> Judge:
        return load_judge(self.config, self.lexicon, self.on_empty)

    @cached_property
    def _scripts(self) -> dict[str, Mapping[str, Any]]:
        return read_scripts(self.scripts) if self.scripts else {}

    def _cases(self, rows: list[Row]) -> list[tuple[Case | None, list[Issue]]]:
        """What each turn is judged by, nothing where nothing is known of the patient, and what is off in the truth."""
        made: list[tuple[Case | None, list[Issue]]] = []
        truth: Truth | None = None
        slots: Any = None
        flags: frozenset[str] = frozenset()
        for row in rows:
            issues: list[Issue] = []
            if truth is None or row.slots != slots:
                slots, truth = row.slots, self._judge.truth(row.slots)
                if truth:
                    flags = patient_flags(self._judge.book, truth)
                    issues += [Issue("unknown_slot", f"turn {row.turn}: {name}", "info") for name in truth.unknown]
                    issues += [Issue("unreadable_slot", f"turn {row.turn}: {name}") for name in truth.unread]
            answer = "" if row.problem else row.answer
            made.append((Case(answer, row.question, truth, row.number, flags) if truth else None, issues))
        return made

    def _turn(self, row: Row, judged: Judged | None, found: Conversation) -> None:
        """Put a judged turn into `found`; without an answer it takes the worst values, without a truth none."""
        values: dict[str, float | None] = dict.fromkeys(PER_TURN)
        if judged is None:
            found.issues.append(Issue("no_slots_truth", f"turn {row.turn}: nothing is known of the patient"))
        else:
            values = {name: judged.results[name]["score"] for name in PER_TURN}
        sums = sums_of(judged)
        if judged and row.problem:
            values = {**_WORST, "ASS": None if values["ASS"] is None else 0.0}
            sums["csp.violated"] = sums["csp.applicable"]  # no answer is not a safe one
            found.issues.append(Issue(row.problem, f"turn {row.turn}: the worst value was given", "error"))
        elif judged:
            found.passages.append((row.turn, judged.passage))
            found.issues += [Issue(code, f"turn {row.turn}: {text}", "info") for code, text in judged.issues]
        overall, _ = self._judge.weights.combine(values)
        found.units.append(Unit(row.turn, "turn", {"turn": row.turn}, {"overall": overall, **values}, sums))
        found.turns.append(_shown(row, judged, values))

    def _outcome(self, found: Conversation) -> Outcome:
        judge = self._judge
        together = score_consistency(found.passages)
        values: dict[str, float | None] = {name: _mean(found.units, name) for name in PER_TURN}
        values["MCS"] = together["score"]
        overall, left = judge.weights.combine(values)
        values["overall"] = overall
        if together["score"] is None:
            told = "no two statements of the conversation are about one thing"
            found.issues.append(Issue("nothing_comparable", told, "info"))
        if left and overall is not None:
            found.issues.append(Issue("left_out_of_overall", ", ".join(left), "info"))
        for turn in found.turns:
            turn["metrics"]["MCS"] = together["score"]
        stats = {name: math.fsum(unit.stats[name] for unit in found.units) for name in sums_of(None)}
        stats["mcs.comparable"] = together["comparable_pairs"]
        stats["mcs.contradicting"] = together["contradicting_pairs"]
        version = f"{VERSION}.{judge.extractor.lexicon.hash}"
        return Outcome(
            {name: values[name] for name in _NAMES},
            stats,
            _counts(found.turns),
            tuple(found.units),
            {
                "turns": found.turns,
                "MCS": together,
                "written": {"config_hash": judge.config_hash, "lexicon_version": version},
            },
            tuple(found.issues),
        )


def _mean(units: list[Unit], name: str) -> float | None:
    known = [value for unit in units if (value := unit.values[name]) is not None]
    return math.fsum(known) / len(known) if known else None


def _shown(row: Row, judged: Judged | None, values: Mapping[str, float | None]) -> dict[str, Any]:
    """What a transcript needs of one turn."""
    return {
        "turn": row.turn,
        "event": row.event,
        "slots_truth": row.slots,
        "metrics": dict(values),
        "spans": list(judged.spans) if judged else [],
        "results": judged.results if judged else {},
    }


def _counts(turns: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """Violated rules by id and hallucinations by kind, over the conversation."""
    rules: dict[str, int] = {}
    kinds: dict[str, int] = {}
    for turn in turns:
        results = turn["results"]
        for rule in results.get("CSP", {}).get("violated_rules", ()):
            rules[rule["id"]] = rules.get(rule["id"], 0) + 1
        for detail in results.get("SFS", {}).get("hallucinated_details", ()):
            kinds[detail["why"]] = kinds.get(detail["why"], 0) + 1
    return {name: table for name, table in (("violated", rules), ("hallucinated", kinds)) if table}
