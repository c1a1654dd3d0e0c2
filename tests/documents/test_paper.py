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
from jatdae.run.compare import compare, holm
from jatdae.run.execute import Finished
from jatdae.run.result import Result

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
        assert shown[2] == f"{100 * means[system]['delta_refs']['macro']:+.1f}pp"
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
    assert paper.differences is None


def test_a_mean_over_fewer_documents_says_over_how_many(compare_folders: Folders) -> None:
    gold = {"a.md": MD, "b.md": "# Title\n\nno table here\n"}
    paper = make_paper(compare_folders(gold, one=gold).folder)
    assert cells(paper)["one"] == ["0.0%", "0.0%", "+0.0pp", "1.000", "1.000 (n=1)", "1.000 (n=1)"]


def test_differences_are_those_of_compare_corrected_over_all(demo: Finished) -> None:
    result = Result.load(demo.folder)
    found = []
    for a, b in combinations(result.systems, 2):
        rows = compare(result, result, system_a=a, system_b=b).differences
        found += [(f"{a} → {b}", row) for row in rows if row.metric.name in RANKED and row.n]
    corrected = holm([row.p for _, row in found if row.p is not None])
    differences = make_paper(demo.folder).differences
    assert differences is not None
    assert [row[0].text for row in differences.rows] == [pair for pair, _ in found]
    assert [row[4].text for row in differences.rows] == [f"{p:.4f}" for p in corrected]
    assert [row[5].text for row in differences.rows] == [str(row.n) for _, row in found]
    by_hand = found[0][1]
    assert differences.rows[0][2].text == f"{100 * (by_hand.delta or 0):+.1f}pp"


def test_a_sure_difference_is_strong(compare_folders: Folders) -> None:
    gold = {f"{n}.md": f"# Title {n}\n\nsome text about number {n}\n" for n in range(12)}
    worse = {name: text.replace("text", "t3xt") for name, text in gold.items()}
    differences = make_paper(compare_folders(gold, good=gold, bad=worse).folder).differences
    assert differences is not None
    assert {row[1].text: row[4].best for row in differences.rows} == {
        "Body CER": True, "Full CER": True, "Structure F1": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("only", "skip"), [(("text-advanced",), ()), ((), ("text-baseline", "image-baseline", "image-advanced"))]
)
def test_systems_are_chosen_by_name(only: tuple[str, ...], skip: tuple[str, ...], demo: Finished) -> None:
    assert list(cells(make_paper(demo.folder, only, skip))) == ["text-advanced"]


def test_a_name_that_is_none_is_told_with_the_one_that_was_meant(demo: Finished) -> None:
    with pytest.raises(UsageError, match="Did you mean 'text-advanced'"):
        make_paper(demo.folder, skip=("text-advancd",))
    with pytest.raises(UsageError, match="No system is left"):
        make_paper(demo.folder, only=("text-advanced",), skip=("text-advanced",))


ENTRIES = "".join(f"[{n}] Author, A. ({2000 + n}). A title of some length. Journal, {n}, 1-9.\n" for n in range(1, 7))
CUT = f"The body of it is short.\n\n# References\n\n{ENTRIES}"
UNCUT = f"The body of it is short. {' '.join(ENTRIES.split())}\n"


def test_where_body_is_above_full_the_documents_and_the_side_are_named(compare_folders: Folders) -> None:
    done = compare_folders(
        {"a.md": CUT, "b.md": UNCUT, "c.md": "text\n"},
        one={"a.md": UNCUT, "b.md": CUT, "c.md": "text\n"},
        two={"a.md": CUT, "b.md": UNCUT, "c.md": "text\n"},
    )
    assert make_paper(done.folder).warnings == (
        "one: Body CER is above Full CER in 1 of 3 documents (a): "
        "no references block was found in what the parser wrote, so only the gold text was cut.",
        "one: Body CER is above Full CER in 1 of 3 documents (b): "
        "no references block was found in the gold text, so only what the parser wrote was cut.",
    )
    choose_language("ko")
    assert "정답에서 참고문헌을 찾지 못해" in make_paper(done.folder).warnings[1]
    assert done.summary["systems"]["one"]["counts"]["body_above_full"] == {"prediction": 1, "reference": 1}


def test_many_documents_are_counted_and_ten_are_named(compare_folders: Folders) -> None:
    gold, parsed = ({f"{n:02d}.md": text for n in range(13)} for text in (CUT, UNCUT))
    (warning,) = make_paper(compare_folders(gold, one=parsed).folder).warnings
    assert "13 of 13 documents (00, 01, 02, 03, 04, 05, 06, 07, 08, 09 and 3 more)" in warning


def test_a_system_that_is_declared_but_not_there_is_told_of(compare_folders: Folders) -> None:
    evaluator = DocumentEvaluator(structured={"oen": False, "*": "auto"})
    (warning,) = make_paper(compare_folders({"a.md": MD}, evaluator, one={"a.md": MD}).folder).warnings
    assert "`structured` names oen, which is no system of this run" in warning


def test_plain_text_that_looks_like_structure_is_told_of_unless_declared(compare_folders: Folders) -> None:
    accident = {"a.md": "Title\nsome text\n1. item\n2. item\n"}
    (warning,) = make_paper(compare_folders({"a.md": MD}, one=accident).folder).warnings
    assert warning.startswith("one: something in its documents looks like")
    assert warning.endswith("--structured one=no.")
    declared = DocumentEvaluator(structured={"one": True})
    assert make_paper(compare_folders({"a.md": MD}, declared, one=accident).folder).warnings == ()
    assert make_paper(compare_folders({"a.md": MD}, one={"a.md": MD}).folder).warnings == ()


@pytest.mark.parametrize(
    ("config", "said", "unsaid"),
    [
        ({}, ["citation_keys", "profile standard", "in their order", "list of references is found"], ["grapheme"]),
        ({"normaliser": "raw"}, ["compared as they are"], ["citation"]),
        (
            {"normaliser": "nfkc+fair"},
            ["in this order: nfkc, pandoc_blocks", "differ in form alone are made one (nfkc)"],
            [],
        ),
        ({"normaliser": "seed", "references": "heading"}, ["a line that says References"], ["seed_"]),
        ({"references": "none", "unit": "grapheme"}, ["Body CER equals Full CER", "grapheme clusters"], []),
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

    from jatdae.text.steps import PRESETS, STEPS

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
    layout.write_text("{")
    with pytest.raises(UsageError, match=r"paper\.json: cannot be read"):
        make_paper(done.folder)
