"""The dialogue evaluator: facts, safety, context use, consistency and actionability of a conversation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, Literal

from jatdae.core.config import check_settings
from jatdae.core.contract import Count, IssueKind, Metric, Mix, Outcome, Rate, Ratio, Sample
from jatdae.core.evaluator import UNSIGNED, GroupBy, evaluator
from jatdae.dialogue.conversations import COUNTS, FLAGGED, GIVEN, NAMES, ConversationScorer
from jatdae.dialogue.events import (
    CSP_JUDGED,
    CUS_EMBEDDED,
    event_schema,
    export_events,
    read_scripts,
    script_schema,
)
from jatdae.dialogue.findings import say_findings
from jatdae.dialogue.labels import SubjectLabels
from jatdae.dialogue.reading.concepts import VERSION
from jatdae.dialogue.reading.lexiconfile import LexiconFile
from jatdae.dialogue.rules.requirements import RequirementsFile
from jatdae.dialogue.rules.rulefile import RulesFile
from jatdae.dialogue.scores.overall import ScoringFile, Weights, load_weights
from jatdae.dialogue.turns import TurnScorer, load_scorer

_MICRO: Final = {
    "SFS": Ratio("sfs.hallucinated", "sfs.mentioned", complement=True),
    "CSP": Ratio("csp.violated", "csp.applicable"),
    "CUS_improved": Ratio("cus.used", "cus.total"),
    "MCS": Ratio("mcs.contradicting", "mcs.comparable", complement=True),
    "ASS": Ratio("ass.found", "ass.required"),
    "any_violation": Ratio("csp.any", "csp.turns"),
    "critical_violation": Ratio("csp.critical", "csp.turns"),
    **{name: Ratio(f"given.{name}", f"given.{name}.turns") for name in GIVEN},
}
"""The micro average of each metric: a ratio of sums over turns."""
_CAUSES: Final = {
    "SFS": "hallucinated",
    "CSP": "violated",
    "CUS_improved": "unused_slots",
    "MCS": "contradicted",
    "ASS": "missing_elements",
}
"""By score: the table of what lowers it."""
_GRAVE: Final = {"violated": 1e6, "hallucinated": 1e3, "contradicted": 1e3}
"""How much more a cause weighs than its score: facts left unused, however many, hide no broken rule or false claim."""


def _metrics(weights: Weights) -> list[Metric]:
    averaged = {name: weight for name, weight in weights.overall.items() if name in _MICRO and name != "perplexity"}
    overall = Mix(averaged, mean=True, complements=("CSP",) if "CSP" in weights.overall else ())
    causes = {
        table: weights.overall[name] * _GRAVE.get(table, 1.0)
        for name, table in _CAUSES.items()
        if name in weights.overall
    }
    score = partial(Metric, range=(0.0, 1.0), family=True)
    return [
        score("overall", "higher", worst=0.0, primary=True, micro=overall, causes=causes),
        score("SFS", "higher", worst=0.0, micro=_MICRO["SFS"], causes={_CAUSES["SFS"]: 1.0}),
        score("CSP", "lower", worst=1.0, micro=_MICRO["CSP"], causes={_CAUSES["CSP"]: 1.0}),
        score("CUS_improved", "higher", worst=0.0, micro=_MICRO["CUS_improved"], causes={_CAUSES["CUS_improved"]: 1.0}),
        score("MCS", "higher", worst=0.0, micro=_MICRO["MCS"], causes={_CAUSES["MCS"]: 1.0}),
        score("ASS", "higher", worst=0.0, micro=_MICRO["ASS"], causes={_CAUSES["ASS"]: 1.0}),
        *(score(name, "lower", worst=1.0, unit="%", micro=_MICRO[name], causes={"violated": 1.0}) for name in FLAGGED),
        *(
            Metric(name, better, worst=worst, micro=_MICRO[name], optional=True, causes={})
            for name, better, worst in _BROUGHT
        ),
    ]


_BROUGHT: Final[tuple[tuple[str, Literal["higher", "lower"], float], ...]] = (
    ("faithfulness", "higher", 0.0),
    ("answer_relevance", "higher", 0.0),
    ("perplexity", "lower", 0.0),
    (CSP_JUDGED, "lower", 0.0),
    (CUS_EMBEDDED, "higher", 0.0),
    ("CUS", "higher", 0.0),
    ("tokens", "lower", 0.0),
    ("timing_ms", "lower", 0.0),
)
"""Numbers of events as metrics. Their worst value is never given: a turn without an answer has none of them."""


@evaluator(
    "dialogue",
    metrics=_metrics(load_weights()),
    issues=[
        IssueKind("no_slots_truth"),
        IssueKind("nothing_mentioned", "info"),
        IssueKind("no_rule_applies", "info"),
        IssueKind("no_required_slot", "info"),
        IssueKind("no_element_required", "info"),
        IssueKind("nothing_comparable", "info"),
        IssueKind("left_out_of_overall", "info"),
        IssueKind("unknown_slot", "info"),
        IssueKind("unreadable_slot"),
        IssueKind("question_contradicts_record"),
        IssueKind("unknown_turn", "info"),
        IssueKind("no_verdict", "info"),
        IssueKind("malformed_verdict"),
        IssueKind("missing_answer", "error"),
        IssueKind("not_text", "error"),
        IssueKind("too_large", "error"),
    ],
    counts=[*(Count(name, error=True, coded=True) for name in COUNTS), Count("applied", coded=True)],
    rates=[
        Rate("rule", ("violated",), ("applied",), better="lower"),
        Rate("rule_violated", ("violated",), better="lower", shown=True, table="rules"),
        Rate("rule_applied", ("applied",), shown=True, table="rules"),
    ],
    files={
        "safety_rules": RulesFile,
        "required_slots": RequirementsFile,
        "scoring": ScoringFile,
        "lexicon": LexiconFile,
        "events": event_schema,
        "scripts": script_schema,
    },
    empty=None,
    group_by=GroupBy(
        id="patient_id",
        system="mode",
        reference=("slots_truth",),
        unit="turn_id",
        example='{"patient_id": "p1", "mode": "my-model", "turn_id": 1, "question": {"text": "…"}, "answer": "…", '
        '"slots_truth": {"age": 67, "sex": "female"}}',
    ),
    paired_by="turn",
    rows_in=("conversations.jsonl", "events.jsonl"),
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
    judge: str = field(default="", metadata=UNSIGNED)
    """Judge whose verdicts in the events are read, as it is named there (default: none are)."""

    findings = staticmethod(say_findings)

    def __post_init__(self) -> None:
        """Read and check the configuration before anything is scored."""
        check_settings(self, max_chars=(1, math.inf))
        _ = self._scorer, self._scripts

    def signature_parts(self) -> dict[str, str]:
        """Hashes of the bundled files that are used, and the version of the bundled lexicon."""
        parts = {} if self.config else {"config": f"bundled@{self._scorer.config_hash}"}
        if self.judge:  # by hand, so that runs without a judge keep the signature that they had
            parts["judge"] = self.judge.replace("|", "/")
        return (
            parts if self.lexicon else {**parts, "lexicon": f"bundled@{VERSION}.{self._scorer.extractor.lexicon.hash}"}
        )

    def score(self, sample: Sample) -> Outcome:
        """Score the turns of one conversation."""
        return self._conversations.score(sample.prediction, self._scripts.get(sample.id))

    def applicable(self, _: Sample) -> tuple[str, ...]:
        """The metrics that a missing conversation gets the worst values of: all that are scored here."""
        return tuple(name for name in NAMES if name not in GIVEN)

    def own_metrics(self) -> list[Metric]:
        """The metrics with the weights of `overall` from scoring.yaml."""
        return _metrics(self._scorer.weights)

    def key_names(self) -> dict[str, Mapping[str, str | Mapping[str, str]]]:
        """Names of the safety rules by id, with the id, by language, where the file gives them in both; and what
        contradictions are about."""
        rules: dict[str, str | Mapping[str, str]] = {}
        for rule in (*self._scorer.book.rules, *self._scorer.book.requirements):
            by_language = {each: f"{rule.id} {name}" for each, name in rule.names.items()}
            rules[rule.id] = rule.names.get("") or by_language
        subjects = SubjectLabels(self._scorer.extractor.lexicon.concepts)
        return {"violated": rules, "applied": rules, "contradicted": subjects}

    def export(self, run: Any, folder: Path) -> None:
        """Write the events, with their metrics, beside the summary."""
        export_events(run.parts(), folder)

    @cached_property
    def _scorer(self) -> TurnScorer:
        return load_scorer(self.config, self.lexicon, self.on_empty)

    @cached_property
    def _conversations(self) -> ConversationScorer:
        return ConversationScorer(self._scorer, self.judge, self.max_chars)

    @cached_property
    def _scripts(self) -> dict[str, Mapping[str, Any]]:
        return read_scripts(self.scripts) if self.scripts else {}
