"""Numbers with units in a text: values of measurements, doses and ages, and whether they equal a known one."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from jatdae.dialogue.reading.concepts import Concept

_REACH: Final = 36
"""How far after the name of a measurement its number may stand, in characters."""
_BARE_REACH: Final = 14
"""The same for a number without a unit, which may be of something else."""

_NUMBER: Final = re.compile(r"(?<![\w.])(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?")
_PAIR: Final = re.compile(r"\s*/\s*(\d{2,3})(?![\d/])")
_RANGE: Final = re.compile(r"\s*(?:[-~–∼]|에서|to|between)\s*(?=\d)")
_FROM: Final = re.compile(r"(?:에서|\s+to)\s*(?=\d)")
_COUNTED: Final = re.compile(
    r"\s*-?\s*(?:회|개월|달|주|일|년|시간|분|번|잔|정|알|세|살|대|배|끼|컵|차|가지|단계|기(?!\w)|월|점|명|단위|"
    r"kcal|mg|mcg|µg|g(?![a-z/])|months?|weeks?|days?|hours?|times?|minutes?|mins?|years?|yrs?|tablets?|pills?|units?|"
    r"st\b|nd\b|rd\b|th\b)"
)
_RHYTHM: Final = re.compile(r"하루|매일|매주|일주일|다음|이내|every|daily|per |within|in the next|\n|[.!?]\s")
_ABOVE: Final = re.compile(r"\s*(?:[을를]|으로|로)?\s*(이상|이하|미만|초과|or (?:higher|more|above|lower|less|below))")
_BELOW: Final = re.compile(
    r"(<=|>=|≤|≥|<|>|below|under|above|over|(?:less|lower|more|greater|higher) than|at least|exceed\w*)\s*$"
)
_COMPARE: Final = {
    "이상": ">=", "이하": "<=", "미만": "<", "초과": ">", "or higher": ">=", "or more": ">=", "or above": ">=",
    "or lower": "<=", "or less": "<=", "or below": "<=", "<=": "<=", ">=": ">=", "≤": "<=", "≥": ">=", "<": "<",
    ">": ">", "below": "<", "under": "<", "less than": "<", "lower than": "<", "above": ">", "over": ">",
    "more than": ">", "greater than": ">", "higher than": ">", "at least": ">=",
}  # fmt: skip
_ABOUT: Final = re.compile(r"(?:약|대략|거의|about|around|approximately|roughly|nearly|almost|~)\s*$")
_ROUGHLY: Final = re.compile(r"\s*(?:정도|쯤|가량|안팎|전후|대(?!\w))")
_DOSE: Final = re.compile(r"\s*[(]?\s*(\d+(?:\.\d+)?)\s*(mg|밀리그램|mcg|µg|μg|g|그램|iu|units?|단위)(?![a-z/])")
_MILLIGRAMS: Final = {"mg": 1.0, "밀리그램": 1.0, "g": 1000.0, "그램": 1000.0, "mcg": 0.001, "µg": 0.001, "μg": 0.001}
_DIGITS: Final = re.compile(r"[0-9](?<![\w.].)[0-9]{0,2}(?![0-9])")
"""A number of up to three digits, not part of another. The pattern begins with a digit because that is fastest."""
_WITH_YEARS: Final = re.compile(_DIGITS.pattern + r"(?=\s*[세살대]|[\s-]?y|[mf])")
"""The same, if a word for years may follow."""
_YEARS: Final = re.compile(
    r"\s*(?:세(?!대|트|기|션|포|균)|살(?!균|이\s?찌))|(?:\s|-)?(?:years?|yrs?)(?:\s|-)?old| years of age"
    r"|\s?y/?o(?![a-z])|(?=[mf](?![a-z]))"
)
_DECADE: Final = re.compile(r"0대(?!\w*(?:%|mg))")
_AGED: Final = re.compile(r"(?:\bage[ds]?|나이)(?:\s+is|\s+of|는|가|:|\s)\s*$")
_PLAIN: Final = re.compile(r"(?!\.\d|%|\s*(?:and|or|to|-|[a-z]{2}/|mg|kg|months?|weeks?|days?))")
_AGE_BOUND: Final = re.compile(
    r"\s*(?:이상|이하|미만|초과|and (?:over|older|above)|or (?:older|over|above|younger)|부터|까지)"
)


class Quantity(NamedTuple):
    """A number with its unit as it is written in a text."""

    number: float
    decimals: int
    unit: str = ""
    """Folded; empty if none is written."""
    second: float | None = None
    """The diastolic pressure of a pair."""
    compare: str = ""
    """`<`, `<=`, `>`, `>=`, `range`, or empty for an exact number."""
    about: bool = False
    end: int = 0


def find_quantity(text: str, concept: Concept, start: int, end: int, limit: int) -> Quantity | None:
    """Find the quantity of the measurement mentioned at start:end of an answer; the next begins at `limit`."""
    stop = min(limit, end + _REACH, len(text))
    found = _NUMBER.search(text, end, stop)
    if found is None or found.start() - end > _REACH or _RHYTHM.search(text, end, found.start()):
        return _value_before(text, concept, start)
    value = _read(text, concept, found, text[end : found.start()])
    if value is None:
        return _value_before(text, concept, start)
    if not value.unit and value.second is None and found.start() - end > _BARE_REACH:
        return None
    return value


def find_dose(text: str, end: int) -> Quantity | None:
    """Find the quantity (dose) right after a drug mentioned in an answer, in milligrams if it is a mass."""
    found = _DOSE.match(text, end)
    if not found:
        return None
    number, unit = float(found[1]), found[2]
    factor = _MILLIGRAMS.get(unit)
    return Quantity(number * (factor or 1.0), 0, "mg" if factor else "unit", end=found.end())


def find_ages(written: str, text: str) -> list[tuple[int, int, Quantity]]:
    """Find quantities in an answer that are ages in years, as (start, end, age).

    A decade ("60대") is a range, "65세 이상" is no age, and 71M is one but 100m is not.
    """
    found = []
    aged = "age" in text or "나이" in text
    for match in (_DIGITS if aged else _WITH_YEARS).finditer(text):
        start, end = match.span()
        unit = "years"
        if (told := _YEARS.match(text, end)) and not (told.end() == end and written[end] in "mf"):
            end = told.end()
        elif match[0].endswith("0") and len(match[0]) == 2 and _DECADE.match(text, end - 1):
            unit, end = "decade", end + 1
        elif not (aged and _AGED.search(text, max(0, start - 10), start) and _PLAIN.match(text, end)):
            continue
        years = float(match[0])
        if years <= 130 and not _AGE_BOUND.match(text, end):
            found.append((start, end, Quantity(years, 0, unit, end=end)))
    return found


def in_base_unit(value: float, concept: Concept, unit: str) -> float | None:
    """Convert a measured quantity of an answer or patient to its base unit; None if the unit is unknown."""
    if not unit or unit == concept.unit:
        return value
    if unit not in concept.units:
        return None
    factor, offset = concept.units[unit]
    return value * factor + offset


def agrees(said: Quantity, truth: float, concept: Concept, unit: str) -> bool:
    """Whether a quantity written in an answer equals the true one, in the unit and to the precision written."""
    base = in_base_unit(truth, concept, unit)
    factor, offset = concept.units.get(said.unit or unit or concept.unit, (1.0, 0.0))
    if base is None:
        base, factor, offset = truth, 1.0, 0.0
    there = (base - offset) / factor
    if said.compare and said.compare != "range":
        return {"<": there < said.number, "<=": there <= said.number, ">": there > said.number}.get(
            said.compare, there >= said.number
        )
    slack = 0.5 * 10.0**-said.decimals + 1e-9
    if (said.unit or unit) != (unit or concept.unit):
        slack += 0.005 * abs(there)  # published conversion factors differ in their third digit
    if said.about:
        slack = max(slack, 0.05 * abs(there))
    return abs(said.number - there) <= slack


def _read(text: str, concept: Concept, found: re.Match[str], filler: str) -> Quantity | None:
    number, decimals, end = _figure(found)
    second = None
    if concept.pair and (pair := _PAIR.match(text, end)):
        second, end = float(pair[1]), pair.end()
    unit, end = _unit(text, end, concept)
    if not unit and _COUNTED.match(text, end):
        return None
    if moved := _FROM.match(text, end):  # "8.1%에서 7.2%로", "from 8.1 to 7.2": the latter holds now
        later = _NUMBER.match(text, moved.end())
        if later and ("에서" in moved[0] or "from" in filler):
            number, decimals, end = _figure(later)
            unit, end = _unit(text, end, concept)
    compare = ""
    if _RANGE.match(text, end) or "between" in filler:
        compare = "range"
    elif after := _ABOVE.match(text, end):
        compare = _COMPARE[after[1]]
    elif before := _BELOW.search(filler):
        compare = _COMPARE.get(before[1], ">")
    about = bool(_ABOUT.search(filler) or _ROUGHLY.match(text, end))
    return Quantity(number, decimals, unit, second, compare, about, end)


def _figure(found: re.Match[str]) -> tuple[float, int, int]:
    digits = found[1].replace(",", "")
    fraction = found[2] or ""
    return float(f"{digits}.{fraction}" if fraction else digits), len(fraction), found.end()


def _unit(text: str, end: int, concept: Concept) -> tuple[str, int]:
    """The longest unit of the measurement at a place, and where it ends."""
    at = end + 1 if text.startswith(" ", end) else end
    best = ""
    for unit in concept.units:
        if unit and len(unit) > len(best) and text.startswith(unit, at):
            after = text[at + len(unit) : at + len(unit) + 1]
            if not (unit[-1].isascii() and unit[-1].isalpha() and after.isascii() and after.isalnum()):
                best = unit
    return (best, at + len(best)) if best else ("", end)


def _value_before(text: str, concept: Concept, start: int) -> Quantity | None:
    """ "a 9.9% HbA1c", "9.9%의 당화혈색소": only with a unit, for any number may precede a word."""
    window = max(0, start - 18)
    for found in _NUMBER.finditer(text, window, start):
        number, decimals, end = _figure(found)
        second = None
        if concept.pair and (pair := _PAIR.match(text, end)):
            second, end = float(pair[1]), pair.end()
        unit, end = _unit(text, end, concept)
        if unit and end <= start and text[end:start].strip(" ") in ("", "의", "인", "of"):
            return Quantity(number, decimals, unit, second, end=end)
    return None
