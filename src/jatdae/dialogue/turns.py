"""Scores of single answers; an answer is read once for all scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from jatdae.core.signature import short_hash
from jatdae.dialogue.reading.concepts import stamp_of
from jatdae.dialogue.reading.mentions import Extractor, Mention, Passage, load_extractor
from jatdae.dialogue.reading.patterns import PatternSet, Span
from jatdae.dialogue.reading.truth import Truth, read_truth
from jatdae.dialogue.rules.advice import advice_hash
from jatdae.dialogue.rules.limits import Limits, load_limits
from jatdae.dialogue.rules.requirements import REQUIREMENTS_FILE, Requirements, TurnRequirements, load_requirements
from jatdae.dialogue.rules.rulebook import RULES_FILE, Rulebook, load_rulebook
from jatdae.dialogue.scores.actionability import score_actions
from jatdae.dialogue.scores.factuality import (
    DISPUTED,
    FROM_QUESTION,
    NOT_COUNTED,
    RIGHT,
    Record,
    Verdict,
    check_claims,
    find_misjudged,
    score_facts,
    span_end,
)
from jatdae.dialogue.scores.overall import WEIGHTS_FILE, Weights, load_weights
from jatdae.dialogue.scores.safety import patient_flags, question_flags, read_asked, score_safety
from jatdae.dialogue.scores.usage import score_use

PER_TURN: Final = ("SFS", "CSP", "CUS_improved", "ASS")
WORST: Final = {
    "SFS": 0.0,
    "CSP": 1.0,
    "CUS_improved": 0.0,
    "ASS": 0.0,
    "any_violation": 1.0,
    "critical_violation": 1.0,
}
"""What a turn without an answer gets."""
_FILES: Final = (RULES_FILE, REQUIREMENTS_FILE, WEIGHTS_FILE)
_DIGITS: Final = re.compile(r"\d{1,6}")
_NO_TURN: Final = TurnRequirements("", (), (), PatternSet(()), 0.0)
_WHY_NONE: Final = (
    ("SFS", "nothing_mentioned", "the answer claims nothing of the patient that could be checked"),
    ("CSP", "no_rule_applies", "no safety rule applies to this patient, question and turn"),
    ("CUS_improved", "no_required_slot", "the patient has none of the slots the turn requires"),
    ("ASS", "no_element_required", "the turn requires no element"),
)
"""Issue and message for each score that does not apply."""

DISPUTED_ISSUE: Final = "question_contradicts_record"
Results = dict[str, dict[str, Any]]


def read_turn_number(turn: object) -> int | None:
    """Number in the name of a conversation turn: 1 for 1, "1", "T1" or "turn_1"."""
    found = _DIGITS.search(str(turn)) if turn is not None and not isinstance(turn, bool) else None
    return int(found[0]) if found else None


def load_scorer(config: Path | None = None, lexicon: Path | None = None, on_empty: str = "na") -> TurnScorer:
    """Load the scorer of single turns for a configuration folder and a lexicon; changed files are read again."""
    stamps = tuple(stamp_of(Path(config) / name) for name in _FILES) if config is not None else ()
    return _loaded(config, lexicon, on_empty, (*stamps, stamp_of(lexicon)))


@lru_cache(maxsize=8)
def _loaded(config: Path | None, lexicon: Path | None, on_empty: str, _: tuple[tuple[int, int], ...]) -> TurnScorer:
    extractor = load_extractor(lexicon)
    return TurnScorer(
        extractor, load_rulebook(config, extractor.lexicon), load_requirements(config), load_weights(config), on_empty
    )


class TurnCase(NamedTuple):
    """One answer of a conversation, and everything its scores depend on."""

    answer: str
    question: str
    truth: Truth
    turn: int | None
    flags: frozenset[str]
    """The flags of the patient."""
    told: tuple[Mention, ...] = ()
    """What patients say of themselves in this and earlier questions."""
    statuses: Mapping[tuple[int, int], str] = {}
    """How spans of the answer are meant, where a judge decides that."""


class TurnScores(NamedTuple):
    """Scores of one answer of a conversation, with issues and spans."""

    passage: Passage
    results: Results
    issues: tuple[tuple[str, str], ...]
    spans: tuple[dict[str, Any], ...]
    raised: Mapping[str, Span]
    """Flags that the question raises, and where in it."""


class TurnScorer:
    """Scores answers of conversations by one configuration and lexicon."""

    def __init__(
        self, extractor: Extractor, book: Rulebook, requirements: Requirements, weights: Weights, on_empty: str = "na"
    ) -> None:
        self.extractor, self.book, self.requirements, self.weights = extractor, book, requirements, weights
        self._on_empty = on_empty
        self.limits: Limits | None = load_limits(book, weights.judging)
        """By what judgements without a value are judged."""
        self.config_hash = short_hash("".join((book.hash, requirements.hash, weights.hash, advice_hash())).encode())
        """One hash of the three files, and of how advice is read."""
        self._raised: Callable[[str], Mapping[str, Span]] = lru_cache(maxsize=256)(self._flags_of)
        """The flags of a question and where it raises them, cached: a script asks every patient the same questions."""
        self._asked: Callable[[str], Passage | None] = lru_cache(maxsize=256)(self._read_asked)
        """What a question asks about, cached as well."""
        self.told_by: Callable[[str], tuple[Mention, ...]] = lru_cache(maxsize=1024)(extractor.read_own)
        """What patients say of themselves in a question, cached as well."""

    def truth_of(self, slots: Any) -> Truth | None:
        """The patient that slots describe; None if they say nothing."""
        return read_truth(slots, self.extractor)

    def slot_issues(self, truth: Truth) -> list[tuple[str, str]]:
        """Slots that are not known or whose value cannot be read, as code and name."""
        unknown = [("unknown_slot", name) for name in truth.unknown if name not in self.requirements.declared]
        return [*unknown, *(("unreadable_slot", name) for name in truth.unread)]

    def case_of(
        self, answer: str, question: str, truth: Truth, turn: int | None, earlier: Sequence[str] = ()
    ) -> TurnCase:
        """An answer to be scored; `earlier` are the questions before it."""
        told = tuple([mention for text in (*earlier, question) if text for mention in self.told_by(text)])
        return TurnCase(answer, question, truth, turn, patient_flags(self.book, truth), told)

    def score(self, cases: Sequence[TurnCase]) -> list[TurnScores]:
        """The scores of each answer, without those of a whole conversation.

        One score after the other for all answers: its patterns then stay in the processor's cache.
        """
        found = self.extractor.read_all(case.answer for case in cases)
        passages = [_as_judged(passage, case.statuses) for passage, case in zip(found, cases, strict=True)]
        read = list(zip(cases, passages, strict=True))
        verdicts = [check_claims(passage, Record(case.truth, case.told, self.limits)) for case, passage in read]
        safe = [
            score_safety(
                self.book, c.truth, self._flags(c), passage, c.turn or 0, self._asked(c.question), self.extractor.read
            )
            for c, passage in read
        ]
        asked = [self.requirements.turns.get(case.turn or 0, _NO_TURN) for case in cases]
        used = [
            score_use(turn, case.truth, passage, find_misjudged(verdict))
            for turn, (case, passage), verdict in zip(asked, read, verdicts, strict=True)
        ]
        acts = [score_actions(turn, passage) for turn, passage in zip(asked, passages, strict=True)]
        facts = [score_facts(verdict, self.weights.claims, self._on_empty) for verdict in verdicts]
        made: list[TurnScores] = []
        for at, (case, passage) in enumerate(read):
            results: Results = {"SFS": facts[at], "CSP": safe[at], "CUS_improved": used[at], "ASS": acts[at]}
            raised = self._raised(case.question) if case.question else {}
            made.append(_turn_scores(case, passage, verdicts[at], results, asked[at] is not _NO_TURN, raised))
        return made

    def _flags_of(self, question: str) -> Mapping[str, Span]:
        return question_flags(self.book, question, self.extractor)

    def _read_asked(self, question: str) -> Passage | None:
        return read_asked(self.book, question, self.extractor) if question else None

    def _flags(self, case: TurnCase) -> frozenset[str]:
        return case.flags.union(self._raised(case.question)) if case.question else case.flags


def _as_judged(passage: Passage, statuses: Mapping[tuple[int, int], str]) -> Passage:
    """A passage whose mentions are meant as a judge says, where it says so."""
    if not statuses:
        return passage
    mentions = [each._replace(status=statuses.get((each.start, each.end), each.status)) for each in passage.mentions]
    return passage._replace(mentions=tuple(mentions), judged=frozenset(statuses))


def _turn_scores(
    case: TurnCase,
    passage: Passage,
    verdicts: list[Verdict],
    results: Results,
    required: bool,
    raised: Mapping[str, Span],
) -> TurnScores:
    issues = [(code, message) for name, code, message in _WHY_NONE if results[name]["score"] is None]
    if not required:
        issues = [issue for issue in issues if issue[0] not in ("no_required_slot", "no_element_required")]
        issues.append(("unknown_turn", f"nothing is required of turn {case.turn}"))
    issues += [
        (DISPUTED_ISSUE, f"{verdict.mention.text}: the record says {verdict.truth or 'otherwise'}")
        for verdict in verdicts
        if verdict.result == DISPUTED
    ]
    return TurnScores(passage, results, tuple(issues), tuple(_spans_of(verdicts, results)), raised)


def _spans_of(verdicts: list[Verdict], results: Results) -> list[dict[str, Any]]:
    """The marks in a transcript: supported and hallucinated claims, violations, used slots, and what is missing."""
    spans: list[dict[str, Any]] = []
    for verdict in verdicts:
        mention, result = verdict.mention, verdict.result
        if result not in NOT_COUNTED:
            kind = "supported" if result in RIGHT else "hallucinated"
            span = {"kind": kind, "start": mention.start, "end": span_end(verdict), "label": mention.concept.id}
            spans.append({**span, "source": FROM_QUESTION} if result == FROM_QUESTION else span)
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
