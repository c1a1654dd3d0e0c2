"""Documents made to break a comparison: an issue or an error, never a crash or a hang."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.contract import Outcome, Sample
from jatdae.structured import StructuredEvaluator, compare

REFERENCE = {"a": 1, "b": ["x", {"c": "y"}]}
SMALL = StructuredEvaluator(max_chars=200_000, max_leaves=20_000)


def nested(depth: int, wrap: Callable[[Any], Any], value: Any = 1) -> Any:
    for _ in range(depth):
        value = wrap(value)
    return value


def score(prediction: Any, reference: Any = REFERENCE, evaluator: StructuredEvaluator = SMALL) -> Outcome:
    outcome = evaluator.score(Sample("1", prediction, reference))
    orjson.dumps(outcome.evidence)  # what a run writes
    orjson.dumps([dict(outcome.stats), outcome.counts, [issue.message for issue in outcome.issues]])
    return outcome


DEEP = {
    "objects": nested(10_000, lambda below: {"a": below}),
    "arrays": nested(10_000, lambda below: [below]),
    "text of objects": '{"a":' * 10_000 + "1" + "}" * 10_000,
    "text of arrays": "[" * 10_000 + "]" * 10_000,
    "text never closed": "[" * 100_000,
    "below a leaf": {"a": nested(10_000, lambda below: [below])},
    "beside": {**REFERENCE, "z": nested(10_000, lambda below: {"k": below})},
}


@pytest.mark.parametrize("document", DEEP.values(), ids=DEEP)
def test_a_prediction_nested_ten_thousand_deep_is_an_issue(document: Any) -> None:
    outcome = score(document)
    assert outcome.issues[0].code in ("too_deep", "invalid_json")
    assert outcome.values["exact_accuracy"] == 0.0


@pytest.mark.parametrize("document", [DEEP["objects"], DEEP["arrays"], DEEP["text of arrays"]])
def test_a_reference_nested_ten_thousand_deep_is_left_out(document: Any) -> None:
    outcome = score({"a": 1}, document)
    assert outcome.issues[0].code == "bad_reference"
    assert outcome.values["exact_accuracy"] is None


@pytest.mark.parametrize("wrap", [lambda below: {"a": below}, lambda below: [below]])
@pytest.mark.parametrize("mode", ["order", "set"])
def test_the_deepest_that_is_allowed_is_compared(wrap: Callable[[Any], Any], mode: str) -> None:
    evaluator = StructuredEvaluator(arrays={"**": mode}, skips=("nothing.**",))
    right, wrong = nested(200, wrap), nested(200, wrap, 2)
    assert score(right, right, evaluator).values["exact_accuracy"] == 1.0
    assert score(wrong, right, evaluator).values["ted"] == 1.0
    assert score(nested(201, wrap), right, evaluator).issues[0].code == "too_deep"


@pytest.mark.parametrize(
    "document",
    [
        '{"a": "' + "x" * 1_000_000 + '"}',
        {"a": "x" * 1_000_000},
        {"x" * 1_000_000: 1},
        {"a": list(range(100_000))},
        json.dumps({"a": [[]] * 50_000}),
        {str(at): at for at in range(50_000)},
    ],
    ids=["long text", "long leaf", "long key", "long array", "many empty arrays", "many keys"],
)
def test_a_prediction_beyond_the_limits_is_an_issue(document: Any) -> None:
    outcome = score(document)
    assert outcome.issues[0].code == "too_large"
    assert outcome.values["exact_accuracy"] == 0.0
    assert score({"a": 1}, document).issues[0].code == "bad_reference"


def test_long_texts_within_the_limits_are_aligned_up_to_a_budget(limit_budget: Callable[..., None]) -> None:
    limit_budget(cells=10_000_000)
    reference = {"a": "x" * 3000, "b": "y" * 3000}
    outcome = score({"a": "x" * 2999 + "!", "b": "y" * 2999 + "!"}, reference)
    assert outcome.issues[0].code == "long_text"
    results = outcome.evidence["field_results"]
    assert results[0]["fuzzy_match"] is True
    assert results[1]["similarity"] == 0.0  # unequal and too long to align: nobody gains by it


@pytest.mark.parametrize(
    "text",
    ["{" * 200_000, '{"a":' * 40_000, "[1] " * 40_000, "```\n" * 50_000, "{x " * 60_000, '"' * 200_000, "\\" * 200_000],
)
def test_text_made_of_brackets_and_fences_ends_in_time(text: str) -> None:
    assert score(text).issues[0].code in ("invalid_json", "too_deep")


ODD = [
    None,
    True,
    0,
    -0.0,
    "",
    "\x00",
    "\ud800",
    float("nan"),
    float("-inf"),
    Decimal("NaN"),
    Decimal("sNaN"),
    Decimal("1E+999999"),
    Decimal("-1E-999999"),
    10**5000,
    "1" * 1000,
    "9" * 64 + "억",
    "(" * 64,
    "－" * 64,
    [],
    {},
    [[]],
    [{}],
    {"": {"": None}},
    {"$any": 1},
    {"a.b": {"[0]": {"*": {"**": 1}}}},
    {"\ud800": "\udfff"},
    {"a": {"$any": []}},
    "<script>alert(1)</script>",
    "=1+1",
    "\u202e\u0000\ufeff",
]


@pytest.mark.parametrize("prediction", range(len(ODD)))
def test_odd_values_never_break_a_comparison(prediction: int) -> None:
    for reference in ODD:
        for evaluator in (
            SMALL,
            StructuredEvaluator(arrays={"**": "set"}, nulls="same", types={"**": "number"}, tolerance=0.5),
            StructuredEvaluator(types={"**": "date"}, similarity="text", casefold=True, infer_identifiers=False),
        ):
            for odd, against in ((ODD[prediction], reference), ({"x": ODD[prediction]}, {"x": reference})):
                score(odd, against, evaluator)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.decimals()
    | st.text(st.characters(exclude_categories=()), max_size=8)
    | st.sampled_from(["1,234", "24.03.15", "60.000"]),
    lambda below: (
        st.lists(below, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=()), max_size=4), below, max_size=4)
    ),
    max_leaves=15,
)


@given(ANYTHING, ANYTHING, st.sampled_from(["order", "set"]), st.sampled_from(["distinct", "same"]))
@settings(derandomize=True, deadline=None, max_examples=300)
def test_any_pair_of_values_gives_an_outcome_that_can_be_written(
    prediction: Any, reference: Any, mode: str, nulls: Any
) -> None:
    evaluator = StructuredEvaluator(arrays={"**": mode}, nulls=nulls)
    score(prediction, reference, evaluator)
    score({"x": prediction}, {"x": reference}, evaluator)


@given(
    st.text(st.characters(exclude_categories=()), max_size=60),
    st.text(alphabet='{}[]":,0123eE.-ntf\\u`~ \n', max_size=60),
)
@settings(derandomize=True, deadline=None, max_examples=300)
def test_any_text_gives_an_outcome(text: str, jsonlike: str) -> None:
    for given_text in (text, jsonlike, text + jsonlike):
        score(given_text)


def test_a_set_of_sets_of_sets_ends_in_time() -> None:
    evaluator = StructuredEvaluator(arrays={"**": "set"})
    reference = [[[f"{a}{b}{c}" for c in range(8)] for b in range(8)] for a in range(8)]
    prediction = [[[f"{a}{b}{c}z" for c in range(8)] for b in range(8)] for a in range(8)]
    outcome = score(prediction, reference, evaluator)
    assert outcome.values["exact_accuracy"] == 0.0


def test_no_pair_of_arrays_is_assigned_twice_however_deep_sets_are_nested(monkeypatch: pytest.MonkeyPatch) -> None:
    from jatdae.structured import walk

    pair_items, paired = walk.pair_items, []
    monkeypatch.setattr(walk, "pair_items", lambda *given: paired.append(given) or pair_items(*given))

    def tower(leaf: int, height: int = 24) -> Any:
        value: Any = leaf
        for _ in range(height):
            value = [value, [leaf]]
        return value

    outcome = score(tower(1), tower(2), StructuredEvaluator(arrays={"**": "set"}))
    assert outcome.values["exact_accuracy"] == 0.0
    assert "array_too_large" not in {issue.code for issue in outcome.issues}
    assert len(paired) < 2 * 24**2


@pytest.mark.parametrize("depth", [100, 190, 290])
def test_sets_in_sets_down_to_the_deepest_level_are_no_crash(depth: int) -> None:
    def tower(leaf: int) -> Any:
        value: Any = leaf
        for at in range(depth):
            value = [value, leaf + at]
        return value

    outcome = score(tower(1), tower(3), StructuredEvaluator(arrays={"**": "set"}, max_depth=300))
    assert outcome.values["exact_accuracy"] == 0.0
    (told,) = (issue for issue in outcome.issues if issue.code == "array_too_large")
    assert "30 deep" in told.message


def test_choices_are_no_sets_in_sets() -> None:
    def tower(leaf: str, other: str, choice: bool) -> Any:
        value: Any = leaf
        for at in range(29):
            value = [[f"{other}{at}"], value]
            value = {"$any": [value]} if choice else value
        return value

    outcome = score(
        tower("x", "a", False), tower("y", "a", True), StructuredEvaluator(arrays={"**": "set"}, max_depth=300)
    )
    assert "array_too_large" not in {issue.code for issue in outcome.issues}
    assert outcome.values["exact_accuracy"] == 29 / 30


def test_evidence_of_a_large_document_is_bounded_and_keeps_what_is_wrong() -> None:
    reference = {"rows": [{"n": "x" * 50} for _ in range(3000)]}
    prediction = json.loads(json.dumps(reference))
    prediction["rows"][2999]["n"] = "y" * 1000
    prediction["more"] = list(range(3000))
    outcome = score(prediction, reference, StructuredEvaluator())
    evidence = outcome.evidence
    assert len(evidence["field_results"]) == 1000
    assert [r["field_name"] for r in evidence["field_results"] if not r["exact_match"]] == ["rows[2999].n"]
    assert len(evidence["field_results"][-1]["pred_value"]) == 300
    assert evidence["left_out"] == 2000 + 2000
    assert len(orjson.dumps(evidence)) < 1_000_000


def test_keys_that_are_data_do_not_swell_the_counts() -> None:
    prediction = {"a": 1} | {f"k{at}": at for at in range(3000)}
    counts = score(prediction, {"a": 1}).counts["fields.extra"]
    assert len(counts) == 1001
    assert counts["<other>"] == 2000


def test_fences_that_never_end_take_time_that_grows_with_their_length() -> None:
    """Quadratic, this would take an hour."""
    for text in ("~" * 1_000_000, "~~~" + "a" * 1_000_000, "~~~\n" * 20_000, " " * 1_000_000 + "~~~"):
        assert score(text, evaluator=StructuredEvaluator()).issues[0].code == "invalid_json"


@pytest.mark.parametrize("piece", ["(", "☒ ", "A. ", "Dr. ", "1 h ", "No. ", "Jl. ", "a, ", "–,", "[ ]", "x:", "M"])
@pytest.mark.parametrize("times", [60, 3000])
def test_pieces_of_names_addresses_and_boxes_in_a_row_are_compared(piece: str, times: int) -> None:
    text = piece * times
    for reference, prediction in ((text + "1", text + "2"), (True, text), (text, None), ("5 " + text, text + "b")):
        assert compare({"x": prediction}, {"x": reference}).fuzzy_accuracy in (0.0, 1.0)
