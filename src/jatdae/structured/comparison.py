"""Comparison of two JSON leaves that both hold a value: equal, near or different, as a careful reader would say.

    kind         equal                                            near (fuzzy)
    number       the same number, the same unit or currency       within the tolerance; a unit on one side only
    date         the same day                                     –
    datetime     the same day and time, or the same instant       the time, its seconds or its zone on one side only
    time         the same time of day                             its seconds on one side only
    identifier   alike but for spaces and separators              alike but for case or the kind of separators
    bool         the same truth value                             –
    string       alike in print (`wording`)                       NED ≤ τ without case, the same numbers, the same sense

Where a value can be read in two ways, the comparison notes what it took for granted; each note is an issue.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any, Final, Literal, NamedTuple

from rapidfuzz.distance import Levenshtein

from jatdae.kernels.texts import COLON, FIGURE, look
from jatdae.structured.choices import chosen, count_boxes
from jatdae.structured.dates import Moment, Time, moments_of
from jatdae.structured.field_tree import Field
from jatdae.structured.identifiers import (
    are_same_extensions,
    are_same_identifiers,
    differs_in_capitals,
    is_near_identifier,
    lacks_label,
    lacks_name_of_code,
)
from jatdae.structured.kinds import bool_of, kind_of_pair, plain
from jatdae.structured.layouts import Layout
from jatdae.structured.leaves import Budget, Ways
from jatdae.structured.links import compare_links
from jatdae.structured.names import (
    abbreviates_name,
    are_other_companies,
    are_other_persons,
    are_same_companies,
    are_same_names,
    have_other_titles,
    is_inverted,
    lacks_clinic,
    lacks_form,
    lacks_last_name,
    lacks_middle_name,
    lacks_office,
    lacks_title,
)
from jatdae.structured.normalisers import Normaliser
from jatdae.structured.notation import CURRENCIES, NOTHING, squeezed
from jatdae.structured.numerals import (
    MAX_EXPONENT,
    PERCENT,
    Number,
    are_convertible,
    drops_freely,
    have_same_amount,
    number_of,
    units_agree,
    within,
)
from jatdae.structured.postal import are_other_places, are_same_addresses, lacks_part
from jatdae.structured.qualifiers import lacks_qualifier, marks_of
from jatdae.structured.ranges import End, may_be_ranges, range_of
from jatdae.structured.wording import (
    MAX_READ,
    are_same_words,
    differs_in_accents,
    differs_in_numerals,
    differs_in_spelling,
    has_other_order,
    has_same_sense,
    have_other_letters,
    is_alike_but_for_capitals,
    is_print_alike,
    lacks_accents,
    lacks_ordinal,
    lacks_units,
    may_be_read,
    may_have_remarks,
    print_key_without_case,
    without_label,
    without_remarks,
)

Note = Literal["", "unit_missing", "unit_converted", "guessed_grouping", "ambiguous_date", "time_missing"]
MAX_NAME: Final = 200
"""Characters of the longest text that is looked at as a name, a code or an item of a list."""
CUSTOM: Final = "custom"
"""The kind of values that a comparator of the user compares."""
_FREE: Final = 1_000_000
_DAY: Final = 86_400
_SHORT: Final = 10**18
_AS_NUMBERS: Final = (None, "number")
_made: Final = tuple.__new__  # a third of the time of calling a named tuple


class Judgement(NamedTuple):
    """How two JSON leaves compare."""

    kind: str
    exact: bool
    fuzzy: bool
    similarity: float
    note: Note = ""


class Sides(NamedTuple):
    """How the two documents of a comparison write numbers and dates."""

    expected: Layout
    actual: Layout


UNKNOWN: Final = Sides(Layout(()), Layout(()))


class _Match(NamedTuple):
    """Whether two values are equal or near, and by which texts their similarity is taken; None: by those written."""

    exact: bool
    fuzzy: bool
    texts: tuple[str, str] | None = None
    note: Note = ""


_DIFFERENT: Final = _Match(False, False)
_SAME: Final = _Match(True, True)


def compare_values(expected: Any, actual: Any, field: Field, ways: Ways, sides: Sides, budget: Budget) -> Judgement:
    """Compare two JSON leaves that both hold a value.

    NED is Levenshtein(a, b) / max(|a|, |b|); similarity is 1 − NED of the canonical texts, or of the written ones.
    """
    if _are_plain_numbers(expected, actual, field):  # the commonest, read without ado
        ours, theirs = str(expected), str(actual)
        exact = ours == theirs
        similarity = 1.0 if exact else 1.0 - _ned(ours, theirs, budget)
        return _made(Judgement, ("number", exact, exact, similarity, ""))
    if field.special:
        if field.comparator is not None:
            return _judge(field.comparator(expected, actual), field)
        ways = _own_ways(field, ways)
        if isinstance(field.normalise, Normaliser):
            expected, actual = field.normalise(expected), field.normalise(actual)
    kind = field.kind or kind_of_pair(expected, actual, identifiers=ways.identifiers)
    found = _match(kind, expected, actual, field, ways, sides, budget)
    if ways.similarity == "text":
        distance = _written_distance(expected, actual, ways, budget)
    elif found.exact:
        distance = 0.0
    elif found.texts:
        distance = _ned(found.texts[0], found.texts[1], budget)
    else:
        distance = _written_distance(expected, actual, ways, budget)
    return _made(Judgement, (kind, found.exact, found.fuzzy, 1.0 - distance, found.note))


def says_nothing(expected: Any, actual: Any, field: Field, ways: Ways) -> bool:
    """Whether of two JSON leaves one is null and the other a text that says so: `N/A`, `해당 없음`."""
    if (
        field.kind is not None
        or (field.normalise or ways.normalise) != "print"
        or (expected is None) == (actual is None)
    ):
        return False
    text = actual if expected is None else expected
    return isinstance(text, str) and len(text) <= MAX_NAME and _nothing_key(text) in NOTHING


def _nothing_key(text: str) -> str:
    """A text without its brackets, unless they are round a sign: `(-)` is negative."""
    key = squeezed(text)
    return key.strip("()[]<>") if any(map(str.isalpha, key)) else key


def _judge(similarity: float, field: Field) -> Judgement:
    """What the similarity that a comparator of the user gives means."""
    return Judgement(CUSTOM, similarity == 1.0, similarity >= 1.0 - field.tau, similarity)


def _own_ways(field: Field, ways: Ways) -> Ways:
    """The settings for all fields, but for those that this field has of its own."""
    if field.own_ways is None:
        normalise = "none" if isinstance(field.normalise, Normaliser) else field.normalise or ways.normalise
        field.own_ways = replace(ways, normalise=normalise, grouping=field.grouping or ways.grouping)
    return field.own_ways


def _are_plain_numbers(expected: Any, actual: Any, field: Field) -> bool:
    """Whether a whole number stands against one, or against its plain figures: 12, "12"."""
    if type(expected) is not int or field.tolerance or field.kind not in _AS_NUMBERS or field.comparator is not None:
        return False
    if type(actual) is str:
        return _FIGURES.fullmatch(actual) is not None and -_SHORT < expected < _SHORT
    return type(actual) is int and -_SHORT < expected < _SHORT and -_SHORT < actual < _SHORT


_FIGURES: Final = re.compile("0|[1-9][0-9]{0,17}")


def _match(kind: str, expected: Any, actual: Any, field: Field, ways: Ways, sides: Sides, budget: Budget) -> _Match:
    if kind == "number":
        ours, theirs = number_of(expected), number_of(actual)
        if ours.readings and theirs.readings:
            return _match_numbers(ours, theirs, field, ways, sides)
    elif kind in ("date", "datetime", "time"):
        moments = moments_of(expected, actual)
        if all(moment.days or moment.time for moment in moments):
            return _match_moments(*moments, sides, dates_only=field.kind == "date")
    elif kind == "bool":
        truths = bool_of(expected), bool_of(actual)
        same = bool(truths[0]) and truths[0] == truths[1]
        return _Match(same, same, (truths[0] or plain(expected), truths[1] or plain(actual)))
    return _match_texts(kind, plain(expected, ways.casefold), plain(actual, ways.casefold), field, ways, sides, budget)


def _match_texts(kind: str, ours: str, theirs: str, field: Field, ways: Ways, sides: Sides, budget: Budget) -> _Match:
    texts = ours, theirs
    if ours == theirs:
        return _Match(True, True, texts)
    if ways.normalise == "print" and (field.kind is None or kind == "identifier"):
        if found := _match_as_printed(ours, theirs, field, ways, sides, budget):
            return _Match(found.exact, found.fuzzy, texts, found.note)
        if kind == "identifier":
            same = (
                are_same_identifiers(ours, theirs)
                or differs_in_capitals(ours, theirs)
                or lacks_name_of_code(ours, theirs)
            )
            near = same or _is_near_identifier(ours, theirs) or _lacks_remark(ours, theirs, field, ways, sides, budget)
            return _Match(same, near, texts)
        if kind == "string" and len(ours) <= MAX_READ and len(theirs) <= MAX_READ:
            found = _match_wording(ours, theirs, field, ways, sides, budget)
            return _Match(found.exact, found.fuzzy, texts, found.note)
    return _Match(False, kind == "string" and _ned(ours, theirs, budget) <= field.tau, texts)


def _match_as_printed(ours: str, theirs: str, field: Field, ways: Ways, sides: Sides, budget: Budget) -> _Match | None:
    """Ranges, links, the boxes of a form, and values with a label before them; None where they are none of these."""
    if max(len(ours), len(theirs)) <= MAX_NAME:
        if boxes := max(count_boxes(ours), count_boxes(theirs)):
            same = _is_chosen(ours, theirs, field, ways, sides, budget)
            if same or boxes > 1:
                return _Match(same, same)
        if _lacks_label(ours, theirs, field, ways, sides, budget):
            return _SAME
        if ours[:1].isdigit() and theirs[:1].isdigit() and (marks := marks_of(ours, theirs)):
            mark, other, both = marks
            if _is_same(mark, other, field, ways, sides, budget):
                return _Match(both, True)
    if may_be_ranges(ours, theirs):
        ends = range_of(ours), range_of(theirs)
        if ends[0] and ends[1]:
            return _match_ranges(ends[0], ends[1], field, ways, sides)
    links = compare_links(ours, theirs)
    return _Match(*links) if links else None


def _match_wording(ours: str, theirs: str, field: Field, ways: Ways, sides: Sides, budget: Budget) -> _Match:
    """Texts as a reader sees them."""
    if are_same_words(ours, theirs) or are_same_extensions(ours, theirs):
        return _SAME
    other_letters = have_other_letters(ours, theirs)
    may_be_alike = not other_letters or may_be_read(ours, theirs)
    if may_be_alike and is_print_alike(ours, theirs):
        return _SAME
    if may_be_alike and lacks_units(ours, theirs):
        return _Match(False, True, None, "unit_missing")
    if _is_written_otherwise(ours, theirs, may_be_alike):
        return _SAME
    near = _ned(ours, theirs, budget) <= field.tau
    near = near or _is_near_without_case(ours, theirs, field.tau, may_be_alike, budget)
    near = near and has_same_sense(ours, theirs) and not _are_others(ours, theirs)
    near = near or _lacks_what_is_beside_it(ours, theirs, other_letters)
    return _Match(False, near or _lacks_remark(ours, theirs, field, ways, sides, budget))


def _is_chosen(ours: str, theirs: str, field: Field, ways: Ways, sides: Sides, budget: Budget) -> bool:
    """Whether the answers whose boxes are ticked are the same; a text without boxes is the answer itself."""
    answers = [chosen(text) if count_boxes(text) else text for text in (ours, theirs)]
    return all(answers) and _is_same(answers[0], answers[1], field, ways, sides, budget)


def _lacks_label(ours: str, theirs: str, field: Field, ways: Ways, sides: Sides, budget: Budget) -> bool:
    """Whether a value is the other with a label and a colon before it: `Tel.: 02-345-6789`."""
    if not (look(ours) | look(theirs)) & COLON and "：" not in ours and "：" not in theirs:
        return False
    bare = without_label(ours), without_label(theirs)
    if (bare[0] == ours) == (bare[1] == theirs):
        return False
    return _is_same(*bare, field, ways, sides, budget)


def _is_same(ours: str, theirs: str, field: Field, ways: Ways, sides: Sides, budget: Budget) -> bool:
    kind = kind_of_pair(ours, theirs, identifiers=ways.identifiers)
    return _match(kind, ours, theirs, field, ways, sides, budget).exact


def _is_written_otherwise(ours: str, theirs: str, may_be_alike: bool) -> bool:
    """Whether two texts are one value: in capitals, the last name first, cut short as addresses are, with a label."""
    if may_be_alike and is_alike_but_for_capitals(ours, theirs):
        return has_same_sense(ours, theirs)
    if max(len(ours), len(theirs)) > MAX_NAME:
        return False
    if look(ours) & FIGURE or look(theirs) & FIGURE:
        same = lacks_name_of_code(ours, theirs)
    else:
        same = are_same_names(ours, theirs) or are_same_companies(ours, theirs)
    return same or are_same_addresses(ours, theirs) or lacks_accents(ours, theirs)


def _are_others(ours: str, theirs: str) -> bool:
    """Whether two near texts are names of two persons, companies or places."""
    if max(len(ours), len(theirs)) > MAX_NAME:
        return False
    if look(ours) & FIGURE:
        return are_other_places(ours, theirs) or are_other_companies(ours, theirs)
    return have_other_titles(ours, theirs) or are_other_persons(ours, theirs) or are_other_companies(ours, theirs)


def _lacks_remark(ours: str, theirs: str, field: Field, ways: Ways, sides: Sides, budget: Budget) -> bool:
    """Whether a value is the other with a label before it or a remark in brackets: `금액: 35,000원 (부가세 포함)`."""
    if max(len(ours), len(theirs)) > MAX_NAME or not may_have_remarks(ours, theirs):
        return False
    bare = without_remarks(ours), without_remarks(theirs)
    if (bare[0] == ours) == (bare[1] == theirs) or not (bare[0] and bare[1]):
        return False
    return _is_same(*bare, field, ways, sides, budget)


def _match_ranges(ours: tuple[End, End], theirs: tuple[End, End], field: Field, ways: Ways, sides: Sides) -> _Match:
    """Equal or near where both ends are."""
    found = []
    for wanted, given in zip(ours, theirs, strict=True):
        if isinstance(wanted, Number) and isinstance(given, Number):
            found.append(_match_numbers(wanted, given, field, ways, sides))
        elif isinstance(wanted, Moment) and isinstance(given, Moment):
            found.append(_match_moments(wanted, given, sides, dates_only=False))
        else:
            return _DIFFERENT
    note: Note = next((match.note for match in found if match.note), "")
    return _Match(all(match.exact for match in found), all(match.fuzzy for match in found), None, note)


def _is_near_identifier(ours: str, theirs: str) -> bool:
    lower = ours.casefold(), theirs.casefold()
    return are_same_identifiers(*lower) or is_near_identifier(*lower) or lacks_label(ours, theirs)


def _lacks_what_is_beside_it(ours: str, theirs: str, other_letters: bool = False) -> bool:
    """Whether a text is the other in another order, or without what stands beside a name, a code or an item."""
    if max(len(ours), len(theirs)) > MAX_NAME:
        return False
    return (
        is_inverted(ours, theirs)
        or lacks_title(ours, theirs)
        or lacks_office(ours, theirs)
        or lacks_clinic(ours, theirs)
        or lacks_middle_name(ours, theirs)
        or lacks_last_name(ours, theirs)
        or lacks_form(ours, theirs)
        or lacks_part(ours, theirs)
        or lacks_label(ours, theirs)
        or lacks_ordinal(ours, theirs)
        or lacks_qualifier(ours, theirs)
        or differs_in_numerals(ours, theirs)
        or abbreviates_name(ours, theirs)
        or differs_in_spelling(ours, theirs)
        or is_near_identifier(ours, theirs, other_letters)
        or has_other_order(ours, theirs)
        or differs_in_accents(ours, theirs)
    )


def _is_near_without_case(ours: str, theirs: str, tau: float, may_be_alike: bool, budget: Budget) -> bool:
    lower = ours.casefold(), theirs.casefold()
    if may_be_alike and print_key_without_case(ours) == print_key_without_case(theirs):
        return True
    return lower != (ours, theirs) and _ned(lower[0], lower[1], budget) <= tau


def _match_numbers(ours: Number, theirs: Number, field: Field, ways: Ways, sides: Sides) -> _Match:
    """Equal where the settled readings and the units are; near within the tolerance, or where a unit is left out."""
    if ours.unit != theirs.unit and are_convertible(ours.unit, theirs.unit):
        same = _bounds_agree(ours, theirs) and ours.rough == theirs.rough and have_same_amount(ours, theirs)
        return _Match(same, same, None, "unit_converted" if same else "")
    (wanted, found), note = _settle(ours, theirs, ways, sides)
    agree = units_agree(ours.unit, theirs.unit) and _bounds_agree(ours, theirs)
    same = agree and wanted == found
    near = agree and not same and bool(field.tolerance) and within(found, wanted, field.tolerance)
    if not agree:
        return _Match(False, False)
    if ours.rough != theirs.rough or (not (ours.bound and theirs.bound) and ours.bound != theirs.bound):
        return _Match(False, same or near, (wanted, found), note)
    if "°" in (ours.unit, theirs.unit) and ours.unit != theirs.unit:
        return _Match(False, same or near, (wanted, found), "unit_missing" if same or near else "")
    one_unit = ours.unit or theirs.unit if not (ours.unit and theirs.unit) else ""
    if one_unit == PERCENT and not same:
        same = _is_hundredth(*((wanted, found) if ours.unit else (found, wanted)))
    elif one_unit and one_unit != PERCENT and not drops_freely(one_unit) and not _is_year(one_unit, wanted):
        return _Match(False, same or near, (wanted, found), "unit_missing" if same or near else "")
    return _Match(same, same or near, (wanted, found), note)


def _bounds_agree(ours: Number, theirs: Number) -> bool:
    """Whether two numbers are the same bound; 50+ is at least 50, and near 50. A letter is a unit beside one only."""
    bounds = {ours.bound, theirs.bound}
    if (ours.letter and not theirs.unit) or (theirs.letter and not ours.unit):
        return False
    return len(bounds) == 1 or bounds in ({"+", ">="}, {"+", ""})


def _is_year(unit: str, number: str) -> bool:
    """Whether a number with the unit of years is the name of one: 2024년."""
    return unit == "yr" and number.isdigit() and 1900 <= int(number) < 2100


def _settle(ours: Number, theirs: Number, ways: Ways, sides: Sides) -> tuple[tuple[str, str], Note]:
    """The reading of each of two numbers, and whether it was guessed.

    A separator before exactly three final digits groups or is decimal: as the setting says; grouping on both sides if
    both have the same digits and another separator; as the other side has it, of money and of things counted; as other
    numbers of the document force it; else `,` groups.
    """
    ours, theirs = _counted(ours), _counted(theirs)
    if not (ours.mark or theirs.mark):
        return (ours.readings[0], theirs.readings[0]), ""
    if ways.grouping == "auto" and ours.mark and theirs.mark and ours.mark != theirs.mark:
        grouped = _grouped(ours), _grouped(theirs)
        if grouped[0] == grouped[1]:
            return grouped, "guessed_grouping"
    if ours.unit in CURRENCIES or theirs.unit in CURRENCIES:
        common = [text for text in ours.readings if text in theirs.readings]
        if common:  # an amount of money is written with two digits after the point or none, so one reading is left
            return (common[0], common[0]), ""
    settled = _read(ours, ways, sides.expected), _read(theirs, ways, sides.actual)
    if settled[0] == settled[1] or ways.grouping != "auto":
        return settled, ""
    common = [text for text in ours.readings if text in theirs.readings]
    if common and "#" in (ours.unit[:1], theirs.unit[:1]):
        return (common[0], common[0]), "guessed_grouping"  # 1.000 pieces: a thousand, or one with three decimals
    guessed = bool(common) and ours.mark != theirs.mark
    return settled, "guessed_grouping" if guessed else ""


def _counted(number: Number) -> Number:
    """A number of things with the readings that are whole: 1.500 pieces are no piece and a half."""
    if not number.mark or number.unit[:1] != "#":
        return number
    whole = tuple(text for text in number.readings if "." not in text)
    return number if len(whole) > 1 else number._replace(readings=whole, mark="")


def _read(number: Number, ways: Ways, layout: Layout) -> str:
    """The reading of a number by the setting or its document; else the likelier one."""
    if not number.mark:
        return number.readings[0]
    group = layout.group if ways.grouping == "auto" else ways.grouping
    return number.readings[(group == number.mark) == (number.mark == ".")] if group else number.readings[0]


def _grouped(number: Number) -> str:
    return number.readings[number.mark == "."]


def _is_hundredth(percent: str, share: str) -> bool:
    """Whether a number without a unit is what a percentage means: 15 %, 0.15."""
    p, g = Decimal(percent), Decimal(share)
    return max(abs(p.adjusted()), abs(g.adjusted())) <= MAX_EXPONENT and p == g * 100


def _match_moments(ours: Moment, theirs: Moment, sides: Sides, *, dates_only: bool) -> _Match:
    times = (None, None) if dates_only else (ours.time, theirs.time)
    if bool(ours.days) != bool(theirs.days):
        return _DIFFERENT
    if not ours.days:
        return _match_times(*times, None)
    pairs, note = _pairs_of_days(ours, theirs, sides)
    found = max((_match_days(*pair, *times) for pair in pairs), key=_rank, default=_DIFFERENT)
    texts = _texts_of_days(ours, theirs)
    return _Match(found.exact, found.fuzzy, texts, found.note or note)


def _rank(match: _Match) -> tuple[bool, bool]:
    return match.exact, match.fuzzy


def _texts_of_days(ours: Moment, theirs: Moment) -> tuple[str, str]:
    """Texts by which two dates in JSON are similar: ISO dates, with the times if both have one."""
    days = ours.days[0][1], theirs.days[0][1]
    if ours.time and theirs.time:
        return f"{days[0]}T{_clock(ours.time)}", f"{days[1]}T{_clock(theirs.time)}"
    return days


def _clock(time: Time) -> str:
    whole = int(time.seconds)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def _pairs_of_days(ours: Moment, theirs: Moment, sides: Sides) -> tuple[list[tuple[str, str]], Note]:
    """The days that two dates may mean together, and whether one of them is ambiguous.

    Two dates of figures are read in one order; other dates of a document may rule an order out.
    """
    if len(ours.days) == len(theirs.days) == 1:
        return [(ours.days[0][1], theirs.days[0][1])], ""
    wanted, found = _allowed(ours, sides.expected), _allowed(theirs, sides.actual)
    if not all(day.startswith("--") or len(day) == _MONTH for _, day in (*wanted, *found)):
        wanted, found = _without_days_of_cards(wanted), _without_days_of_cards(found)
    ambiguous = len({order for order, _ in wanted}) > 1 or len({order for order, _ in found}) > 1
    one_order = len(ours.orders) > 1 and len(theirs.orders) > 1
    pairs = [(a, b) for order, a in wanted for other, b in found if not one_order or order == other]
    return pairs, "ambiguous_date" if ambiguous else ""


def _without_days_of_cards(days: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Days without those of no year where they may be a month and a year: 09/27 is no day beside a full date."""
    months = tuple(day for day in days if len(day[1]) == _MONTH and not day[1].startswith("--"))
    return months or days


_MONTH: Final = len("2027-09")


def _allowed(moment: Moment, layout: Layout) -> tuple[tuple[str, str], ...]:
    if len(moment.orders) < 2:
        return moment.days
    return tuple(day for day in moment.days if day[0] in layout.orders) or moment.days


def _match_days(ours: str, theirs: str, time: Time | None, other: Time | None) -> _Match:
    if time and other and time.zone is not None and other.zone is not None:
        return _same_instant(ours, theirs, time, other)
    if ours != theirs:
        if ours.startswith("--") != theirs.startswith("--") and ours[-6:] == theirs[-6:]:
            return _Match(False, time is other is None)  # a day whose year one side leaves out
        if len(theirs) == _MONTH and ours.startswith(f"{theirs}-") and not other:
            return _Match(False, True)  # the month of the day; a day that only the prediction has is made up
        return _DIFFERENT
    if time and other:
        return _match_times(time, other, zones_count=True)
    named = time or other
    if named is None or not named.seconds:
        return _Match(True, True)  # midnight is how programs write a day
    return _Match(False, True, None, "time_missing")


def _match_times(time: Time | None, other: Time | None, zones_count: bool | None) -> _Match:
    """Times of day; seconds that one side leaves out, and a zone where there is a date too, make them near."""
    if time is None or other is None:
        return _DIFFERENT
    if time.zone is not None and other.zone is not None and time.zone != other.zone:
        same = (time.seconds - time.zone * 60 - other.seconds + other.zone * 60) % _DAY == 0
        return _Match(False, same)  # the same instant on some day
    if {time.seconds, other.seconds} == {0.0, _DAY}:
        return _Match(False, True)  # the beginning of a day and its end
    if time.seconds == other.seconds:
        near = bool(zones_count) and (time.zone is None) != (other.zone is None)
        return _Match(not near, True, None, "time_missing" if near else "")
    if time.to_second != other.to_second and time.seconds // 60 == other.seconds // 60:
        return _Match(False, True, None, "time_missing")
    return _DIFFERENT


def _same_instant(ours: str, theirs: str, time: Time, other: Time) -> _Match:
    def instant(day: str, at: Time) -> float:
        return date.fromisoformat(day).toordinal() * _DAY + at.seconds - (at.zone or 0) * 60

    same = len(ours) == len(theirs) == 10 and instant(ours, time) == instant(theirs, other)
    return _Match(same, same)


def _written_distance(expected: Any, actual: Any, ways: Ways, budget: Budget) -> float:
    return _ned(plain(expected, ways.casefold), plain(actual, ways.casefold), budget)


def _ned(a: str, b: str, budget: Budget) -> float:
    """Normalised edit distance of two JSON leaf texts; 1 where they are too long to be aligned."""
    cells = len(a) * len(b)
    if cells > _FREE and not budget.allows(cells):
        return 1.0
    return Levenshtein.distance(a, b) / (max(len(a), len(b)) or 1)
