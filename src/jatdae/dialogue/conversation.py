"""The rows of a conversation as the evaluator takes them, whatever shape they came in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from jatdae.core.contract import Issue, Unit
from jatdae.dialogue.judge import Judged, turn_number
from jatdae.dialogue.reading.mentions import Passage


class Row(NamedTuple):
    """One turn."""

    turn: str
    number: int | None
    question: str
    answer: str
    slots: Any
    event: Mapping[str, Any]
    problem: str
    """Why the answer cannot be scored: missing_answer, not_text, too_large, or nothing."""


@dataclass
class Conversation:
    """What becomes of the turns, as they are judged."""

    units: list[Unit] = field(default_factory=list)
    turns: list[dict[str, Any]] = field(default_factory=list)
    """What a transcript shows of each."""
    issues: list[Issue] = field(default_factory=list)
    passages: list[tuple[str, Passage]] = field(default_factory=list)


def read_rows(rows: Any, script: Mapping[str, Any] | None, max_chars: int) -> list[Row]:
    """The turns in the order of the input; two rows of one turn are told apart by their place."""
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
                turn_number(event.get("turn_id", place)),
                _question(event.get("question"), asked.get(name)),
                answer if isinstance(answer, str) else "",
                slots if slots is not None else (script or {}).get("slots"),
                event,
                problem,
            )
        )
    return made


def sums_of(judged: Judged | None) -> dict[str, float]:
    """The additive numbers of one turn; of a turn that could not be judged, nothing."""
    if judged is None:
        return dict.fromkeys(_SUMS, 0.0)
    results = judged.results
    return {name: float(results[score][key]) for name, (score, key) in _SUMS.items()}


_SUMS = {
    "sfs.mentioned": ("SFS", "mentioned_weight"),
    "sfs.hallucinated": ("SFS", "hallucinated_weight"),
    "csp.applicable": ("CSP", "total_applicable_weight"),
    "csp.violated": ("CSP", "total_penalty"),
    "cus.total": ("CUS_improved", "total_weight"),
    "cus.used": ("CUS_improved", "used_weight"),
    "ass.required": ("ASS", "required"),
    "ass.found": ("ASS", "total"),
}


def _question(given: Any, scripted: Any) -> str:
    for question in (given, scripted):
        text = question.get("text") if isinstance(question, Mapping) else question
        if isinstance(text, str) and text.strip():
            return text
    return ""
