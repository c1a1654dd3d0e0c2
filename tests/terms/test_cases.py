"""The parser against labelled lines in the style of forms, model prose, Korean, English and traditional characters.

A line is right if it states the same atoms with the same polarity and the same locations. `reader.jsonl` was labelled
by a reader of the rules who had not seen the code; `own.jsonl` was written before the code that reads it, `fresh.jsonl`
after it; `second.jsonl` (changes, comparisons, conditions, boxes) before the code that reads those,
`third.jsonl` and `fourth.jsonl` after it; `fifth.jsonl`, `sixth.jsonl` and `seventh.jsonl` (lists,
particles and endings of Korean, labels with values, hedges) before the code that reads those, and
`eighth.jsonl` after it; `ninth.jsonl` (layouts of forms, what is gone, comparisons, general statements) before the code
that reads those, and `tenth.jsonl`,
`eleventh.jsonl` and `twelfth.jsonl` after most of it; `thirteenth.jsonl` (what was not assessed, other subjects,
tables, denials and comparisons in the prose of models) before the code that reads those, and `fourteenth.jsonl`
after it; `fifteenth.jsonl` and `sixteenth.jsonl` were labelled by readers of the rules who had not seen the code;
`seventeenth.jsonl` (tick boxes, pictures, changes in Korean, glosses) was written before the code that reads those,
`eighteenth.jsonl` after it; `nineteenth.jsonl` (boxes by group, what is out of sight, earlier states, lists at a
location) before the code that reads those, `twenty-first.jsonl` after most of it; `twentieth.jsonl` was labelled by a
reader of the rules who had not seen the code.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from jatdae.terms import Term, find_lexicon, parse

CASES: Final = Path(__file__).parent / "cases"
FLOORS: Final[Mapping[str, Mapping[str, tuple[float, float, float]]]] = {
    "reader": {
        "form": (0.98, 0.98, 0.95),
        "prose": (0.97, 0.98, 0.9),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.98, 0.98, 0.95),
    },
    "own": {
        "form": (0.98, 0.98, 0.95),
        "prose": (0.98, 0.97, 0.9),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.98, 0.98, 0.95),
        "traditional": (0.98, 0.98, 0.95),
    },
    "second": {
        "form": (0.98, 0.98, 0.95),
        "prose": (0.98, 0.98, 0.95),
        "korean": (0.98, 0.98, 0.93),
        "english": (0.98, 0.98, 0.93),
        "traditional": (0.98, 0.98, 0.9),
    },
    "third": {
        "form": (0.98, 0.97, 0.84),
        "prose": (0.97, 0.97, 0.93),
        "korean": (0.98, 0.98, 0.91),
        "english": (0.98, 0.98, 0.9),
        "traditional": (0.98, 0.98, 0.9),
    },
    "fourth": {
        "form": (0.98, 0.98, 0.9),
        "prose": (0.98, 0.98, 0.91),
        "korean": (0.96, 0.96, 0.87),
        "english": (0.98, 0.98, 0.83),
        "traditional": (0.98, 0.98, 0.75),
    },
    "fifth": {
        "form": (0.98, 0.98, 0.95),
        "prose": (0.98, 0.98, 0.95),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.98, 0.98, 0.95),
        "traditional": (0.98, 0.98, 0.95),
    },
    "sixth": {
        "form": (0.98, 0.98, 0.93),
        "prose": (0.95, 0.96, 0.74),
        "korean": (0.98, 0.96, 0.84),
        "english": (0.98, 0.98, 0.94),
        "traditional": (0.94, 0.98, 0.87),
    },
    "seventh": {
        "form": (0.98, 0.98, 0.93),
        "prose": (0.98, 0.98, 0.93),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.98, 0.98, 0.91),
        "traditional": (0.98, 0.98, 0.95),
    },
    "eighth": {
        "form": (0.98, 0.98, 0.91),
        "prose": (0.97, 0.98, 0.9),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.98, 0.98, 0.95),
        "traditional": (0.97, 0.98, 0.87),
    },
    "ninth": {
        "form": (0.98, 0.98, 0.95),
        "prose": (0.98, 0.98, 0.95),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.98, 0.98, 0.95),
        "traditional": (0.98, 0.98, 0.95),
    },
    "tenth": {
        "form": (0.98, 0.98, 0.92),
        "prose": (0.94, 0.98, 0.9),
        "korean": (0.97, 0.97, 0.9),
        "english": (0.98, 0.98, 0.9),
        "traditional": (0.98, 0.98, 0.95),
    },
    "eleventh": {
        "form": (0.98, 0.98, 0.87),
        "prose": (0.97, 0.97, 0.85),
        "korean": (0.98, 0.98, 0.87),
        "english": (0.98, 0.98, 0.85),
        "traditional": (0.98, 0.98, 0.95),
    },
    "twelfth": {
        "form": (0.98, 0.98, 0.95),
        "prose": (0.96, 0.98, 0.8),
        "korean": (0.98, 0.98, 0.85),
        "english": (0.91, 0.98, 0.8),
        "traditional": (0.98, 0.98, 0.95),
    },
    "thirteenth": {
        "form": (0.98, 0.98, 0.95),
        "prose": (0.98, 0.98, 0.91),
        "korean": (0.98, 0.98, 0.94),
        "english": (0.98, 0.98, 0.95),
        "traditional": (0.98, 0.98, 0.94),
    },
    "fourteenth": {
        "form": (0.91, 0.98, 0.88),
        "prose": (0.98, 0.98, 0.93),
        "korean": (0.98, 0.98, 0.91),
        "english": (0.97, 0.98, 0.9),
        "traditional": (0.98, 0.98, 0.95),
    },
    "fifteenth": {
        "form": (0.96, 0.98, 0.93),
        "prose": (0.97, 0.98, 0.87),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.98, 0.98, 0.93),
        "traditional": (0.98, 0.98, 0.91),
    },
    "sixteenth": {
        "form": (0.98, 0.98, 0.93),
        "prose": (0.98, 0.98, 0.93),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.98, 0.98, 0.93),
        "traditional": (0.98, 0.98, 0.91),
    },
    "seventeenth": {
        "form": (0.98, 0.98, 0.95),
        "prose": (0.98, 0.98, 0.95),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.98, 0.98, 0.95),
        "traditional": (0.98, 0.98, 0.95),
    },
    "eighteenth": {
        "form": (0.98, 0.98, 0.85),
        "prose": (0.98, 0.98, 0.95),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.98, 0.98, 0.95),
        "traditional": (0.98, 0.98, 0.95),
    },
    "nineteenth": {
        "form": (0.98, 0.98, 0.95),
        "prose": (0.98, 0.98, 0.95),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.98, 0.98, 0.95),
    },
    "twentieth": {
        "form": (0.97, 0.98, 0.93),
        "prose": (0.98, 0.98, 0.95),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.97, 0.97, 0.93),
        "traditional": (0.98, 0.98, 0.95),
    },
    "twenty-first": {
        "form": (0.98, 0.98, 0.95),
        "prose": (0.98, 0.98, 0.95),
        "korean": (0.98, 0.98, 0.95),
        "english": (0.98, 0.98, 0.95),
        "traditional": (0.98, 0.98, 0.95),
    },
    "fresh": {
        "form": (0.98, 0.98, 0.9),
        "prose": (0.98, 0.98, 0.9),
        "korean": (0.97, 0.97, 0.9),
        "english": (0.97, 0.97, 0.9),
        "traditional": (0.98, 0.98, 0.9),
    },
}
"""Least precision and recall of atoms with polarity, and least share of lines that are right, by file and style."""


def lines_of(name: str, style: str = "") -> Iterator[dict[str, Any]]:
    """Yield the labelled lines of a file, or those of one style."""
    for line in (CASES / f"{name}.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        if style in ("", case["style"]):
            yield case


def labelled(atoms: Sequence[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    """The label of a line: atoms with polarity, and their locations; an atom said twice counts once."""
    found: dict[str, frozenset[str]] = {}
    for each in atoms:
        key = f"{'¬' if each['negated'] else ''}{each['atom']}"
        found[key] = found.get(key, frozenset()) | frozenset(filter(None, (each["location"] or "").split("|")))
    return found


def read(terms: Sequence[Term]) -> dict[str, frozenset[str]]:
    """The terms of a line in the same form."""
    found: dict[str, frozenset[str]] = {}
    for term in terms:
        places = frozenset(place.partition("_")[2] for place in term.places)
        found[str(term)] = found.get(str(term), frozenset()) | places
    return found


@pytest.mark.parametrize(("name", "style"), [(name, style) for name, styles in FLOORS.items() for style in styles])
def test_no_style_falls_behind(name: str, style: str) -> None:
    counts: Counter[str] = Counter()
    for case in lines_of(name, style):
        gold, got = labelled(case["atoms"]), read(parse(case["text"]))
        counts["hits"] += len(gold.keys() & got.keys())
        counts["found"] += len(got)
        counts["wanted"] += len(gold)
        counts["right"] += gold == got
        counts["lines"] += 1
    precision, recall = counts["hits"] / counts["found"], counts["hits"] / counts["wanted"]
    reached = precision, recall, counts["right"] / counts["lines"]
    assert all(share >= least for share, least in zip(reached, FLOORS[name][style], strict=True)), reached


def test_every_label_names_atoms_of_the_lexicon() -> None:
    atoms = find_lexicon("tongue").atoms
    assert {each["atom"] for name in FLOORS for case in lines_of(name) for each in case["atoms"]} <= set(atoms)


@pytest.mark.parametrize(
    "text", ["湿热", "黄芪", "提示湿热", "黄芪、白术", "根据", "图中", "居中", "水湿", "中医", "边缘清晰"]
)
def test_words_that_merely_contain_the_character_of_an_atom_say_nothing(text: str) -> None:
    assert parse(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        *("裂纹：无", "裂纹无", "裂纹(无)", "裂纹（无）", "裂纹: 无", "裂纹：未见", "裂纹 无", "裂紋：無", "裂纹：否"),
        *("裂纹[无]", "裂纹：（-）", "**裂纹**：无", "열문: 없음", "열문: 무"),
        *("Cracks: absent", "cracks: no", "cracks (none)"),
    ],
)
def test_an_item_of_a_form_with_the_answer_no_is_never_positive(text: str) -> None:
    assert [str(term) for term in parse(text)] == ["¬SHAPE_裂纹"]
