"""What the loops of a comparison field by field promise, of the native ones and of their twins alike."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from jatdae.kernels import fields, fields_twin, native
from jatdae.kernels.fields import Cell, add_similarities, survey, tally

compiled: Any = native("fields")
needs_native = pytest.mark.skipif(compiled is None, reason="the fields kernel is not compiled")
check = settings(max_examples=300, deadline=None, derandomize=True)


class Object(dict[str, Any]):
    """An object of a type of its own."""


@pytest.fixture(params=[pytest.param(compiled, id="native"), pytest.param(fields_twin, id="twin")])
def loop(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    if request.param is None:
        pytest.skip("the fields kernel is not compiled")
    monkeypatch.setattr(fields, "_loop", request.param)
    yield request.param


@pytest.mark.usefixtures("loop")
class TestSurvey:
    @pytest.mark.parametrize(
        ("value", "values", "characters"),
        [
            (None, 1, 0),
            ("잣대", 1, 2),
            ({}, 1, 0),
            ({"a": [1, "xy", True, None], "bc": {}}, 7, 5),
            ([[], [[]], "😀"], 5, 1),
        ],
    )
    def test_values_and_characters_are_counted(self, value: Any, values: int, characters: int) -> None:
        assert survey(value, 10, 100) == (values, characters, False, True, False, [], [])

    def test_depth_is_that_of_containers_in_containers(self) -> None:
        nested = [[["deep"]]]
        assert not survey(nested, 3, 100).deeper
        assert survey(nested, 2, 100).deeper
        assert not survey("deep", 0, 100).deeper

    def test_a_value_too_deep_or_too_large_is_not_seen_to_its_end(self) -> None:
        assert survey([["deep", 1.5]], 1, 100)[:3] == (2, 0, True)
        assert survey([["wide", 1.5], []], 9, 2)[:3] == (3, 0, False)
        endless: list[Any] = []
        endless.append(endless)
        assert survey(endless, 200, 1000).deeper

    def test_too_deep_goes_before_too_large(self) -> None:
        assert survey([[1]], 0, 0).deeper

    def test_what_needs_a_closer_look_is_told(self) -> None:
        own, price = Object(a=1), Decimal("1.50")
        found = survey({"own": own, "price": price, 1: ["half \ud800", 1.5]}, 9, 99)
        assert found == (7, 15, False, False, True, [own], [price, 1.5])
        assert found.special[0] is own

    def test_a_whole_character_beyond_the_basic_plane_is_no_half(self) -> None:
        assert not survey("😀\ud7ff\ue000", 9, 99).halves
        assert survey("😀\udfff", 9, 99).halves


@pytest.mark.usefixtures("loop")
class TestSimilarities:
    def test_is_one_less_the_normalised_distance(self) -> None:
        assert _alike(["kitten"], ["sitting", "kitten", "kit"]) == [[1 - 3 / 7, 1.0, 0.5]]

    def test_a_shared_reading_is_enough(self) -> None:
        assert _alike([("60000", "60")], [60, ("6", "60000"), ("61", "7")]) == [[1.0, 1.0, 1 - 4 / 5]]

    def test_a_whole_number_stands_for_its_digits(self) -> None:
        assert _alike([-120, 10**17], ["-120", "12", 10**17]) == [
            [1.0, 0.5, 1 - 17 / 18],
            [1 - 17 / 18, 1 - 17 / 18, 1.0],
        ]

    def test_what_is_not_there_is_like_nothing(self) -> None:
        assert _alike([("",), "a"], ["", "b"]) == [[1.0, 0.0], [0.0, 0.0]]

    def test_is_added_to_the_rows_that_are_named(self) -> None:
        total = np.full((3, 1), 0.25)
        assert add_similarities(total, [2, 0], ["ab", "cd"], ["ab"]) == 8
        assert total.tolist() == [[0.25], [0.25], [1.25]]

    def test_too_many_characters_add_nothing(self) -> None:
        total = np.zeros((1, 2))
        assert add_similarities(total, [0], ["abc"], ["abc", "d"], most=11) == 12
        assert not total.any()
        add_similarities(total, [0], ["abc"], ["abc", "d"], most=12)
        assert total.tolist() == [[1.0, 0.0]]

    def test_many_cells_are_as_alike_as_few(self) -> None:
        ours: list[Cell] = [f"cell {n} " * (n % 9) for n in range(30)]
        theirs: list[Cell] = [*(f"call {n}" for n in range(20)), *range(10)]
        assert _alike(ours, theirs) == [_alike([a], theirs)[0] for a in ours]


@pytest.mark.usefixtures("loop")
class TestTally:
    ROWS = (
        (True, True, 1.0, 0, "match", "a"),
        ("$.b", False, True, 0.9, 1, "mismatch", "b[*]"),
        (True, True, 1.0, 1, "match", "b[*]"),
        (False, False, 0.25, 1, "mismatch", "b[*]"),
        (True, True, 1.0, 0, "both_absent", "a"),
    )

    def test_leaves_are_added_up_by_pattern_depth_and_outcome(self) -> None:
        found = tally(list(self.ROWS))
        assert found.fields == {"a": (2, 2, 2, 2.0), "b[*]": (3, 1, 2, 3.0 - (1.0 - 0.9) - 0.75)}
        assert found.depths == {0: (2, 2), 1: (3, 1)}
        assert found.outcomes == {"match": {"a": 1, "b[*]": 1}, "mismatch": {"b[*]": 2}, "both_absent": {"a": 1}}

    def test_equal_names_are_one_whoever_made_them(self) -> None:
        rows = [(True, True, 1.0, 0, "".join(["ma", "tch"]), "".join(["tot", "al"])) for _ in range(3)]
        assert tally(rows).outcomes == {"match": {"total": 3}}

    def test_nothing_adds_up_to_nothing(self) -> None:
        assert tally([]) == ({}, {}, {})

    def test_a_row_too_short_is_refused(self) -> None:
        with pytest.raises(ValueError):
            tally([(True, True, 1.0)])


texts = st.text("ab가\u0301😀", max_size=80) | st.text(st.characters(exclude_categories=()), max_size=12)
leaves = texts | st.integers() | st.booleans() | st.none() | st.floats() | st.decimals() | st.just(b"bytes")
keys = st.text("a\ud800가", max_size=3) | st.integers(0, 3)
values = st.recursive(
    leaves,
    lambda below: (
        st.lists(below, max_size=4)
        | st.dictionaries(keys, below, max_size=4)
        | st.dictionaries(st.text(max_size=2), below, max_size=3).map(Object)
    ),
    max_leaves=25,
)
cells = st.lists(
    texts | st.integers(-(2**63), 2**63 - 1) | st.lists(texts, min_size=1, max_size=3).map(tuple), max_size=7
)


@needs_native
@check
@given(values, st.integers(0, 6), st.integers(0, 30))
def test_the_native_survey_is_its_twin(value: Any, most_depth: int, most_values: int) -> None:
    ours, theirs = (loop.survey(value, most_depth, most_values) for loop in (compiled, fields_twin))
    assert ours[:5] == theirs[:5]
    for special in (5, 6):  # by identity: NaN is not itself
        assert list(map(id, ours[special])) == list(map(id, theirs[special]))


@needs_native
@check
@given(cells, cells, st.integers(0, 3), st.randoms())
def test_native_similarities_are_their_twins_to_the_last_bit(
    ours: list[Cell], theirs: list[Cell], spare: int, draw: Any
) -> None:
    rows = draw.sample(range(len(ours) + spare), len(ours))
    totals = [np.full((len(ours) + spare, len(theirs)), 0.1) for _ in range(2)]
    found = [
        loop.add_similarities(total, rows, ours, theirs, 1 << 62)
        for loop, total in zip((compiled, fields_twin), totals, strict=True)
    ]
    assert found[0] == found[1]
    assert totals[0].tobytes() == totals[1].tobytes()


@needs_native
@check
@given(
    st.lists(
        st.tuples(
            *(st.booleans(), st.booleans(), st.floats(0, 1), st.integers(0, 3)),
            *(st.sampled_from(["match", "mismatch", "missing"]), st.sampled_from("abc")),
        ),
        max_size=40,
    )
)
def test_the_native_tally_is_its_twin_to_the_last_bit(rows: list[Any]) -> None:
    assert compiled.tally(rows) == fields_twin.tally(rows)


@needs_native
@pytest.mark.parametrize(
    ("total", "rows", "ours"),
    [
        (np.zeros((1, 2)), [0], ["a"]),
        (np.zeros((1, 1), np.float32), [0], ["a"]),
        (np.zeros(1), [0], ["a"]),
        (np.zeros((1, 1)), [1], ["a"]),
        (np.zeros((1, 1)), [-1], ["a"]),
        (np.zeros((1, 1)), [2**70], ["a"]),
        (np.zeros((1, 1)), [0.0], ["a"]),
        (np.zeros((1, 1)), [True], ["a"]),
        (np.zeros((1, 1)), [], ["a"]),
        (np.zeros((1, 1)), [0], [1.5]),
        (np.zeros((1, 1)), [0], [True]),
        (np.zeros((1, 1)), [0], [2**63]),
        (np.zeros((1, 1)), [0], [()]),
        (np.zeros((1, 1)), [0], [(None,)]),
    ],
)
def test_what_does_not_fit_is_refused(total: Any, rows: list[int], ours: list[Any]) -> None:
    with pytest.raises(ValueError):
        compiled.add_similarities(total, rows, ours, ["b"], 100)


@needs_native
@pytest.mark.parametrize("total", [None, [[0.0]], np.zeros((2, 2))[:, :1]])
def test_what_is_no_matrix_in_one_piece_is_refused(total: Any) -> None:
    with pytest.raises((TypeError, ValueError, BufferError)):
        compiled.add_similarities(total, [0], ["a"], ["b"], 100)


class Meddler:
    """What empties a list while it is being read."""

    def __init__(self, rows: list[Any]) -> None:
        self.rows = rows

    def __hash__(self) -> int:
        return self._meddle()

    def __index__(self) -> int:
        return self._meddle()

    def __float__(self) -> float:
        return float(self._meddle())

    def _meddle(self) -> int:
        self.rows.clear()
        return 0


@needs_native
@pytest.mark.parametrize("column", range(6))
def test_no_code_of_others_runs_while_leaves_are_added_up(column: int) -> None:
    good = (True, True, 1.0, 0, "match", "total")
    rows: list[Any] = [good] * 50
    rows[25] = (*good[:column], Meddler(rows), *good[column + 1 :])
    with pytest.raises(ValueError, match="a row ends in"):
        compiled.tally(rows)
    assert len(rows) == 50


@needs_native
@pytest.mark.parametrize("row", [(), (True,) * 5, [True] * 6, None, (True, True, 1.0, 2**70, "match", "total")])
def test_a_row_that_is_none_is_refused(row: Any) -> None:
    with pytest.raises(ValueError):
        compiled.tally([row])


@needs_native
def test_no_code_of_others_runs_while_cells_are_compared() -> None:
    cells: list[Any] = ["a", "b"]
    cells[0] = Meddler(cells)
    for ours, rows in ((cells, [0, 1]), (["a", "b"], [Meddler(cells), 1])):
        with pytest.raises(ValueError):
            compiled.add_similarities(np.zeros((2, 1)), rows, ours, ["c"], 100)
    assert len(cells) == 2


@pytest.mark.usefixtures("loop")
@pytest.mark.parametrize("length", [400, 499, 500, 3000])
def test_long_texts_are_compared_like_short_ones(length: int) -> None:
    a, b = "ab가" * length, "ba가" * length
    assert _alike([a[:length]], [b[:length]]) == [[Levenshtein.normalized_similarity(a[:length], b[:length])]]


@pytest.mark.usefixtures("loop")
def test_a_limit_may_be_as_large_as_one_likes() -> None:
    assert survey([1], 10**30, 10**30).values == 2


@check
@given(texts, texts)
def test_similarity_is_that_of_rapidfuzz(a: str, b: str) -> None:
    assert _alike([a], [b]) == [[Levenshtein.normalized_similarity(a, b)]]


def _alike(ours: list[Cell], theirs: list[Cell]) -> list[list[float]]:
    total = np.zeros((len(ours), len(theirs)))
    add_similarities(total, list(range(len(ours))), ours, theirs)
    found: list[list[float]] = total.tolist()
    return found
