"""What edit counts and runs promise, of the native loop and of its twin alike."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jatdae.kernels import edit, edit_twin, native
from jatdae.kernels.edit import EditCounts, EditRun, TextsTooFar, edit_counts, edit_runs

LOOPS = [pytest.param(native("edit"), id="native"), pytest.param(edit_twin, id="twin")]

few = st.text("ab가\u0301😀", max_size=90)
"""Few symbols: many alignments are optimal, so ties are broken at every turn."""
any_text = st.text(st.characters(exclude_categories=()), max_size=40)
texts = few | any_text
words = st.lists(st.sampled_from(["the", "cat", "고양이", "", "-1"]), max_size=30)

check = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # the loop stays the same for all examples
)


@pytest.fixture(params=LOOPS, autouse=True)
def loop(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    if request.param is None:
        pytest.skip("the native edit kernel is not built, or JATDAE_KERNEL=python")
    monkeypatch.setattr(edit, "_loop", request.param)
    yield request.param


def test_the_shorter_length_times_the_distance_is_limited(loop: ModuleType) -> None:
    """What both begin and end with costs nothing, and neither does a text that only goes on."""
    for steps, taken in ((12, True), (11, False)):
        assert (loop.counts("xx--axbcd..yyy", "xx--efgh..yyy", steps + 8) is not None) is taken
        assert (loop.runs("same kitten too", "same sittingx too", steps + 12) is not None) is taken
    assert loop.counts("abc" + "d" * 1000, "abc", 0) == (3, 0, 0, 1000)
    assert loop.counts(["a"] * 9, ["b"] * 9, 80) is None
    assert loop.counts(["a"] * 9, ["b"] * 9, 81) == (0, 9, 0, 0)


def test_texts_beyond_the_limit_are_refused_by_their_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edit, "MAX_STEPS", 10_000)
    near, far = "ab" * 1000, "cd" * 1000
    assert edit_counts(near + "x", near).distance == 1
    for measure in (edit_counts, edit_runs):
        with pytest.raises(TextsTooFar, match=r"Texts of 2,000 and 2,000 symbols .* more than 10,000 steps\. Compare"):
            measure(near, far)


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ("", "", EditCounts(0, 0, 0, 0)),
        ("", "gold", EditCounts(0, 0, 4, 0)),
        ("text", "", EditCounts(0, 0, 0, 4)),
        ("kitten", "sitting", EditCounts(4, 2, 1, 0)),
        ("측정 잣대", "측정하는 잣대", EditCounts(5, 0, 2, 0)),
        ("\u00e9", "e\u0301", EditCounts(0, 1, 1, 0)),
        ("\ud83d\ude00", "😀", EditCounts(0, 1, 0, 1)),
        (["a", "cat", "sat"], ["the", "cat"], EditCounts(1, 1, 0, 1)),
        ([], [], EditCounts(0, 0, 0, 0)),
    ],
)
def test_counts_of_known_pairs(
    prediction: str | Sequence[Hashable], reference: str | Sequence[Hashable], expected: EditCounts
) -> None:
    assert edit_counts(prediction, reference) == expected


def test_a_deletion_is_in_the_reference_only_and_an_insertion_in_the_prediction_only() -> None:
    assert edit_runs("xabd", "abcd") == [
        EditRun("insert", 0, 0, 0, 1),
        EditRun("equal", 0, 2, 1, 3),
        EditRun("delete", 2, 3, 3, 3),
        EditRun("equal", 3, 4, 3, 4),
    ]


@check
@given(texts, texts)
def test_the_distance_is_the_least(prediction: str, reference: str) -> None:
    assert edit_counts(prediction, reference).distance == _textbook_distance(prediction, reference)


@check
@given(texts)
def test_a_text_is_at_no_distance_from_itself(text: str) -> None:
    assert edit_counts(text, text) == EditCounts(len(text), 0, 0, 0)


@check
@given(texts, texts)
def test_exchanging_sides_keeps_the_distance_and_exchanges_what_is_missing(a: str, b: str) -> None:
    there, back = edit_counts(a, b), edit_counts(b, a)
    assert there.distance == back.distance
    assert there.deletions - there.insertions == back.insertions - back.deletions == len(b) - len(a)


@check
@given(texts, texts, texts)
def test_the_triangle_inequality_holds(a: str, b: str, c: str) -> None:
    assert edit_counts(a, c).distance <= edit_counts(a, b).distance + edit_counts(b, c).distance


@check
@given(texts | words, texts | words)
def test_counts_fill_both_sides_and_stay_in_bounds(prediction: str | list[str], reference: str | list[str]) -> None:
    counts = edit_counts(prediction, reference)
    assert counts.hits + counts.substitutions + counts.deletions == len(reference)
    assert counts.hits + counts.substitutions + counts.insertions == len(prediction)
    assert min(counts.hits, counts.substitutions, counts.deletions, counts.insertions) >= 0
    assert abs(len(prediction) - len(reference)) <= counts.distance <= max(len(prediction), len(reference))


@check
@given(texts | words, texts | words)
def test_runs_are_an_alignment_and_the_counts_are_theirs(
    prediction: str | list[str], reference: str | list[str]
) -> None:
    runs = edit_runs(prediction, reference)
    sizes = {"equal": 0, "replace": 0, "delete": 0, "insert": 0}
    at = (0, 0)
    for before, run in zip([None, *runs], runs, strict=False):
        assert (run.reference_start, run.prediction_start) == at
        at = (run.reference_end, run.prediction_end)
        taken = list(reference[run.reference_start : run.reference_end])
        written = list(prediction[run.prediction_start : run.prediction_end])
        if run.kind == "equal":
            assert taken == written
        elif run.kind == "replace":
            assert len(taken) == len(written)
            assert all(one != other for one, other in zip(taken, written, strict=True))
        assert bool(taken) == (run.kind != "insert")
        assert bool(written) == (run.kind != "delete")
        assert before is None or before.kind != run.kind
        sizes[run.kind] += max(len(taken), len(written))
    assert at == (len(reference), len(prediction))
    assert EditCounts(*sizes.values()) == edit_counts(prediction, reference)


@check
@given(texts, texts)
def test_items_are_aligned_as_the_characters_they_are(prediction: str, reference: str) -> None:
    assert edit_runs(list(prediction), list(reference)) == edit_runs(prediction, reference)
    assert edit_runs(prediction, tuple(reference)) == edit_runs(prediction, reference)


def _textbook_distance(prediction: str, reference: str) -> int:
    """Wagner and Fischer 1974, one row at a time."""
    row = list(range(len(reference) + 1))
    for j, written in enumerate(prediction, 1):
        diagonal, row[0] = row[0], j
        for i, wanted in enumerate(reference, 1):
            diagonal, row[i] = row[i], min(row[i] + 1, row[i - 1] + 1, diagonal + (written != wanted))
    return row[-1]
