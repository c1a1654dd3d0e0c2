"""`report`, `compare` and `demo` on the command line: every format, to a file or to standard output."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from xxhash import xxh3_128

from jatdae.cli.app import run as run_command
from jatdae.core import registry


class Ended(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def jatdae(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Ended]:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Ended:
        status = run_command(list(arguments))
        told = capsys.readouterr()
        return Ended(status, told.out, told.err)

    return call


@pytest.fixture
def runs(run: Callable[..., Any], write: Callable[..., str], tmp_path: Path) -> list[str]:
    """Three runs of one system each, the later the worse."""
    refs = write("refs.jsonl", [{"id": str(at), "reference": "a"} for at in range(24)])
    for wrong, name in enumerate(("one", "two", "three")):
        rows = [{"id": str(at), "prediction": "b" if at < 6 * wrong else "a"} for at in range(24)]
        run(write(f"{name}.jsonl", rows), refs, out=tmp_path / name)
    return ["one", "two", "three"]


def test_a_page_goes_into_the_run_or_where_it_is_wanted(jatdae: Callable[..., Ended], runs: list[str]) -> None:
    ended = jatdae("report", "one", "--format", "html")
    assert (ended.status, ended.out, ended.err) == (0, "", "Report written to one/report.html\n")
    assert jatdae("report", "one", "-o", "page.html") == (0, "", "Report written to page.html\n")
    assert Path("page.html").read_text() == Path("one/report.html").read_text()


def test_evidence_is_kept_of_as_many_samples_as_wanted(jatdae: Callable[..., Ended], runs: list[str]) -> None:
    kept = {}
    for wanted in ("0", "5", "all"):
        assert jatdae("report", "two", "-o", "page.html", "--samples", wanted).status == 0
        data = json.loads(re.findall(r'id="data">(.*?)</script>', Path("page.html").read_text(), re.S)[0])
        kept[wanted] = len(data["details"])
    assert kept == {"0": 0, "5": 5, "all": 24}
    for wrong in ("-1", "some", "²", "1.5", ""):
        ended = jatdae("report", "two", "-o", "page.html", "--samples", wrong)
        assert (ended.status, ended.out) == (2, "")
        assert "--samples" in ended.err


@pytest.mark.parametrize(("format", "suffix", "begins"), [("latex", "tex", "% \\use"), ("junit", "xml", "<?xml")])
def test_formats_for_other_programs(
    jatdae: Callable[..., Ended], runs: list[str], format: str, suffix: str, begins: str
) -> None:
    printed = jatdae("report", "one", "-f", format)
    assert (printed.status, printed.err) == (0, "")
    assert printed.out.startswith(begins)
    jatdae("report", "one", "-o", f"file.{suffix}")
    assert Path(f"file.{suffix}").read_text() == printed.out


def test_gates_are_tests_in_junit(jatdae: Callable[..., Ended], runs: list[str]) -> None:
    ended = jatdae("report", "two", "-f", "junit", "--fail-under", "exact.micro=0.9", "--fail-over", "gap=5")
    assert (ended.status, ended.err) == (1, "Gate failed: all: exact.micro = 75.00 % < 90.00 %\n")
    failed = [
        case.get("name")
        for case in ElementTree.fromstring(ended.out).iter("testcase")
        if case.find("failure") is not None
    ]
    assert failed == ["exact"]
    unknown = jatdae("report", "two", "-f", "junit", "--fail-under", "exat=1")
    assert unknown.status == 2
    assert "Did you mean 'exact'?" in unknown.err
    assert unknown.err.startswith("error: --fail-under exat=1: unknown metric 'exat'.")


@pytest.mark.parametrize("limit", ["much", "nan", "NaN", "inf", "-inf", "1e999"])
def test_a_gate_that_is_no_number_is_refused_in_junit(
    jatdae: Callable[..., Ended], runs: list[str], limit: str
) -> None:
    ended = jatdae("report", "two", "-f", "junit", "--fail-over", f"gap={limit}")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == f"error: --fail-over gap={limit}: {limit!r} is not a number.\n"


def test_figures_are_written(jatdae: Callable[..., Ended], runs: list[str]) -> None:
    ended = jatdae("report", "two", "--figures", "charts")
    assert (ended.status, ended.out) == (0, "")
    assert "Charts written to charts" in ended.err
    assert Path("charts/distribution-exact.svg").is_file()


def test_three_runs_are_compared_with_the_first(jatdae: Callable[..., Ended], runs: list[str]) -> None:
    shown = jatdae("compare", *runs)
    assert (shown.status, shown.err) == (0, "")
    assert [line for line in shown.out.splitlines() if "→" in line] == ["one → two", "one → three"]
    found = json.loads(jatdae("compare", *runs, "--json").out)
    differences = [d for each in found for d in each["differences"] if d["metric"]["name"] == "exact"]
    assert [(d["wins"], d["ties"], d["losses"]) for d in differences] == [(0, 18, 6), (0, 12, 12)]
    tests = sum(d["p"] is not None for each in found for d in each["differences"])
    assert differences[1]["p_holm"] == pytest.approx(min(1.0, tests * differences[1]["p"]))
    assert json.loads(jatdae("compare", "one", "two", "--json").out)["b"] == "two"


def test_runs_may_follow_the_names_of_systems(jatdae: Callable[..., Ended], runs: list[str]) -> None:
    """Also where a system is called as a run folder is."""
    sides = [part for name in ("two", "three") for part in ("--system", f"{name}={name}.jsonl")]
    for name in ("two", "three"):
        rows = [{"id": at, "prediction": "ab"[at % len(name) > 0]} for at in range(12)]
        Path(f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    Path("ref.jsonl").write_text("\n".join(json.dumps({"id": at, "reference": "a"}) for at in range(12)))
    marks = Path(__file__).parents[1] / "plugins" / "marks.py"
    for out in ("both", "again"):
        assert jatdae("run", "--plugin", f"{marks}:Marks", "--ref", "ref.jsonl", *sides, "--out", out).status == 0
    wanted = jatdae("compare", "both", "--systems", "two", "three")
    assert (wanted.status, wanted.err) == (0, "")
    assert jatdae("compare", "--systems", "two", "three", "both") == wanted
    assert jatdae("compare", "--systems", "two", "three", "both", "again") == wanted
    assert jatdae("compare", "both", "--systems", "two", "three", "again") == wanted
    missing = jatdae("compare", "--systems", "two", "thre", "both")
    assert missing.status == 2
    assert "Did you mean 'three'?" in missing.err


def test_a_run_without_samples_says_so(jatdae: Callable[..., Ended]) -> None:
    Path("none.jsonl").write_text("{bad\n")
    ended = jatdae("run", "text", "none.jsonl", "--on-bad-row", "count", "--out", "none")
    assert ended.status == 2
    assert "No samples were scored." in ended.out
    assert "none: no samples were scored. Bad rows: 1. Fix the input" in ended.err
    assert jatdae("run", "text", "none.jsonl", "--on-bad-row", "count", "--out", "none", "--json").status == 2
    for format in ("console", "md", "latex"):
        assert "No samples were scored." in jatdae("report", "none", "-f", format).out
    page = Path("none/report.html").read_text()
    assert 'data-word="no_samples">No samples were scored.' in page
    assert 'id="rows"' not in page
    assert 'id="distribution"' not in page
    shutil.copytree("none", "copy")
    told = jatdae("compare", "none", "copy")
    assert (told.status, told.out) == (2, "")
    assert "No samples were scored." in told.err


def test_a_run_whose_references_are_all_missing_does_not_end_with_0(jatdae: Callable[..., Ended]) -> None:
    Path("rows.jsonl").write_text('{"id": 1, "pred": "a", "gold": null}\n{"id": 2, "pred": "b", "gold": null}\n')
    ended = jatdae("run", "text", "rows.jsonl", "--out", "none")
    assert ended.status == 2
    assert "none: no sample could be scored (missing_reference 2). Fix the input" in ended.err
    Path("rows.jsonl").write_text('{"id": 1, "pred": "a", "gold": null}\n{"id": 2, "pred": "b", "gold": "b"}\n')
    assert jatdae("run", "text", "rows.jsonl", "--out", "one").status == 0


@pytest.mark.parametrize(
    ("format", "sign"),
    [("md", "## one → two"), ("latex", "\\toprule"), ("html", "<!doctype html>"), ("json", '"a": "one"')],
)
def test_a_comparison_is_printed_or_written(
    jatdae: Callable[..., Ended], runs: list[str], format: str, sign: str
) -> None:
    printed = jatdae("compare", "one", "two", "--format", format)
    assert (printed.status, printed.err) == (0, "")
    assert sign in printed.out
    assert jatdae("compare", "one", "two", "-f", format, "-o", "file") == (0, "", "Report written to file\n")
    assert Path("file").read_text() == printed.out


@pytest.mark.parametrize(
    ("file", "format"), [("a.html", "html"), ("a.md", "md"), ("a.tex", "latex"), ("a.json", "json")]
)
def test_a_comparison_is_what_its_file_is_called_after(
    jatdae: Callable[..., Ended], runs: list[str], file: str, format: str
) -> None:
    assert jatdae("compare", "one", "two", "-o", file) == (0, "", f"Report written to {file}\n")
    assert Path(file).read_text() == jatdae("compare", "one", "two", "--format", format).out


@pytest.mark.parametrize("file", ["a.docx", "a", "a.csv", "a.console"])
def test_a_comparison_in_no_known_format_is_refused(jatdae: Callable[..., Ended], runs: list[str], file: str) -> None:
    ended = jatdae("compare", "one", "two", "-o", file)
    assert (ended.status, ended.out) == (2, "")
    assert "html, md, latex, json" in ended.err
    assert not Path(file).exists()


def test_a_comparison_that_cannot_be_made_says_why(jatdae: Callable[..., Ended], runs: list[str]) -> None:
    for arguments, told in (
        (["one", "two", "one"], "each once"),
        (["one", "two", "three", "--systems", "a", "b"], "each once"),
        (["one", "--systems", "a"], "each once"),
        (["one", "two", "-o", "file"], "choose a format"),
        (["one", "two", "-f", "html", "-o", "none/file"], "cannot be written"),
    ):
        ended = jatdae("compare", *arguments)
        assert (ended.status, ended.out) == (2, "")
        assert told in ended.err


def test_the_demo_ends_with_a_report_over_all_evaluators(jatdae: Callable[..., Ended]) -> None:
    ended = jatdae("demo", "--out", "shown", "--json")
    assert ended.status == 0
    assert ended.err.splitlines()[-1] == "Report written to shown/report.html"
    links = re.findall(r'href="([^"#]*)"', Path("shown/report.html").read_text())
    assert len(links) == len(json.loads(ended.out)) > 1
    assert all((Path("shown") / link).is_file() for link in links)


def test_a_table_for_a_paper_is_in_the_page_too(jatdae: Callable[..., Ended], runs: list[str]) -> None:
    said = {"caption": "Marks & more", "scope": "<b>Everything</b> counts.", "methods": "By eye.", "warnings": ["Few."]}
    columns = [{"metric": "exact", "title": "Exact", "show": "percent"}]
    Path("one/paper.json").write_text(json.dumps({"columns": columns, "en": said}))
    jatdae("report", "one", "-f", "html")
    html = Path("one/report.html").read_text()
    assert '<caption id="paper-table-en">Marks &amp; more</caption>' in html
    assert "&lt;b&gt;Everything&lt;/b&gt; counts." in html


PLUGIN = """
from pathlib import Path
from jatdae import Issue, IssueKind, Metric, Outcome, evaluator

Path(r"{mark}").touch()

@evaluator("own", metrics=[Metric("same", "higher", 0.0, primary=True)], issues=[IssueKind("odd")])
class Own:
    def score(self, sample):
        return Outcome({{"same": float(sample.prediction == sample.reference)}}, issues=(Issue("odd", "looks odd"),))
"""


@pytest.fixture
def own(jatdae: Callable[..., Ended], write: Callable[..., str], tmp_path: Path) -> Path:
    """A run of a plug-in with a view and messages. When its file is loaded again, it leaves a mark: the path given."""
    mark = tmp_path / "mark"
    write("own.py", PLUGIN.format(mark=mark))
    write("evidence.js", 'view(() => true, () => "drawn by itself");')
    write("evidence.css", ".own { color: red; }")
    write("messages.en.toml", '[issues]\nodd = "not quite even"\n')
    write("messages.ko.toml", '[issues]\nodd = "짝이 맞지 않습니다"\n')
    pairs = [{"id": f"{at}", "prediction": "a", "reference": "ab"[at % 2]} for at in range(4)]
    ended = jatdae("run", "--plugin", "own.py:Own", write("pairs.jsonl", pairs), "--out", "run")
    assert ended.status == 0
    assert "not quite even" in ended.out
    page = Path("run/report.html").read_text()
    assert "drawn by itself" in page
    assert "짝이 맞지 않습니다" in page
    registry._lent.clear()
    write("own.py", PLUGIN.format(mark=mark) + "# changed, so that no module that is loaded already stands for it\n")
    mark.unlink()
    shutil.copytree("run", "copy")
    return mark


SHOWING = {
    "console": ["report", "run"],
    "html": ["report", "run", "-f", "html", "-o", "shown"],
    "md": ["report", "run", "-f", "md"],
    "junit": ["report", "run", "-f", "junit"],
    "compare": ["compare", "run", "copy", "-f", "html", "-o", "shown"],
    "paper": ["paper", "run"],
}


@pytest.mark.parametrize("arguments", SHOWING.values(), ids=SHOWING)
def test_a_plug_in_is_loaded_only_if_the_command_names_it(
    jatdae: Callable[..., Ended], own: Path, arguments: list[str]
) -> None:
    ended = jatdae(*arguments)
    shown = ended.out + (Path("shown").read_text() if "shown" in arguments else "")
    assert ended.status == 0
    assert not own.exists()
    assert "drawn by itself" not in shown
    assert "not quite even" not in shown
    named = jatdae(*arguments, "--plugin", "own.py:Own")
    assert named.status == 0
    assert own.exists()
    if "html" in arguments:
        assert "drawn by itself" in Path("shown").read_text()
        assert ".own{color:red}" in Path("shown").read_text()
    if arguments[:2] == ["report", "run"] and "junit" not in arguments:
        assert "not quite even" in named.out + (Path("shown").read_text() if "shown" in arguments else "")


@pytest.mark.parametrize("name", ["own.py:Own", "./own.py", "own", "own:Own", "jatdae.own:Own", "", "<script>"])
def test_a_name_in_a_run_folder_loads_nothing(
    jatdae: Callable[..., Ended], own: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Whatever a run says its evaluator is called: not even a module that could be imported from here."""
    monkeypatch.syspath_prepend(Path.cwd())
    for folder in (Path("run"), Path("copy")):
        index = json.loads((folder / "parts.json").read_text())
        for file in index["files"]:
            told = json.dumps({**json.loads((folder / file).read_text()), "evaluator": name}).encode()
            (folder / file).write_bytes(told)
            index["files"][file] = xxh3_128(told).hexdigest()  # who forges a run can forge its checksums
        (folder / "parts.json").write_text(json.dumps(index))
    for arguments in SHOWING.values():
        assert jatdae(*arguments).status == 0
        assert not own.exists()


def test_a_plug_in_that_cannot_be_loaded_is_told(jatdae: Callable[..., Ended], runs: list[str]) -> None:
    for command in (["report", "one"], ["compare", "one", "two"], ["paper", "one"]):
        ended = jatdae(*command, "--plugin", "none.py:Own")
        assert (ended.status, ended.out) == (2, "")
        assert "none.py: no such plug-in file" in ended.err


def test_a_suite_shows_its_plug_ins(jatdae: Callable[..., Ended], own: Path) -> None:
    """A plug-in may even have the name of an installed evaluator: what each of them scores stays the same."""
    source = Path("own.py").read_text().replace('@evaluator("own"', '@evaluator("text"')
    Path("own.py").write_text(source)
    datasets = "datasets: {d: {pairs: {p: pairs.jsonl}}}"
    Path("suite.yaml").write_text(
        f"name: n\nplugins: {{mine: own.py:Own}}\n{datasets}\nevaluators: {{mine: null, text: null}}\n"
    )
    ended = jatdae("run", "suite.yaml", "--allow-plugins", "--json")
    assert ended.status == 0
    found = json.loads(ended.out)
    assert ["same" in each["metrics"] for each in found] == [True, False]
    drawn = ["drawn by itself" in (Path(each["run"]) / "report.html").read_text() for each in found]
    assert drawn == [True, False]


def test_every_mistake_in_a_layout_is_told_in_the_language_of_the_user(
    jatdae: Callable[..., Ended], runs: list[str]
) -> None:
    columns = [{"metric": "exat"}, {"metric": "exact", "show": "percents"}, {"metric": "gap", "rank": True}]
    Path("one/paper.json").write_text(json.dumps({"columns": columns[:1], "en": {}}))
    assert jatdae("paper", "one").err == (
        "error: one/paper.json:1 (columns[0].metric): unknown name 'exat'. Did you mean 'exact'? Known: exact, gap\n"
    )
    Path("one/paper.json").write_text(json.dumps({"columns": columns}))
    ended = jatdae("paper", "one", "--lang", "ko")
    assert ended.status == 2
    assert len(ended.err.splitlines()) == 2
    assert "columns[1].show" in ended.err
    assert "columns[2].rank" in ended.err
    assert "혹시 'percent'" in ended.err
