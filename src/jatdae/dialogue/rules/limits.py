"""Whether judgements are true of a patient: "신장 기능은 정상" is false at an eGFR of 42.

A judgement is false only beyond a threshold of the safety rules (a patient flag that the measurement raises by
itself), and true only within the normal range of `scoring.yaml`. Between the two it is not judged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pydantic import Field

from jatdae.core.configfile import Number, Part
from jatdae.dialogue.reading.concepts import Concept
from jatdae.dialogue.reading.mentions import Judgement
from jatdae.dialogue.reading.quantities import in_base_unit
from jatdae.dialogue.reading.truth import Measurement, Truth
from jatdae.dialogue.rules.rulebook import Rulebook


class Shown(Part):
    """A measurement that shows a condition."""

    measure: str
    """Key of the measurement."""
    least: Number | None = Field(None, alias="from")
    """It shows the condition from this value on."""
    below: Number | None = None
    """It shows the condition below this value."""


class Judging(Part):
    """How judgements without a value are judged ("your kidneys are fine"), in the units of the lexicon."""

    normal: dict[str, tuple[Number, Number]] = Field(default_factory=dict)
    """Normal range by measurement: within, "normal" is right. It is wrong only beyond a flag of the safety rules."""
    by: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Keys of the measurements that tell about something else that is judged (diabetes: hba1c)."""
    implied: dict[str, Shown] = Field(default_factory=dict)
    """Conditions that a measurement shows, whether or not the record lists them (obesity: BMI)."""


_DENIED: Final = {"not_high": 1, "not_low": -1}
"""Judgements that only say on which side of the normal range a measurement is not."""
_ILL: Final = frozenset(("labs", "comorbidities"))
"""Slots that list all that tells of an organ which fails."""


@dataclass(frozen=True)
class Limits:
    """Thresholds of the safety rules and normal ranges, by which judgements are judged."""

    book: Rulebook
    judging: Judging

    def judge(self, judgement: Judgement, truth: Truth) -> tuple[str, str]:
        """Whether a judgement is supported, contradicted or not to be checked, and the measurements that tell."""
        key = judgement.mention.concept.key
        keys = self.judging.by.get(key, (key, *judgement.mention.concept.pair))
        known = [each for each in truth.measures if each.concept and each.concept.key in keys]
        sides = [self._side(each) for each in known]
        told = ", ".join(f"{each.name} {each.number:g}" for each in known)
        if not known and judgement.says in ("low", "abnormal") and _lacks(judgement.mention.concept, truth):
            return "not_in_truth", told
        if not known or None in sides:
            return "unchecked", told
        beyond = [self._is_beyond(each) for each in known]
        wanted = {"high": 1, "low": -1}.get(judgement.says)
        if judgement.says == "normal":
            right, wrong = not any(sides), any(beyond)
        elif judgement.says in _DENIED:
            far = [side for past, side in zip(beyond, sides, strict=True) if past]
            right, wrong = _DENIED[judgement.says] not in sides, _DENIED[judgement.says] in far
        elif wanted is None:
            right, wrong = any(beyond), not any(sides)
        else:
            right = any(far and side == wanted for far, side in zip(beyond, sides, strict=True))
            wrong = not any(far or side == wanted for far, side in zip(beyond, sides, strict=True))
        return "contradicts_truth" if wrong else "supported" if right else "unchecked", told

    def implied(self, concept: Concept, truth: Truth) -> bool | None:
        """Whether measurements show a condition that the record need not list (obesity: BMI); None if none tells."""
        shown = self.judging.implied.get(concept.key)
        known = next(
            (each for each in truth.measures if shown and each.concept and each.concept.key == shown.measure), None
        )
        if shown is None or known is None:
            return None
        number = _number_of(known)
        return number < shown.below if shown.below is not None else number >= (shown.least or 0.0)

    def _side(self, known: Measurement) -> int | None:
        """-1 below the normal range, 1 above, 0 within; None if no range is known."""
        span = self._normal(known)
        number = _number_of(known)
        return None if span is None else (number > span[1]) - (number < span[0])

    def _is_beyond(self, known: Measurement) -> bool:
        """Whether a threshold of the safety rules stands between the normal range and a measurement.

        That is a flag which the measurement raises by itself and the nearest normal value does not.
        """
        span = self._normal(known)
        nearest = min(max(_number_of(known), span[0]), span[1]) if span else None
        return any(
            test(_only(known), frozenset()) and not test(_only(known, nearest), frozenset())
            for test in self.book.flags.values()
        )

    def _normal(self, known: Measurement) -> tuple[float, float] | None:
        return self.judging.normal.get(known.concept.key if known.concept else "")


def _only(known: Measurement, number: float | None = None) -> Truth:
    """A record of nothing but one measurement, with another number in the unit of the lexicon if one is given."""
    if number is not None:
        known = known._replace(number=number, unit="")
    return Truth({}, measures=(known,), by_id={known.concept.id: known} if known.concept else {})


def _number_of(known: Measurement) -> float:
    """A measurement in the unit of the lexicon, if its unit is known."""
    number = in_base_unit(known.number, known.concept, known.unit) if known.concept else None
    return known.number if number is None else number


def load_limits(book: Rulebook, judging: Judging) -> Limits | None:
    """The limits of judgements on answers, or None where the configuration has none."""
    return Limits(book, judging) if judging.normal else None


def _lacks(concept: Concept, truth: Truth) -> bool:
    """Whether a complete record has nothing that a function which is said to fail may stand for."""
    failing = concept.key.endswith("_function") and truth.complete >= _ILL
    return failing and truth.above.isdisjoint(concept.to)
