"""HTML tags and full-width letters: read as what they stand for, every character where it is."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.reading.words import fold


@pytest.mark.parametrize(
    ("answer", "values"),
    [
        ("<p>Your HbA1c is <b>9.9%</b>.</p>", [(9.9, "")]),
        ("칼륨 <strong>4.3</strong>", [(4.3, "")]),
        ("<tr><td>HbA1c</td><td>9.9</td></tr>", [(9.9, "")]),
        ("eGFR < 60", [(60.0, "<")]),
        ("eGFR &lt; 60", [(60.0, "<")]),
        ("potassium <5", [(5.0, "<")]),
        ("HbA1c는 ９．９％입니다.", [(9.9, "")]),
        ("６７세이십니다.", [(67.0, "")]),
        ("ＨｂＡ１ｃ는 9.9%입니다.", [(9.9, "")]),
    ],
)
def test_values_in_markup_and_full_width(answer, values):
    read = [mention.value for mention in load_extractor().read(answer).mentions]
    assert [(value.number, value.compare) for value in read if value] == values


def test_a_pair_in_full_width():
    (mention,) = load_extractor().read("혈압은 １５０／９０입니다.").mentions
    assert mention.value is not None
    assert (mention.value.number, mention.value.second) == (150.0, 90.0)


def test_items_of_an_html_list_are_items():
    read = load_extractor().read("You take the following:\n<ul><li>ibuprofen</li><li>lisinopril</li></ul>").mentions
    assert [mention.status for mention in read] == ["patient_fact", "patient_fact"]


@pytest.mark.parametrize(
    "text", ["<li>a</li>", "<b>A</b>", "x<br/>y", "&nbsp;&lt;", "＜ａ＞", "<p class='x'>", "a < b > c"]
)
def test_every_character_stays_where_it_is(text):
    assert len(fold(text)) == len(text)


def test_a_comparison_is_no_tag():
    assert fold("K <5 and Na >135") == "k <5 and na >135"


def test_many_open_tags_are_read_in_bounded_time():
    assert len(fold("<b " * 20_000)) == 60_000
