"""Where a bibliography starts, where it ends, and when there is none."""

from __future__ import annotations

import pytest

from jatdae.text.bibliography import cut, find_bibliographies

ENTRIES = "\n".join(
    f"[{n}] {name}, J. ({year}). A title of some length. A Journal, {n}, 1–9."
    for n, (name, year) in enumerate([("Ash", 1999), ("Beech", 2004), ("Cedar", 2011), ("Elm", 2018), ("Fir", 2020)], 1)
)
PLAIN_ENTRIES = "\n".join(line[4:] for line in ENTRIES.splitlines())
BODY = "A first paragraph that cites [1] and others.\nIt goes on.\n\nA second one (Ash, 1999)."


def body_of(text: str) -> str | None:
    blocks = find_bibliographies(text)
    return cut(text, blocks) if blocks else None


@pytest.mark.parametrize(
    "heading",
    [
        "References",
        "REFERENCES",
        "# References",
        "## 7. References",
        "**References**",
        "VII. Bibliography",
        "Literature Cited",
        "LITERATURE CITED",
        "Works cited:",
        "# References {#bibliography .unnumbered}",
        "<h2>References</h2>",
        "참고문헌",
        "## 참고 문헌",
        "参考文献",
        "Références",
        "Literatur",
        "References\n----------",
        "*References*",
        "R EFERENCES",
        "R e f e r e n c e s",
        "참 고 문 헌",
        "참  고  문  헌",
        "<참고문헌>",
        "[참고문헌]",
        "【 참고문헌 】",
        "■ 참고문헌",
        "文　献",
        "Referências bibliográficas",
        "Список литературы",
    ],
)
def test_block_starts_at_a_heading_of_its_own_line(heading: str) -> None:
    assert body_of(f"{BODY}\n\n{heading}\n\n{ENTRIES}\n") == BODY


@pytest.mark.parametrize(
    "labels",
    [
        ["Ash99", "BC04", "CDE+11", "dGvR18", "Fir20a"],
        ["Ash1999", "Beech2004", "Cedar2011", "Elm2018", "Fir2020"],
        ["Ash99", "BC04", r"CDE\+11", "CDE$^{+}$18", "CDE^+^20"],
        ["Ash(1999)", "Beech and Cole(2004)", "Cedar et al.(2011)", "Elm, Fir(2018)", "Fir(2020a)"],
    ],
)
@pytest.mark.parametrize("brackets", ["[]", "\\[ \\]"])
def test_entries_may_have_labels_of_letters(labels: list[str], brackets: str) -> None:
    opening, closing = brackets.split(" ") if " " in brackets else brackets
    entries = [
        f"{opening}{label}{closing} {line}" for label, line in zip(labels, PLAIN_ENTRIES.split("\n"), strict=True)
    ]
    after = "Proofs\n\nThe first follows from the second, as was to be shown here in some words."
    text = "\n\n".join(["A short body.", "# References", *entries, f"# {after}"])
    assert body_of(text) == f"A short body.\n\n# {after}"


@pytest.mark.parametrize("label", ["KP{0}", "Kim and Park(20{0})"])
def test_lines_that_begin_with_a_citation_are_no_entries(label: str) -> None:
    cited = "\n".join(f"[{label.format(n)}] showed in 20{n} that tides rise, and others" for n in range(10, 20))
    assert find_bibliographies(f"{BODY}\n\n{cited} agreed.") == []


@pytest.mark.parametrize("line", ["See References", "References are many.", "the references", "Reference frames"])
def test_a_line_with_more_on_it_is_no_heading(line: str) -> None:
    assert find_bibliographies(f"{BODY}\n\n{line}\n\nMore text.") == []


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        ("# Appendix\n\nProofs.", "# Appendix\n\nProofs."),
        ("APPENDIX\nA. PROOFS\nText.", "APPENDIX\nA. PROOFS\nText."),
        ("Appendix B: Proofs\nText.", "Appendix B: Proofs\nText."),
        ("Supplemental Material for “A title”\nText.", "Supplemental Material for “A title”\nText."),
        ("RELATED WEBSITES\nText.", "RELATED WEBSITES\nText."),
        ("Table 3. All numbers.\n1 2 3", "Table 3. All numbers.\n1 2 3"),
        ("부록 A\n증명.", "부록 A\n증명."),
    ],
)
def test_block_ends_before_the_next_section(after: str, kept: str) -> None:
    assert body_of(f"{BODY}\n\n# References\n\n{ENTRIES}\n\n{after}") == f"{BODY}\n\n{kept}"


def test_a_lower_heading_is_still_part_of_the_block() -> None:
    text = f"{BODY}\n\n## References\n\n### Books\n\n{ENTRIES}\n\n## Appendix\n\nc"
    assert body_of(text) == f"{BODY}\n\n## Appendix\n\nc"


def test_a_line_of_capitals_between_entries_is_a_running_head() -> None:
    first, *rest = ENTRIES.splitlines()
    assert body_of("\n".join([BODY, "", "REFERENCES", first, "ASH ET AL", "12", *rest])) == BODY


def test_of_several_headings_the_one_followed_by_entries_counts() -> None:
    contents = "Contents\nIntroduction\nReferences\n"
    text = f"{contents}{'Plain words without any citation at all.' * 99}\n\nReferences\n{ENTRIES}"
    assert body_of(text) == text.rpartition("References")[0].rstrip()


def test_a_heading_in_the_contents_alone_cuts_nothing() -> None:
    assert find_bibliographies("Contents\nReferences\n" + "Plain words without any citation.\n" * 50) == []


@pytest.mark.parametrize(
    "opening",
    [
        "::: {#refs .references .csl-bib-body}",
        "::: thebibliography",
        "::::::: {#refs}",
        '<div id="refs" class="references">',
    ],
)
def test_pandoc_div_is_a_block_with_or_without_heading(opening: str) -> None:
    closing = "</div>" if opening.startswith("<") else ":::"
    inner = '<div class="entry">\nAsh. 1999.\n</div>' if closing == "</div>" else "::: {#ref-ash}\nAsh. 1999.\n:::"
    div = f"{opening}\n{inner}\n{closing}"
    after = "[^1]: A footnote."
    assert body_of(f"{BODY}\n\n{div}\n\n{after}") == f"{BODY}\n\n{after}"
    assert body_of(f"{BODY}\n\n# References\n\n{div}\n\n{after}") == f"{BODY}\n\n{after}"


def test_an_unclosed_div_runs_to_the_end() -> None:
    assert body_of(f"{BODY}\n\n::: thebibliography\nAsh. 1999.") == BODY


@pytest.mark.parametrize("entries", [ENTRIES, PLAIN_ENTRIES, ENTRIES.replace("[", "").replace("]", ".")])
def test_five_entries_make_a_block_without_heading(entries: str) -> None:
    text = f"{BODY}\n\n{entries}\n\nSupplement to it all."
    (block,) = find_bibliographies(text)
    assert block.how == "entries"
    assert cut(text, [block]) == f"{BODY}\n\nSupplement to it all."


@pytest.mark.parametrize(
    "text",
    [
        f"{BODY}\n\n" + "\n".join(ENTRIES.splitlines()[:4]),
        f"{BODY}\n\n" + "\n".join(f"{n}. Stir for {n} minutes." for n in range(1, 9)),
        f"{BODY}\n\n" + "\n".join(f"[{n}] is an index of the array." for n in range(1, 9)),
        f"{BODY}\n\n" + "\n".join(f"London, England held its fair in {year}." for year in range(1990, 1999)),
        "",
        "References",
    ],
)
def test_other_lists_are_no_bibliography(text: str) -> None:
    assert find_bibliographies(text) == []


def test_korean_and_chinese_entries_are_entries() -> None:
    entries = "\n".join(f"김하늘, 이바다 ({year}). 혀의 색. 학회지, 3, 1–9." for year in range(2015, 2021))
    assert body_of(f"본문이다.\n\n{entries}") == "본문이다."
    entries = "\n".join(f"[{n}] 张三, 李四. 舌象分析[J]. 学报, {2014 + n}." for n in range(1, 7))
    assert body_of(f"正文。\n\n{entries}") == "正文。"


def test_none_finds_nothing() -> None:
    assert find_bibliographies(f"{BODY}\n\nReferences\n{ENTRIES}", "none") == []


def test_block_knows_its_length() -> None:
    text = f"{BODY}\n\nReferences\n{ENTRIES}"
    (block,) = find_bibliographies(text)
    assert block.characters == len(f"References\n{ENTRIES}")


PAGES = "".join(
    f"This is paragraph {n} of the body with some words in it, and it goes on for a while.\n\n" for n in range(9)
)
LISTED = "".join(
    f"[{n}] A. Smith and B. Jones. A paper on topic {n}. In Proceedings of Tests, 20{n:02d}.\n" for n in range(1, 9)
)
APPENDIX = "A Additional Experiments\n\n" + PAGES.replace("body", "appendix")


@pytest.mark.parametrize("marks", ["", "# ", "## "])
@pytest.mark.parametrize("title", ["References", "참고문헌"])
@pytest.mark.parametrize(
    "appendix", [APPENDIX, APPENDIX * 3, "부록 실험\n\n" + "이 절에서는 추가 실험의 결과를 설명한다.\n\n" * 20]
)
def test_where_the_list_is_dropped_what_follows_its_heading_is_body(marks: str, title: str, appendix: str) -> None:
    reference = f"{PAGES}{marks}{title}\n\n{LISTED}\n{marks}{appendix}"
    prediction = f"{PAGES}{marks}{title}\n\n{marks}{appendix}"
    assert cut(prediction, find_bibliographies(prediction)) == cut(reference, find_bibliographies(reference))
    assert "paragraph 8" in cut(prediction, find_bibliographies(prediction))


@pytest.mark.parametrize(
    "listed",
    [
        "SMITH 2003 The Book of Tea\n\nJONES 2005 The Book of Rain\n",
        "(1) the tea book, oxford\n\n(2) the rain book, oxford\n",
        "국립국어원. 표준어 규정. 2017\n\n통계청. 인구 총조사 보고서. 2020\n",
    ],
)
def test_a_list_in_a_form_that_is_not_known_is_cut_and_prose_below_it_stays(listed: str) -> None:
    for after in ("", "Further remarks\n\n" + PAGES):
        text = f"{PAGES * 2}References\n\n{listed}\n{after}"
        assert cut(text, find_bibliographies(text)) == (PAGES * 2 + after).strip()


SOURCES = ["OECD, health at a glance, 2019", "parser handbook, https://example.org (accessed in May)"] * 3


@pytest.mark.parametrize("label", ["{}. ", "{}) ", "({}) ", "**{}.** ", "<sup>{}</sup> ", "<sup>[{}]</sup>", "^{}^ "])
@pytest.mark.parametrize("apart", ["\n", "\n\n"])
@pytest.mark.parametrize(
    "after", ["", "A Prompts\n\nWe used the following words for all of the models in 2019 as well."]
)
def test_below_a_heading_lines_that_count_up_from_one_are_entries_whoever_wrote_them(
    label: str, apart: str, after: str
) -> None:
    listed = apart.join(label.format(n) + source for n, source in enumerate(SOURCES, 1))
    assert body_of(f"Short.\n\nReferences\n\n{listed}\n\n{after}") == f"Short.\n\n{after}".strip()


def test_bold_numbers_in_brackets_are_entries() -> None:
    assert body_of(f"{BODY}\n\n" + ENTRIES.replace("[", "**[").replace("]", "]**")) == BODY


def test_a_list_goes_on_with_what_has_no_author() -> None:
    named = "\n".join(f"{n}. {line}" for n, line in enumerate(PLAIN_ENTRIES.splitlines(), 1))
    after = "Appendix\n\nThe words."
    assert body_of(f"{BODY}\n\nReferences\n\n{named}\n6. health at a glance, 2019\n\n{after}") == f"{BODY}\n\n{after}"


@pytest.mark.parametrize(
    "below",
    [
        "1. In 2019 we began to count the pages.\n2. In 2020 we went on with it.",
        "Data Used\n\nWe have counted all of the pages that we could find in each of the years that stand below, and "
        "these are the numbers.\n\n1. 2019\n2. 2020\n3. 2021",
    ],
)
def test_other_lines_with_numbers_stay_where_the_list_is_dropped(below: str) -> None:
    assert body_of(f"{BODY}\n\nReferences\n\n{below}") == f"{BODY}\n\n{below}"


def test_numbers_alone_make_no_list_without_a_heading() -> None:
    listed = "\n".join(f"{n}. {source}" for n, source in enumerate(SOURCES, 1))
    assert find_bibliographies(f"{BODY}\n\n{listed}\n") == []
