"""A plug-in's own view of its evidence in a real browser: two languages, mistakes in it, hostile texts in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from jatdae.core.contract import Sample
from jatdae.core.registry import lend, load_class
from jatdae.report.pages import to_html
from jatdae.run.api import evaluate

from .conftest import HOSTILE, Opened

SOURCE = '''
from jatdae import Issue, IssueKind, Metric, Outcome, TextEvaluator, evaluator

METRICS = [Metric("stars", "higher", worst=0.0)]

@evaluator("stars", metrics=METRICS, issues=[IssueKind("dim")], composed_of=[TextEvaluator])
class Stars:
    """Counts stars."""
    def score(self, sample):
        aligned = TextEvaluator().score(sample).evidence
        evidence = {"stars": {"stars": len(sample.prediction), "by": "hand"}, "aligned": aligned}
        return Outcome({"stars": 1.0}, evidence=evidence, issues=(Issue("dim", "seen by eye"),))
'''
VIEW = """
// A view with names of its own that are those of tools, too.
const table = "★";
view((evidence) => typeof evidence.stars === "number", show);

function show({ stars }) {
  return [
    el("p", { class: "sky", ...label("sky") }, table.repeat(stars), " ", word("counted", { n: stars })),
    el("p", { class: "common" }, word("prediction"), " ", word("step"), " ", word("unheard_of"), " ",
      String(knows("counted"))),
    svg("svg", { class: "drawing", width: 90, height: 20 },
      svg("text", { y: 15 }, word("counted", { n: grouped(stars) }))),
    el("p", null, say("counted", { n: number(0.5, "%") })),
  ];
}
"""
STYLE = ".sky { color: rgb(1, 2, 3); background: white; }"
WORDS = {
    "en": {"counted": "{n} stars", "sky": "The sky", "step": "a step of stars"},
    "ko": {"counted": "별 {n}개", "sky": "하늘", "step": "별의 단계"},
}
MEANINGS = {"en": ("how many stars", "too dark to see"), "ko": ("별의 수", "너무 어둡습니다")}

Made = Callable[..., str]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    """`made(script=…, style=…, words=…)`: the page of a run of a plug-in with its files in a folder of its own."""

    def page(
        *, script: str = VIEW, style: str = STYLE, words: dict[str, dict[str, str]] = WORDS, lent: bool = True
    ) -> str:
        folder = tmp_path / "plug-in"
        folder.mkdir()
        (folder / "stars.py").write_text(SOURCE)
        (folder / "evidence.js").write_text(script)
        (folder / "evidence.css").write_text(style)
        for language, (metric, issue) in MEANINGS.items():
            said = [f"{json.dumps(key)} = {json.dumps(text)}" for key, text in words[language].items()]
            tables = ["[metrics]", f'stars = "{metric}"', "[issues]", f'dim = "{issue}"', "[words]", *said]
            (folder / f"messages.{language}.toml").write_text("\n".join(tables) + "\n")
        target = f"{folder / 'stars.py'}:Stars"
        cls = lend(target) if lent else load_class(target)
        return to_html(evaluate([Sample("1", "aaa", "abc"), Sample("2", "aa", "abd")], cls()))

    return page


def test_a_plug_in_draws_its_evidence_in_both_languages(made: Made, opened: Callable[..., Opened]) -> None:
    shown = opened(made(), at="#sample=1")
    detail = shown.page.locator("#detail")
    assert detail.locator(".sky").inner_text() == "★★★ 3 stars"
    assert detail.locator(".sky").get_attribute("aria-label") == "The sky"
    assert detail.locator(".sky").evaluate("each => getComputedStyle(each).color") == "rgb(1, 2, 3)"
    assert detail.locator(".common").inner_text() == "Prediction a step of stars unheard_of true"
    assert detail.locator(".drawing text").text_content() == "3 stars"
    assert detail.get_by_text("50.00 % stars").count() == 1
    detail.locator(".issues summary").click()
    assert detail.locator(".problems").inner_text().split("\n") == ["dim too dark to see", "seen by eye"]
    assert shown.serious() == []
    shown.page.evaluate("document.getElementById('language').click()")
    assert detail.locator(".sky").inner_text() == "★★★ 별 3개"
    assert detail.locator(".sky").get_attribute("aria-label") == "하늘"
    assert detail.locator(".common").inner_text() == "예측 별의 단계 unheard_of true"
    assert detail.locator(".drawing text").text_content() == "별 3개"
    assert "너무 어둡습니다" in detail.locator(".problems").inner_text()
    assert "너무 어둡습니다" in shown.page.locator("table.words").inner_text()
    shown.page.keyboard.press("Escape")
    shown.page.locator("table.numbers tbody .term").first.click()
    assert shown.page.locator("#about").inner_text().startswith("별의 수")


def test_a_word_of_one_view_is_not_that_of_another(made: Made, opened: Callable[..., Opened]) -> None:
    """Both have a `step`: the plug-in, and the view of texts that it is composed of."""
    shown = opened(made(), at="#sample=1")
    assert shown.page.locator("#detail .common").inner_text().split(" ", 1)[1].startswith("a step of stars")
    assert shown.page.locator("#detail .prose").count() == 2
    assert 'data-word="view:text:substitutions"' in shown.page.locator("#detail").inner_html()
    assert shown.page.evaluate("[typeof view, typeof el, typeof show]") == ["undefined"] * 3


def test_a_plug_in_that_is_not_named_shows_codes_messages_and_a_tree(made: Made, opened: Callable[..., Opened]) -> None:
    html = made(lent=False)
    assert "★" not in html
    assert "too dark to see" not in html
    shown = opened(html, at="#sample=1")
    assert shown.page.locator("#detail .tree").count() == 1
    shown.page.locator("#detail .issues summary").click()
    assert shown.page.locator("#detail .problems").inner_text() == "dim seen by eye"
    assert shown.page.locator("table.words td").last.inner_text() == "–"


BROKEN = {
    "a syntax error": "view(() => true, (evidence) => {",
    "an exception": "view(() => true, () => null.none); undefinedName();",
    "an exception in fits": "view((evidence) => evidence.none.none, () => 'never');",
    "an exception in show": "view((evidence) => 'stars' in evidence, () => { throw new Error('broken'); });",
    "no functions": "view('stars', 'shown');",
    "the end of its function": "}}]); throw new Error('out'); (({{ //",
    "an import": "import 'https://example.org/x.js';",
}


@pytest.mark.parametrize("script", BROKEN.values(), ids=BROKEN)
def test_a_broken_view_leaves_the_page_and_a_tree(made: Made, opened: Callable[..., Opened], script: str) -> None:
    shown = opened(made(script=script), at="#sample=1")
    assert shown.page.locator("#detail .tree").first.is_visible()
    shown.page.keyboard.press("j")
    assert shown.page.inner_text("#detail-title") == "2"
    assert shown.page.locator("#detail .tree").first.is_visible()
    shown.page.keyboard.press("Escape")
    shown.page.click("#language")
    assert shown.page.inner_text("#headline") == "요약"
    assert shown.serious() == []
    shown.complaints.clear()  # the author of the view is told in the console


def test_a_view_that_is_broken_leaves_those_of_others(made: Made, opened: Callable[..., Opened]) -> None:
    shown = opened(made(script=BROKEN["a syntax error"]), at="#sample=1")
    assert shown.page.locator("#detail .prose .run").count() > 0
    shown.complaints.clear()


def test_hostile_texts_in_a_view_are_inert(made: Made, opened: Callable[..., Opened]) -> None:
    words = {
        language: {**each, "counted": HOSTILE, HOSTILE: HOSTILE, "__proto__": "x"} for language, each in WORDS.items()
    }
    hostile = "</script><script>window.hacked=1</script><!--<script>"
    script = f'{VIEW}\n// {hostile}\nview((e) => e.by, () => "");\nconst told = "{hostile}<\\/SCRIPT >";\n'
    script = script.replace('word("unheard_of")', f"told, word({json.dumps(HOSTILE)})")
    style = f'{STYLE} .sky::after {{ content: "</style><img src=x onerror=window.hacked=1>"; }}'
    shown = opened(made(script=script, style=style, words=words), at="#sample=1")
    for _ in ("en", "ko"):
        assert hostile in shown.page.locator("#detail .common").inner_text()
        assert "</script><img" in shown.page.locator("#detail .sky").inner_text()
        assert shown.page.evaluate("window.hacked") is None
        assert shown.page.locator("img, iframe, object, embed, form").count() == 0
        shown.page.evaluate("document.getElementById('language').click()")
    content = shown.page.locator("#detail .sky").evaluate("each => getComputedStyle(each, '::after').content")
    assert content == '"</style><img src=x onerror=window.hacked=1>"'


def test_a_view_loads_nothing(made: Made, opened: Callable[..., Opened]) -> None:
    """The policy of the page holds for plug-ins as well."""
    script = (
        VIEW
        + """
    for (const tag of ["script", "img", "iframe"]) document.body.append(el(tag, { src: "https://example.org/" }));
    const hack = "window.hacked = 1";
    document.body.append(el("script", null, hack), el("p", { onclick: hack, id: "press" }, "x"));
    fetch("https://example.org/").catch(() => {});
    """
    )
    shown = opened(made(script=script, style="@import 'https://example.org/x.css';"))
    shown.page.locator("#press").click()
    assert shown.page.evaluate("window.hacked") is None
    assert shown.complaints != []
    others = [told for told in shown.complaints if "Content Security Policy" not in told]
    assert [told for told in others if not told.startswith("asks for")] == []  # asked for, and not let out
    shown.complaints.clear()
