"""How an answer was read, to be printed: its clauses with their cues, its mentions with their status and the reason."""

from __future__ import annotations

from typing import Any, Final

from jatdae.dialogue.reading.cues import AFTER, BEFORE, BITS, EFFECT, NOT_TO
from jatdae.dialogue.reading.judgements import find_judgement
from jatdae.dialogue.reading.mentions import Mention, Passage
from jatdae.dialogue.reading.statuses import CONDITIONAL, FACT

_HIDDEN: Final = EFFECT | NOT_TO
_WAYS: Final = {BEFORE: "before", AFTER: "after", BEFORE | AFTER: "around"}


def explain_passage(passage: Passage) -> dict[str, Any]:
    """How an answer was read, as plain data."""
    return {
        "clauses": [
            {
                "text": passage.text[clause.start : clause.end],
                "span": [clause.start, clause.end],
                "cues": [
                    {"text": cue.text, "span": [cue.start, cue.end], "role": role, "acts_on": _WAYS[cue.scope]}
                    for cue in clause.cues
                    for role in _names_of(cue.role)
                ],
            }
            for clause in passage.context.clauses()
        ],
        "mentions": [_mention(mention, passage) for mention in passage.mentions],
        "judgements": [
            {"concept": each.mention.concept.id, "says": each.says, "span": [each.mention.start, each.end]}
            for each in passage.judgements
        ],
    }


def _mention(mention: Mention, passage: Passage) -> dict[str, Any]:
    value = mention.value
    measured = mention.category in ("lab", "vital", "age")
    judged = value is None and find_judgement(passage.folded, mention.start, mention.end) is not None
    exact = measured and ((value is not None and not value.compare) or judged)
    until = (value.end,) if value and measured else ()
    row, roles, _ = passage.context.explain(mention.start, mention.end, mention.category, exact, *until)
    why = row.why
    if row.then.status != mention.status:  # decided by its value, not by its words
        why = "given" if mention.status == FACT and row.then.status == CONDITIONAL else "judged" if judged else "limit"
    return {
        "concept": mention.concept.id,
        "text": mention.text,
        "span": [mention.start, max(mention.end, value.end if value else 0)],
        "value": value.number if value else None,
        "second": value.second if value else None,
        "unit": value.unit if value else "",
        "then": bool(value and value.then),
        "polarity": mention.polarity,
        "status": mention.status,
        "advice": mention.advice,
        "why": why,
        "roles": _names_of(roles),
    }


def _names_of(roles: int) -> list[str]:
    return [name for name, bit in BITS.items() if roles & ~_HIDDEN & bit]
