"""The page as a file: self-contained, small, its words in both languages, hostile input inert."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, get_args

import pytest

from jatdae.core import messages
from jatdae.core.contract import Sample
from jatdae.core.evaluator import family_of, spec_of
from jatdae.core.messages import choose_language
from jatdae.core.registry import find, views_of, working
from jatdae.report.html import OF_SHEETS, WORDS, squeezed, to_script
from jatdae.report.pages import IndexedRun, to_html, to_index
from jatdae.run.api import evaluate
from jatdae.run.stats.result import Result
from jatdae.structured.leaves import LeafOutcome

ASSETS = resources.files("jatdae.report") / "assets"
SCRIPTS = [file for file in ASSETS.iterdir() if file.name.endswith(".js")]
VIEWS = {name: view for evaluator in working() for name, view in views_of(evaluator).items()}
TEMPLATES = [f for f in ASSETS.iterdir() if f.name.endswith(".j2")]


def data_of(html: str) -> dict[str, Any]:
    return dict(json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)[0]))


def words_of(html: str) -> dict[str, list[str]]:
    """Words of a page by kind and key, as its script puts them together."""
    return {kind + key: texts for kind, known in data_of(html)["words"].items() for key, texts in known.items()}


@pytest.fixture
def few(plugin: Callable[..., Any]) -> Result:
    samples = [Sample(f"s{at}", f"{at % 3}", "0", {"part": "ab"[at % 2]}) for at in range(9)]
    return evaluate(samples, plugin("shown:Shown"), slices=["part"])


@pytest.mark.parametrize("name", working())
def test_an_empty_report_is_at_most_120_kb(name: str) -> None:
    """With 2 kB to spare, so that a word more is not one too many."""
    html = to_html(evaluate([], name))
    assert len(html.encode()) <= 118_000


def test_nothing_is_loaded_from_anywhere(few: Result) -> None:
    html = to_html(few)
    assert re.findall(r"""(?:src|href)\s*=\s*["'](?!#)[^"']*""", html) == []
    assert "@import" not in html
    assert "url(" not in html


@pytest.mark.parametrize("name", working())
def test_only_our_own_scripts_and_styles_are_obeyed(few: Result, name: str) -> None:
    html = to_html(replace(few, summary={**few.summary, "evaluator": name}))
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', html)[0].replace("&#39;", "'")
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        texts = re.findall(rf'<{tag}(?: type="module")?>(.*?)</{tag}>', html, re.S)
        hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
        allowed = " ".join(f"'sha256-{each}'" for each in hashes)
        assert len(texts) > 1
        assert f"{rule} {allowed};" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


@pytest.mark.parametrize("name", working())
def test_a_page_has_the_views_of_its_evaluator_and_of_no_other(few: Result, name: str) -> None:
    html = to_html(replace(few, summary={**few.summary, "evaluator": name}))
    own = [spec_of(cls).name for cls in family_of(find(name))]
    assert re.findall(r'evidenceViews \?\?= \[\]\)\.push\(\["(\w+)"', html) == own
    prefixes = {key.split(":")[1] for key in words_of(html) if key.startswith("view:")}
    assert prefixes == set(own)


SHARED = {
    "chip", "faint", "fitting", "legend", "letter", "note", "plain", "problems", "prose", "run", "shown", "side-title",
    "sides", "small-table", "term", "unseen", "wide",
}  # fmt: skip
"""Classes of the page that views of evidence use."""


@pytest.mark.parametrize("name", VIEWS)
def test_no_rule_of_the_page_is_meant_for_something_else_of_that_name_in_a_view(name: str) -> None:
    given = re.findall(r"class: [\"`]([^\"`]*)", VIEWS[name].script)
    used = {each for text in given for each in re.sub(r"\$\{[^}]*\}?", " ", text).split()}
    rules = re.sub(r"/\*.*?\*/|\{[^{}]*\}", " ", (ASSETS / "page.css").read_text("utf-8"), flags=re.S)
    assert used & set(re.findall(r"\.([a-z][\w-]*)", rules)) <= SHARED


def test_no_evaluator_is_named_here() -> None:
    """A report knows evaluators only through the registry."""
    names = "|".join(re.escape(name) for name in working())
    named = re.compile(rf"""["'`/]({names})["'`/.]|\bjatdae\.({names})\b|\b\w+Evaluator\b""")
    svg_text = 'draw(parent, "text"', 'shape.tag != "text"'
    found = []
    for file in Path(str(ASSETS)).parent.rglob("*.*"):
        if file.suffix in (".py", ".js", ".css", ".j2"):
            lines = enumerate(file.read_text("utf-8").splitlines(), 1)
            found += [f"{file.name}:{at}: {line}" for at, line in lines
                      if named.search(line) and not any(each in line for each in svg_text)]  # fmt: skip
    assert found == []


def test_no_script_parses_markup() -> None:
    banned = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|createContextualFragment|setHTML|\beval\b"
        r"|new Function|setAttribute\([\"']style|javascript:"
    )
    scripts = {file.name: file.read_text("utf-8") for file in SCRIPTS}
    scripts |= {name: view.script for name, view in VIEWS.items()}
    assert [(name, found) for name, text in scripts.items() for found in banned.findall(text)] == []
    assert [file.name for file in TEMPLATES if re.search(r"\|\s*safe|\son\w+=", file.read_text("utf-8"))] == []


def test_every_script_is_in_the_page(few: Result) -> None:
    html = to_html(few)
    assert [file.name for file in SCRIPTS if squeezed(file.read_text("utf-8")) not in html] == []


def test_a_script_loses_its_comments_and_no_text() -> None:
    script = (
        'const a = "// no comment"; // goes\n  // goes\n//goes\n\nconst site = `https://x`;\nf(a, // isn\'t sure\nb)\n'
    )
    assert squeezed(script) == 'const a="// no comment";\nconst site=`https://x`;\nf(a, // isn\'t sure\nb)'
    assert squeezed("a(\n  b,\n);\nc = `x; // y\n  z;`;\nd\ne") == "a(b,);c = `x; // y\n  z;`;\nd\ne"


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("  if (a === b) { c = [1, 2]; } else { d(e => f); }", "if(a===b){c=[1,2];}else{d(e=>f);}"),
        ("say(\"a  =  b\", 'c , d');", "say(\"a  =  b\",'c , d');"),
        (r'say("a \" = ", b = c);', r'say("a \" = ",b=c);'),
        ("x = a + +b - -c;", "x=a + +b - -c;"),
        ('x = a + b - (c !== d) - e + "f - g";', 'x=a+b-(c!==d)- e+"f - g";'),
        ("y = a / b = /c = d/;", "y = a / b = /c = d/;"),
        ('the end = of a text";', 'the end = of a text";'),
        ("z = `a = ${b}`;", "z=`a = ${b}`;"),
        ("z = `a = ${b(`c = d`)}`;", "z = `a = ${b(`c = d`)}`;"),
        ('z = `a = ${b["c = d"]}`;', 'z = `a = ${b["c = d"]}`;'),
        ('a = "https://b = c" + d / e;', 'a = "https://b = c" + d / e;'),
        ('a = "b/c = d";', 'a="b/c = d";'),
    ],
)
def test_a_script_loses_blanks_beside_signs_and_none_in_texts(line: str, kept: str) -> None:
    assert squeezed(line) == kept


SAID = re.compile(r'\b(?:word|say|label|pathList)\("(\w+)"')
COMMON = {"and_left_out", "no_match", "prediction", "reference"}
"""Words of the page that views of evidence may use."""


def test_every_word_of_the_page_is_said_and_every_said_word_is_there() -> None:
    sources = [file.read_text("utf-8") for file in (*SCRIPTS, *TEMPLATES)]
    found = {key for text in sources for key in SAID.findall(text)}
    heads = [each for text in sources for each in re.findall(r'\bhead\("(\w+)"(\))?', text)]
    found |= {f"about_{key}" for key, _ in heads if key != "baseline_"} | {key for key, alone in heads if alone}
    put_together = {"page_better_higher", "page_better_lower", "page_light", "page_dark"}
    columns = {"clusters", "paired_by", "unpaired"}  # of some comparisons
    put_together |= {"sample", "about_bar", *columns, *(f"about_{key}" for key in columns)}
    put_together |= {f"about_baseline_{name}" for name in ("constant", "empty", "shuffled")}
    put_together |= {"rates"}  # unless the evaluator has another title
    put_together |= {"about_delta", "about_interval", "about_p", "about_p_holm", "about_pairs"}  # heads for a paper
    put_together |= {"regressions", "improvements", *(f"page_side_{side}" for side in ("a", "b", "better", "worse"))}
    assert found | put_together | {f"page_{key}" for key in COMMON} == set(WORDS)


def test_no_word_of_the_page_counts_one_in_the_plural() -> None:
    known = messages.COMMON.table("messages", "en")
    counted = {key for key in WORDS if re.search(r"(?<!of )\{(?:n|all)\} (?:more )?[a-z]+s\b", known[key])}
    assert counted == {"page_systems"}  # said of more than four


@pytest.mark.parametrize("name", VIEWS)
def test_every_word_of_a_view_is_said_and_every_said_word_is_there(name: str) -> None:
    """A key that is put together stands in a template literal, or comes from a list of the view."""
    view = VIEWS[name]
    of_reports = ("count.", "key.", *OF_SHEETS)
    own = {key for key in view.texts.table("words", "en") if not key.startswith(of_reports)}
    assert set(view.texts.table("words", "en")) == set(view.texts.table("words", "ko"))
    assert set(SAID.findall(view.script)) <= own | COMMON
    starts = re.findall(r"(?:word|translated)\(`(\w+)\$", view.script)
    assert [key for key in own if f'"{key}"' not in view.script and not key.startswith(tuple(starts))] == []


def test_every_outcome_of_a_field_has_a_word() -> None:
    assert {f"outcome_{kind}" for kind in get_args(LeafOutcome)} <= set(VIEWS["structured"].texts.table("words", "en"))


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
    assert words_of(html)["page_headline"] == ["Summary", "요약"]


def test_a_text_that_is_one_in_both_languages_stands_once() -> None:
    words = words_of(to_html(evaluate([], "text")))
    assert {len(texts) for texts in words.values()} == {1, 2}
    assert all(len(set(texts)) == len(texts) for texts in words.values())


def test_same_run_same_page(few: Result) -> None:
    assert to_html(few) == to_html(few)


def test_an_index_leads_to_every_report(few: Result) -> None:
    places = ["text/report.html", "a%20b/report.html"]
    html = to_index([IndexedRun(place, place, few, []) for place in places])
    assert re.findall(r'href="([^"#]*)"', html) == places
    worst = re.findall(r'href="([^"#]*)#sample=[^"]*"', html)
    assert worst == [place for place in places for _ in range(5)]
    assert html.count('class="picture"') == 2


def test_an_index_tells_equal_names_of_different_evaluators_apart() -> None:
    results = [
        evaluate([Sample("x", "{}", '{"a": 1}')], "structured"),
        evaluate([Sample("x", "舌红", "舌淡")], "terms"),
    ]
    html = to_index([IndexedRun(each.summary["evaluator"], "p", each, []) for each in results])
    words = {key: texts[0] for key, texts in words_of(html).items()}
    assert words["metric:0|recall"] == "share of the reference's values that were found"
    assert words["metric:1|recall"] == "similarity of matched terms per reference term"
    assert words["formula:1|f1"] == "2 · S / (|P| + |R|)"
    assert 'data-about="metric:1|score"' in html
