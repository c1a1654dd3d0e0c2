"""The contract of the tree edit distance: what it gives, what it refuses, what a mapping looks like."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import inf, nan
from pathlib import Path

import pytest

from jatdae.core.errors import UsageError
from jatdae.kernels import native, tree_twin
from jatdae.kernels.tree import MAX_STEPS, Tree, TreeTooLarge, tree_distance, tree_mapping

DATA = Path(os.environ.get("JATDAE_DATA", Path(__file__).parents[3] / "shared/data"))
KERNELS = [
    pytest.param("native", marks=pytest.mark.skipif(not native("tree"), reason="the kernel is not compiled")),
    "python",
]


@pytest.fixture(params=KERNELS, autouse=True)
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test here holds for the compiled kernel and for its twin."""
    if request.param == "python":
        monkeypatch.setattr("jatdae.kernels.tree.native", lambda _: None)


def bracketed(text: str, kinds: dict[str, int]) -> Tree:
    """A tree in bracket notation: {label{child}{child}}."""
    parents, labels, above = [], [], [-1]
    for part in text.split("{")[1:]:
        label, *closed = part.split("}")
        parents.append(above[-1])
        above.append(len(labels))
        labels.append(kinds.setdefault(label, len(kinds)))
        del above[len(above) - len(closed) :]
    return Tree(parents, labels)


def table(*rows: Sequence[str], texts: list[str]) -> Tree:
    """A root, rows under it, and cells with a text."""
    parents, kinds, places = [-1], [0], [-1]
    for row in rows:
        parents.append(0)
        kinds.append(1)
        places.append(-1)
        up = len(parents) - 1
        for cell in row:
            parents.append(up)
            kinds.append(2)
            places.append(len(texts))
            texts.append(cell)
    return Tree(parents, kinds, places)


@pytest.mark.skipif(not DATA.is_dir(), reason=f"no reference data at {DATA}")
def test_published_unit_cost_distances_are_exact(request: pytest.FixtureRequest) -> None:
    """The twin leaves out one pair of 1,600 nodes each, which takes it half a minute."""
    most = 10**6 if "python" in request.node.name else 10**9
    lines = (DATA / "structured/ted_pairs.txt").read_text(encoding="utf-8").split("\n")
    cases = [lines[at + 1 : at + 4] for at, line in enumerate(lines) if line.startswith("#")]
    assert len(cases) == 81
    for first, second, expected in cases:
        if first.count("{") * second.count("{") > most:
            continue
        kinds: dict[str, int] = {}
        assert tree_distance(bracketed(first, kinds), bracketed(second, kinds)) == float(expected)


def test_texts_of_one_kind_cost_their_normalised_levenshtein_distance() -> None:
    a, b = Tree([-1, 0], [0, 1], [-1, 0]), Tree([-1, 0], [0, 1], [-1, 1])
    assert tree_distance(a, b, ["total", "totals"]) == 1 / 6
    assert tree_distance(a, b, ["total", ""]) == 1.0
    assert tree_distance(a, b, ["", ""]) == 0.0


def test_texts_of_different_kinds_are_not_compared() -> None:
    assert tree_distance(Tree([-1, 0], [0, 1], [-1, 0]), Tree([-1, 0], [0, 2], [-1, 0]), ["same"]) == 1.0


def test_tokens_may_be_numbers_and_mix_with_characters() -> None:
    a, b = Tree([-1, 0], [0, 1], [-1, 0]), Tree([-1, 0], [0, 1], [-1, 1])
    assert tree_distance(a, b, ["ab", [97, 98]]) == 0.0
    assert tree_distance(a, b, ["ab", [0x110000, 97, 98, 0x110001]]) == 0.5
    assert tree_distance(a, b, [[2**32 - 1], [7]]) == 1.0


@pytest.mark.parametrize("length", [1, 63, 64, 65, 127, 128, 129, 700])
def test_texts_of_any_length_are_measured(length: int) -> None:
    text = "잣대 yardstick " * 60
    a, b = Tree([-1, 0], [0, 1], [-1, 0]), Tree([-1, 0], [0, 1], [-1, 1])
    assert tree_distance(a, b, [text[:length], "·" + text[:length]]) == 1 / (length + 1)
    assert tree_distance(a, b, [text[:length], text[: length - 1] + "··"]) == 2 / (length + 1)
    assert tree_distance(a, b, [text[:length], "·" * length]) == 1.0


def test_a_text_too_long_to_be_remembered_is_still_exact() -> None:
    a, b = Tree([-1, 0, 0], [0, 1, 1], [-1, 0, 0]), Tree([-1, 0, 0], [0, 1, 1], [-1, 1, 1])
    assert tree_distance(a, b, ["a" * 70_000, "b" * 66_000 + "a" * 4_000]) == 2 * (66_000 / 70_000)


def test_costs_are_settings() -> None:
    kinds: dict[str, int] = {}
    a, b = bracketed("{a{b}{c}}", kinds), bracketed("{a{b}}", kinds)
    assert tree_distance(a, b, delete=0.25) == 0.25
    assert tree_distance(b, a, insert=3.0) == 3.0
    assert tree_distance(a, bracketed("{a{b}{d}}", kinds), rename=0.5) == 0.5
    assert tree_distance(a, bracketed("{a{b}{d}}", kinds), rename=5.0) == 2.0


def test_insertion_may_be_free() -> None:
    kinds: dict[str, int] = {}
    assert tree_distance(bracketed("{x}", kinds), bracketed("{a{b}{c}}", kinds), insert=0.0) == 1.0
    assert tree_distance(bracketed("{b}", kinds), bracketed("{a{b}{c}}", kinds), insert=0.0) == 0.0


def test_an_empty_tree_costs_all_of_the_other() -> None:
    nothing, three = Tree([], []), Tree([-1, 0, 0], [0, 1, 1])
    assert tree_distance(nothing, nothing) == 0.0
    assert tree_distance(three, nothing, delete=2.0) == 6.0
    assert tree_distance(nothing, three) == 3.0
    assert tree_mapping(three, nothing) == [(0, -1), (1, -1), (2, -1)]
    assert tree_mapping(nothing, three) == [(-1, 0), (-1, 1), (-1, 2)]


def test_a_single_node_is_paired_with_its_like() -> None:
    one, many = Tree([-1], [5], [0]), Tree([-1, 0, 1, 0], [0, 1, 5, 1], [-1, -1, 1, -1])
    assert tree_distance(one, many, ["abc", "abd"]) == pytest.approx(3 + 1 / 3, abs=1e-12)
    assert tree_mapping(one, many, ["abc", "abd"]) == [(0, 2), (-1, 0), (-1, 1), (-1, 3)]
    assert tree_distance(Tree([-1], [0]), Tree([-1], [1])) == 1.0


def test_a_mapping_shows_the_deleted_row() -> None:
    texts: list[str] = []
    a = table(["x", "y"], ["gone", "too"], ["z", "w"], texts=texts)
    b = table(["x", "y"], ["z", "v"], texts=texts)
    assert tree_distance(a, b, texts) == 4.0
    assert tree_mapping(a, b, texts) == [
        *[(0, 0), (1, 1), (2, 2), (3, 3)],
        *[(4, -1), (5, -1), (6, -1)],
        *[(7, 4), (8, 5), (9, 6)],
    ]


@pytest.mark.parametrize("parents", [[0], [-1, -1], [-1, 1], [-1, 5], [-1, 0, 0, 1], [-1, 0, 0, 1, 3], [-1, -7]])
def test_what_is_no_tree_in_preorder_is_refused(parents: list[int]) -> None:
    good = Tree([-1, 0], [0, 0])
    for pair in ((Tree(parents, [0] * len(parents)), good), (good, Tree(parents, [0] * len(parents)))):
        with pytest.raises(ValueError, match=r"parents must come before|must be in preorder"):
            tree_distance(*pair)


def test_labels_that_do_not_fit_are_refused() -> None:
    good = Tree([-1, 0], [0, 0])
    with pytest.raises(ValueError, match="as many kinds"):
        tree_distance(good, Tree([-1, 0], [0]))
    with pytest.raises(ValueError, match="as many texts"):
        tree_distance(good, Tree([-1, 0], [0, 0], [0]), ["a"])
    with pytest.raises(ValueError, match="not in the list"):
        tree_distance(good, Tree([-1, 0], [0, 0], [-1, 3]), ["a"])
    with pytest.raises(ValueError, match="token"):
        tree_distance(good, good, [[-1]])


@pytest.mark.parametrize("cost", [-1.0, nan, inf])
def test_a_cost_that_is_no_cost_is_refused(cost: float) -> None:
    with pytest.raises(UsageError, match="cost"):
        tree_distance(Tree([-1], [0]), Tree([-1], [1]), insert=cost)


def test_a_pair_beyond_the_limit_is_refused_and_says_so() -> None:
    wide = Tree([-1, *[0] * 25_000], [0] * 25_001)
    with pytest.raises(TreeTooLarge, match="25,001 and 25,001 nodes"):
        tree_distance(wide, wide)
    with pytest.raises(TreeTooLarge):
        tree_mapping(wide, wide)


def test_texts_beyond_the_limit_are_refused() -> None:
    a, b = Tree([-1, 0], [0, 1], [-1, 0]), Tree([-1, 0], [0, 1], [-1, 1])
    with pytest.raises(TreeTooLarge):
        tree_distance(a, b, ["ab" * 200_000, "ba" * 200_000])


def test_the_limit_counts_steps() -> None:
    texts: list[str] = []
    a, b = table(["abc", "def"], texts=texts), table(["ghi"], texts=texts)
    for kernel in filter(None, (native("tree"), tree_twin)):
        assert kernel.distance(a, b, texts, 1.0, 1.0, 1.0, 3) is None
        assert kernel.mapping(a, b, texts, 1.0, 1.0, 1.0, 3) is None
        assert kernel.distance(a, b, texts, 1.0, 1.0, 1.0, MAX_STEPS) == 2.0
