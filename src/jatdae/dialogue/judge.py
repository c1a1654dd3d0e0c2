"""All scores of answers: the extractor reads each once, each score takes what it needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from jatdae.core.signature import short_hash
from jatdae.dialogue import weights
from jatdae.dialogue.actionability import score_actions
from jatdae.dialogue.claims import SUPPORTED, UNCHECKED, Verdict, check_claims
from jatdae.dialogue.consistency import score_consistency
from jatdae.dialogue.factuality import score_facts, span_end
from jatdae.dialogue.reading.concepts import stamp_of
from jatdae.dialogue.reading.mentions import Extractor, Passage, load_extractor
from jatdae.dialogue.reading.patterns import PatternSet
from jatdae.dialogue.reading.truth import Truth, read_truth
from jatdae.dialogue.rules import requirements, rulebook
from jatdae.dialogue.rules.requirements import Requirements, TurnRequirements, load_requirements
from jatdae.dialogue.rules.rulebook import Rulebook, load_rulebook
from jatdae.dialogue.safety import patient_flags, question_flags, score_safety
from jatdae.dialogue.usage import score_use
from jatdae.dialogue.weights import Weights, load_weights

PER_TURN: Final = ("SFS", "CSP", "CUS_improved", "ASS")
_FILES: Final = (rulebook.FILE, requirements.FILE, weights.FILE)
_DIGITS: Final = re.compile(r"\d{1,6}")
_NO_TURN: Final = TurnRequirements("", (), (), PatternSet(()), 0.0)

Results = dict[str, dict[str, Any]]


class Case(NamedTuple):
    """One answer, and what it is judged by."""

    answer: str
    question: str
    truth: Truth
    turn: int | None
    flags: frozenset[str]
    """Those of the patient."""


class Judged(NamedTuple):
    """One answer, judged."""

    passage: Passage
    results: Results
    issues: tuple[tuple[str, str], ...]
    spans: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Judge:
    """The compiled configuration."""

    extractor: Extractor
    book: Rulebook
    requirements: Requirements
    weights: Weights
    on_empty: str = "na"

    @cached_property
    def config_hash(self) -> str:
        """One hash of the three files."""
        return short_hash("".join((self.book.hash, self.requirements.hash, self.weights.hash)).encode())

    @cached_property
    def _raised(self) -> Callable[[str], frozenset[str]]:
        """The flags of a question, remembered: a script asks every patient the same."""
        return lru_cache(maxsize=256)(lambda text: question_flags(self.book, text, self.extractor))

    def truth(self, slots: Any) -> Truth | None:
        """The patient."""
        return read_truth(slots, self.extractor)

    def case(self, answer: str, question: str, truth: Truth, turn: int | None) -> Case:
        """An answer to be judged."""
        return Case(answer, question, truth, turn, patient_flags(self.book, truth))

    def judge(self, cases: Sequence[Case]) -> list[Judged]:
        """Every score of each answer but those of a whole conversation.

        Score by score: the patterns of one stay at hand, where those of another would drive them out.
        """
        passages = self.extractor.read_all(case.answer for case in cases)
        read = list(zip(cases, passages, strict=True))
        verdicts = [check_claims(passage, case.truth) for case, passage in read]
        safe = [score_safety(self.book, c.truth, self._flags(c), passage, c.turn or 0) for c, passage in read]
        asked = [self.requirements.turns.get(case.turn or 0, _NO_TURN) for case in cases]
        used = [score_use(turn, case.truth, passage) for turn, (case, passage) in zip(asked, read, strict=True)]
        acts = list(map(score_actions, asked, passages))
        facts = [score_facts(verdict, self.weights.claims, self.on_empty) for verdict in verdicts]
        return [
            _judged(case, passage, verdict, dict(zip(PER_TURN, results, strict=True)), turn is not _NO_TURN)
            for (case, passage), verdict, turn, *results in zip(
                read, verdicts, asked, facts, safe, used, acts, strict=True
            )
        ]

    def _flags(self, case: Case) -> frozenset[str]:
        return case.flags | self._raised(case.question) if case.question else case.flags


def _judged(case: Case, passage: Passage, verdicts: list[Verdict], results: Results, required: bool) -> Judged:
    issues = [(code, message) for name, code, message in _WHY if results[name]["score"] is None]
    if not required:
        issues = [issue for issue in issues if issue[0] not in ("no_required_slot", "no_element_required")]
        issues.append(("unknown_turn", f"nothing is required of turn {case.turn}"))
    return Judged(passage, results, tuple(issues), tuple(_spans(verdicts, results)))


_WHY: Final = (
    ("SFS", "nothing_mentioned", "the answer claims nothing of the patient that could be checked"),
    ("CSP", "no_rule_applies", "no safety rule applies to this patient, question and turn"),
    ("CUS_improved", "no_required_slot", "the patient has none of the slots the turn requires"),
    ("ASS", "no_element_required", "the turn requires no element"),
)


def load_judge(config: Path | None = None, lexicon: Path | None = None, on_empty: str = "na") -> Judge:
    """The judge of a configuration folder and a lexicon; files that change are read again."""
    stamps = tuple(stamp_of(Path(config) / name) for name in _FILES) if config is not None else ()
    return _judge(config, lexicon, on_empty, (*stamps, stamp_of(lexicon)))


@lru_cache(maxsize=8)
def _judge(config: Path | None, lexicon: Path | None, on_empty: str, _: tuple[tuple[int, int], ...]) -> Judge:
    extractor = load_extractor(lexicon)
    return Judge(
        extractor, load_rulebook(config, extractor.lexicon), load_requirements(config), load_weights(config), on_empty
    )


def score_turn(
    answer: str,
    question: str = "",
    slots: Mapping[str, Any] | None = None,
    turn: int | str | None = None,
    *,
    slots_truth: Mapping[str, Any] | None = None,
    turn_id: int | str | None = None,
    config_dir: str | Path | None = None,
    lexicon: str | Path | None = None,
    history: Sequence[str] = (),
    on_empty: str = "na",
) -> dict[str, Any]:
    """SFS, CSP, CUS_improved, ASS, MCS and overall of one answer, each as a dictionary with its spans.

    `slots_truth` and `turn_id` are other names of `slots` and `turn`. `history` holds earlier answers of the same
    conversation, which MCS compares this one with. Without a truth every score is None.
    """
    judge = load_judge(
        Path(config_dir) if config_dir is not None else None, Path(lexicon) if lexicon is not None else None, on_empty
    )
    truth = judge.truth(slots if slots is not None else slots_truth)
    number = turn_number(turn if turn is not None else turn_id)
    if truth is None:
        issue = {"code": "no_slots_truth", "message": "nothing is known of the patient"}
        nothing: dict[str, Any] = {name: {"metric": name, "score": None} for name in (*PER_TURN, "MCS", "overall")}
        return {**nothing, "issues": [issue]}
    (judged,) = judge.judge([judge.case(answer, question, truth, number)])
    earlier = [(str(at), passage) for at, passage in enumerate(judge.extractor.read_all(history), 1)]
    results: Results = {**judged.results, "MCS": score_consistency([*earlier, ("now", judged.passage)])}
    overall, left = judge.weights.combine({name: result["score"] for name, result in results.items()})
    return {
        **results,
        "overall": {"metric": "overall", "score": overall, "left_out": list(left)},
        "spans": list(judged.spans),
        "issues": [{"code": code, "message": message} for code, message in judged.issues],
    }


def turn_number(turn: object) -> int | None:
    """1 for 1, "1", "T1" or "turn_1"."""
    found = _DIGITS.search(str(turn)) if turn is not None and not isinstance(turn, bool) else None
    return int(found[0]) if found else None


def _spans(verdicts: list[Verdict], results: Results) -> list[dict[str, Any]]:
    """What a transcript shows: supported and hallucinated claims, violations, used slots, and what is missing."""
    spans: list[dict[str, Any]] = []
    for verdict in verdicts:
        mention, result, _ = verdict
        if result != UNCHECKED:
            kind = "supported" if result == SUPPORTED else "hallucinated"
            spans.append({"kind": kind, "start": mention.start, "end": span_end(verdict), "label": mention.concept.id})
    for rule in results["CSP"]["violated_rules"]:
        start, end = rule["span"] or (None, None)
        spans.append({"kind": "violated", "start": start, "end": end, "label": rule["id"]})
    for slot, use in results["CUS_improved"]["used_detail"].items():
        start, end = use["span"] or (None, None)
        spans.append({"kind": "used" if use["used"] else "missing", "start": start, "end": end, "label": slot})
    for name, element in results["ASS"]["elements"].items():
        if not element["value"]:
            spans.append({"kind": "missing", "start": None, "end": None, "label": name})
    return spans
