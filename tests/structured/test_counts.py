"""Count tables of one document: what is near, how similar, what stands for what, and each depth."""

from __future__ import annotations

from typing import Any

import pytest

from jatdae import StructuredEvaluator, structured
from jatdae.core.contract import OTHER
from jatdae.core.errors import UsageError
from jatdae.run.api import evaluate
from jatdae.run.gates import failed_gates, read_gates
from jatdae.run.stats.rates import rate_tables
from jatdae.structured.counts import MOST_CONFUSED, MOST_COUNTED, SHOWN_VALUE, bounded, count_tables


def tables(prediction: Any, reference: Any, **settings: Any) -> dict[str, Any]:
    return {
        name: dict(table) for name, table in count_tables(structured.compare(prediction, reference, **settings)).items()
    }


def test_a_fuzzy_match_is_near_and_similar() -> None:
    found = tables({"a": "an old oak trec", "b": "x"}, {"a": "an old oak tree", "b": "y"})
    assert found["fields.near"] == {"a": 1}
    assert found["fields.similar"] == {"a": 933_333}


def test_a_mismatch_says_what_stands_for_what() -> None:
    found = tables({"rows": [{"n": 1}, {"n": 7}]}, {"rows": [{"n": 2}, {"n": 8}]})
    assert found["fields.confused"] == {"rows[*].n→2→1": 1, "rows[*].n→8→7": 1}


def test_what_is_missing_or_a_container_is_no_confusion() -> None:
    assert "fields.confused" not in tables({"a": None, "c": {"d": 1}}, {"a": 1, "b": 2, "c": 3})


def test_a_name_with_an_arrow_is_no_confusion_of_another_field() -> None:
    assert "fields.confused" not in tables({"a→b": 1}, {"a→b": 2})


def test_values_are_shown_short_and_on_one_line() -> None:
    (key,) = tables({"a": "x" * 500}, {"a": "one\n two"})["fields.confused"]
    assert key == f"a→one two→{'x' * (SHOWN_VALUE - 1)}…"


def test_a_document_that_is_all_wrong_counts_some_confusions_only() -> None:
    found = tables({str(at): 1 for at in range(90)}, {str(at): 2 for at in range(90)})
    assert sum(found["fields.confused"].values()) == MOST_CONFUSED
    assert sum(found["fields.mismatch"].values()) == 90


def test_every_depth_is_counted() -> None:
    found = tables({"a": 1, "b": {"c": 1}}, {"a": 1, "b": {"c": 2, "d": None}})
    assert (found["depths.right"], found["depths.all"]) == ({"0": 1, "1": 0}, {"0": 1, "1": 2})


def test_rare_keys_are_pooled() -> None:
    found = bounded({f"{at:04}": 1 for at in range(MOST_COUNTED + 2)} | {"z": 5})
    assert (len(found), found["z"], found[OTHER]) == (MOST_COUNTED + 1, 5, 3)


ROWS = [
    {"id": "1", "prediction": {"total": 5, "name": "Kim"}, "reference": {"total": 5, "name": "Kim"}},
    {"id": "2", "prediction": {"total": 6, "tip": 1}, "reference": {"total": 5, "name": "Lee"}},
]


def test_a_run_has_a_row_for_each_field_those_that_lose_most_first() -> None:
    found = rate_tables(evaluate(ROWS, StructuredEvaluator()).summary)
    shown = {each.key: {rate: values[""] for rate, values in each.values.items()} for each in found[""]}
    assert list(shown) == ["name", "total", "tip"]
    assert shown["total"] == {
        **{"field": 0.5, "field_fuzzy": 0.5, "field_similarity": 0.5},
        **{"field_wrong": 1, "field_missing": 0, "field_extra": 0},
    }
    assert (shown["name"]["field_missing"], shown["tip"]["field"], shown["tip"]["field_extra"]) == (1, None, 1)
    assert found[""][1].instead == {"5→6": 1}
    assert [(each.key, each.values["depth"][""]) for each in found["depth"]] == [("0", 0.5)]


@pytest.mark.parametrize("limit", ["field:total=40%", "field_fuzzy:total=0.4"])
def test_a_field_is_a_gate(limit: str) -> None:
    summary = evaluate(ROWS, StructuredEvaluator()).summary
    assert not failed_gates(summary, read_gates([limit], [], summary))
    name, _, _ = limit.partition("=")
    assert failed_gates(summary, read_gates([f"{name}=0.6"], [], summary))


def test_a_count_is_no_gate() -> None:
    with pytest.raises(UsageError, match="field:…"):
        read_gates([], ["field_extra:total=3"], evaluate(ROWS, StructuredEvaluator()).summary)
