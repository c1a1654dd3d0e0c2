"""Which line of plain text begins a section."""

from __future__ import annotations

import pytest

from jatdae.text.section_titles import begins_section

PROSE = "We ran the same model on two further sets of images, with much the same numbers."


def begins(line: str, following: str) -> bool:
    return begins_section(f"{line}\n{following}", 0, len(line))


@pytest.mark.parametrize(
    "line",
    ["A Additional Experiments", "B Limitations", "Attention Visualizations", "C.2 Proof of the lemma", "Prompts"],
)
def test_a_title_that_prose_follows_begins_a_section(line: str) -> None:
    assert begins(line, PROSE)
    assert begins(line, f"\n{PROSE}")


@pytest.mark.parametrize("line", ["추가 실험", "가. 설문 문항", "부록 1. 설문지"])
def test_a_korean_title_does_so_too(line: str) -> None:
    assert begins(line, "설문에 쓴 문항을 그대로 옮겨 적는다. 응답은 다섯 단계로 받았다.")


@pytest.mark.parametrize(
    ("line", "following"),
    [
        ("Attention Is All You", "Need. In Advances in Neural Information Processing Systems, 2017."),
        ("A Journal of Trees, 12, 3–9.", PROSE),
        ("Smith, J. and Jones, K.", PROSE),
        ("International Conference 2020", PROSE),
        ("Attention Visualizations", ""),
        ("", PROSE),
    ],
)
def test_a_line_of_an_entry_does_not(line: str, following: str) -> None:
    assert not begins(line, following)


def test_a_title_above_a_caption_or_another_title_begins_a_section() -> None:
    assert begins("Extra Results", "Table 7: All numbers.")
    assert begins("D Details", f"Data Sets\n{PROSE}")
