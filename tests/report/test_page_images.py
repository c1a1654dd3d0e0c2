"""Page images in a report: found by the name of the document, bounded, and nothing but images."""

from __future__ import annotations

import struct
import unicodedata
import zlib
from pathlib import Path

import pytest

from jatdae import evaluate
from jatdae.core.errors import UsageError
from jatdae.report import page_images
from jatdae.report.charts import MetricAxis, Point, scatter
from jatdae.report.figures import every_figure
from jatdae.report.html import metric_facts
from jatdae.report.page_images import read_images
from jatdae.report.pages import to_html


def png(width: int = 1, height: int = 1) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes((width + 1) * height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def fill(folder: Path, **files: bytes) -> Path:
    for name, content in files.items():
        path = folder / name.replace("__", "/").replace("DOT", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def test_images_belong_to_the_document_of_their_name_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    one, two = png(1), png(2)
    files = {"aDOTpng": one, "b-10DOTpng": one, "b-2DOTpng": two, "in__c_page-1DOTpng": one, "dDOTpng": one}
    found = read_images(fill(tmp_path, **files), ["a", "b", "in/c", "none"])
    assert {name: len(images) for name, images in found["of"].items()} == {"a": 1, "b": 2, "in/c": 1}
    assert found["of"]["b"][0] != found["of"]["b"][1] == found["of"]["a"][0]
    assert found["of"]["a"][0].startswith("data:image/png;base64,")
    assert found["left_out"] == 0


def test_what_is_no_image_or_too_large_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_images, "MOST_BYTES", 100)
    fill(tmp_path, aDOTpng=b"<script>", bDOTjpg=png(), cDOTpng=png() + bytes(200), dDOTpng=png(), eDOTsvg=b"<svg/>")
    found = read_images(tmp_path, "abcde")
    assert (set(found["of"]), found["left_out"]) == ({"d"}, 3)


def test_all_together_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_images, "MOST_BYTES_OF_ALL", 250)
    fill(tmp_path, aDOTpng=png(), bDOTpng=png(), cDOTpng=png())
    found = read_images(tmp_path, "abc")
    assert (set(found["of"]), found["left_out"]) == ({"a", "b"}, 1)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        read_images(tmp_path / "nowhere", [])


def test_a_page_carries_its_images_and_one_without_texts_has_none(tmp_path: Path) -> None:
    result = evaluate([{"id": "a", "prediction": "x", "reference": "y"}], "text")
    fill(tmp_path, aDOTpng=png())
    assert "data:image/png;base64," in to_html(result, pages=tmp_path)
    assert "data:image/png;base64," not in to_html(result)
    assert "data:image/png;base64," not in to_html(result, texts=False, pages=tmp_path)


def test_the_primary_metric_is_set_against_what_a_result_costs() -> None:
    rows = [
        {"id": "a", "system": name, "prediction": text, "reference": "some text", "meta": {"seconds": seconds}}
        for name, text, seconds in (("fast", "some", "1"), ("slow", "some text", "9"))
    ]
    names = [figure.metric for figure in every_figure(evaluate(rows, "documents")) if figure.section == "tradeoff"]
    assert names == ["body_cer-seconds"]


def test_images_that_are_left_out_are_told_with_the_first(tmp_path: Path) -> None:
    told: list[str] = []
    read_images(fill(tmp_path, aDOTpng=png()), ["a"], told.append)
    assert told == []
    read_images(fill(tmp_path, bDOTpng=b"%PDF-1.4"), ["a", "b"], told.append)
    (text,) = told
    assert text.startswith(f"Page images left out of the report: 1, the first is {tmp_path / 'b.png'}.")


def test_axes_of_a_trade_off_begin_at_nothing() -> None:
    """So that twice as long looks like twice as long."""
    points = [Point("a", 0.10, 1.5, 0), Point("b", 0.11, 3.0, 1)]
    drawn = scatter("t", MetricAxis("x", ""), MetricAxis("y", ""), points)
    labels = {"".join(node.itertext()).strip() for node in drawn.iter()}
    assert {"0", "0.00"} <= labels


def test_what_a_result_costs_is_no_filter() -> None:
    rows = [{"id": "a", "prediction": "x", "reference": "y", "meta": {"seconds": "1", "pages": "2", "type": "form"}}]
    facts = metric_facts(evaluate(rows, "documents").summary)
    assert {key for metric in facts for key in metric.get("told", ())} == {"seconds", "pages"}


def test_a_folder_without_any_image_of_a_document_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    assert read_images(fill(tmp_path, otherDOTpng=png()), ["a"], told.append)["of"] == {}
    assert told == [
        f"{tmp_path}: no page image of any document shown is there. "
        "Images are called by their document: ID.png, or ID-1.png, ID-2.png."
    ]


def test_names_in_parts_of_letters_are_those_of_whole_letters(tmp_path: Path) -> None:
    name = unicodedata.normalize("NFD", "한글")
    assert list(read_images(fill(tmp_path, **{f"{name}DOTpng": png()}), ["한글"])["of"]) == ["한글"]
