"""The native edit loop is its twin, in every shape either of them cuts, and survives hostile input."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Hashable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.kernels import edit_twin, native

loop: Any = native("edit")
pytestmark = pytest.mark.skipif(loop is None, reason="the native edit kernel is not built, or JATDAE_KERNEL=python")

few = st.text("ab가\u0301😀\ud800", max_size=400)
check = settings(max_examples=200, deadline=None, derandomize=True)


@check
@given(few, few)
def test_short_texts(prediction: str, reference: str) -> None:
    _assert_twins(prediction, reference)


@check
@given(st.lists(st.integers(-3, 3) | st.sampled_from(["a", 1.0, None, ()]), max_size=80), st.data())
def test_items_of_any_kind(reference: list[Hashable], data: st.DataObject) -> None:
    _assert_twins(data.draw(st.permutations(reference)), reference)


@check
@given(few, few, st.integers(0, 200_000) | st.integers(0, 300))
def test_the_same_texts_are_refused_for_their_steps(prediction: str, reference: str, steps: int) -> None:
    for draw in (prediction, prediction[:20] + reference, reference[:-3] + prediction[:3]):
        assert loop.counts(draw, reference, steps) == edit_twin.counts(draw, reference, steps)


@pytest.mark.parametrize("rate", [0.001, 0.01, 0.1, 1.0])
def test_the_last_step_that_is_allowed_is_the_same(rate: float) -> None:
    draw = random.Random(rate)
    reference = _letters(20_000, "abcdefgh", draw)
    prediction = "x" + _edited(reference, "abcdefgh", rate, draw) + "x"
    needed = min(len(prediction), len(reference)) * sum(edit_twin.counts(prediction, reference)[1:])
    for steps in (needed, needed - 1):
        assert (loop.counts(prediction, reference, steps) is None) is (steps < needed)
        assert (edit_twin.counts(prediction, reference, steps) is None) is (steps < needed)


SIZES = [1, 9, 10, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 513, 1025]


@pytest.mark.parametrize("reference_size", SIZES)
def test_sizes_around_words_and_stripes(reference_size: int) -> None:
    draw = random.Random(reference_size)
    for prediction_size in SIZES:
        _assert_twins(_letters(prediction_size, "abc", draw), _letters(reference_size, "abc", draw))


@pytest.mark.parametrize("alphabet", ["ab", "abc", "abcdefgh"])
@pytest.mark.parametrize(
    ("reference_size", "prediction_size"),
    [
        (64, 70_000),
        (65, 64_500),
        (65, 64_600),
        (66, 70_000),
        (470_000, 9),
        (430_000, 10),
        (2_047, 2_049),
        (2_048, 2_048),
        (2_049, 2_048),
        (3_000, 12_000),
    ],
)
def test_sizes_around_the_first_cut(reference_size: int, prediction_size: int, alphabet: str) -> None:
    for chance in range(1, 4):
        draw = random.Random(chance)
        # Ends that differ: what both sides begin or end with would be taken off the sizes.
        reference = "x" + _letters(reference_size - 2, alphabet, draw) + "x"
        prediction = "y" + _letters(prediction_size - 2, alphabet, draw) + "y"
        _assert_twins(prediction, reference)


def test_a_part_whose_second_cut_hangs_on_one_edit() -> None:
    draw = random.Random(788)
    reference = _letters(4_420, "abc", draw)
    _assert_twins(_edited(reference, "abc", 1.0, draw), reference)


@pytest.mark.parametrize("rate", [0.001, 0.01, 0.03, 0.1, 0.3, 1.0])
@pytest.mark.parametrize("alphabet", ["ab", "abcdefgh", "가나다 잣대"])
def test_long_texts_with_errors_everywhere(alphabet: str, rate: float) -> None:
    draw = random.Random(7)
    for size in [3_000, 9_000, 20_000]:
        reference = _letters(size, alphabet, draw)
        _assert_twins(_edited(reference, alphabet, rate, draw), reference)


@pytest.mark.parametrize("size", [2_500, 12_000])
def test_long_texts_with_whole_blocks_lost_added_moved_or_repeated(size: int) -> None:
    draw = random.Random(size)
    reference = _letters(size, "abcd", draw)
    third = size // 3
    start, middle, end = reference[:third], reference[third : 2 * third], reference[2 * third :]
    for prediction in [
        start + end,
        end,
        middle + start + end,
        start + middle + middle + end,
        "z" * size + reference + "z" * size,
        start + "a" * size + middle + end,
        reference[::-1],
    ]:
        noisy = _edited(prediction, "abcd", 0.02, draw)
        _assert_twins(noisy, reference)
        _assert_twins(reference, noisy)


@pytest.mark.parametrize(("one", "other"), [("a", "a"), ("a", "b"), ("ab", "ba")])
def test_long_texts_of_nothing_but_ties(one: str, other: str) -> None:
    _assert_twins(one * 3_000, other * 4_000)
    _assert_twins(one * 4_000, other * 3_000)


def test_every_code_point_is_a_symbol_of_its_own() -> None:
    everything = "".join(map(chr, range(0x10FFFF, -1, -64)))
    _assert_twins(everything[1::2], everything)


def test_threads_do_not_disturb_each_other() -> None:
    draw = random.Random(3)
    references = [_letters(size, "abcdef", draw) for size in [40, 700, 3_000, 9_000] * 8]
    pairs = [(_edited(reference, "abcdef", 0.1, draw), reference) for reference in references]
    expected = [loop.counts(*pair) for pair in pairs]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda pair: loop.counts(*pair), pairs)) == expected


def test_items_that_call_back_while_they_are_hashed() -> None:
    class Nested:
        def __hash__(self) -> int:
            loop.counts("some other text", "another")
            return 1

    items = [Nested() for _ in range(5)]
    assert loop.counts(items[:4], items) == (4, 0, 1, 0)


def test_a_list_that_empties_itself_while_it_is_read() -> None:
    items: list[object] = []

    class Sly:
        def __hash__(self) -> int:
            items.clear()
            return 1

    items.extend(Sly() for _ in range(100))
    assert loop.counts(items, "") == (0, 0, 0, 100)


@pytest.mark.parametrize("bad", [None, 5, [[]], [{}, "a"]])
def test_what_is_no_sequence_of_hashables_is_refused_as_the_twin_refuses_it(bad: object) -> None:
    for call in [loop.counts, loop.runs, edit_twin.counts, edit_twin.runs]:
        with pytest.raises(TypeError, match=r"not iterable|unhashable"):
            call(bad, "a")
        with pytest.raises(TypeError, match=r"not iterable|unhashable"):
            call("a", bad)


def test_an_item_that_cannot_be_compared_passes_its_error_on() -> None:
    class Odd:
        def __hash__(self) -> int:
            return 1

        def __eq__(self, other: object) -> bool:
            raise ArithmeticError("odd")

    with pytest.raises(ArithmeticError, match="odd"):
        loop.counts([Odd(), Odd()], [Odd()])
    assert loop.counts("ab", "ab") == (2, 0, 0, 0)


def test_items_that_change_their_mind_about_being_equal_stay_harmless() -> None:
    class Fickle:
        asked = 0

        def __hash__(self) -> int:
            return 1

        def __eq__(self, other: object) -> bool:
            Fickle.asked += 1
            return Fickle.asked % 3 == 0

    reference, prediction = [Fickle() for _ in range(300)], [Fickle() for _ in range(200)]
    hits, substitutions, deletions, insertions = loop.counts(prediction, reference)
    assert hits + substitutions + deletions == 300
    assert hits + substitutions + insertions == 200


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
def test_memory_grows_with_length_not_with_its_square() -> None:
    script = """
import random, re
from pathlib import Path
from jatdae.kernels import native

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) * 1024

draw = random.Random(5)
reference = "".join(draw.choices("abcdefgh ", k=60_000))
prediction = "".join(c if draw.random() > 0.2 else draw.choice("abcdefgh ") for c in reference)
before = peak()
native("edit").counts(prediction, reference)
print(peak() - before)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 20_000_000  # the whole matrix, at two bits a cell, is 900 MB


def _assert_twins(prediction: Any, reference: Any) -> None:
    assert loop.runs(prediction, reference) == edit_twin.runs(prediction, reference)
    assert loop.counts(prediction, reference) == edit_twin.counts(prediction, reference)


def _letters(size: int, alphabet: str, draw: random.Random) -> str:
    return "".join(draw.choices(alphabet, k=size))


def _edited(text: str, alphabet: str, rate: float, draw: random.Random) -> str:
    """Every character with probability `rate` become none, one or two random ones."""
    return "".join(c if draw.random() >= rate else _letters(draw.randint(0, 2), alphabet, draw) for c in text)
