"""The page as a file: self-contained, small, its words in both languages, hostile input inert."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from importlib import resources
from typing import Any, get_args

import pytest

from jatdae.core.contract import Sample
from jatdae.core.messages import choose_language
from jatdae.report.pages import WORDS, to_html, to_index, to_script
from jatdae.run.api import evaluate
from jatdae.run.stats.result import Result
from jatdae.structured.leaves import LeafOutcome

ASSETS = resources.files("jatdae.report") / "assets"
SCRIPTS = [f for folder in (ASSETS, ASSETS / "evidence") for f in folder.iterdir() if f.name.endswith(".js")]
TEMPLATES = [f for f in ASSETS.iterdir() if f.name.endswith(".j2")]


def data_of(html: str) -> dict[str, Any]:
    return dict(json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)[0]))


@pytest.fixture
def few(plugin: Callable[..., Any]) -> Result:
    samples = [Sample(f"s{at}", f"{at % 3}", "0", {"part": "ab"[at % 2]}) for at in range(9)]
    return evaluate(samples, plugin("shown:Shown"), slices=["part"])


def test_an_empty_report_is_at_most_100_kb(plugin: Callable[..., Any]) -> None:
    html = to_html(evaluate([Sample("1", "a", "a")], plugin("shown:Shown")))
    assert len(html.encode()) <= 100_000


def test_nothing_is_loaded_from_anywhere(few: Result) -> None:
    html = to_html(few)
    assert re.findall(r"""(?:src|href)\s*=\s*["'](?!#)[^"']*""", html) == []
    assert "@import" not in html
    assert "url(" not in html


def test_only_our_own_script_and_style_are_obeyed(few: Result) -> None:
    html = to_html(few)
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)[0].replace("&#39;", "'")
    for tag, rule in (("style", "style-src"), ('script type="module"', "script-src")):
        text = re.findall(rf"<{tag}>(.*?)</{tag.split()[0]}>", html, re.S)[0]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{rule} 'sha256-{digest}';" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


def test_no_script_parses_markup() -> None:
    banned = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|setHTML|\beval\b"
        r"|new Function|setAttribute\([\"']style|javascript:"
    )
    assert [(file.name, found) for file in SCRIPTS for found in banned.findall(file.read_text("utf-8"))] == []
    assert [file.name for file in TEMPLATES if re.search(r"\|\s*safe|\son\w+=", file.read_text("utf-8"))] == []


def test_every_script_is_in_the_page(few: Result) -> None:
    html = to_html(few)
    assert [file.name for file in SCRIPTS if file.read_text("utf-8") not in html] == []


def test_every_word_of_the_page_is_said_and_every_said_word_is_there() -> None:
    said = re.compile(r'(?:\b(?:word|say|label|pathList)\(|"data-(?:word|label)": )"(\w+)"')
    found = {key for file in (*SCRIPTS, *TEMPLATES) for key in said.findall(file.read_text("utf-8"))}
    put_together = {f"page_{name}" for name in (
        *("prediction", "reference", "substitutions", "deletions", "insertions"), *("better_higher", "better_lower"),
        *("light", "dark"),
        *(f"outcome_{kind}" for kind in get_args(LeafOutcome)),
        *(f"span_{kind}" for kind in ("violated", "hallucinated", "used", "supported")),
    )}  # fmt: skip
    put_together |= {"clusters", "paired_by", "regressions", "sample", "unpaired"}  # columns of some comparisons
    assert found - {key for key in found if key.endswith("_")} | put_together == set(WORDS)


def test_data_cannot_end_its_script() -> None:
    text = to_script({"a": "</script><!--<script>\u2028"})
    assert "<" not in text
    assert json.loads(text) == {"a": "</script><!--<script>\u2028"}


def test_hostile_texts_are_no_markup_anywhere(hostile: Result) -> None:
    html = to_html(hostile)
    assert html.count("<img") == 0
    assert html.count("<svg onload") == 0
    assert html.count("<script") == html.count("</script>") == 2
    assert "49" not in re.findall(r"<h1>.*?</h1>", html)[0]


def test_the_worst_come_first_with_their_evidence(few: Result) -> None:
    data = data_of(to_html(few, samples=3))
    values = data["rows"]["values"][0]
    assert values == sorted(values)
    assert sorted(data["details"]) == ["0", "1", "2"]
    assert len(data_of(to_html(few, samples=None))["details"]) == 9
    assert data_of(to_html(few, samples=0))["details"] == {}


def test_a_sample_without_a_value_comes_last(plugin: Callable[..., Any]) -> None:
    result = evaluate([{"id": "n", "prediction": "a", "reference": None}, {"prediction": "b", "reference": "a"}],
                      plugin("marks:Marks"))  # fmt: skip
    assert data_of(to_html(result))["rows"]["ids"][-1] == "n"


def test_what_systems_made_of_one_sample_stays_together(plugin: Callable[..., Any]) -> None:
    samples = [Sample(f"s{at}", str(at * n), "0", system=f"m{n}") for n in (0, 1) for at in range(4)]
    rows = data_of(to_html(evaluate(samples, plugin("shown:Shown"))))["rows"]
    assert [rows["ids"][at] == rows["ids"][at + 1] for at in range(0, 8, 2)] == [True] * 4


def test_the_page_speaks_the_chosen_language_and_carries_both(few: Result) -> None:
    choose_language("ko")
    html = to_html(few)
    assert '<html lang="ko">' in html
    assert ">요약</span>" in html
    assert set(data_of(html)["words"]) == {"en", "ko"}


def test_same_run_same_page(few: Result) -> None:
    assert to_html(few) == to_html(few)


def test_an_index_leads_to_every_report(few: Result) -> None:
    html = to_index({"text/report.html": few.summary, "a%20b/report.html": few.summary})
    assert re.findall(r'href="([^"]*)"', html) == ["text/report.html", "a%20b/report.html"]
