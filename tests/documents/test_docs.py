"""What the pages show is what the code prints."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jatdae import Sample
from jatdae.cli import main
from jatdae.documents import DocumentEvaluator
from jatdae.report.forms import paper_markdown
from jatdae.report.paper import make_paper
from jatdae.run.api import Finished, execute
from jatdae.run.input.model import Inputs
from jatdae.run.work.engine import Engine
from jatdae.tables import gold_tables

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("JATDAE_DATA") or ROOT.parent / "shared" / "data") / "papers"
METRICS = (ROOT / "docs" / "metrics" / "documents.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "guides" / "papers.md").read_text("utf-8")
PAPERS = ("araa", "cyb", "msd", "sympy")
EXTRACTORS = ("pymupdf", "pdftotext")


def block(page: str, name: str) -> list[str]:
    """The lines between two comments that name them, the kernel left open."""
    (found,) = re.findall(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", page, re.DOTALL)
    return [re.sub(r"kernel:\w+", "kernel:…", line) for line in found.splitlines() if line]


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Finished]:
    """Runs over the four papers, where they are at hand."""
    if not DATA.is_dir():
        pytest.skip(f"{DATA} is not here; set JATDAE_DATA to the folder with the conformance data")
    place = tmp_path_factory.mktemp("papers")
    count = iter(range(1000))

    def of(gold: str, **config: Any) -> Finished:
        files = {f"{gold}.md": place / gold, **{f"{name}.txt": place / name for name in EXTRACTORS}}
        for source, folder in files.items():
            folder.mkdir(exist_ok=True)
            for paper in PAPERS:
                shutil.copy(DATA / paper / source, folder / f"{paper}{Path(source).suffix}")
        evaluator = DocumentEvaluator(**{"structured": dict.fromkeys(EXTRACTORS, False), **config})
        inputs = Inputs(reference=str(place / gold), predictions=tuple((n, str(place / n)) for n in EXTRACTORS))
        return execute(evaluator, inputs, out=place / f"run-{next(count)}", engine=Engine(1))

    return of


def test_the_papers_give_the_numbers_and_the_signature_shown(papers: Callable[..., Finished]) -> None:
    printed = paper_markdown(make_paper(papers("gold_without_references").folder))
    lines = re.sub(r"kernel:\w+", "kernel:…", printed).splitlines()
    assert set(block(METRICS, "papers")) <= set(lines)
    assert "Beware" not in printed


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_nobody_has_to_say_that_the_extractors_of_the_papers_write_plain_text(extractor: str) -> None:
    if not DATA.is_dir():
        pytest.skip(f"{DATA} is not here; set JATDAE_DATA to the folder with the conformance data")
    evaluator, sums = DocumentEvaluator(), Counter[str]()
    for paper in PAPERS:
        text, gold = ((DATA / paper / name).read_text("utf-8") for name in (f"{extractor}.txt", "gold.md"))
        sums.update(evaluator.survey(Sample(paper, text, gold, system=extractor)))
    outcome = evaluator.informed(sums).score(Sample("a", "Plain words.", "# A\n\n- b", system=extractor))
    assert outcome.values["structure_f1"] is None
    assert "no_structure" in [issue.code for issue in outcome.issues]


def test_the_literal_rule_gives_the_warning_shown(papers: Callable[..., Finished]) -> None:
    done = papers("gold", normaliser="seed", bibliography="heading")
    printed = paper_markdown(make_paper(done.folder)).splitlines()
    assert set(block(METRICS, "literal")) <= set(printed)
    assert done.summary["systems"]["pymupdf"]["counts"]["body_above_full"] == {"reference": 1}


def test_the_demo_gives_the_table_of_the_guide(demo: Finished) -> None:
    printed = paper_markdown(make_paper(demo.folder, compared=False)).splitlines()
    assert set(block(GUIDE, "demo")) <= set(printed)


def test_the_suite_of_the_guide_runs(samples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (suite,) = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)
    (tmp_path / "suite.yaml").write_text(suite)
    shutil.copytree(samples / "gold", tmp_path / "gold")
    shutil.copytree(samples / "systems", tmp_path / "out")
    flags = ["--jobs", "1", "--out", str(tmp_path / "runs"), "--lang", "en"]
    assert main(["run", str(tmp_path / "suite.yaml"), *flags]) == 0
    assert "N/A (no structure)" in capsys.readouterr().out
    signature = (tmp_path / "runs" / "paper" / "documents" / "evaluation" / "notice.json").read_text("utf-8")
    assert "matching:hungarian" in signature


def flags_of(page: str) -> Iterator[str]:
    for command in re.findall(r"^jatdae (?:run|paper) (?:.*\\\n)*.*$", page, re.MULTILINE):
        yield from re.findall(r"(?<=\s)--[a-z-]+", command)


def test_the_flags_shown_are_flags(capsys: pytest.CaptureFixture[str]) -> None:
    helps = ""
    for command in (["run", "documents", "--help"], ["paper", "--help"]):
        main([*command, "--lang", "en"])
        helps += capsys.readouterr().out
    shown = set(flags_of(METRICS + GUIDE))
    assert len(shown) > 8
    assert {flag for flag in shown if flag not in helps} == set()


def test_the_bundled_gold_is_fit_for_use(samples: Path) -> None:
    tables = sorted((samples / "gold").glob("*.tables.json"))
    assert [path.name for path in tables] == ["notice.tables.json", "paper.tables.json", "receipt.tables.json"]
    assert [str(problem) for path in tables for problem in gold_tables.check(path)] == []


def test_of_the_bundled_parsers_two_write_structure(demo: Finished) -> None:
    metrics = {name: described["metrics"] for name, described in demo.summary["systems"].items()}
    structured = {name for name, found in metrics.items() if found["structure_f1"]["macro"] is not None}
    assert structured == {"text-advanced", "image-advanced"}
    assert all(described["n"] == 3 for described in demo.summary["systems"].values())
    assert all("missing_prediction" not in described["issues"] for described in demo.summary["systems"].values())


PARAGRAPHS = [
    f"Paragraph {word} tells of the harbour in {word} words, and of the tide that came and went with it on day {day}."
    for day, word in enumerate("one two three four five six seven eight nine ten".split())  # noqa: SIM905
]
HEADINGS = [
    "# Tides", "## Gauges", "### Float", "### Radar", "## Results", "### May", "### June", "## Ends", "### Thanks",
    "### Notes",
]  # fmt: skip
NOTICE = "The same notice is printed here again and again."


def with_headings(headings: list[str]) -> str:
    return "\n\n".join(f"{heading}\n\n{text}" for heading, text in zip(headings, PARAGRAPHS, strict=True))


@pytest.mark.parametrize(
    ("prediction", "reference", "shown"),
    [
        (with_headings([f"**{each.lstrip('# ')}**" for each in HEADINGS]), None, {"structure_f1": 0.0}),
        (
            with_headings([f"# {each.lstrip('# ')}" for each in HEADINGS]),
            None,
            {"structure_f1": 1.0, "heading_levels": 0.6},
        ),
        (
            "\n\n".join(reversed(with_headings(HEADINGS).split("\n\n"))),
            None,
            {"structure_f1": 1.0, "heading_levels": 0.21},
        ),
        ("\n\n".join([NOTICE, *PARAGRAPHS[:3]]), "\n\n".join([NOTICE] * 6 + PARAGRAPHS[:3]), {"block_recall": 0.59}),
        ("\n\n".join(PARAGRAPHS * 2), "\n\n".join(PARAGRAPHS), {"block_recall": 1.0, "order_error": 0.0}),
    ],
    ids=["bold headings", "one level", "in reverse", "a notice once", "twice over"],
)  # fmt: skip
def test_the_four_numbers_fail_where_the_page_says(
    prediction: str, reference: str | None, shown: dict[str, float]
) -> None:
    sample = Sample("d", prediction, reference or with_headings(HEADINGS))
    values = DocumentEvaluator(structured={"*": True}).score(sample).values
    assert {name: round(values[name] or 0.0, 2) for name in shown} == shown
