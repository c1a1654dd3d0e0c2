"""The rule behind the table of N/A and zero: no system gains by what it does not write, or what cannot be measured."""

from __future__ import annotations

from math import fsum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.contract import Sample
from jatdae.core.evaluator import micro_of, spec_of
from jatdae.run.api import evaluate
from jatdae.tables import TableEvaluator
from jatdae.tables.metrics import METRICS
from jatdae.tables.profiles import PROFILES

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
OTHER = "| x | y |\n|---|---|\n| 8 | 9 |\n"
SPANNED = "<table><tr><td colspan=2>a</td></tr><tr><td>b</td><td>c</td></tr></table>"
DEEP = f"<table><tr><td>{'<b>' * 5000}</td></tr></table>"
BAD_SPAN = '<table><tr><td colspan="two">a</td></tr></table>'
BOMB = "<table>" + '<tr><td rowspan="65534" colspan="1000">a</td></tr>' * 1500 + "</table>"


# N/A is decided per system.


def informed(predictions: list[object], **options: object) -> TableEvaluator:
    evaluator = TableEvaluator(**options)  # type: ignore[arg-type]
    surveys = [evaluator.survey(Sample(str(at), text, TABLE)) for at, text in enumerate(predictions)]
    names = {name for survey in surveys for name in survey}
    return evaluator.informed({name: fsum(survey.get(name, 0.0) for survey in surveys) for name in names})


@pytest.mark.parametrize(
    ("predictions", "structured"),
    [
        (["prose", "# Heading", "more prose"], "yes"),
        (["prose", "more prose", ""], "no"),
        (["prose", 12], "no"),
        (["prose", "<table></table>" * 10_001], "yes"),
        ([12, b"\xff"], "auto"),
    ],
    ids=["one with structure", "none with structure", "one unreadable", "too many tables", "nothing readable"],
)
def test_a_system_writes_structure_where_any_document_shows_it(predictions, structured):
    assert informed(predictions).structured == structured


def test_what_was_declared_is_not_surveyed_away():
    assert informed(["# Heading"], structured="no").structured == "no"
    assert informed(["prose"], structured="yes").structured == "yes"
    assert TableEvaluator(structured="no").survey(Sample("x", "# Heading", TABLE)) == {}


def test_an_empty_prediction_of_a_structured_system_has_the_statistics_of_zero():
    outcome = TableEvaluator(structured="yes").score(Sample("x", spec_of(TableEvaluator).empty, TABLE))
    worst = {metric.name: metric.worst for metric in METRICS}
    assert outcome.values == {**worst, "teds_complex": None}
    assert micro_of(TableEvaluator(), outcome.stats)["teds"] == 0.0


# Nobody gains.

GOOD = [TABLE, OTHER, SPANNED, f"{TABLE}\n{OTHER}", "<table></table>"]
SCRAPS = st.lists(
    st.sampled_from([*GOOD, "<b>", "prose ", "\n\n", "# h\n\n", "| a |\n|---|\n"]), min_size=1, max_size=4
)
BROKEN = [
    DEEP,
    BAD_SPAN,
    BOMB,
    f"{BAD_SPAN}\n\n{DEEP}",
    "",
    "prose",
    "<table",
    "# h",
    b"\xff",
    12,
    "<table></table>" * 10_001,
]


@settings(derandomize=True, max_examples=30, deadline=None)
@given(
    documents=st.lists(st.tuples(SCRAPS.map("".join), st.sampled_from(GOOD)), min_size=1, max_size=3),
    broken=st.sampled_from(BROKEN),
    place=st.integers(0, 2),
    profile=st.sampled_from(sorted(PROFILES)),
    matching=st.sampled_from(["order", "hungarian"]),
)
def test_a_broken_text_in_place_of_a_table_raises_no_mean(documents, broken, place, profile, matching):
    evaluator = TableEvaluator(profile=profile, matching=matching, structured="yes")
    at = place % len(documents)
    predictions = [prediction for prediction, _ in documents]
    replaced = [*predictions[:at], broken, *predictions[at + 1 :]]
    before, after = (
        evaluate([Sample(str(n), text, documents[n][1]) for n, text in enumerate(texts)], evaluator).rows()
        for texts in (predictions, replaced)
    )
    # In a tree of 1,500 rows something is like any table, also like one of which the prediction had nothing.
    allowed = 1e-3 if broken is BOMB else 1e-12
    for metric in METRICS:
        sign = 1.0 if metric.better == "higher" else -1.0
        # What was not clamped may be below the worst, as in the official implementation.
        old, new = (
            [sign * value for row in rows if (value := row["values"][metric.name]) is not None]
            for rows in (before, after)
        )
        floor = [max(value, sign * metric.worst) for value in old]
        assert len(new) >= len(old), f"{metric.name}: N/A in place of a value"
        if old:
            assert fsum(new) / len(new) <= fsum(floor) / len(floor) + allowed, metric.name
