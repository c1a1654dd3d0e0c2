"""What the names of a page mean, at its end: a note leads to its entry, by mouse and by keyboard, and Back returns."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.contract import Sample
from jatdae.core.messages import speaking
from jatdae.core.registry import working
from jatdae.report import html
from jatdae.report.pages import IndexedRun, to_html, to_index
from jatdae.run.api import evaluate
from jatdae.run.stats.result import Result

from .conftest import Opened
from .test_browser_comparison import page_of
from .test_browser_evidence import EVALUATORS, run_of

Open = Callable[..., Opened]
ROOT = Path(__file__).parents[2]
LINKS = """() => [...document.querySelectorAll(
  ".term[data-about*=':']:not([data-about^='view:']), [data-issue]",
)].map((name) => {
  name.classList.add("term"); // one that does something of its own explains itself when it is pointed at
  name.click();
  return document.querySelector("#about p:last-child a")?.hash ?? name.dataset.about;
})"""
"""Where the note of each name leads; words of a view of evidence are no names."""
UNFOLD = "() => document.querySelectorAll('#name-list details').forEach((each) => { each.open = true; })"
NAMES = "section[aria-labelledby=names]"


def entries(shown: Opened) -> set[str]:
    return set(shown.page.locator(".entry").evaluate_all("found => found.map((each) => `#${each.id}`)"))


def kinds(places: set[str]) -> set[str]:
    return {place.split("-")[1] for place in places}


@pytest.mark.parametrize("name", working())
def test_every_name_leads_to_its_entry_and_every_entry_to_the_documentation(name: str, opened: Open) -> None:
    samples = ROOT / "src" / "jatdae" / name / "samples" / "pairs.jsonl"
    shown = opened(to_html(run_of(name) if name in EVALUATORS else evaluate(samples, name)), name=name)
    links = set(shown.page.evaluate(LINKS))
    shown.page.locator(".worst a, #rows tbody a").first.click()
    links |= set(shown.page.evaluate(LINKS))
    shown.page.keyboard.press("Escape")
    shown.page.keyboard.press("Escape")
    shown.page.evaluate(UNFOLD)
    known = entries(shown)
    assert links <= known
    assert {"metric"} < kinds(links) <= {"metric", "issue", "count", "rate", "rule"}
    places = shown.page.locator(".entry dd p:last-child code").all_inner_texts()
    documented = (ROOT / "docs" / "names" / f"{name}.md").read_text("utf-8")
    assert len(places) == len(known)
    assert [each for each in places if f'<a id="{each.partition("#")[2]}">' not in documented] == []
    assert {each.partition("#")[0] for each in places} == {f"docs/names/{name}.md"}
    assert shown.findings(NAMES) == []


INSIDE = {
    "dialogue": [".findings-sum button.violated", ".headlines button", ".findings .span .term", ".findings b .term"],
    "text": [".chip.run .term", ".legend .term", ".small-table td .term"],
    "documents": [".wrongs .term"],
    "checks": [".check-title strong .term", ".check-title > .term"],
    "formulas": [".formula-errors .term"],
    "structured": [".badge .term"],
}


@pytest.mark.parametrize("name", INSIDE)
def test_what_a_sample_counts_explains_itself_there(name: str, opened: Open) -> None:
    shown = opened(to_html(explained_run(name)), at="#sample=x")
    for place in INSIDE[name]:
        found = shown.page.locator(f"#detail .evidence {place}").first
        found.focus()
        note = shown.page.locator("#about")
        assert note.locator("p").count() >= 2, place
        assert (
            note.locator("a").get_attribute("href").startswith(("#name-count-", "#name-rule-", "#name-metric-pass_"))
        ), place
    assert shown.complaints == []


def explained_run(name: str) -> Result:
    if name == "dialogue":
        record = {"primary_condition": "Heart failure", "active_meds": ["Warfarin 5 MG"]}
        turn = {"patient_id": "x", "mode": "llm", "turn_id": 3, "question": {"text": "My knee hurts."},
                "answer": "Ibuprofen is fine.", "slots_truth": record}  # fmt: skip
        return evaluate([Sample("x", [turn], [turn], system="llm")], "dialogue")
    pairs = {
        "checks": ("A page of text.", [{"type": "present", "text": "nobody wrote it"}]),
        "formulas": ("$a+c$", "$a+b$"),
        "structured": ({"a": "x"}, {"a": "y"}),
    }
    if name in pairs:
        return evaluate([Sample("x", *pairs[name])], name)
    table = "<table><tr><{0}>Drug</{0}></tr><tr><td>Warfarin</td></tr></table>\n\n"
    passage = "A long sentence of the reference that nobody will find in the prediction again."
    return evaluate([Sample("x", f"{table.format('td')}One  more.", f"{table.format('th')}One more. {passage}")], name)


def test_a_rule_is_named_once_in_its_entry(opened: Open) -> None:
    shown = opened(to_html(explained_run("dialogue")))
    shown.page.evaluate(UNFOLD)
    titles = shown.page.locator("[id^=name-rule-] dt").all_inner_texts()
    assert titles
    assert all(title.count("CSP_") == 1 for title in titles)


def test_an_entry_says_what_its_note_says_in_the_language_of_the_page(opened: Open) -> None:
    shown = opened(to_html(run_of("text")), at="#name-metric-wer")
    entry = shown.page.locator("#name-metric-wer")
    assert entry.inner_text().startswith("wer\n\nword error rate of the whole text")
    shown.page.locator("section[aria-labelledby=headline] .term", has_text="wer").first.click()
    note = shown.page.locator("#about p").all_inner_texts()
    assert entry.locator("p").all_inner_texts()[:-1] == note[:-1]
    shown.page.click("#language")
    assert "낮을수록 좋음" in entry.inner_text()
    assert shown.page.locator("#name-list summary").first.inner_text().startswith("지표 ")


def test_an_address_of_an_entry_unfolds_marks_and_focuses_it(opened: Open) -> None:
    shown = opened(to_html(run_of("text")), at="#name-metric-wer", height=600)
    entry = shown.page.locator("#name-metric-wer")
    assert shown.page.locator("#name-list details[open]").count() == 1
    assert 0 <= entry.bounding_box()["y"] <= 600
    assert entry.evaluate("each => each === document.activeElement && each.matches(':target')")
    assert shown.findings(NAMES) == []


def test_the_keyboard_leads_from_a_name_to_its_entry_and_back(opened: Open) -> None:
    shown = opened(to_html(run_of("text")), width=1280, height=900)
    page = shown.page
    page.locator("#contents a").last.focus()
    page.keyboard.press("Tab")  # the first name on the page
    name = page.evaluate("document.activeElement.dataset.about.split(':')[1]")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    entry = page.locator(f"#name-metric-{name}")
    page.wait_for_function("document.activeElement.matches('.entry:target')")
    assert page.locator("#about").count() == 0
    assert 0 <= entry.bounding_box()["y"] <= 900
    page.go_back()
    page.wait_for_function("document.activeElement.matches('.term')")
    assert page.evaluate("document.activeElement.dataset.about") == f"metric:{name}"
    assert page.evaluate("scrollY") == 0


def test_a_name_inside_a_sample_leads_to_its_entry_and_back_to_the_sample(opened: Open) -> None:
    shown = opened(to_html(run_of("text")))
    page = shown.page
    page.locator(".worst a").first.click()
    sample = page.inner_text("#detail-title")
    page.locator("#detail .term").first.click()
    page.locator("#about a").click()
    page.wait_for_function("document.activeElement.matches('.entry:target')")
    assert not page.locator("#detail").is_visible()
    page.go_back()
    page.locator("#detail").wait_for()
    assert page.inner_text("#detail-title") == sample
    page.keyboard.press("Escape")
    page.locator("#detail").wait_for(state="hidden")
    assert "#" not in page.url


def test_leaving_an_entry_for_another_section_does_not_lead_back_to_the_name(opened: Open) -> None:
    shown = opened(to_html(run_of("text")), width=1280)
    shown.page.locator("section[aria-labelledby=headline] .term").first.click()
    shown.page.locator("#about a").click()
    shown.page.locator(".entry:target").wait_for()
    shown.page.locator("#contents a", has_text="issues").click()
    shown.page.wait_for_function("location.hash === '#issues'")
    assert not shown.page.evaluate("document.activeElement.matches('.term')")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation as `make docs` builds it; without mkdocs, its pages of names in the same places."""
    place = tmp_path_factory.mktemp("site")
    if find_spec("mkdocs") and find_spec("material"):
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(place)]
        subprocess.run(command, cwd=ROOT, check=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    else:
        for each in (ROOT / "docs" / "names").iterdir():
            page = place / "names" / each.stem / "index.html"
            page.parent.mkdir(parents=True)
            page.write_text(f"<!doctype html>{each.read_text('utf-8')}", "utf-8")
    return place


DOCUMENTED = LINKS.replace("p:last-child a", "p:last-child a[target]").replace("?.hash", "?.href")
"""Where the note of each name leads in the documentation."""


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("name", working())
def test_with_an_address_every_note_and_entry_leads_into_the_documentation(
    name: str, language: str, site: Path, opened: Open
) -> None:
    samples = ROOT / "src" / "jatdae" / name / "samples" / "pairs.jsonl"
    result = run_of(name) if name in EVALUATORS else evaluate(samples, name)
    with speaking(language):
        shown = opened(to_html(result, docs=str(site)), name=name)
    page, documented = shown.page, f"{site.as_uri()}/names/{name}/index.html#"
    places = set(page.evaluate(DOCUMENTED))
    page.locator(".worst a, #rows tbody a").first.click()
    places |= set(page.evaluate(DOCUMENTED))
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.evaluate(UNFOLD)
    listed = page.locator(".entry dd p:last-child a").evaluate_all("found => found.map((each) => each.href)")
    assert len(listed) == page.locator(".entry").count()
    assert places <= set(listed)
    anchors = {each.removeprefix(documented) for each in listed}
    written = (site / "names" / name / "index.html").read_text("utf-8")
    assert [each for each in anchors if f'id="{each}"' not in written and f"id={each}" not in written] == []

    page.locator("section[aria-labelledby=headline] [data-about^='metric:']").first.focus()
    link = page.locator("#about a[target]")
    assert link.inner_text() == {"en": "Read more in the documentation", "ko": "문서에서 자세히 보기"}[language]
    assert shown.findings("#about") == []
    with page.context.expect_page() as arriving:
        link.click()
    arrived = arriving.value
    arrived.wait_for_load_state()
    assert arrived.url == link.get_attribute("href")
    anchor = arrived.locator(f"[id='{arrived.url.partition('#')[2]}']")
    assert anchor.count() == 1
    assert 0 <= anchor.bounding_box()["y"] <= 1000
    assert arrived.evaluate("opener") is None


def test_a_package_with_a_site_is_linked_from_every_entry(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "documentation_of", lambda name, site: f"https://d.example/names/{name}/#")
    shown = opened(to_html(run_of("dialogue")))
    links = shown.page.locator(".entry a").evaluate_all("found => found.map((each) => each.href.split('#'))")
    assert {site for site, _ in links} == {"https://d.example/names/dialogue/"}
    assert {anchor.partition("-")[0] for _, anchor in links} >= {"metric", "issue", "count", "rule"}


def test_a_page_of_several_runs_tells_their_names_apart(opened: Open) -> None:
    runs = [run_of(name) for name in ("text", "terms")]
    shown = opened(to_index([IndexedRun(each.summary["evaluator"], "p", each, []) for each in runs]))
    links = set(shown.page.evaluate(LINKS))
    assert links <= entries(shown)
    assert {"#name-metric-0%7Ccer", "#name-metric-1%7Cf1"} <= links
    titles = shown.page.locator("#name-list summary").all_inner_texts()
    assert {title.partition(" · ")[0] for title in titles} == {"text", "terms"}
    shown.page.locator("[data-about='metric:1|score']").first.click()
    shown.page.click("#about a")
    shown.page.locator(".entry:target").wait_for()
    assert shown.page.locator(".entry:target dt").inner_text() == "score"
    assert shown.findings(NAMES) == []


def test_a_comparison_explains_its_names_too(opened: Open) -> None:
    shown = opened(page_of(run_of("text")))
    links = set(shown.page.evaluate(LINKS))
    assert links <= entries(shown)
    assert kinds(links) == {"metric", "issue"}


def test_a_page_whose_names_nothing_explains_has_no_list_of_them(plugin: Callable[..., Any], opened: Open) -> None:
    result: Result = evaluate([Sample("x", "b", "a")], plugin("beaten:Beaten"))
    shown = opened(to_html(result))
    assert shown.page.locator(NAMES).count() == 0
    assert shown.page.locator("#contents a", has_text="names").count() == 0
