"""The paper's table: what is strong, what is absent and why, how sure the differences are, what to beware of."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.errors import UsageError
from jatdae.core.messages import choose_language
from jatdae.documents import DocumentEvaluator
from jatdae.report.paper import Paper, make_paper
from jatdae.run.api import Finished
from jatdae.run.stats.compare import compare, together
from jatdae.run.stats.result import Result
from jatdae.run.stats.shown import p_value

Folders = Callable[..., Finished]
TITLES = ("Body CER ↓", "Full CER ↓", "Δ (Refs)", "Structure F1 ↑", "TEDS ↑", "TEDS-S ↑")
RANKED = ("body_cer", "cer", "structure_f1", "teds", "teds_s")
MD = "# Title\n\nsome text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"


def cells(paper: Paper) -> dict[str, list[str]]:
    return {row[0].text: [cell.text for cell in row[1:]] for row in paper.table.rows}


def strong(paper: Paper) -> dict[str, list[bool]]:
    return {row[0].text: [cell.best for cell in row[1:]] for row in paper.table.rows}


def test_the_columns_are_those_of_the_paper(demo: Finished) -> None:
    paper = make_paper(demo.folder)
    assert paper.table.header == ("Parser", *TITLES)
    assert list(cells(paper)) == ["text-baseline", "image-baseline", "text-advanced", "image-advanced"]


def test_the_numbers_are_the_means_of_the_summary(demo: Finished) -> None:
    means = {name: described["metrics"] for name, described in demo.summary["systems"].items()}
    for system, shown in cells(make_paper(demo.folder)).items():
        assert shown[0] == f"{100 * means[system]['body_cer']['macro']:.1f}%"
        assert shown[1] == f"{100 * means[system]['cer']['macro']:.1f}%"
        assert shown[2] == f"{100 * means[system]['delta_bibliography']['macro']:+.1f}pp"
        if means[system]["teds"]["macro"] is not None:
            assert shown[3:] == [f"{means[system][m]['macro']:.3f}" for m in ("structure_f1", "teds", "teds_s")]


@pytest.mark.parametrize(("language", "absent"), [("en", "N/A (no structure)"), ("ko", "N/A (구조 없음)")])
def test_a_parser_without_structure_is_said_to_have_none(language: str, absent: str, demo: Finished) -> None:
    choose_language(language)
    shown = cells(make_paper(demo.folder, compared=False))
    assert shown["text-baseline"][3:] == shown["image-baseline"][3:] == [absent] * 3
    assert all("N/A" not in text for text in shown["image-advanced"])


def test_the_best_is_strong_by_its_direction_and_what_is_no_aim_never_is(demo: Finished) -> None:
    paper = make_paper(demo.folder, compared=False)
    assert strong(paper) == {
        "text-baseline": [False] * 6,
        "image-baseline": [False] * 6,
        "text-advanced": [False] * 6,
        "image-advanced": [True, True, False, True, True, True],
    }


def test_what_looks_equal_in_print_is_equally_strong(compare_folders: Folders) -> None:
    done = compare_folders({"a.md": MD * 200}, one={"a.md": MD * 200}, two={"a.md": MD * 200 + "x"})
    values = [done.summary["systems"][name]["metrics"]["body_cer"]["macro"] for name in ("one", "two")]
    assert values[0] < values[1]
    paper = make_paper(done.folder, compared=False)
    assert [best[0] for best in strong(paper).values()] == [True, True]


def test_a_lone_system_is_not_strong(compare_folders: Folders) -> None:
    paper = make_paper(compare_folders({"a.md": MD}, one={"a.md": MD}).folder)
    assert not any(best for row in strong(paper).values() for best in row)
    assert paper.differences == ()


def test_a_mean_over_fewer_documents_says_over_how_many(compare_folders: Folders) -> None:
    gold = {"a.md": MD, "b.md": "# Title\n\nno table here\n"}
    paper = make_paper(compare_folders(gold, one=gold).folder)
    assert cells(paper)["one"] == ["0.0%", "0.0%", "+0.0pp", "1.000", "1.000 (n=1)", "1.000 (n=1)"]


def many(n: int) -> dict[str, str]:
    """So many small documents."""
    return {f"{at}.md": f"# Title {at}\n\nsome text about number {at}\n" for at in range(n)}


def test_of_two_systems_the_differences_are_a_list_of_metrics(compare_folders: Folders) -> None:
    gold = many(20)
    worse = {name: text.replace("text", "t3xt") for name, text in gold.items()}
    done = compare_folders(gold, good=gold, bad=worse)
    (sheet,) = make_paper(done.folder).differences
    assert sheet.title == "Paired differences: good → bad"
    assert {row[0].text: row[4].best for row in sheet.rows} == {
        "Body CER ↓": True, "Full CER ↓": True, "Structure F1 ↑": False,
    }  # fmt: skip
    result = Result.load(done.folder)
    found = compare(result, result, system_a="good", system_b="bad", metrics=RANKED)
    known = [row for row in found.differences if row.n]
    assert [row[3].text for row in sheet.rows] == [p_value(row.p) for row in known]
    assert [row[5].text for row in sheet.rows] == [str(row.n) for row in known]
    assert sheet.rows[0][1].text == f"{100 * (known[0].delta or 0):+.2f}pp"


def test_of_several_systems_they_are_a_matrix_for_each_metric(compare_folders: Folders) -> None:
    gold = many(20)
    near, far = ({name: text.replace("text", word) for name, text in gold.items()} for word in ("test", "tttt"))
    done = compare_folders(gold, A=gold, B=near, C=far)
    result = Result.load(done.folder)
    pairs = list(combinations("ABC", 2))
    found = together([
        compare(result, result, system_a=a, system_b=b, names=(a, b), metrics=RANKED) for a, b in pairs
    ])  # fmt: skip
    sheets = make_paper(done.folder).differences
    assert [sheet.title.rpartition(": ")[2] for sheet in sheets] == ["Body CER ↓", "Full CER ↓", "Structure F1 ↑"]
    body = {(each.a, each.b): each["body_cer"] for each in found}
    assert [[cell.text for cell in row] for row in sheets[0].rows] == [
        ["1 A", "", *(f"{100 * (body['A', b].delta or 0):+.2f}pp" for b in "BC")],
        ["2 B", p_value(body["A", "B"].p_holm), "", f"{100 * (body['B', 'C'].delta or 0):+.2f}pp"],
        ["3 C", *(p_value(body[a, "C"].p_holm) for a in "AB"), ""],
    ]
    assert [[cell.best for cell in row] for row in sheets[0].rows] == [
        [False, False, True, True],
        [False, False, False, True],
        [False] * 4,
    ]
    assert sheets[0].hint.startswith("Paired by sample. Above the diagonal")


def test_below_20_documents_no_p_is_given_and_the_note_says_why(demo: Finished, compare_folders: Folders) -> None:
    for sheet in make_paper(demo.folder).differences:
        assert "No p-values: 3 clusters, and at least 20 are needed." in sheet.hint
        assert not any(cell.best for row in sheet.rows for cell in row)
    gold = many(2)
    (sheet,) = make_paper(compare_folders(gold, a=gold, b=gold).folder).differences
    assert sheet.hint.startswith("Second system minus first, paired by sample.")
    assert sheet.hint.endswith("No p-values: 2 clusters, and at least 20 are needed.")


@pytest.mark.parametrize(
    ("only", "skip"), [(("text-advanced",), ()), ((), ("text-baseline", "image-baseline", "image-advanced"))]
)
def test_systems_are_chosen_by_name(only: tuple[str, ...], skip: tuple[str, ...], demo: Finished) -> None:
    assert list(cells(make_paper(demo.folder, only, skip))) == ["text-advanced"]


def test_a_name_that_is_none_is_told_with_the_one_that_was_meant(demo: Finished) -> None:
    with pytest.raises(UsageError, match="Did you mean 'text-advanced'"):
        make_paper(demo.folder, skip=("text-advancd",))
    with pytest.raises(UsageError, match="No systems are left"):
        make_paper(demo.folder, only=("text-advanced",), skip=("text-advanced",))


def test_text_with_numbers_and_comments_off_the_page_has_no_structure(compare_folders: Folders) -> None:
    text = "Contents\n1. Title 3\n2. Tables 5\n\nsome text\nx = 1\n# a comment\n- 1 -\n"
    paper = make_paper(compare_folders({"a.md": MD}, one={"a.txt": text}).folder)
    assert cells(paper)["one"][3:] == ["N/A (no structure)"] * 3
    assert paper.warnings == ()


def test_what_the_gold_lacks_is_the_reason_for_a_parser_that_has_structure(compare_folders: Folders) -> None:
    plain = {"a.md": "some text\n"}
    paper = make_paper(compare_folders(plain, DocumentEvaluator(structured={"*": True}), one=plain).folder)
    assert cells(paper)["one"][3:] == ["N/A (none on either side)", *["N/A (no table in the reference)"] * 2]


def test_a_caption_counts_documents(compare_folders: Folders) -> None:
    one, two = (dict.fromkeys(names, MD) for names in (["a.md"], ["a.md", "b.md"]))
    captions = [make_paper(compare_folders(gold, s=gold).folder).table.title for gold in (one, two)]
    assert captions == ["Document parsers on one document.", "Document parsers on 2 documents."]


@pytest.mark.parametrize(
    ("config", "said", "unsaid"),
    [
        ({}, ["citation_keys", "profile standard", "in their order", "bibliography is found"], ["grapheme"]),
        ({"normaliser": "raw"}, ["compared as they are"], ["citation"]),
        (
            {"normaliser": "nfkc+fair"},
            ["in this order: nfkc, nfc, invisible, latex_tables", "differ in form alone are made one (nfkc, nfc,"],
            [],
        ),
        ({"normaliser": "seed", "bibliography": "heading"}, ["a line that says References"], ["seed_"]),
        ({"bibliography": "none", "unit": "grapheme"}, ["Body CER equals Full CER", "grapheme clusters"], []),
        ({"profile": "docling", "matching": "hungarian"}, ["profile docling", "best assignment"], []),
    ],
)
def test_the_methods_speak_of_what_was_done(
    config: Any, said: list[str], unsaid: list[str], compare_folders: Folders
) -> None:
    done = compare_folders({"a.md": MD}, DocumentEvaluator(**config), one={"a.md": MD})
    for language in ("en", "ko"):
        choose_language(language)
        assert len(make_paper(done.folder).methods) > 200
    choose_language("en")
    methods = make_paper(done.folder).methods
    assert all(text in methods for text in said)
    assert not any(text in methods for text in unsaid)


def test_every_step_of_the_default_is_told_with_its_reason() -> None:
    import tomllib
    from importlib import resources

    from jatdae.text.normaliser import PRESETS, STEPS

    texts = tomllib.loads((resources.files("jatdae.documents") / "paper.toml").read_text("utf-8"))
    told = [step for group in texts["groups"].values() for step in group]
    assert set(PRESETS["fair"].steps) <= set(told)
    assert sorted(told) == sorted(step for step in STEPS if not step.startswith("seed_"))
    assert set(texts["en"]) == set(texts["ko"])
    assert set(texts["groups"]) <= set(texts["en"])


def test_a_run_that_says_nothing_of_a_paper_gets_all_its_metrics(run: Any, write: Any) -> None:
    rows = [
        {"id": "a", "system": s, "prediction": p, "reference": "text"} for s, p in (("one", "text"), ("two", "t3xt"))
    ]
    from jatdae.text import TextEvaluator

    paper = make_paper(run(write("pairs.jsonl", rows), evaluator=TextEvaluator()).folder)
    assert paper.table.header[:3] == ("system", "body_cer ↓", "cer ↓")
    assert cells(paper)["one"][0] == "0.0%"
    assert (paper.scope, paper.methods, paper.warnings) == ("", "", ())


def test_a_layout_that_cannot_be_read_is_an_error_with_its_place(compare_folders: Folders) -> None:
    done = compare_folders({"a.md": MD}, one={"a.md": MD})
    layout: Path = done.folder / "paper.json"
    assert json.loads(layout.read_text("utf-8"))["columns"]
    for broken in ("{", "[]", '{"columns": [{"metric": "none"}]}', '{"columns": [{}]}', '{"columns": 1}', '{"en": 1}'):
        layout.write_text(broken)
        with pytest.raises(UsageError, match=r"paper\.json:1"):
            make_paper(done.folder)
