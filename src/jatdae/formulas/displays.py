r"""Displays that one side breaks where the other does not: an `align` of three lines against three displays.

What is printed is the same, so predicted displays are joined, or split at their lines, to stand against whole displays
of the reference. Displays that are equal stay as they are. The lines of all others are paired by how alike they are;
displays in a row whose lines all belong to one reference become one, and a display whose lines belong to several
references is split between them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from jatdae.formulas.extraction import Found
from jatdae.formulas.mathml import is_mathml
from jatdae.formulas.pairs import by_assignment, equal_ones
from jatdae.formulas.tokens import Canonical, canonical_form

LINE_END: Final = " \\\\\n"
_ALIKE: Final = 0.5
"""Share of equal symbols from which on two lines are taken for the same."""
_MOST_LINES: Final = 2_000
"""Of one side; with more, displays stay as they are."""
_EDGE: Final = re.compile(
    r"\\(?P<edge>begin|end)\s*\{[^{}]{0,40}\}|(?P<end>\\\\)(?:\*|\s*\[[^\]\n]{0,20}\])?|\\.|(?P<brace>[{}])", re.DOTALL
)
_OUTER: Final = re.compile(
    r"\s*\\begin\{(?P<name>(?:align|aligned|alignat|alignedat|flalign|gather|gathered|multline|eqnarray|equation|split"
    r"|displaymath|subequations)\*?)\}(?:\[[a-z]\]|\{\s*[0-9]{1,2}\s*\})?(?P<inside>.*)\\end\{(?P=name)\}[\s.,;]*",
    re.DOTALL,
)
_MOST_ENVIRONMENTS: Final = 4  # one in the other


class _Line(NamedTuple):
    display: int
    """Which formula of its side it is a line of."""
    source: str
    form: Canonical


def regroup(predictions: Sequence[Found], references: Sequence[Found]) -> list[Found]:
    """The predicted formulas of a document, with displays joined and split as the reference has them."""
    if not any("\\\\" in each.latex for each in (*predictions, *references)):
        return list(predictions)
    forms = [[canonical_form(each.latex) for each in side] for side in (predictions, references)]
    equal = equal_ones(*forms)
    written = _lines(predictions, {number for number in equal if number is not None})
    wanted = _lines(references, {at for at, number in enumerate(equal) if number is not None})
    if max(len(written), len(wanted)) > _MOST_LINES:
        return list(predictions)
    owners = _owners(written, wanted)
    made = [[each] for each in predictions]
    for displays in _to_join(written, owners):
        made[displays[0]] = [Found(LINE_END.join(predictions[at].latex for at in displays))]
        for at in displays[1:]:
            made[at] = []
    for display, parts in _to_split(written, owners):
        made[display] = [Found(part) for part in parts]
    return [each for parts in made for each in parts]


def lines_of(latex: str) -> list[str]:
    """The lines of a display, without the environments around all of them."""
    for _ in range(_MOST_ENVIRONMENTS):
        outer = _OUTER.fullmatch(latex)
        if outer is None:
            break
        latex = outer["inside"]
    lines, at, level = [], 0, 0
    for edge in _EDGE.finditer(latex):
        if edge["end"] and level == 0:
            lines.append(latex[at : edge.start()])
            at = edge.end()
        elif edge["brace"] or edge["edge"]:
            level += 1 if edge["brace"] == "{" or edge["edge"] == "begin" else -1
    return [line.strip() for line in (*lines, latex[at:]) if line.strip()]


def _lines(formulas: Sequence[Found], settled: Collection[int]) -> list[_Line]:
    """The lines of the displays of one side that are not settled."""
    return [
        _Line(number, line, canonical_form(line))
        for number, each in enumerate(formulas)
        if each.display and number not in settled and not is_mathml(each.latex)
        for line in lines_of(each.latex)
    ]


def _owners(written: Sequence[_Line], wanted: Sequence[_Line]) -> dict[int, int]:
    """For each predicted line that is like one of the reference, the display it belongs to there."""
    pairing = by_assignment([line.form for line in written], [line.form for line in wanted]) or []
    owners = {}
    for line, number in zip(wanted, pairing, strict=False):
        if number is not None:
            sides = written[number].form.tokens, line.form.tokens
            if Levenshtein.normalized_similarity(*sides) >= _ALIKE:
                owners[number] = line.display
    return owners


def _to_join(written: Sequence[_Line], owners: dict[int, int]) -> list[list[int]]:
    """Displays in a row whose lines belong to one reference, or to none."""
    of_display: dict[int, set[int | None]] = {}
    held: dict[int, set[int]] = {}
    for at, line in enumerate(written):
        owner = owners.get(at)
        of_display.setdefault(line.display, set()).add(owner)
        if owner is not None:
            held.setdefault(owner, set()).add(line.display)
    made = []
    for owner, displays in held.items():
        row = list(range(min(displays), max(displays) + 1))
        if len(row) > 1 and all(of_display.get(at, {-1}) <= {owner, None} for at in row):
            made.append(row)
    return made


def _to_split(written: Sequence[_Line], owners: dict[int, int]) -> list[tuple[int, list[str]]]:
    """Displays whose lines belong to several references that have no other lines, each with its parts."""
    displays: dict[int, set[int]] = {}
    for at, owner in owners.items():
        displays.setdefault(owner, set()).add(written[at].display)
    made = []
    for display, lines in groupby(enumerate(written), key=lambda each: each[1].display):
        held: list[tuple[int, str]] = []
        for at, line in lines:
            # A line that is like none belongs with the one above.
            held.append((owners.get(at, held[-1][0] if held else -1), line.source))
        groups = [(owner, [source for _, source in group]) for owner, group in groupby(held, key=lambda each: each[0])]
        known = [owner for owner, _ in groups if owner >= 0]
        if len(known) > 1 and len(set(known)) == len(known) and all(displays[owner] == {display} for owner in known):
            made.append((display, [LINE_END.join(sources) for _, sources in groups]))
    return made
