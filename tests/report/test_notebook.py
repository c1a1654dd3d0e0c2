"""Results in a notebook: short `repr`, compact HTML without script or colours of its own, evidence as text."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import jatdae
from jatdae.core.errors import UsageError
from jatdae.core.messages import choose_language
from jatdae.report.notebook import MOST_FINDINGS
from jatdae.run.stats.result import primary_metric

ROWS = [{"id": str(at), "prediction": "a" * at, "reference": "aa", "lang": "en" if at else "ko"} for at in range(5)]
NASTY = "<script>alert(1)</script><img src=x onerror=alert(2)>\x1b[31m"


def packaged(name: str) -> jatdae.Result:
    return jatdae.evaluate(Path(jatdae.__file__).parent / name / "samples" / "pairs.jsonl", name)


def test_the_repr_of_a_result_and_a_comparison_is_one_short_line() -> None:
    result = jatdae.evaluate(ROWS, "text")
    assert re.fullmatch(r"Result\(text: body_cer = \d+\.\d\d % \[.*\], n = 5\)", repr(result))
    assert len(repr(jatdae.compare(result, result))) < 300
    assert repr(jatdae.evaluate([], "text")) == "Result(text: No samples were scored.)"
    many = jatdae.evaluate({f"system-{at}": ROWS for at in range(30)}, "text")
    assert repr(many).endswith("… (+26))")
    assert repr(result.sample("1")) == "SampleResult('1': body_cer = 50.00 %)"


@pytest.mark.parametrize("room", ["text", "tables", "structured", "terms", "dialogue"])
def test_html_has_no_script_no_style_sheet_and_no_colour_that_a_dark_theme_hides(room: str) -> None:
    result = packaged(room)
    row = next(result.rows())
    pages = [result._repr_html_(), result.sample(row["id"], row["system"])._repr_html_()]
    for page in pages:
        assert not re.search(r"<(script|style|link|iframe|img)\b", page)
        assert set(re.findall(r"(?<![-\w])color:([^;\"']+)", page)) <= {"inherit"}
        assert not re.search(r"background:(?!transparent|rgba\([^)]+,\.\d+\))", page)
        assert len(page) < 60_000


def test_model_output_is_text_in_html_and_harmless_on_a_terminal() -> None:
    rows = [{"id": NASTY, "prediction": NASTY, "reference": "b", NASTY: NASTY}]
    result = jatdae.evaluate(rows, "text")
    for page in (
        result._repr_html_(),
        result.sample(NASTY)._repr_html_(),
        jatdae.compare(result, result)._repr_html_(),
    ):
        assert "<script" not in page and "<img" not in page and "\x1b" not in page
    assert "\x1b" not in str(result.sample(NASTY)) + repr(result)


def test_notes_on_the_columns_stand_below_the_table() -> None:
    page = jatdae.evaluate([{**row, "page": 1} for row in ROWS], "text")._repr_html_()
    assert "Sliced by: lang." in page and "Columns not used: page." in page


def test_html_speaks_korean() -> None:
    result = jatdae.evaluate(ROWS, "text")
    choose_language("ko")
    page = result._repr_html_()
    assert 'lang="ko"' in page and "지표" in page


def test_the_evidence_of_aligned_texts_is_one_text_with_marks() -> None:
    sample = jatdae.evaluate([{"id": "1", "prediction": "the bat", "reference": "the cat"}], "text").sample("1")
    assert "the [-c-]{+b+}at" in str(sample)
    assert re.search(r"the <del [^>]+>c</del><ins [^>]+>b</ins>at", sample._repr_html_())


def test_a_sample_tells_what_is_wrong_in_words_and_folds_the_rest_away() -> None:
    row = {"id": "1", "prediction": {"이름": "김철수", "b": 2, "c": 3}, "reference": {"이름": "김철수", "b": 2, "c": 4}}
    sample = jatdae.evaluate([row], "structured").sample("1")
    assert str(sample).splitlines()[-2:] == ["  1 of 3 values differ.", "  c: different value: 4 → 3"]
    shown, folded = sample._repr_html_().split("<details>", 1)
    assert "c: different value: 4 → 3" in shown and "field_name" not in shown and "field_name" in folded


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("room", ["text", "tables", "formulas", "structured", "terms", "dialogue", "checks"])
def test_the_worst_sample_of_every_room_is_told_in_few_lines_without_keys_of_json(room: str, language: str) -> None:
    result = packaged(room)
    name = primary_metric(result.summary)
    rows = result.table().to_pylist()
    least = [(row[name], row["id"], row["system"]) for row in rows if row["system"] in result.systems]
    _, id, system = min(found for found in least if found[0] is not None)
    choose_language(language)
    lines = str(result.sample(id, system)).splitlines()
    assert len(lines) <= 2 + len(result.metrics) + MOST_FINDINGS
    assert not [
        line for line in lines if re.match(r"\s+(runs|pairs|checks|turns|findings|field_\w+|formula_pairs):", line)
    ]


def test_evidence_that_its_evaluator_cannot_read_is_shown_as_a_tree() -> None:
    sample = jatdae.evaluate(ROWS, "text").sample("1")
    shapes: list[Any] = [{"old": {"form": 1}}, {"runs": 5}, {"runs": [{"at": 1}]}, ["a"], "a", {"passages": [{}]}]
    for odd in shapes:
        shown = str(replace(sample, evidence=odd))
        assert shown.splitlines()[0] == "sample 1"
        assert replace(sample, evidence=odd)._repr_html_()
    assert "form: 1" in str(replace(sample, evidence={"old": {"form": 1}}))


def test_of_long_aligned_texts_a_terminal_shows_what_stands_beside_the_errors() -> None:
    long = "word " * 500
    sample = jatdae.evaluate(
        [{"id": "1", "prediction": f"{long}b{long}", "reference": f"{long}c{long}"}], "text"
    ).sample("1")
    assert max(map(len, str(sample).splitlines())) < 200
    assert "ord [-c-]{+b+}word" in str(sample)


def test_a_sample_that_is_not_there_is_told_with_a_near_one() -> None:
    result = jatdae.evaluate([{**row, "id": f"page-{row['id']}"} for row in ROWS], "text")
    with pytest.raises(UsageError, match=r"No sample has the id 'page-11'.*Did you mean 'page-1'"):
        result.sample("page-11")
    with pytest.raises(UsageError, match="several systems"):
        jatdae.evaluate({"a": ROWS, "b": ROWS}, "text").sample("1")


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("r.html", "<!doctype html>"),
        ("r.md", ""),
        ("r.tex", ""),
        ("r.csv", "system,slice,"),
        ("r.json", "{"),
        ("r.xml", "<?xml"),
    ],
)
def test_a_report_is_written_in_the_format_of_its_suffix(name: str, start: str, tmp_path: Path) -> None:
    written = jatdae.evaluate(ROWS, "text").report(tmp_path / name)
    assert written.read_text("utf-8").lower().startswith(start)


def test_a_report_of_unknown_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"r\.docx: .*\.html"):
        jatdae.evaluate(ROWS, "text").report(tmp_path / "r.docx")


def test_any_evidence_can_be_shown() -> None:
    odd: list[Any] = [
        None, [], {}, "", 1, "text", [1, 2], [[1], [2]], [[], []], [{}], {"a": {}},
        {"a": {"b": {"c": {"d": {"e": 1}}}}}, {"a": [None]}, [{"a": [{"b": 1}]}],
        [{"kind": "equal", "at": []}], {"x": list(range(1000))}, [{"a": 1}] * 1000,
    ]  # fmt: skip

    @jatdae.evaluator("odd", metrics=[jatdae.Metric("one", "higher", worst=0.0)])
    class Odd:
        def score(self, sample: jatdae.Sample) -> jatdae.Outcome:
            return jatdae.Outcome({"one": 1.0}, evidence=odd[int(sample.id)])

    result = jatdae.evaluate([jatdae.Sample(str(at), "", "") for at in range(len(odd))], Odd())
    for at in range(len(odd)):
        sample = result.sample(str(at))
        assert len(str(sample)) < 5000
        assert len(sample._repr_html_()) < 20_000


def test_html_repr_and_messages_stay_short_whatever_the_columns_names_ids_and_metrics() -> None:
    long = "x" * 20_000
    columns = {"prediction": ["ab"] * 9, "reference": ["ac"] * 9}
    many = {**columns, **{f"c{at}": list("xyzxyzxyz") for at in range(60)}}
    wide = {
        **columns,
        **{f"{long}{at}": list("xyzxyzxyz") for at in range(9)},
        **{f"{at}{long}": [1] * 9 for at in range(9)},
    }
    ids = jatdae.evaluate([{**row, "id": f"{long}{row['id']}"} for row in ROWS], "text")
    systems = jatdae.evaluate({f"{long}{at}": ROWS for at in range(25)}, "text")

    @jatdae.evaluator("many", metrics=[jatdae.Metric(f"m{at}", "higher", worst=0.0) for at in range(100)])
    class Many:
        def score(self, sample: jatdae.Sample) -> jatdae.Outcome:
            return jatdae.Outcome({f"m{at}": float(len(sample.id)) for at in range(100)})

    metrics = jatdae.evaluate(ROWS, Many())
    results = [jatdae.evaluate(many, "text"), jatdae.evaluate(wide, "text"), ids, systems, metrics]
    samples = [ids.sample(f"{long}1"), metrics.sample("1")]
    compared = [jatdae.compare(ids, ids), jatdae.compare(metrics, metrics)]
    every: list[Any] = [*results, *samples, *compared]
    for each in every:
        assert len(repr(each)) < 500 and len(each._repr_html_()) < 60_000
        assert len("".join(getattr(each, "notes", ()))) < 2000
    assert max(len(str(each)) for each in samples) < 1000
    assert re.search(r"More tables: \d+", results[0]._repr_html_())
    assert "Sliced by: c0, c1" in results[0]._repr_html_()
    with pytest.raises(UsageError) as told:
        systems.value("cer")
    assert len(str(told.value)) < 2500
