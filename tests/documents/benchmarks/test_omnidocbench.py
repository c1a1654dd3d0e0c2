"""OmniDocBench: its shipped results page by page, and its matching on pages of our own."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from rapidfuzz.distance import Levenshtein

from jatdae.cli import main
from jatdae.core.errors import DataError
from jatdae.documents.benchmarks.omnidocbench import (
    Wish,
    _compatible,
    fits,
    normalise,
    prediction_blocks,
    rows,
    score,
    systems,
)

LISTED_TWICE = {"chroma", "Chapter9"}
"""Pages whose numbers differ from the shipped ones; the docs tell why."""


@pytest.fixture(scope="module")
def pages(published: Callable[[str], Path]) -> dict[str, tuple[str, dict[str, float | None]]]:
    folder = published("omnidocbench")
    return {
        row["id"]: (row["prediction"], score(row["prediction"], row["reference"])) for row in rows(folder, "end2end")
    }


def shipped(folder: Path, name: str) -> Any:
    return json.loads((folder / "result" / f"end2end_quick_match_{name}.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("metric", "file"),
    [("text_edit", "text_block_per_page_edit"), ("reading_order_edit", "reading_order_per_page_edit")],
)
def test_the_shipped_numbers_page_by_page(published: Callable[[str], Path], pages: Any, metric: str, file: str) -> None:
    told = {Path(name).stem: value for name, value in shipped(published("omnidocbench"), file).items()}
    assert len(told) == len(pages) == 18
    differing = [name for name, (_, values) in pages.items() if values[metric] != pytest.approx(told[name], abs=1e-12)]
    assert sorted(next(key for key in LISTED_TWICE if key in name) for name in differing) == sorted(LISTED_TWICE)


def test_without_the_block_that_is_listed_twice_the_shipped_number_is_ours(
    published: Callable[[str], Path], pages: Any
) -> None:
    texts, orders = (shipped(published("omnidocbench"), name) for name in ("text_block_result", "reading_order_result"))
    for page in LISTED_TWICE:
        values = next(values for name, (_, values) in pages.items() if page in name)
        listed = [pair for pair in texts if page in pair["image_name"]]
        once = {tuple(pair["gt_idx"]): pair for pair in listed}
        assert len(once) == len(listed) - 1
        edit = sum(pair["Edit_num"] for pair in once.values()) / sum(pair["upper_len"] for pair in once.values())
        assert values["text_edit"] == pytest.approx(edit, abs=1e-12)
        order = next(each for each in orders if page in each["image_name"])
        distance = Levenshtein.normalized_distance(sorted(set(order["gt"])), order["pred"])
        assert values["reading_order_edit"] == pytest.approx(distance, abs=1e-12)


def test_the_shipped_teds_of_every_table(published: Callable[[str], Path], pages: Any) -> None:
    told = defaultdict(list)
    for pair in shipped(published("omnidocbench"), "table_result"):
        told[Path(pair["image_name"]).stem].append(pair["metric"])
    for name, (_, values) in pages.items():
        if name not in told:
            assert values["teds"] is None
        else:
            assert values["teds"] == pytest.approx(mean(each["TEDS"] for each in told[name]), abs=1e-12)
            assert values["teds_s"] == pytest.approx(mean(e["TEDS_structure_only"] for e in told[name]), abs=1e-12)


def test_the_shipped_normal_form_of_every_text(published: Callable[[str], Path]) -> None:
    for pair in shipped(published("omnidocbench"), "text_block_result"):
        assert normalise(pair["gt"]) == pair["norm_gt"]


def block(kind: str, text: str, order: int | None, number: int = 0) -> dict[str, Any]:
    return {"category_type": kind, "text": text, "order": order, "anno_id": number, "ignore": False}


def annotated(*blocks: dict[str, Any], relations: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    info = {"image_path": "p.jpg", "page_attribute": {"language": "english", "special_issue": ["scan", "tilt"]}}
    return {"layout_dets": list(blocks), "page_info": info, "extra": {"relation": relations or []}}


FIRST, SECOND, THIRD = "The first paragraph of a page.", "Something else altogether here.", "At last the third one."


@pytest.fixture
def reference(folder: Callable[..., Path]) -> Callable[..., Any]:
    def of(*blocks: dict[str, Any], **more: Any) -> Any:
        place = folder({"OmniDocBench.json": [annotated(*blocks, **more)], "predictions/x/q.md": ""})
        return next(iter(rows(place, "x")))["reference"]

    return of


@pytest.fixture
def three(reference: Callable[..., Any]) -> Any:
    texts = (FIRST, SECOND, THIRD)
    return reference(*(block("text_block", text, at, at) for at, text in enumerate(texts, 1)))


def test_a_perfect_page(three: Any) -> None:
    values = score(f"{FIRST}\n\n**{SECOND}**\n\n{THIRD}", three)
    assert values == {"text_edit": 0.0, "reading_order_edit": 0.0, "teds": None, "teds_s": None}


def test_moved_blocks_change_the_order_and_not_the_text(three: Any) -> None:
    values = score(f"{THIRD}\n\n{FIRST}\n\n{SECOND}", three)
    assert values["text_edit"] == 0.0
    assert values["reading_order_edit"] == pytest.approx(2 / 3)


def test_split_and_joined_blocks_are_put_together(three: Any) -> None:
    values = score(f"The first paragraph\n\nof a page.\n\n{SECOND}\n{THIRD}", three)
    assert values["text_edit"] == values["reading_order_edit"] == 0.0


def test_a_missing_block_counts_whole(three: Any) -> None:
    values = score(f"{FIRST}\n\n{SECOND}", three)
    lengths = [len(normalise(text)) for text in (FIRST, SECOND, THIRD)]
    assert values["text_edit"] == pytest.approx(lengths[2] / sum(lengths))
    assert values["reading_order_edit"] == pytest.approx(1 / 3)


def test_a_line_right_before_a_markdown_table_goes_with_it() -> None:
    """The published program takes it for part of the table, and of that keeps the HTML alone."""
    table = "    | a | b |\n    |---|---|\n    | 1 | 2 |\n"
    texts = [block.content for block in prediction_blocks(f"One.\n\nBefore\n1.\n{table}Behind\n\nTwo.\n\n{table}")]
    assert texts == ["One", "Before", "Behind", "Two"]


def test_no_other_block_gets_a_predicted_one_that_a_block_left_over_stands_in(reference: Callable[..., Any]) -> None:
    """`Bank of Kent` joins the first line it stands in; the second is taken with that, and `News …` finds none."""
    title, news = "Bank of Kent", "News on the Bank of Kent and others"
    texts = (title, "Revenue grows and grows", news, FIRST)
    gold = reference(*(block("text_block", text, at, at) for at, text in enumerate(texts, 1)))
    second = "Bank of Kent was seen elsewhere by quite different people on quite different days last year"
    values = score(f"{title} Revenue grows and grows\n\n{second}\n\n{FIRST}", gold)
    lengths = [len(normalise(text)) for text in texts]
    assert values["text_edit"] == pytest.approx(lengths[2] / sum(lengths))


def test_headers_are_matched_but_do_not_count(reference: Callable[..., Any]) -> None:
    gold = reference(block("header", "A running header", None, 1), block("text_block", FIRST, 1, 2))
    assert score(f"A running heade\n\n{FIRST}", gold)["text_edit"] == 0.0
    assert gold["text"] == FIRST


def test_a_truncated_block_is_one_with_its_other_half(reference: Callable[..., Any]) -> None:
    relation = {"source_anno_id": 1, "target_anno_id": 2, "relation_type": "truncated"}
    gold = reference(block("text_block", "The first ", 1, 1), block("text_block", "half.", 5, 2), relations=[relation])
    assert gold["blocks"] == [["The first half.", True, 1]]


def test_page_attributes_are_slices(folder: Callable[..., Path]) -> None:
    place = folder({"data/OmniDocBench_v1.json": [annotated()], "out/x/p.md": "text"})
    assert fits(place)
    assert systems(place) == ["x"]
    (row,) = rows(place, "x")
    assert row["meta"] == {"language": "english", "special_issue": "scan+tilt"}
    assert row["prediction"] == "text"


@pytest.mark.parametrize("bad", ["{}", "[7]", '[{"layout_dets": []}]', "["])
def test_a_file_of_another_shape_is_named(folder: Callable[..., Path], bad: str) -> None:
    place = folder({"OmniDocBench.json": bad, "predictions/x/p.md": ""})
    with pytest.raises(DataError, match=r"OmniDocBench\.json"):
        list(rows(place, "x"))


@pytest.mark.parametrize("given", [None, "", "\n\n".join("ab" * 300), "x" * 200_000, "$" * 5000, "\\(" * 5000])
def test_any_prediction_has_numbers(three: Any, given: object) -> None:
    values = score(given, three)
    assert values["text_edit"] > 0.5
    assert score(given, "a text alone") == dict.fromkeys(values)


def test_joined_blocks_that_overlap_compete_by_their_mean_distance() -> None:
    """0–1 and 2–3 go together and beat 1–2 between them; of two wishes for one group the cheaper counts."""
    wishes = [Wish(0.2, [0, 1]), Wish(0.3, [1, 2]), Wish(0.3, [2, 3]), Wish(0.9, [2, 3]), Wish(0.5, [6, 7])]
    assert list(_compatible(wishes)) == [[0, 1], [2, 3], [6, 7]]
    assert list(_compatible([Wish(0.5, [0, 1]), Wish(0.1, [1, 2])])) == [[1, 2]]
    assert list(_compatible([])) == []


@pytest.mark.parametrize(("name", "status"), [("omnidocbench", 2), ("dp-bench", 2), ("docling-eval", 0)])
def test_numbers_that_need_annotations_are_refused_for_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, status: int
) -> None:
    for side in ("gold", "out"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.md").write_text("Some words.\n", "utf-8")
    given = ["--ref", str(tmp_path / "gold"), "--system", f"s={tmp_path / 'out'}", "--out", str(tmp_path / "run")]
    assert main(["run", "documents", *given, "--benchmark", name]) == status
    assert ("Give its folder instead of --ref and --system" in capsys.readouterr().err) == (status == 2)
