"""How a mention is meant, decided from the cues that reach it: a table, of which the first row that fits holds."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal, NamedTuple

from jatdae.dialogue.reading.cues import (
    ABOUT,
    AFFIRM,
    AGAINST,
    ALLOW,
    CONDITION,
    CONSULT,
    EFFECT,
    EXAMPLE,
    FAMILY,
    GENERAL,
    HEDGE,
    KEEP,
    NOT_TO,
    PACE,
    PATIENT,
    PERSONAL,
    RECOMMEND,
    STRONG,
    TARGET,
    TITLE,
)

Kind = Literal["told", "measured", "taken", "done", "other"]
STATUSES: Final = (
    "patient_fact", "recommended", "advised_against", "conditional", "example", "general", "family", "hedged",
)  # fmt: skip
FACT, RECOMMENDED, AVOID, CONDITIONAL, IN_EXAMPLE, NOT_PATIENT, OF_FAMILY, HEDGED = STATUSES
KINDS: Final[dict[str, Kind]] = {
    "age": "told", "sex": "told",
    "lab": "measured", "vital": "measured",
    "drug": "taken", "drug_class": "taken", "procedure": "taken",
    "food": "done", "activity": "done", "pattern": "done",
}  # fmt: skip
"""What can be said of a category. `told`: needs no verb. `taken`: patients take it or had it, and it can be advised.
`done`: it is only advised or talked about. All others (conditions, symptoms, hints) the patient has or has not."""
ADVISABLE: Final = frozenset(("taken", "done"))


class Assertion(NamedTuple):
    """How a mention of a concept is meant: polarity, status, whom it is about, and what is advised."""

    polarity: str
    status: str
    subject: str
    advice: str
    """`for`, `against` or empty: what the answer advises about it."""


_NOT_OF_PATIENT: Final = Assertion("affirmed", NOT_PATIENT, "other", "")
_STATED: Final = Assertion("affirmed", FACT, "patient", "")
_DENIED: Final = Assertion("negated", FACT, "patient", "")
_KEPT: Final = Assertion("affirmed", FACT, "patient", "for")
_FOR: Final = Assertion("affirmed", RECOMMENDED, "patient", "for")
_AGAINST: Final = Assertion("affirmed", AVOID, "patient", "against")
_TAKEN_AGAINST: Final = Assertion("affirmed", FACT, "patient", "against")
_IF: Final = Assertion("affirmed", CONDITIONAL, "patient", "")
_IF_NOT: Final = Assertion("negated", CONDITIONAL, "patient", "")
_EXAMPLE: Final = Assertion("affirmed", IN_EXAMPLE, "patient", "")
_FAMILY: Final = Assertion("affirmed", OF_FAMILY, "other", "")
_FAMILY_DENIED: Final = Assertion("negated", OF_FAMILY, "other", "")
_HEDGED: Final = Assertion("affirmed", HEDGED, "patient", "")

_EVERY: Final = frozenset(("told", "measured", "taken", "done", "other"))
_SPOKEN: Final = _EVERY - {"told"}
_NAMED: Final = frozenset(("taken", "other"))
_VALUED: Final = frozenset(("measured",))
_TOLD: Final = frozenset(("told",))
_TAKEN: Final = frozenset(("taken",))
_ADVICE: Final = RECOMMEND | AGAINST | KEEP | ALLOW
_OF_PATIENT: Final = PERSONAL | PATIENT | STRONG | ABOUT


UNSAID: Final = "nothing said of the patient"
"""Why a mention is general if no cue tells whom it is about."""


class Row(NamedTuple):
    """One row of the table: where it fits, and how the mention is then meant."""

    why: str
    """Its name, as `jatdae dialogue parse` shows it."""
    then: Assertion
    kinds: frozenset[str] = _EVERY
    every: int = 0
    """Roles that must all reach the mention."""
    some: int = 0
    """Roles of which one must reach it."""
    none: int = 0
    """Roles of which none may reach it."""
    negated: bool | None = None
    valued: bool | None = None
    asked: bool | None = None


TABLE: Final = (
    Row("family denied", _FAMILY_DENIED, frozenset(("told", "other")), every=FAMILY, negated=True),
    Row("family", _FAMILY, frozenset(("told", "other")), every=FAMILY),
    Row("family", _FAMILY, ADVISABLE | _VALUED, every=FAMILY, none=AGAINST | RECOMMEND),
    Row("part of a name", _NOT_OF_PATIENT, every=TITLE),
    # "지금 드시는 리시노프릴은 계속 드세요": taken, and to be taken on
    Row("kept", _KEPT, _TAKEN, every=KEEP, none=CONDITION),
    Row("advised", _FOR, ADVISABLE, every=KEEP),
    # "로사르탄 같은 약을 추가하는 방법을 검토할 수 있습니다"
    Row("hedged", _HEDGED, _TAKEN, every=EXAMPLE | HEDGE, none=_ADVICE | STRONG | PERSONAL | PATIENT),
    Row("example", _EXAMPLE, _SPOKEN, every=EXAMPLE, none=_ADVICE | STRONG | PERSONAL | PATIENT),
    Row("example", _EXAMPLE, _SPOKEN, every=EXAMPLE | GENERAL, none=_ADVICE | STRONG | PERSONAL),
    Row("allowed", _FOR, ADVISABLE, every=ALLOW),
    # "지금 드시는 크레스토를 올리기보다는": taken, whatever is advised against
    Row("taken", _TAKEN_AGAINST, _TAKEN, every=AGAINST | STRONG),
    Row("advised against", _AGAINST, ADVISABLE, every=AGAINST),
    # "지금 드시는 리시노프릴을 더 쓰면": taken, whatever is made to depend on it
    Row("taken", _STATED, _TAKEN, every=CONDITION | STRONG),
    Row("condition", _IF_NOT, _EVERY - ADVISABLE, every=CONDITION, negated=True),
    Row("condition", _IF, every=CONDITION),
    Row("consult", _IF, ADVISABLE, every=CONSULT, none=AFFIRM),
    Row("asked", _HEDGED, asked=True),
    Row(
        "general",
        _NOT_OF_PATIENT,
        frozenset(("other",)),
        every=HEDGE | GENERAL,
        none=STRONG | PERSONAL | PATIENT | EFFECT,
    ),
    Row("hedged", _HEDGED, frozenset(("other",)), every=HEDGE, none=STRONG),
    Row("hedged", _HEDGED, _TAKEN, every=HEDGE, none=STRONG | RECOMMEND),
    Row("general", _NOT_OF_PATIENT, _NAMED | {"done"}, every=GENERAL, none=STRONG),
    Row("hedged", _HEDGED, _VALUED, every=HEDGE, none=STRONG | PERSONAL | RECOMMEND, valued=False),
    Row("general", _NOT_OF_PATIENT, _VALUED, every=GENERAL, valued=False),
    Row("general", _NOT_OF_PATIENT, _VALUED | _TOLD, every=GENERAL, none=PERSONAL | STRONG | PATIENT),
    Row("target advised", _FOR, _VALUED, every=TARGET, some=RECOMMEND | AGAINST | KEEP),
    Row("target", _NOT_OF_PATIENT, _VALUED, every=TARGET, none=PERSONAL),
    Row("value", _STATED, _VALUED, valued=True),
    Row("to be measured", _FOR, _VALUED, some=RECOMMEND | AGAINST | KEEP, none=AFFIRM),
    Row("measured", _STATED, _VALUED, some=PATIENT | STRONG),
    Row("measured", _STATED, _VALUED, every=AFFIRM, some=_OF_PATIENT),
    Row("not measured", _NOT_OF_PATIENT, _VALUED),
    Row("advised against", _AGAINST, ADVISABLE, every=RECOMMEND | NOT_TO, negated=True),
    Row("kept", _KEPT, _TAKEN, every=RECOMMEND | STRONG),
    Row("advised", _FOR, ADVISABLE, every=RECOMMEND),
    Row("advised", _FOR, frozenset(("done",)), every=PACE, none=ABOUT | PERSONAL | PATIENT),
    Row("denied", _DENIED, some=_OF_PATIENT, negated=True),
    Row("denied", _DENIED, _TOLD, negated=True),
    Row("told", _STATED, _TOLD),
    Row(UNSAID, _NOT_OF_PATIENT, frozenset(("done",))),
    Row("stated", _STATED, _NAMED, some=STRONG | PATIENT),
    Row("stated", _STATED, _NAMED, every=AFFIRM, some=_OF_PATIENT),
    Row(UNSAID, _NOT_OF_PATIENT),
)
"""The order is part of the meaning: who it is about, what is advised, what is supposed, only then what is stated."""


@lru_cache(maxsize=1 << 15)
def decide(roles: int, negations: int, category: str, valued: bool, asked: bool) -> Row:
    """The row of the table that says how a mention is meant, for the roles of the cues that reach it."""
    kind = KINDS.get(category, "other")
    negated = negations % 2 == 1
    return next(row for row in TABLE if _fits(row, kind, roles, negated, valued, asked))


def _fits(row: Row, kind: str, roles: int, negated: bool, valued: bool, asked: bool) -> bool:
    return (
        kind in row.kinds
        and roles & row.every == row.every
        and (not row.some or bool(roles & row.some))
        and not roles & row.none
        and row.negated in (None, negated)
        and row.valued in (None, valued)
        and row.asked in (None, asked)
    )
