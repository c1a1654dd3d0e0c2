"""Where the names of a page link to: what is taken as an address of the documentation, and what is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import main
from jatdae.core.contract import Sample
from jatdae.core.errors import UsageError
from jatdae.core.registry import working
from jatdae.report.documentation import documentation_site
from jatdae.report.pages import to_html
from jatdae.run.api import evaluate

ROOT = Path(__file__).parents[2]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with a page of names, as `make docs` writes it."""
    page = tmp_path / "the site" / "names" / "text" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("")
    return page.parents[2]


def docs_of(html: str) -> Any:
    return json.loads(re.findall(r'id="data">(.*?)</script>', html, re.S)[0])["docs"][""]["page"]


@pytest.mark.parametrize(
    ("given", "site"),
    [
        ("https://d.example/", "https://d.example"),
        ("https://d.example/jatdae/en/latest/index.html", "https://d.example/jatdae/en/latest"),
        ("HTTP://127.0.0.1:8000//", "http://127.0.0.1:8000"),
        ("https://d.example/my-index.html", "https://d.example/my-index.html"),
        ("file:///srv/site", "file:///srv/site"),
        ("https://문서.example/안내", "https://문서.example/안내"),
        ("", ""),
    ],
)
def test_an_address_is_taken(given: str, site: str) -> None:
    assert documentation_site(given) == site


@pytest.mark.parametrize(
    "given",
    [
        "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x", "ftp://d.example",
        "https:", "https:///names", "https://u:secret@d.example", "https://d.example/?q=1", "https://d.example/#x",
        "https://d.example/?", "https://d.example/\"onclick='", "https://d.example/<b>", "https://d.example/a b",
        "https://d.example/\n", "https://d.example/\u202e", "https://[d", "https://d:port", "file:site", "https://d\\e",
    ],
)  # fmt: skip
def test_what_is_no_address_of_documentation_is_refused_with_a_remedy(given: str) -> None:
    with pytest.raises(UsageError) as told:
        documentation_site(given)
    assert str(told.value).startswith("--docs")
    assert "https://" in str(told.value)
    assert "make docs" in str(told.value)
    assert "secret" not in str(told.value)


def test_a_folder_becomes_its_address_and_has_to_hold_the_documentation(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert documentation_site(str(site)) == site.as_uri()
    monkeypatch.chdir(site.parent)
    assert documentation_site("the site") == site.as_uri()
    for wrong in (".", "nowhere", "the site/names"):
        with pytest.raises(UsageError, match=re.escape(f"--docs {wrong}: no documentation is there")):
            documentation_site(wrong)


def test_the_environment_says_it_where_no_flag_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JATDAE_DOCS", "https://d.example")
    assert documentation_site() == "https://d.example"
    assert documentation_site("https://e.example") == "https://e.example"
    assert documentation_site("") == ""
    monkeypatch.setenv("JATDAE_DOCS", "javascript:alert(1)")
    with pytest.raises(UsageError, match=r"^JATDAE_DOCS: not an address"):
        documentation_site()


@pytest.mark.parametrize("name", working())
def test_a_page_says_where_the_documentation_of_its_names_is(name: str) -> None:
    result = evaluate([], name)
    assert docs_of(to_html(result)) == f"docs/names/{name}.md#"
    assert docs_of(to_html(result, docs="https://d.example/")) == f"https://d.example/names/{name}/#"
    assert docs_of(to_html(result, docs="file:///srv/site")) == f"file:///srv/site/names/{name}/index.html#"


def test_numbers_that_may_leave_tell_no_place_of_this_machine() -> None:
    result = evaluate([], "text")
    assert docs_of(to_html(result, docs="file:///home/kim/site", texts=False)) == "docs/names/text.md#"
    assert docs_of(to_html(result, docs="https://d.example", texts=False)) == "https://d.example/names/text/#"


def test_the_documentation_of_another_package_is_its_own(plugin: Callable[..., Any]) -> None:
    result = evaluate([Sample("x", "b", "a")], plugin("shown:Shown"))
    assert "d.example" not in to_html(result, docs="https://d.example")


def test_addresses_are_those_that_mkdocs_builds() -> None:
    assert "use_directory_urls" not in (ROOT / "mkdocs.yml").read_text("utf-8")  # names/text/, not names/text.html


@pytest.mark.parametrize("command", ["report", "compare", "run"])
def test_commands_take_it_and_tell_a_slip_before_the_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [{"id": "a", "prediction": "x", "reference": "y", "system": system} for system in "AB"]
    Path("pairs.jsonl").write_text("\n".join(map(json.dumps, rows)))
    monkeypatch.setenv("JATDAE_DOCS", "ftp://d.example")
    run = ["run", "text", "pairs.jsonl", "-o", "made"]
    assert main(run) == 2
    assert "JATDAE_DOCS: not an address" in capsys.readouterr().err
    assert not Path("made").exists()
    monkeypatch.setenv("JATDAE_DOCS", "https://d.example")
    assert main(run) == 0
    page = Path("made/report.html")
    if command != "run":
        page = Path("page.html")
        shown = [command, "made", "-o", "page.html", *(["--systems", "A", "B"] if command == "compare" else [])]
        assert main([*shown, "--docs", "nowhere"]) == 2
        assert main([*shown, "--docs", "https://d.example"]) == 0
    assert docs_of(page.read_text("utf-8")) == "https://d.example/names/text/#"
