"""Charts as PDF and PNG: real files with the texts of the chart in them, Korean ones too, and always the same bytes."""

from __future__ import annotations

import os
import re
import struct
import zlib

import pytest

from jatdae.report.svg import canvas, draw, to_figure, write
from jatdae.report.typeset import can_typeset, typeset

KOREAN = {"Noto Sans KR", "Noto Sans CJK KR", "Apple SD Gothic Neo", "Malgun Gothic", "NanumGothic", "UnDotum"}
TITLE = '#panic("표") </script> \\ "'


def chart(text: str) -> str:
    root = canvas(40, TITLE)
    write(root, text, 0, 20)
    draw(root, "rect", "bar s1", x=300, y=0, width=60, height=40)
    return to_figure(root)


def size(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def streams(pdf: bytes) -> str:
    """What a PDF says where it is compressed."""
    found = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    return "\n".join(zlib.decompress(each).decode("latin-1") for each in found if each[:1] == b"\x78")


def test_the_extra_is_installed_where_tests_run() -> None:
    """Else the tests below would be all that shows a figure, and would not."""
    assert can_typeset()


def test_a_png_is_as_wide_as_a_column_of_a_paper_and_in_colour() -> None:
    png = typeset(chart("cer"), TITLE, "png")
    width, height = size(png)
    assert 1060 <= width <= 1090  # 9 cm and a margin, 300 pixels to the inch
    assert 120 <= height <= 140  # 40 of 360 units, and a margin
    assert png != typeset(chart("wer"), TITLE, "png")


def test_a_pdf_has_its_text_as_text_in_an_embedded_font() -> None:
    pdf = typeset(chart("cer"), TITLE, "pdf")
    assert pdf.startswith(b"%PDF-1.")
    assert pdf.rstrip().endswith(b"%%EOF")
    assert re.search(rb"/FontFile[23]", pdf)
    assert all(f"<{ord(letter):04X}>" in streams(pdf).upper() for letter in "cer")


@pytest.mark.parametrize("format", ["pdf", "png"])
def test_the_same_chart_is_the_same_bytes(format: str) -> None:
    assert typeset(chart("cer"), TITLE, format) == typeset(chart("cer"), TITLE, format)


def test_korean_is_drawn_and_not_replaced_by_boxes() -> None:
    import typst

    if not KOREAN & set(typst.Fonts().families()):
        if os.environ.get("CI"):
            pytest.fail("figures in Korean need a Korean font")
        pytest.skip("no Korean font is installed")
    written = streams(typeset(chart("진료기록"), TITLE, "pdf")).upper()
    assert all(f"<{ord(letter):04X}>" in written for letter in "진료기록")
    assert typeset(chart("진료"), TITLE, "png") != typeset(chart("기록"), TITLE, "png")
