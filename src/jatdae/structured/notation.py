"""Facts about how JSON documents write values, from `notation.yaml`: units, months, zones, words for yes and no."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from jatdae.core.yamlfile import read_yaml

_FACTS: Final[dict[str, Any]] = read_yaml(Path(__file__).with_name("notation.yaml")).value


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
SCALES: Final = {spelling: int(scale) for spelling, scale in _spelt(_FACTS["scales"]).items()}
MONTHS: Final = {spelling: int(month) for spelling, month in _spelt(_FACTS["months"]).items()}
WEEKDAYS: Final = frozenset(_FACTS["weekdays"].split())
ZONES: Final[dict[str, int]] = _FACTS["zones"]
BOOLS: Final = {spelling: str(word).lower() for spelling, word in _spelt(_FACTS["bools"]).items()}
SHORT_FORMS: Final = _spelt(_FACTS["short_forms"])
SHORT_ENDINGS: Final[dict[str, str]] = _FACTS["short_endings"]
TITLES: Final = frozenset(_FACTS["titles"].split())
TURNING: Final = frozenset(_FACTS["turning"].split())
TURNING_PARTS: Final = tuple(_FACTS["turning_parts"].split())
CALLING_CODES: Final = frozenset(str(_FACTS["calling_codes"]).split())

_UNITS: Final = _spelt(_FACTS["units"])


def _without_case() -> dict[str, str]:
    """Units by spelling in lower case, where case decides nothing: `mw` is a thousandth of a watt or a million."""
    found: dict[str, set[str]] = {}
    for spelling, unit in _UNITS.items():
        if len(spelling) > 1:  # a capital alone is a code: 12M
            found.setdefault(spelling.lower(), set()).add(unit)
    return {spelling: units.pop() for spelling, units in found.items() if len(units) == 1}


_UNITS_WITHOUT_CASE: Final = _without_case()


def unit_of(text: str) -> str:
    """The measuring unit that a text in JSON spells, by one name for all spellings; "" where it is none.

    A rate has two: `mg/dL`, `km/h`.
    """
    parts = [part.strip() for part in text.split("/")]
    if len(parts) > 2:
        return ""
    names = [_UNITS.get(part) or _UNITS_WITHOUT_CASE.get(part.lower(), "") for part in parts]
    return "/".join(names) if all(names) else ""
