"""The native look at a text and the native similarities are those of their twins, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from jatdae.kernels import native, texts_twin
from jatdae.kernels import texts as kernel

loop: Any = native("texts")
compiled = pytest.mark.skipif(loop is None, reason="the kernel is not built, or JATDAE_KERNEL=python")
check = settings(max_examples=300, deadline=None, derandomize=True)
short = st.text("ab1 가나é\u0301😀\ud800", max_size=20) | st.sampled_from(["", "x" * 63, "x" * 64, "가" * 63 + "a"])


@compiled
def test_every_character_looks_the_same() -> None:
    for character in map(chr, range(0x110000)):
        assert loop.look(character) == texts_twin.look(character), hex(ord(character))


@pytest.mark.parametrize(
    ("text", "sorts"),
    [
        ("", 0),
        ("No. 12", kernel.LETTER | kernel.SIGN | kernel.SPACE | kernel.FIGURE),
        ("(a-b)", kernel.BRACKET | kernel.LETTER | kernel.DASH),
        ("1/2, [3]:", kernel.FIGURE | kernel.STROKE | kernel.COMMA | kernel.SPACE | kernel.BRACKET | kernel.COLON),
        ("강남구", kernel.LETTER),
        ("_", kernel.SIGN),
        ("½", kernel.FOREIGN | kernel.LETTER),
        ("１", kernel.FOREIGN),
        ("\u3000", kernel.FOREIGN | kernel.SPACE),
    ],
)
def test_a_look_names_the_sorts_of_characters(text: str, sorts: int) -> None:
    assert kernel.look(text) == texts_twin.look(text) == sorts


@compiled
@check
@given(st.text())
def test_texts_look_the_same(text: str) -> None:
    assert loop.look(text) == texts_twin.look(text)


@check
@given(st.lists(short, max_size=6), st.lists(short | st.text(max_size=90), max_size=6), st.data())
def test_similarities_are_those_of_rapidfuzz(ours: list[str], theirs: list[str], data: st.DataObject) -> None:
    rows = data.draw(st.permutations(range(len(ours) + 1)))[: len(ours)]
    every = [(at, other) for at in range(len(ours)) for other in range(len(theirs))]
    alike = data.draw(st.lists(st.sampled_from(every), max_size=3)) if every else []
    total = np.full((len(ours) + 1, len(theirs)), 0.1)
    expected = total.copy()
    for at, a in enumerate(ours):
        for other, b in enumerate(theirs):
            expected[rows[at], other] += 1.0 if (at, other) in alike else Levenshtein.normalized_similarity(a, b)
    kernel.add_similarities(total, rows, ours, theirs, alike)
    assert total.tobytes() == expected.tobytes()


@pytest.mark.parametrize(("count", "longest"), [(12, 64), (13, 64), (12, 65), (40, 20)])
def test_tables_beyond_the_native_loop_are_left_to_rapidfuzz(count: int, longest: int) -> None:
    ours, theirs = ["ab" * (longest // 2)] * count, ["가b" + "a" * at for at in range(count)]
    total, expected = np.zeros((count, count)), np.zeros((count, count))
    kernel.add_similarities(total, [*range(count)], ours, theirs)
    texts_twin.add(expected, [*range(count)], ours, theirs, [])
    assert total.tobytes() == expected.tobytes()


@compiled
@pytest.mark.parametrize(
    "given_to",
    [
        (np.zeros((1, 2)), [0], ["a"], ["b"], []),
        (np.zeros((1, 1)), [1], ["a"], ["b"], []),
        (np.zeros((1, 1)), [-1], ["a"], ["b"], []),
        (np.zeros((1, 1)), [], ["a"], ["b"], []),
        (np.zeros((1, 1)), [0], ["a"], ["b"], [(0, 1)]),
        (np.zeros((1, 1), dtype=np.float32), [0], ["a"], ["b"], []),
        (np.zeros(1), [0], ["a"], ["b"], []),
    ],
)
def test_what_does_not_fit_is_refused(given_to: Any) -> None:
    with pytest.raises(ValueError):
        loop.add(*given_to)


@compiled
def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError):
        loop.look(b"a")
    with pytest.raises(TypeError):
        loop.add(np.zeros((1, 1)), [0], [1], ["b"], [])
