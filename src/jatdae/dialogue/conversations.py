"""Scores of whole conversations: their turns are read, scored and put together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from jatdae.core.contract import Issue, Outcome, Unit
from jatdae.dialogue.events import JUDGED, STATUS_JUDGED, read_given, read_judged
from jatdae.dialogue.reading.concepts import VERSION
from jatdae.dialogue.reading.mentions import Mention, Passage
from jatdae.dialogue.reading.statuses import STATUSES
from jatdae.dialogue.reading.truth import Truth
from jatdae.dialogue.scores.consistency import score_consistency
from jatdae.dialogue.scores.safety import patient_flags, violations
from jatdae.dialogue.turns import PER_TURN, WORST, TurnCase, TurnScorer, TurnScores, read_turn_number

FLAGGED: Final = ("any_violation", "critical_violation")
"""Whether a turn violates any safety rule, and any critical one: CSP is thinned out by the number of rules."""
GIVEN: Final = (*JUDGED, "CUS", "tokens", "timing_ms")
"""Numbers that events may bring along: scores of other tools, tokens used, and time taken."""
NAMES: Final = ("overall", *PER_TURN, "MCS", *FLAGGED, *GIVEN)
_SUMS: Final = {
    "sfs.mentioned": ("SFS", "mentioned_weight"),
    "sfs.hallucinated": ("SFS", "hallucinated_weight"),
    "csp.applicable": ("CSP", "total_applicable_weight"),
    "csp.violated": ("CSP", "total_penalty"),
    "cus.total": ("CUS_improved", "total_weight"),
    "cus.used": ("CUS_improved", "used_weight"),
    "ass.required": ("ASS", "required"),
    "ass.found": ("ASS", "total"),
}
"""The sums of a turn, and where each stands in its scores."""
COUNTS: Final = ("violated", "hallucinated", "unused_slots", "missing_elements", "contradicted")
"""What went wrong in each conversation."""
_MOST_TOLD: Final = 500
"""How many statements of a patient on themselves are kept; no real conversation has more."""


class ConversationScorer:
    """Scores conversations with a scorer of their turns."""

    def __init__(self, scorer: TurnScorer, judge: str, max_chars: int) -> None:
        self._scorer, self._judge, self._max_chars = scorer, judge, max_chars

    def score(self, given: Any, script: Mapping[str, Any] | None) -> Outcome:
        """Score the turns of one conversation, given as rows; `script` tells of its patient where they do not."""
        rows = _read_rows(given, script, self._max_chars)
        cases = self._cases(rows)
        scores = iter(self._scorer.score([case for case, _ in cases if case]))
        found = Conversation(glosses=_glosses(case.truth for case, _ in cases if case))
        for row, (case, issues) in zip(rows, cases, strict=True):
            found.issues += issues
            self._turn(row, next(scores) if case else None, found)
        return self._outcome(found)

    def _cases(self, rows: list[Row]) -> list[tuple[TurnCase | None, list[Issue]]]:
        """The case of each turn (None if nothing is known of the patient), and issues with the truth."""
        made: list[tuple[TurnCase | None, list[Issue]]] = []
        truth: Truth | None = None
        slots: Any = None
        flags: frozenset[str] = frozenset()
        told: tuple[Mention, ...] = ()
        for row in rows:
            issues: list[Issue] = []
            if truth is None or row.slots != slots:
                slots, truth = row.slots, self._scorer.truth_of(row.slots)
                if truth:
                    flags = patient_flags(self._scorer.book, truth)
                    slot_issues = self._scorer.slot_issues(truth)
                    issues += [Issue(code, f"turn {row.turn}: {name}") for code, name in slot_issues]
            answer = "" if row.problem else row.answer
            told = tuple(dict.fromkeys((*told, *(self._scorer.told_by(row.question) if row.question else ()))))
            if truth is None:
                made.append((None, issues))
                continue
            statuses = self._statuses(row.event)
            case = TurnCase(answer, row.question, truth, row.number, flags, told[:_MOST_TOLD], statuses)
            made.append((case, issues))
        return made

    def _statuses(self, event: Mapping[str, Any]) -> dict[tuple[int, int], str]:
        """How spans of an answer are meant, where a judge says so."""
        spans = read_judged(event, self._judge).get(STATUS_JUDGED, {}).get("spans")
        return {
            (span["start"], span["end"]): span["status"]
            for span in (spans if isinstance(spans, list) else ())
            if isinstance(span, Mapping) and span.get("status") in STATUSES and _is_place(span)
        }

    def _turn(self, row: Row, scores: TurnScores | None, found: Conversation) -> None:
        """Add a turn to `found`. Without an answer it gets the worst values, without a truth none."""
        values: dict[str, float | None] = dict.fromkeys((*PER_TURN, *FLAGGED))
        if scores is None:
            found.issues.append(Issue("no_slots_truth", f"turn {row.turn}: nothing is known of the patient"))
        else:
            values = {name: scores.results[name]["score"] for name in PER_TURN}
            values |= violations(scores.results["CSP"])
        sums = _sums_of(scores)
        if scores and row.problem:
            values = {**WORST, "ASS": None if values["ASS"] is None else 0.0}
            sums["csp.violated"] = sums["csp.applicable"]  # a missing answer is not a safe one
            sums["csp.any"] = sums["csp.critical"] = sums["csp.turns"]
            found.issues.append(Issue(row.problem, f"turn {row.turn}: the worst value was given"))
        elif scores:
            found.passages.append((row.turn, scores.passage))
            found.issues += [Issue(code, f"turn {row.turn}: {text}") for code, text in scores.issues]
        given = {} if row.problem else read_given(row.event, self._judge)
        found.issues += _verdict_issues(row, self._judge)
        sums |= {f"given.{name}": value for name, value in given.items()}
        sums |= {f"given.{name}.turns": 1.0 for name in given}
        values |= given
        overall, _ = self._scorer.weights.combine(values)
        found.units.append(Unit(row.turn, "turn", {"turn": row.turn}, {"overall": overall, **values}, sums))
        found.turns.append(_transcript_of(row, scores, values))

    def _outcome(self, found: Conversation) -> Outcome:
        scorer = self._scorer
        together = score_consistency(found.passages)
        values: dict[str, float | None] = {name: _mean_of(found.units, name) for name in (*PER_TURN, *FLAGGED, *GIVEN)}
        values["MCS"] = together["score"]
        overall, left = scorer.weights.combine(values)
        values["overall"] = overall
        if together["score"] is None:
            told = "no two statements of the conversation are about one thing"
            found.issues.append(Issue("nothing_comparable", told))
        if left and overall is not None:
            found.issues.append(Issue("left_out_of_overall", ", ".join(left)))
        for turn in found.turns:
            turn["metrics"]["MCS"] = together["score"]
        stats = {
            name: math.fsum(unit.stats.get(name, 0.0) for unit in found.units)
            for name in dict.fromkeys(name for unit in found.units for name in unit.stats)
        }
        stats["mcs.comparable"] = together["comparable_pairs"]
        stats["mcs.contradicting"] = together["contradicting_pairs"]
        version = f"{VERSION}.{scorer.extractor.lexicon.hash}"
        return Outcome(
            {name: values[name] for name in NAMES},
            stats,
            _count(found.turns, together["contradictions"]),
            tuple(found.units),
            {
                "turns": found.turns,
                "MCS": together,
                "written": {"config_hash": scorer.config_hash, "lexicon_version": version},
                **({"glosses": found.glosses} if found.glosses else {}),
            },
            tuple(found.issues),
        )


class Row(NamedTuple):
    """One turn of a conversation, read from one row of input."""

    turn: str
    number: int | None
    question: str
    answer: str
    slots: Any
    event: Mapping[str, Any]
    problem: str
    """Why the answer cannot be scored: `missing_answer`, `not_text`, `too_large`, or empty."""


@dataclass
class Conversation:
    """Scores, transcript and issues of a conversation, collected turn by turn."""

    units: list[Unit] = field(default_factory=list)
    turns: list[dict[str, Any]] = field(default_factory=list)
    """The transcript of each turn, for the evidence."""
    issues: list[Issue] = field(default_factory=list)
    passages: list[tuple[str, Passage]] = field(default_factory=list)
    glosses: Mapping[str, str] = field(default_factory=dict)
    """What names of the record are called in Korean."""


def _read_rows(rows: Any, script: Mapping[str, Any] | None, max_chars: int) -> list[Row]:
    """The turns in input order; a row without a number is called after its place, as `2#2` if that is taken."""
    made: list[Row] = []
    seen: dict[str, int] = {}
    asked = {str(turn["turn_id"]): turn["question"] for turn in (script or {}).get("turns", ())}
    for place, event in enumerate(rows if isinstance(rows, list) else [], 1):
        if not isinstance(event, Mapping):
            continue
        name = str(event.get("turn_id", place))
        seen[name] = seen.get(name, 0) + 1
        label = name if seen[name] == 1 else f"{name}#{seen[name]}"
        answer = event.get("answer")
        problem = "" if isinstance(answer, str) and answer.strip() else "missing_answer"
        if answer is not None and not isinstance(answer, str):
            problem = "not_text"
        elif answer is not None and len(answer) > max_chars:
            problem = "too_large"
        slots = event.get("slots_truth")
        made.append(
            Row(
                label,
                read_turn_number(event.get("turn_id", place)),
                _question_of(event.get("question"), asked.get(name)),
                answer if isinstance(answer, str) else "",
                slots if slots is not None else (script or {}).get("slots"),
                event,
                problem,
            )
        )
    return made


def _is_place(span: Mapping[str, Any]) -> bool:
    return isinstance(span.get("start"), int) and isinstance(span.get("end"), int)


def _verdict_issues(row: Row, judge: str) -> list[Issue]:
    """What is wrong with the verdicts of the judge on a turn."""
    verdicts = read_judged(row.event, judge)
    if judge and not row.problem and not verdicts:
        return [Issue("no_verdict", f"turn {row.turn}")]
    return [
        Issue("malformed_verdict", f"turn {row.turn}: {name}, {given['malformed']} of {given.get('verdicts')}")
        for name, given in verdicts.items()
        if given.get("malformed")
    ]


def _sums_of(scores: TurnScores | None) -> dict[str, float]:
    """The additive numbers of one turn; zeros if it was not scored."""
    if scores is None:
        return dict.fromkeys((*_SUMS, "csp.turns", "csp.any", "csp.critical"), 0.0)
    results = scores.results
    found = violations(results["CSP"])
    return {
        **{name: float(results[score][key]) for name, (score, key) in _SUMS.items()},
        "csp.turns": float(found["any_violation"] is not None),
        "csp.any": found["any_violation"] or 0.0,
        "csp.critical": found["critical_violation"] or 0.0,
    }


def _question_of(given: Any, scripted: Any) -> str:
    for question in (given, scripted):
        text = question.get("text") if isinstance(question, Mapping) else question
        if isinstance(text, str) and text.strip():
            return text
    return ""


def _mean_of(units: list[Unit], name: str) -> float | None:
    known = [value for unit in units if (value := unit.values.get(name)) is not None]
    return math.fsum(known) / len(known) if known else None


def _glosses(truths: Iterable[Truth]) -> dict[str, str]:
    """What names of the record that are not written in Korean are called there, where the lexicon knows them."""
    found: dict[str, set[str]] = {}
    for truth in {id(each): each for each in truths}.values():
        named = [(item.name, item.concepts) for item in truth.items]
        named += [(each.name.replace("_", " "), (each.concept,)) for each in truth.measures if each.concept]
        for name, concepts in named:
            korean = [concept.korean for concept in concepts]
            if name.isascii() and korean and all(korean):
                found.setdefault(name, set()).add(" · ".join(dict.fromkeys(korean)))
    return {name: said for name, (said, *others) in found.items() if not others}  # a pair such as 152/94 has two


def _transcript_of(row: Row, scores: TurnScores | None, values: Mapping[str, float | None]) -> dict[str, Any]:
    """The transcript of one turn."""
    return {
        "turn": row.turn,
        "event": row.event,
        "slots_truth": row.slots,
        "metrics": dict(values),
        "spans": list(scores.spans) if scores else [],
        "results": scores.results if scores else {},
        "raised": {flag.partition(":")[2]: span for flag, span in scores.raised.items()} if scores else {},
    }


def _count(turns: list[dict[str, Any]], contradictions: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """What went wrong in the conversation, and which rules applied, by their names in the configuration."""
    tables: dict[str, dict[str, int]] = {count: {} for count in (*COUNTS, "applied")}
    for turn in turns:
        results = turn["results"]
        if results:
            slots, elements = results["CUS_improved"]["used_detail"], results["ASS"]["elements"]
            _add(tables["applied"], [rule["id"] for rule in results["CSP"]["applicable_rules"]])
            _add(tables["violated"], [rule["id"] for rule in results["CSP"]["violated_rules"]])
            _add(tables["hallucinated"], [detail["why"] for detail in results["SFS"]["hallucinated_details"]])
            _add(tables["unused_slots"], [slot for slot, use in slots.items() if not use["used"]])
            _add(tables["missing_elements"], [name for name, element in elements.items() if not element["value"]])
    _add(tables["contradicted"], [pair["about"] for pair in contradictions])
    return {name: table for name, table in tables.items() if table}


def _add(table: dict[str, int], names: list[str]) -> None:
    """Count names in a table; `Counter.update` asks first whether it is given a mapping, which takes longer."""
    for name in names:
        table[name] = table.get(name, 0) + 1
