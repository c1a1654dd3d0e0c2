"""Where a text is found in a page, exactly or within some edits.

An approximate match is found by Sellers' algorithm in the bit-parallel form of Myers (1999), on Python's long integers.
A match within k edits has at least one of k + 1 pieces of the text unchanged (pigeonhole), so only the surroundings of
such pieces are read: a page of which nothing is alike costs as much as a few plain searches.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Final, NamedTuple

from rapidfuzz import fuzz

MAX_MATCHES: Final = 10_000
"""Matches that are looked at; a page has more only where one character is repeated."""
MAX_COMPARED: Final = 20_000_000
"""Characters of the text times characters of the page, for the nearest place."""
MAX_DIFFS: Final = 200
"""Edits that a match may have, however long the text."""


class Match(NamedTuple):
    """A place of a page."""

    start: int
    end: int
    distance: int = 0


def find_exact(wanted: str, page: str) -> list[Match]:
    """Every place of a text in a page, overlapping ones too."""
    found: list[Match] = []
    at = page.find(wanted)
    while at >= 0 and len(found) < MAX_MATCHES:
        found.append(Match(at, at + len(wanted)))
        at = page.find(wanted, at + 1)
    return found


def find_near(wanted: str, page: str, most: int) -> list[Match]:
    """The places where a text is found within `most` edits: of those that overlap the best, in order."""
    most = min(most, MAX_DIFFS)
    if most <= 0:
        return find_exact(wanted, page)
    found: list[Match] = []
    for start, end in _windows(wanted, page, most):
        found += [
            Match(start + match.start, start + match.end, match.distance)
            for match in _search(wanted, page[start:end], most)
        ]
        if len(found) >= MAX_MATCHES:
            break
    return _best_of_overlapping(found)


def nearest(wanted: str, page: str) -> Match | None:
    """The place of a page that is most like a text, by its indel ratio; None where nothing is alike."""
    if not wanted or not page or len(wanted) * len(page) > MAX_COMPARED:
        return None
    place = fuzz.partial_ratio_alignment(wanted, page)
    if place is None or place.score < 30.0:
        return None
    if len(page) < len(wanted):
        return Match(0, len(page))
    return Match(place.dest_start, place.dest_end)


def count_apart(matches: list[Match]) -> int:
    """How many matches there are that do not overlap, read from the left."""
    number, end = 0, 0
    for match in matches:
        if match.start >= end:
            number, end = number + 1, match.end
    return number


def _windows(wanted: str, page: str, most: int) -> Iterator[tuple[int, int]]:
    """Stretches of a page in which a match may lie: around every unchanged piece of the text."""
    pieces = most + 1
    bounds = [len(wanted) * number // pieces for number in range(pieces + 1)]
    around: list[tuple[int, int]] = []
    for first, last in pairwise(bounds):
        piece = wanted[first:last]
        if not piece:  # shorter than the edits allowed: anything may match
            yield 0, len(page)
            return
        around += [
            (max(0, match.start - first - most), match.start + len(wanted) - first + most)
            for match in find_exact(piece, page)
        ]
    end = -1
    start = 0
    for left, right in sorted(around):
        if left > end >= 0:
            yield start, end
        if left > end:
            start = left
        end = max(end, right)
    if end >= 0:
        yield start, end


def _search(wanted: str, page: str, most: int) -> Iterator[Match]:
    """Matches by where they end; the start is found by reading back from there."""
    backwards = wanted[::-1]
    for end, distance in _best_ends(wanted, page, most):
        first = max(0, end - len(wanted) - distance)
        best = min(
            ((cost, -length) for length, cost in _ends(backwards, page[first:end][::-1], distance, free_start=False)),
            default=(distance, -len(wanted)),
        )
        yield Match(max(0, end + best[1]), end, distance)


def _best_ends(wanted: str, page: str, most: int) -> Iterator[tuple[int, int]]:
    """Of matches that end one character after another the best, and no two that must overlap."""
    apart = max(1, len(wanted) - most)
    run: list[tuple[int, int]] = []
    for end, distance in chain(_ends(wanted, page, most, free_start=True), [(-1, 0)]):
        if run and end != run[-1][0] + 1:
            least, last = min(each[1] for each in run), -apart
            for at, cost in run:
                if cost == least and at - last >= apart:
                    yield at, cost
                    last = at
            run = []
        run.append((end, distance))


def _ends(wanted: str, page: str, most: int, *, free_start: bool) -> Iterator[tuple[int, int]]:
    """Where a match within `most` edits ends, with its distance (Myers 1999; Hyyrö 2003 for the fixed start)."""
    size = len(wanted)
    full, last = (1 << size) - 1, 1 << (size - 1)
    where: dict[str, int] = {}
    for at, letter in enumerate(wanted):
        where[letter] = where.get(letter, 0) | 1 << at
    plus, minus, distance = full, 0, size
    for at, letter in enumerate(page, 1):
        equal = where.get(letter, 0)
        vertical = equal | minus
        equal = (((equal & plus) + plus) ^ plus) | equal
        horizontal_plus = minus | ~(equal | plus) & full
        horizontal_minus = plus & equal
        if horizontal_plus & last:
            distance += 1
        elif horizontal_minus & last:
            distance -= 1
        horizontal_plus = horizontal_plus << 1 & full | (0 if free_start else 1)
        plus = (horizontal_minus << 1 & full) | ~(vertical | horizontal_plus) & full
        minus = horizontal_plus & vertical
        if distance <= most:
            yield at, distance


def _best_of_overlapping(matches: list[Match]) -> list[Match]:
    """One match for every group of overlapping ones: the one of the least distance, of equals the longest."""
    best: list[Match] = []
    end = -1
    for match in sorted(matches):
        if best and match.start < end:
            best[-1] = min(best[-1], match, key=lambda each: (each.distance, each.start - each.end))
            end = max(end, match.end)
        else:
            best.append(match)
            end = match.end
    return best
