"""What the roles that reach a mention make of it: polarity, status, subject, advice."""

from __future__ import annotations

from typing import Final, NamedTuple

from jatdae.dialogue.cues import (
    AFFIRM,
    AGAINST,
    ALLOW,
    CONDITION,
    CONSULT,
    EXAMPLE,
    FAMILY,
    GENERAL,
    KEEP,
    NOT_TO,
    PATIENT,
    RECOMMEND,
    STRONG,
    TARGET,
)

STATUSES: Final = ("patient_fact", "recommended", "advised_against", "conditional", "example", "general", "family")
FACT, RECOMMENDED, AVOID, CONDITIONAL, IN_EXAMPLE, NOT_PATIENT, OF_FAMILY = STATUSES
ADVISABLE: Final = frozenset(("drug", "drug_class", "food", "activity", "procedure", "pattern"))
"""What can be recommended or advised against; nobody recommends a disease."""
TAKEN: Final = frozenset(("drug", "drug_class", "procedure"))
"""What a patient takes or has had; food and exercise are only ever advised, or spoken of."""
_MEASURED: Final = frozenset(("lab", "vital"))
_TOLD: Final = frozenset(("age", "sex"))


class Reading(NamedTuple):
    """How a mention is meant."""

    polarity: str
    status: str
    subject: str
    advice: str
    """for, against or nothing: what the answer tells the patient to do about it."""


_GENERAL: Final = Reading("affirmed", NOT_PATIENT, "other", "")
_STATED: Final = Reading("affirmed", FACT, "patient", "")
_DENIED: Final = Reading("negated", FACT, "patient", "")
_KEPT: Final = Reading("affirmed", FACT, "patient", "for")
_ADVISED: Final = Reading("affirmed", RECOMMENDED, "patient", "for")
_ADVISED_AGAINST: Final = Reading("affirmed", AVOID, "patient", "against")
_IF: Final = Reading("affirmed", CONDITIONAL, "patient", "")
_EXAMPLE: Final = Reading("affirmed", IN_EXAMPLE, "patient", "")
_FAMILY: Final = Reading("affirmed", OF_FAMILY, "other", "")
_FAMILY_DENIED: Final = Reading("negated", OF_FAMILY, "other", "")


def decide(roles: int, negations: int, category: str, valued: bool, asks: bool) -> Reading:
    """The reading that the roles leave, the strongest first."""
    negated = negations % 2 == 1
    advisable = category in ADVISABLE
    if roles & FAMILY and not (advisable and roles & (AGAINST | RECOMMEND)):
        return _FAMILY_DENIED if negated else _FAMILY
    if roles & EXAMPLE and category not in _TOLD:
        return _EXAMPLE
    if advisable and roles & (AGAINST | KEEP | ALLOW):
        if roles & KEEP:
            return _KEPT if category in TAKEN else _ADVISED
        return _ADVISED if roles & ALLOW else _ADVISED_AGAINST
    if roles & CONDITION and roles & STRONG and category in TAKEN:
        return _STATED  # "지금 드시는 리시노프릴을 더 쓰면": taken, whatever is made to depend on it
    if roles & CONDITION or (advisable and roles & CONSULT and not roles & AFFIRM):
        return _IF
    if asks or (roles & GENERAL and not valued and not (roles & STRONG and category not in _MEASURED)):
        return _GENERAL
    if category in _MEASURED:
        return _measured(roles, valued)
    if advisable and roles & RECOMMEND and roles & NOT_TO and negated:
        return _ADVISED_AGAINST
    if advisable and roles & RECOMMEND:
        return _KEPT if roles & STRONG and category in TAKEN else _ADVISED
    if negated:
        return _DENIED
    told = category in _TOLD or negations or roles & (PATIENT | AFFIRM | STRONG)
    return _STATED if told and (category in TAKEN or not advisable) else _GENERAL


def _measured(roles: int, valued: bool) -> Reading:
    """A measurement is the patient's where it has a value that is neither a target nor advice."""
    advised = roles & (RECOMMEND | AGAINST | KEEP)
    if roles & TARGET or (advised and not (roles & AFFIRM or (valued and roles & STRONG))):
        return _ADVISED if advised else _GENERAL
    return _STATED if valued or roles & (PATIENT | AFFIRM | STRONG) else _GENERAL
