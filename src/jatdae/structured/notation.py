"""Facts about how JSON documents write values, from `notation.yaml`: units, months, zones, words for yes and no."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from jatdae.core.compiled import beside
from jatdae.core.yamlfile import read_yaml

_FACTS: Final[dict[str, Any]] = read_yaml(beside(__name__, "notation.yaml")).value


def _spelt(table: dict[str, str]) -> dict[str, str]:
    """Names by their spellings."""
    return {spelling: str(name) for name, spellings in table.items() for spelling in str(spellings).split()}


_CURRENCIES: Final[dict[str, list[str]]] = _FACTS["currencies"]
CURRENCIES_BEFORE: Final = _spelt({code: before for code, (before, _) in _CURRENCIES.items()})
CURRENCIES_AFTER: Final = _spelt({code: after for code, (_, after) in _CURRENCIES.items()})
CURRENCIES: Final = frozenset(_CURRENCIES)
COUNTERS: Final = frozenset(_FACTS["counters"].split())
COUNTABLES: Final = {spelling: f"#{name}" for spelling, name in _spelt(_FACTS["countables"]).items()}
"""By spelling: a name for what is counted, which no unit has."""
ROUGH: Final = frozenset(_FACTS["rough"].split())
FORMS: Final = frozenset(_FACTS["forms"].split())
LABELS: Final = frozenset(_FACTS["labels"].split())
LETTER_UNITS: Final[dict[str, str]] = _FACTS["letter_units"]
POINTS_GROUP: Final = frozenset(_FACTS["points_group"].split())
HUNDREDTHS: Final[dict[str, str]] = _FACTS["hundredths"]


def _phrases(text: str) -> tuple[str, ...]:
    """Phrases of a table, in which a low line stands for a space, the longest first."""
    return tuple(sorted((phrase.replace("_", " ") for phrase in text.split()), key=len, reverse=True))


BOUNDS_BEFORE: Final = {phrase: bound for bound, (before, _) in _FACTS["bounds"].items() for phrase in _phrases(before)}
BOUNDS_BEHIND: Final = {phrase: bound for bound, (_, after) in _FACTS["bounds"].items() for phrase in _phrases(after)}
ROUGH_BEHIND: Final = _phrases(_FACTS["rough_behind"])
REMARKS_BEFORE: Final = _phrases(_FACTS["remarks_before"])
REMARKS_BEHIND: Final = _phrases(_FACTS["remarks_behind"])
MINUS: Final = tuple(_FACTS["minus"].split())
SCALES_BEFORE: Final[dict[str, str]] = _FACTS["scales_before"]
FREE: Final = frozenset(_phrases(_FACTS["free"]))
NUMBER_WORDS: Final[dict[str, dict[str, int | str]]] = _FACTS["number_words"]
WHOLE_WORDS: Final = {word: str(value) for word, value in _FACTS["whole_words"].items()}
CLOCK_WORDS: Final[dict[str, int]] = _FACTS["clock_words"]
CLOCK_STEPS: Final[dict[str, int]] = _FACTS["clock_steps"]
LAST_DAY: Final = _phrases(_FACTS["last_day"])
DAY_PARTS: Final = {phrase: part for part, phrases in _FACTS["day_parts"].items() for phrase in _phrases(phrases)}
ERAS: Final[dict[str, int]] = _FACTS["eras"]
YEAR_PARTS: Final = {word: part for part, words in _FACTS["year_parts"].items() for word in _phrases(words)}
YEAR_HALVES: Final[dict[str, int]] = _FACTS["year_halves"]
PHRASES: Final = {phrase: short for short, phrases in _FACTS["phrases"].items() for phrase in phrases}
SPELLINGS: Final[dict[str, str]] = _FACTS["spellings"]
SCALES: Final = {spelling: int(scale) for spelling, scale in _spelt(_FACTS["scales"]).items()}
MONTHS: Final = {spelling: int(month) for spelling, month in _spelt(_FACTS["months"]).items()}
WEEKDAYS: Final = frozenset(day for day in _spelt(_FACTS["weekday_names"]) if day.isascii())
ZONES: Final[dict[str, int]] = _FACTS["zones"]
BOOLS: Final = {spelling: str(word).lower() for spelling, word in _spelt(_FACTS["bools"]).items()}
BOOLS_BESIDE: Final = BOOLS | {spelling: str(word).lower() for spelling, word in _spelt(_FACTS["bools_beside"]).items()}
"""Words for true and false where the other side is one of them."""
NEGATIONS: Final = tuple(_FACTS["negations"].split())
TICKED: Final = _phrases(_FACTS["boxes"]["ticked"])
UNTICKED: Final = _phrases(_FACTS["boxes"]["empty"])
SHORT_FORMS: Final = _spelt(_FACTS["short_forms"])
SHORT_ENDINGS: Final[dict[str, str]] = _FACTS["short_endings"]
ADDRESSED: Final = _spelt(_FACTS["titles"])
"""By form of address or degree: whom it addresses, `m`, `f` or `any`, or `degree`."""
OFFICES: Final = frozenset(_FACTS["offices"].split())
TITLES: Final = OFFICES.union(ADDRESSED)
OFFICE_NOUNS: Final = frozenset(_FACTS["office_nouns"].split())
DEPARTMENT_ENDINGS: Final = tuple(_FACTS["department_endings"].split())
SEALS: Final = _phrases(_FACTS["seals"])
SHORT_NAMES: Final[dict[str, str]] = _FACTS["short_names"]
GIVEN_NAMES: Final = frozenset(_FACTS["given_names"].split())
FORMS_IN_FULL: Final[dict[str, str]] = {
    phrase: form for form, phrases in _FACTS["forms_in_full"].items() for phrase in phrases
}
NAMING: Final = frozenset(_FACTS["naming"].split())
ADDRESS_SIGNS: Final = frozenset(_FACTS["address_signs"].split())
ADDRESS_ENDINGS: Final = tuple(_FACTS["address_endings"].split())
ADDRESS_WORDS: Final = _spelt(_FACTS["address_words"])
ADDRESS_PHRASES: Final[dict[str, str]] = {
    phrase: short for short, phrases in _FACTS["address_phrases"].items() for phrase in phrases
}
STATES: Final[dict[str, str]] = {name: code for code, name in _FACTS["states"].items()}
"""By name: the code."""
STREET_SIGNS: Final = frozenset(_FACTS["street_signs"].split())
STREET_ENDINGS: Final = tuple(_FACTS["street_endings"].split())
ROOMS_BEFORE: Final = tuple(_FACTS["rooms_before"].split())
ROOMS_BEHIND: Final = tuple(_FACTS["rooms_behind"].split())
DIRECTIONS: Final = frozenset(_FACTS["directions"].split())
ADDRESS_COUNTRIES: Final = _phrases(_FACTS["address_countries"])
TURNING: Final = frozenset(_FACTS["turning"].split())
TURNING_PARTS: Final = tuple(_FACTS["turning_parts"].split())
DENYING: Final = frozenset(_FACTS["denying"].split())
DENYING_ENDINGS: Final = tuple(_FACTS["denying_endings"].split())
DOUBTING: Final = frozenset(_FACTS["doubting"].split())
DOUBTING_PARTS: Final = tuple(_FACTS["doubting_parts"].split())
INCLUDING: Final = frozenset(_FACTS["including"].split())
PREPOSITIONS: Final = frozenset(_FACTS["prepositions"].split())
MARK_SCALES: Final = frozenset(_FACTS["scales_of_marks"].split())
CALLING_CODES: Final = frozenset(str(_FACTS["calling_codes"]).split())

_UNITS: Final = _spelt(_FACTS["units"])
_POWERS: Final = _spelt(_FACTS["powers"])


MULTIPLES: Final = {
    unit: (quantity, int(factor))
    for quantity, units in enumerate(_FACTS["multiples"])
    for unit, factor in units.items()
}
"""By unit: which quantity it measures, and how many of the smallest unit of that quantity it is."""


def _without_case() -> dict[str, str]:
    """Units by spelling in lower case, where case decides nothing: `mw` is a thousandth of a watt or a million."""
    found: dict[str, set[str]] = {}
    for spelling, unit in _UNITS.items():
        if len(spelling) > 1:  # a capital alone is a code: 12M
            found.setdefault(spelling.lower(), set()).add(unit)
    return {spelling: units.pop() for spelling, units in found.items() if len(units) == 1}


_UNITS_WITHOUT_CASE: Final = _without_case()


_PER: Final = re.compile(r"\s(?:per|pro)\s")


def unit_of(text: str) -> str:
    """The measuring unit that a text in JSON spells, by one name for all spellings; "" where it is none.

    A rate has two or three: `mg/dL`, `mg/kg/day`.
    """
    if " " in text:
        text = _PER.sub("/", text)
    parts = ["".join(part.split()) for part in text.split("/")]
    if len(parts) > 3:
        return ""
    names = [_UNITS.get(part) or _UNITS_WITHOUT_CASE.get(part.lower(), "") for part in parts]
    if len(parts) > 1 and not names[0]:
        names[0] = _POWERS.get(parts[0], "")
    return "/".join(names) if all(names) else ""


def _meanings() -> dict[str, frozenset[str]]:
    """What a whole value may stand for, by its spelling as `squeezed` leaves it."""
    found: dict[str, set[str]] = {}
    tables: dict[str, Mapping[str, str | int]] = {
        "bool": BOOLS,
        "word": _spelt(_FACTS["words"]),
        **{f"initial of {word}": dict.fromkeys(spelt.split(), word) for word, spelt in _FACTS["initials"].items()},
        "money": CURRENCIES_BEFORE | CURRENCIES_AFTER | {code.lower(): code for code in _CURRENCIES},
        "month": MONTHS | {f"{month}월": month for month in range(1, 13)},
        "day": _spelt(_FACTS["weekday_names"]),
    }
    for kind, table in tables.items():
        for spelling, name in table.items():
            found.setdefault(squeezed(spelling), set()).add(f"{kind} {name}")
    return {spelling: frozenset(names) for spelling, names in found.items()}


def squeezed(text: str) -> str:
    """A whole value without case, spaces and full stops."""
    return "".join(text.lower().split()).replace(".", "")


MEANINGS: Final = _meanings()
NOTHING: Final = frozenset(spelling for spelling, names in MEANINGS.items() if "word nothing" in names)
"""Words that say that there is no value, as `squeezed` leaves them."""
LONGEST_MEANING: Final = max(map(len, MEANINGS))
