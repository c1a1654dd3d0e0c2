"""DP-Bench: texts of elements, the first table, and what its program does with an empty page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.errors import DataError
from jatdae.documents.benchmarks.dp_bench import rows, score, systems

TABLE = "<table><tr><td>1</td><td>2</td></tr></table>"


def element(category: str, text: str = "", html: str = "") -> dict[str, Any]:
    return {"category": category, "content": {"text": text, "html": html, "markdown": ""}}


def page(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"elements": list(elements)}


def test_tables_and_figures_are_no_text() -> None:
    gold = page(element("Heading1", "Title"), element("Paragraph", "some\ntext"), element("Table", "1 2", TABLE))
    values = score(page(element("Paragraph", "Title sometext")), gold)
    assert values == {"nid": 1.0, "teds": 0.0, "teds_s": 0.0}
    assert score(gold, gold) == {"nid": 1.0, "teds": 1.0, "teds_s": 1.0}


def test_only_the_first_table_of_a_page_is_compared() -> None:
    gold = page(element("Table", "", TABLE), element("Table", "", TABLE.replace("2", "3")))
    assert score(page(element("table", "", TABLE)), gold)["teds"] == 1.0
    swapped = page(*reversed(gold["elements"]))
    assert score(swapped, gold)["teds"] == pytest.approx(1 - 1 / 3)


def test_a_page_without_text_is_worth_a_hundredth_as_in_its_program() -> None:
    figure = page(element("Figure"))
    assert score(figure, figure) == {"nid": 0.01, "teds": None, "teds_s": None}
    assert score(figure, page(element("Paragraph", "x")))["nid"] == 0.0


def test_pages_are_rows_with_a_text_of_their_elements(folder: Callable[..., Path]) -> None:
    gold = {"a.pdf": page(element("Heading1", "T"), element("Table", "", TABLE)), "b.pdf": page()}
    place = folder({"reference.json": gold, "sample_results/x.json": {"a.pdf": gold["a.pdf"]}})
    assert systems(place) == ["x"]
    first, second = rows(place, "x")
    assert first["prediction"]["text"] == first["reference"]["text"] == f"# T\n\n{TABLE}"
    assert second == {"id": "b", "reference": {"text": "", "elements": []}}


@pytest.mark.parametrize("bad", [[], {"a.pdf": 7}, {"a.pdf": {"elements": 3}}, "{"])
def test_a_file_of_another_shape_is_named(folder: Callable[..., Path], bad: Any) -> None:
    place = folder({"reference.json": {"a.pdf": page()}, "sample_results/x.json": bad})
    with pytest.raises(DataError, match=r"x\.json"):
        list(rows(place, "x"))


@pytest.mark.parametrize("given", [None, 7, "", {}, {"elements": 7}, {"elements": [7]}])
def test_any_prediction_has_numbers(given: object) -> None:
    gold = page(element("Paragraph", "x"), element("Table", "", TABLE))
    assert score(given, gold) == {"nid": 0.0, "teds": 0.0, "teds_s": 0.0}
    assert score(gold, "a text alone") == {"nid": None, "teds": None, "teds_s": None}
