"""Reads numbers, in the notations that documents use, into one exact form.

A written number becomes its plain decimal text: no grouping, no unit, no leading or trailing zeros. Two numbers are
equal when these texts are, so nothing is ever rounded but JSON floats, to the 15 digits they hold.

One separator before exactly three final digits (`60.000`, `1,234`) groups or is decimal. Such a number has both
readings and the separator as its mark; `layouts` says which holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from jatdae.kernels.texts import FOREIGN, look
from jatdae.structured.notation import (
    BOUNDS_BEFORE,
    BOUNDS_BEHIND,
    COUNTABLES,
    COUNTERS,
    CURRENCIES,
    CURRENCIES_AFTER,
    CURRENCIES_BEFORE,
    FREE,
    HUNDREDTHS,
    LABELS,
    LETTER_UNITS,
    MINUS,
    MULTIPLES,
    ROUGH,
    ROUGH_BEHIND,
    SCALES,
    SCALES_BEFORE,
    unit_of,
)
from jatdae.structured.number_words import read_words

MAX_LENGTH: Final = 64
"""Characters of the longest text that is read as a number."""
MAX_EXPONENT: Final = 400
"""Numbers of more digits before or after the point keep their exponent."""
FLOAT_DIGITS: Final = 15
"""Significant digits that every binary float keeps: 0.1 + 0.2 is 0.3."""
_SHORT: Final = 10**18


class Number(NamedTuple):
    """A text read as a number: its possible readings, likelier first, and its unit ("" where it names none)."""

    readings: tuple[str, ...]
    unit: str = ""
    mark: str = ""
    """The separator before exactly three final digits; then the readings are two: of the likelier use, of the other."""
    dressed: bool = False
    """Whether it is a number only beside a number: `1x`, `@ 12.000`, `5k`. Elsewhere that is a code or a text."""
    rough: bool = False
    """Whether it is said not to be exact: `약 300`, `ca. 40`."""
    bound: str = ""
    """What it is a bound of: `>=` for `at least 50`, `+` for `50+`."""
    letter: bool = False
    """Whether its unit is a letter that is one only beside another unit: `37.2 C`."""


NOT_A_NUMBER: Final = Number(())
PERCENT: Final = "%"
_made: Final = tuple.__new__  # a third of the time of calling a named tuple

WORDS: Final = frozenset(
    form.strip(".")
    for form in (*CURRENCIES_BEFORE, *CURRENCIES_AFTER, *COUNTERS, *COUNTABLES, *SCALES)
    if len(form) > 1 and form.strip(".").isalpha()
)
"""Words that may stand beside the digits of a number, in lower case."""
CURRENCY_CODES: Final = tuple(form.upper() for form in CURRENCIES_BEFORE if form.isascii() and form.isalpha())
"""Letters before digits that make a number rather than an identifier: `RM50`."""


def _any(forms: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, forms), key=len, reverse=True))


_WIDE: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x2212: 0x2D, 0x2019: 0x27}
"""Full-width forms, the typographic minus and apostrophe, to ASCII."""

_SIGN: Final = r"[-+–△▲]"
_FRAME: Final = re.compile(
    rf"(?P<open>\()?\s*(?:(?P<rough>{_any(ROUGH)})(?![^\W\d_])\.?)?\s*(?:(?P<label>{_any(LABELS)})\b\.?\s*[=:]?)?\s*(?P<marks>[x×*@\#№=:~]{{0,3}})\s*"
    rf"(?P<sign>{_SIGN})?\s*(?P<before>{_any(CURRENCIES_BEFORE)})?\s*(?P<inner>{_SIGN})?\s*"
    r"(?P<body>\.?[0-9](?:[0-9., '만억조천백십]*[0-9만억조천백십])?)"
    r"\s*(?P<whole>[.,][-–]{1,2})?(?P<behind>-)?\s*(?P<after>[^-()0-9\s][^()]*?)?\s*(?P<trailing>-)?\s*(?P<close>\))?",
    re.IGNORECASE,
)
_SPELT: Final = re.compile(
    r"(?:금|일금)?\s*(?P<body>[일이삼사오육칠팔구영십백천만억조一二三四五六七八九十百千万億壹貳參叁肆伍陸柒捌玖拾佰仟萬\s]+)\s*[원圓]\s?[정整]?"
)
_SPELT_DIGITS: Final = str.maketrans(
    "일이삼사오육칠팔구영一二三四五六七八九壹貳參叁肆伍陸柒捌玖", "12345678901234567891233456789"
)
_SPELT_UNITS: Final = str.maketrans("十百千万億拾佰仟萬", "십백천만억십백천만")
_BARE_UNIT: Final = re.compile(r"(?<![0-9])(?=[십백천])")
"""A ten, hundred or thousand without a figure before it, which is one of them: 십만."""
_FRACTIONS: Final = {
    "½": (1, 2),
    "¼": (1, 4),
    "¾": (3, 4),
    "⅛": (1, 8),
    "⅜": (3, 8),
    "⅝": (5, 8),
    "⅞": (7, 8),
    "⅕": (1, 5),
}
_FRACTION: Final = re.compile(
    rf"(?:(?P<whole>[0-9]{{1,3}})(?P<gap> ?))?"
    rf"(?:(?P<sign>[{''.join(_FRACTIONS)}])|(?P<above>[0-9]{{1,2}})[/⁄](?P<below>[0-9]{{1,2}}))(?:\s?(?P<after>[^\W\d_].*|[\"″”]))?"
)
_ENDING_DECIMALS: Final = 1_000_000
"""Has every denominator of a fraction with up to six decimals as a divisor."""
_BRACKET_INSIDE: Final = re.compile(rf"({_any(CURRENCIES_BEFORE)})\s?\(([0-9][0-9.,]*)\)", re.IGNORECASE)
_CODE_AND_SIGN: Final = re.compile(
    rf"(?P<code>[a-z]{{2,3}})\s?(?P<open>\()?(?P<amount>(?P<sign>{_any(CURRENCIES_BEFORE)})\s?[0-9][0-9.,]*)(?(open)\))",
    re.IGNORECASE,
)
_FULL_AGE: Final = re.compile(r"^만\s?(?=[0-9]{1,3}\s?세$)")
_DASHES: Final = ("-", "–", "—")
_DASH_FOR_ZERO: Final = re.compile(r"(?:[–—]|-{1,2})(?=,[0-9]{2}(?![0-9]))")
"""A dash before the comma, where there are only cents: –,25 €."""
_SAID_TWICE: Final = re.compile(r"(?P<first>[^()]*[^()\s])\s?\((?P<second>[^()]+)\)")
_ROMAN_SIGNS: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_ROMAN: Final = re.compile(r"(?=..)M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})")
_COMPOUND: Final = re.compile(r"(?:(?:[0-9]+(?:[.,][0-9]+)?)\s?(?:[^\W\d_]+)\s?){2,3}")
_MEASURE: Final = re.compile(r"([0-9]+(?:[.,][0-9]+)?)\s?([^\W\d_]+)")
_HUNDREDTH: Final = Decimal("0.01")
_FIGURE: Final = re.compile("[0-9]")
_CODE: Final = re.compile("0[0-9]")
_HYPHENATED: Final = re.compile("[0-9]-[0-9]")
"""What codes, dates and ranges have, and no number."""
_POWER: Final = re.compile(
    r"(?:(?P<factor>[0-9]{1,4}(?:[.,][0-9]{1,6})?)\s?[x×*·]\s?)?10\s?"
    r"(?:(?:\^|\*\*)\s?\(?(?P<exponent>[-−]?[0-9]{1,3})\)?|(?P<raised>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))(?P<after>\s?[^\s0-9].*)?"
)
_LOWERED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SHORT_SCIENTIFIC: Final = re.compile(r"[1-9][0-9]?[eE][0-9]{1,2}")
_BOUND: Final = re.compile(
    rf"(?P<before>{_any(BOUNDS_BEFORE)})(?:\s|(?<=\W)|(?=[0-9]))\s?(?P<number>[^\s].*)"
    rf"|(?P<amount>.*?[^\s])\s?(?P<behind>{_any(BOUNDS_BEHIND)})",
    re.IGNORECASE,
)
_BOUNDS_BEGIN: Final = frozenset(phrase[0] for phrase in BOUNDS_BEFORE)
_BOUNDS_END: Final = frozenset(phrase[-1] for phrase in BOUNDS_BEHIND)
_ROUGH_BEHIND: Final = re.compile(
    rf"(?P<number>.*[0-9만억천백])\s?(?:{_any(ROUGH_BEHIND)})(?P<after>(?:\s?[^\W\d_]+)?)", re.IGNORECASE
)
_SAID_BEFORE: Final = re.compile(rf"(?P<word>{_any((*MINUS, *SCALES_BEFORE))})\s?(?P<number>[0-9].*)", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_THOUSANDS: Final = re.compile(r"(-?)([1-9][0-9]{0,2})((?:,[0-9]{3})+)(원?)")
_SCIENTIFIC: Final = re.compile(r"[-+]?[0-9](?:\.[0-9]+[eE][+-]?|[eE]-)[0-9]{1,3}")
_ONE_GROUP: Final = re.compile(r"([1-9][0-9]{0,2})([.,])([0-9]{3})")
_GROUPED: Final = re.compile(
    r"[1-9][0-9]{0,2}(?P<group>[., '])[0-9]{3}(?:(?P=group)[0-9]{3})*(?:(?!(?P=group))[.,][0-9]+)?"
)
_INDIAN: Final = re.compile(r"[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}(?:\.[0-9]+)?")
_DECIMAL_COMMA: Final = re.compile(r"[0-9]+,[0-9]+")
_KOREAN: Final = re.compile(r"([0-9][0-9,]*(?:\.[0-9]+)?)|([십백천])|([만억조])|\s+")
_SMALL: Final = {"십": 10, "백": 100, "천": 1000}
_LARGE: Final = {"만": 10**4, "억": 10**8, "조": 10**12}


def number_of(value: object) -> Number:
    """Read a JSON value as a numeral; without readings where it is none. A bool is not a number."""
    if type(value) is str:
        return read_number(value) if len(value) <= MAX_LENGTH else NOT_A_NUMBER
    if type(value) is int and -_SHORT < value < _SHORT:
        return _made(Number, ((str(value),), "", "", False, False, "", False))
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return NOT_A_NUMBER
    text = _canonical(written_number(_as_float(value)))
    if type(value) is Decimal and _ONE_GROUP.fullmatch(as_written := str(abs(value))):
        return Number(
            (text, ("-" if value < 0 else "") + as_written.replace(".", "")), "", "."
        )  # 60.000 without quotes
    return Number((text,)) if text else NOT_A_NUMBER


@lru_cache(maxsize=1 << 12)
def read_number(text: str) -> Number:
    """Read a numeral in a JSON text: `1,500,000원`, `(1,234)`, `△1,234`, `-5 %`, `1억 2천만원`, `500mg`, `2 x`."""
    if thousands := _THOUSANDS.fullmatch(text):
        return _read_thousands(*thousands.groups())
    if not text.isascii():
        text = text.translate(_WIDE)
    if _PLAIN.fullmatch(text):
        return Number(*_read_plain(text))
    if _SCIENTIFIC.fullmatch(text):
        return Number((_canonical(text),))
    text = " ".join(text.split())
    return NOT_A_NUMBER if "-" in text and _HYPHENATED.search(text) else _read_dressed(text)


def _read_dressed(text: str) -> Number:
    """A number with something around its digits, or in words."""
    if text.startswith("만"):
        text = _FULL_AGE.sub("", text)
    if text.startswith(_DASHES):
        text = _DASH_FOR_ZERO.sub("0", text, count=1)
    if fraction := _FRACTION.fullmatch(text):
        return _read_fraction(fraction)
    if "(" in text and (bracket := _BRACKET_INSIDE.fullmatch(text)):
        text = f"({bracket[1]}{bracket[2]})"  # $(45.00)
    if not text[:1].isdigit() and (twice := _CODE_AND_SIGN.fullmatch(text)) and _names_it_twice(twice):
        text = twice["amount"]
    if found := _FRAME.fullmatch(text):
        number = _read_frame(found)
        if number.readings:
            return number
    if spelt := _SPELT.fullmatch(text):
        return _read_spelt(spelt["body"])
    return _read_said(text)


def _read_said(text: str) -> Number:
    """What is a number only beside one: a power of ten, a bound, a number in words, nothing to pay."""
    if power := _POWER.fullmatch(text):
        return _read_power(power)
    if short := _SHORT_SCIENTIFIC.fullmatch(text):
        return Number((_canonical(short[0]),), dressed=True)
    if _may_be_bound(text) and (bound := _BOUND.fullmatch(text)):
        named = BOUNDS_BEFORE[bound["before"].lower()] if bound["before"] else BOUNDS_BEHIND[bound["behind"].lower()]
        number = read_number(bound["number"] or bound["amount"])
        return number._replace(bound=named, dressed=True) if number.readings and not number.bound else NOT_A_NUMBER
    if rough := _ROUGH_BEHIND.fullmatch(text):
        number = read_number(rough["number"] + rough["after"])
        return number._replace(rough=True, dressed=True) if number.readings and not number.bound else NOT_A_NUMBER
    if signed := _SAID_BEFORE.fullmatch(text):
        return _read_said_before(signed["word"].lower(), read_number(signed["number"]))
    if "(" in text and (twice := _SAID_TWICE.fullmatch(text)):
        return _read_twice(read_number(twice["first"]), read_number(twice["second"]))
    if _COMPOUND.fullmatch(text):
        return _read_compound(_MEASURE.findall(text))
    if _ROMAN.fullmatch(text):
        return Number((str(_read_roman(text)),), dressed=True)
    if text.lower() in FREE:
        return Number(("0",), dressed=True, rough=True)
    words = None if _FIGURE.search(text) else read_words(text)
    if words is None:
        return NOT_A_NUMBER
    value, rest = words
    after = _read_after(rest, money=False)
    if after is None or after.letter:
        return NOT_A_NUMBER
    return Number((_scaled(value, after.scale),), after.unit, dressed=True)


def _may_be_bound(text: str) -> bool:
    """Whether a text begins or ends as bounds do."""
    if look(text) & FOREIGN:
        return True
    return text[:1].lower() in _BOUNDS_BEGIN or text[-1:].lower() in _BOUNDS_END


def _read_said_before(word: str, number: Number) -> Number:
    """A number with a word for minus or for the scale of a temperature before it: 영하 3도, 섭씨 36.5도."""
    if not number.readings or number.bound:
        return NOT_A_NUMBER
    if word not in MINUS:
        return number._replace(unit=SCALES_BEFORE[word]) if number.unit in ("", "°") else NOT_A_NUMBER
    if any(text.startswith("-") for text in number.readings):
        return NOT_A_NUMBER
    return number._replace(readings=tuple(text if text == "0" else f"-{text}" for text in number.readings))


def _read_twice(first: Number, second: Number) -> Number:
    """A number that is said twice, in figures and in words: `12 (dua belas)`; none where it is not the same."""
    if first.bound or second.bound or set(first.readings).isdisjoint(second.readings):
        return NOT_A_NUMBER
    return first._replace(dressed=True) if units_agree(first.unit, second.unit) else NOT_A_NUMBER


def _read_compound(measures: list[tuple[str, str]]) -> Number:
    """An amount in a unit and smaller ones: `1 h 30 min`, `5 ft 7 in`."""
    units = [unit_of(unit) for _, unit in measures]
    sizes = [MULTIPLES.get(unit, (-1, 0)) for unit in units]
    if sizes[0][0] < 0 or len({quantity for quantity, _ in sizes}) > 1:
        return NOT_A_NUMBER
    total, smallest, last = Decimal(0), sizes[-1][1], 0
    for (figures, _), (_, size) in zip(measures, sizes, strict=True):
        number = Decimal(figures.replace(",", "."))
        if last and number * size >= last:
            return NOT_A_NUMBER  # 1 h 90 min
        total, last = total + number * size / smallest, size
    return Number((_canonical(str(total)),), units[-1], dressed=True)


def _read_roman(text: str) -> int:
    """A Roman numeral; a smaller sign before a greater one is taken away."""
    values = [_ROMAN_SIGNS[sign] for sign in text]
    return sum(-x if x < y else x for x, y in zip(values, [*values[1:], 0], strict=True))


def _read_power(found: re.Match[str]) -> Number:
    """A power of ten, with or without a factor: `10^3`, `1.2 × 10³`."""
    exponent = int((found["exponent"] or found["raised"].translate(_LOWERED)).replace("−", "-"))
    if abs(exponent) > MAX_EXPONENT:
        return NOT_A_NUMBER
    factor = (found["factor"] or "1").replace(",", ".")
    after = (found["after"] or "").strip()
    unit = "/" + unit_of(after[1:].strip()) if after.startswith("/") else unit_of(after)
    return (
        Number((_canonical(f"{factor}E{exponent}"),), unit, dressed=True)
        if len(unit) > 1 or not after
        else NOT_A_NUMBER
    )


def _names_it_twice(found: re.Match[str]) -> bool:
    """Whether the code before an amount names the currency of its sign: `USD ($20)`."""
    code, sign = CURRENCIES_BEFORE.get(found["code"].lower()), CURRENCIES_BEFORE[found["sign"].lower()]
    return code is not None and units_agree(code, sign)


def _scaled(text: str, scale: Decimal | int) -> str:
    return text if scale == 1 else _canonical(str(Decimal(text) * scale))


def _read_frame(found: re.Match[str]) -> Number:
    """A number with a sign, a currency, a unit, a counter or a label around its digits."""
    after = _read_after((found["after"] or "").strip(), money=bool(found["before"]))
    if after is None:
        return NOT_A_NUMBER
    unit, scale, dressed, letter = after
    if before := found["before"]:
        named = CURRENCIES_BEFORE[before.lower()]
        if unit not in ("", named):
            return NOT_A_NUMBER
        unit = named
    ends = () if unit == "KRW" and before else (found["behind"], found["trailing"])  # ₩ 53,000- is how bills end
    signs = [sign for sign in (found["sign"], found["inner"], *ends) if sign]
    bracketed = bool(found["open"]) and bool(found["close"]) and not found["label"]
    if len(signs) + bracketed > 1:
        return NOT_A_NUMBER
    if found["label"] and _CODE.match(found["body"]):
        return NOT_A_NUMBER  # No. 0815
    readings, mark = _read_body(found["body"])
    if mark and (unit in CURRENCIES or found["whole"]):
        readings, mark = (readings[mark == "."],), ""  # no price has three digits after the point
    if scale != 1:
        readings = tuple(_scaled(text, scale) for text in readings)
        dressed = dressed and unit not in CURRENCIES
    if bracketed or (signs and signs[0] != "+"):
        readings = tuple(text if text == "0" else f"-{text}" for text in readings)
    framed = found["label"] or found["marks"] or found["rough"] or bool(found["open"]) != bool(found["close"])
    if not readings:
        return NOT_A_NUMBER
    rough = bool(found["rough"]) or "~" in found["marks"]
    return Number(readings, unit, mark, dressed or bool(framed), rough, letter=letter)


def _read_fraction(found: re.Match[str]) -> Number:
    """A fraction whose decimals end, beside a number: `1/2`, `3½`, `2 3/4`."""
    whole, above, below = int(found["whole"] or 0), int(found["above"] or 0), int(found["below"] or 1)
    if sign := found["sign"]:
        above, below = _FRACTIONS[sign]
    if not below or _ENDING_DECIMALS % below or (found["whole"] and not found["gap"] and not sign):
        return NOT_A_NUMBER
    after = _read_after(found["after"] or "", money=False)
    if after is None or after.letter:
        return NOT_A_NUMBER
    return Number((_scaled(_canonical(str(whole + Decimal(above) / below)), after.scale),), after.unit, dressed=True)


class _After(NamedTuple):
    """What stands behind the digits of a number."""

    unit: str = ""
    scale: Decimal | int = 1
    dressed: bool = False
    """Whether it makes a number only beside one."""
    letter: bool = False


def _read_after(text: str, money: bool) -> _After | None:
    """Unit and scale of what stands behind the digits; None where it is neither."""
    if not text:
        return _After()
    word = text.lower()
    if word in CURRENCIES_AFTER:
        return _After(CURRENCIES_AFTER[word])
    if (unit := unit_of(text)) and not (money and word in SCALES):
        return _After(unit)
    if (countable := "".join(word.split())) in COUNTABLES:
        return _After(COUNTABLES[countable])
    price, stroke, each = word.partition("/")
    if stroke and price.strip() in CURRENCIES_AFTER and (each.strip() in COUNTERS or each.strip() in COUNTABLES):
        return _After(f"{CURRENCIES_AFTER[price.strip()]}/{each.strip()}")  # 3,000원/개
    if word in COUNTERS or word == "×":
        return _After(dressed=word in "x×")
    if text in LETTER_UNITS:
        return _After(LETTER_UNITS[text], dressed=True, letter=True)
    if word in HUNDREDTHS and not money:
        return _After(HUNDREDTHS[word], _HUNDREDTH, dressed=True)
    first, _, rest = word.partition(" ")
    if first not in SCALES and rest == "" and len(first) > 1 and first[:-1] in SCALES:
        first, rest = first[:-1], first[-1]  # 1.2M€
    if first in SCALES and (not rest or rest in CURRENCIES_AFTER or rest in COUNTERS or rest in COUNTABLES):
        return _After(CURRENCIES_AFTER.get(rest, ""), SCALES[first], len(first) == 1)
    return None


def _read_spelt(body: str) -> Number:
    """Korean amounts in words, as bills have them: 금 삼십만원정."""
    figures = body.translate(_SPELT_UNITS).translate(_SPELT_DIGITS)
    readings = _read_korean(_BARE_UNIT.sub("1", "".join(figures.split())))
    return Number(readings, "KRW") if readings else NOT_A_NUMBER


def _as_float(value: int | float | Decimal) -> int | float | Decimal:
    """A JSON number with digits after the point to as many as a float keeps; whole numbers stay as they are."""
    if isinstance(value, float):
        return float(f"{value:.{FLOAT_DIGITS}g}")
    if isinstance(value, Decimal) and value.is_finite() and int(value.as_tuple().exponent) < 0:
        return _ROUND.plus(value) if len(value.as_tuple().digits) > FLOAT_DIGITS else value
    return value


_ROUND: Final = Context(prec=FLOAT_DIGITS)


def written_number(value: int | float | Decimal) -> str:
    """Write a JSON number as a numeral."""
    if isinstance(value, float):
        return repr(value).replace("nan", "NaN").replace("inf", "Infinity")
    if isinstance(value, int) and value.bit_length() > 10_000:
        value = Decimal(value)  # Python refuses to write integers of thousands of digits
    return str(value)


def drops_freely(unit: str) -> bool:
    """Whether one of two numerals in JSON may leave its unit out: a currency, or what is counted."""
    return unit in CURRENCIES or unit.startswith("#") or CURRENCIES.issuperset(unit.split("/"))


def units_agree(a: str, b: str) -> bool:
    """Whether the units of two numerals in JSON may be the same; no unit agrees with any, a degree with °C and °F."""
    if not a or not b or a == b:
        return True
    if "°" in (a, b):
        return a[0] == b[0]
    return not CURRENCIES.isdisjoint(set(a.split("/")) & set(b.split("/")))  # ¥ is of two countries


def are_convertible(a: str, b: str) -> bool:
    """Whether two units of numerals in JSON measure the same: mg and g, mg/dL and g/L."""
    if not a or not b:
        return False
    ours, theirs = a.split("/"), b.split("/")
    if len(ours) != len(theirs):
        return False
    return all(
        x == y or (x in MULTIPLES and y in MULTIPLES and MULTIPLES[x][0] == MULTIPLES[y][0])
        for x, y in zip(ours, theirs, strict=True)
    )


def have_same_amount(a: Number, b: Number) -> bool:
    """Whether two numerals in JSON in different units of the same quantity are the same amount: 0.5 g, 500 mg."""
    return not _amounts(a).isdisjoint(_amounts(b))


def _amounts(number: Number) -> set[Fraction]:
    """What the readings of a number are in the smallest units."""
    factor = Fraction(1)
    for at, unit in enumerate(number.unit.split("/")):
        size = MULTIPLES[unit][1] if unit in MULTIPLES else 1
        factor = factor / size if at else factor * size
    return {Fraction(reading) * factor for reading in number.readings if "E" not in reading}


def within(reading: str, reference: str, tolerance: float) -> bool:
    """Whether a numeral in JSON is within a relative tolerance of the reference: |p − g| ≤ tolerance · |g|.

    A reference of 0 matches only 0.
    """
    p, g = Decimal(reading), Decimal(reference)
    if max(abs(p.adjusted()), abs(g.adjusted())) > MAX_EXPONENT:
        return p == g
    return abs(p - g) <= Decimal(repr(tolerance)) * abs(g)


def _read_thousands(sign: str, first: str, groups: str, unit: str) -> Number:
    """Amounts with commas between thousands, the commonest form, read without the general pattern."""
    grouped = sign + first + groups.replace(",", "")
    if unit:
        return Number((grouped,), "KRW")
    if len(groups) == 4:
        return Number((grouped, _canonical(f"{sign}{first}.{groups[1:]}")), "", ",")
    return Number((grouped,))


def _read_body(body: str) -> tuple[tuple[str, ...], str]:
    """The readings of the digits of a number, without sign and unit, and their mark."""
    if one := _ONE_GROUP.fullmatch(body):
        grouped, decimal = one[1] + one[3], _canonical(f"{one[1]}.{one[3]}")
        return ((grouped, decimal) if one[2] == "," else (decimal, grouped)), one[2]
    if _PLAIN.fullmatch(body):
        return (_canonical(body),), ""
    if found := _GROUPED.fullmatch(body):
        group = found["group"]
        return (_canonical(body.replace(group, "").replace(",", ".")),), ""
    if _INDIAN.fullmatch(body):
        return (_canonical(body.replace(",", "")),), ""
    if _DECIMAL_COMMA.fullmatch(body):
        return (_canonical(body.replace(",", ".")),), ""
    return _read_korean(body), ""


def _read_plain(text: str) -> tuple[tuple[str, ...], str, str]:
    """Figures with at most a point: readings, no unit, mark."""
    readings, mark = _read_body(text) if "." in text else ((_canonical(text),), "")
    return readings, "", mark


def _read_korean(body: str) -> tuple[str, ...]:
    """`1억 2천만`, `3만 5,000`, `1.5억`: sections below 만, 억 and 조, with 십, 백 and 천 inside them."""
    total = section = Decimal(0)
    number: Decimal | None = None
    last_small, last_large = 10_000, 10**16
    at = units = 0
    while at < len(body):
        found = _KOREAN.match(body, at)
        if not found:
            return ()
        at = found.end()
        digits, small, large = found.groups()
        if digits:
            plain = _PLAIN.fullmatch(digits) or _GROUPED.fullmatch(digits)
            if number is not None or not plain:
                return ()
            number = Decimal(digits.replace(",", ""))
        elif small:
            if number is None or _SMALL[small] >= last_small:
                return ()
            last_small = _SMALL[small]
            section, number, units = section + number * last_small, None, units + 1
        elif large:
            section += number or 0
            if not section or _LARGE[large] >= last_large:
                return ()
            last_large, last_small = _LARGE[large], 10_000
            total, section, number, units = total + section * last_large, Decimal(0), None, units + 1
    return (_canonical(str(total + section + (number or 0))),) if units else ()


def _canonical(text: str) -> str:
    """A decimal without leading zeros and without trailing ones after the point; "" for NaN and infinity."""
    sign = ""
    if text[0] in "+-":
        sign, text = text[0].replace("+", ""), text[1:]
    if text.isdigit() and len(text) <= MAX_EXPONENT:
        digits = text.lstrip("0")
        return sign + digits if digits else "0"
    if len(text) > MAX_EXPONENT or not text.replace(".", "", 1).isdigit():
        text = _without_exponent(text)
        if not text or "E" in text:
            return sign + text
    whole, _, fraction = text.partition(".")
    whole, fraction = whole.lstrip("0"), fraction.rstrip("0")
    if not whole and not fraction:
        return "0"
    return f"{sign}{whole or '0'}.{fraction}" if fraction else sign + whole


def _without_exponent(text: str) -> str:
    """`1.50E+3` as `1500`; a number too long to be written out as digits, E and exponent; "" for NaN, infinity."""
    value = Decimal(text)
    if not value.is_finite():
        return ""
    if not value:
        return "0"
    if abs(value.adjusted()) <= MAX_EXPONENT:
        return f"{value:f}"
    digits = "".join(map(str, value.as_tuple().digits))
    kept = digits.rstrip("0")
    return f"{kept}E{value.adjusted() - len(kept) + 1}"
