"""`jatdae list EVALUATOR`: everything an evaluator declares, with its meaning, in both languages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from jatdae.core import registry
from jatdae.core.evaluator import options_of, spec_of
from jatdae.core.meanings import meanings_of
from jatdae.core.messages import LANGUAGES

BUNDLED = sorted(
    entry.name for entry in entry_points(group=registry.GROUP) if entry.value.startswith("jatdae.")
)  # the rooms, whatever else is installed
KEYWORDS = f"{Path(__file__).parents[2] / 'examples' / 'keywords' / 'keywords.py'}:Keywords"
WORDS = {
    "en": {"error": "errors", "neutral": "neutral", "info": "info", "warning": "warning"},
    "ko": {"error": "오류", "neutral": "중립", "info": "정보", "warning": "경고"},
}


@pytest.fixture(autouse=True)
def _installed(_own_place: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The evaluators that are really installed, on a terminal of 80 columns."""
    monkeypatch.setattr(registry, "entry_points", entry_points)
    monkeypatch.setenv("COLUMNS", "80")
    registry.available.cache_clear()
    yield
    registry.available.cache_clear()


def together(text: str) -> str:
    """A text without the line breaks and gaps of a table."""
    return " ".join(text.split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [*BUNDLED, "keywords"])
def test_every_name_is_shown_with_its_meaning(jatdae: Callable[..., Any], name: str, language: str) -> None:
    ended = jatdae("list", name, "--plugin", KEYWORDS, "--lang", language)
    assert (ended.status, ended.err) == (0, "")
    assert max(map(cell_len, ended.out.splitlines())) <= 80
    cls = registry.find(name)
    spec, meanings, shown = spec_of(cls), meanings_of(cls), together(ended.out)
    words = WORDS[language]
    arrows = {"higher": "↑", "lower": "↓"}
    wanted = [meanings.of("evaluators", name, language)]
    wanted += [f"{m.name} {arrows[m.better]} {meanings.of('metrics', m.name, language)}" for m in spec.metrics]
    wanted += [f"{o.name} {meanings.of('settings', o.name, language)}" for o in options_of(cls)]
    for issue in spec.issues:
        severity = words[issue.severity].removesuffix("s")  # an issue is an error, a table counts errors
        wanted.append(f"{issue.code} {severity} {meanings.of('issues', issue.code, language)}")
    for count in spec.counts:
        sort = words["error" if count.error else "neutral"]
        wanted.append(f"{count.name} {sort} {meanings.of('counts', count.name, language)}")
    assert [text for text in wanted if together(text) not in shown] == []


SHOWN = {
    "metric": ("text", "primary · compared by default · lower is better · from 0 to ∞ · shown in %"),
    "neither primary nor compared": ("text", "lower is better · from −∞ to ∞ · shown in pp"),
    "choices": ("text", "a string · choices: char, grapheme · default: char"),
    "several types": ("terms", "a string or a path · default: tongue"),
    "number": ("structured", "a number · default: 0.1"),
    "truth": ("structured", "true or false · default: true"),
    "nothing": ("structured", "a path or a mapping of keys to values · default: (none)"),
    "mapping": ("structured", "a mapping of keys to values · default: (none)"),
    "list": ("structured", "a list · default: (none)"),
}


@pytest.mark.parametrize(("name", "shown"), SHOWN.values(), ids=SHOWN)
def test_what_is_declared_beside_the_meaning_is_shown(jatdae: Callable[..., Any], name: str, shown: str) -> None:
    assert shown in together(jatdae("list", name).out)


def test_what_is_declared_beside_the_meaning_is_shown_in_korean(jatdae: Callable[..., Any]) -> None:
    told = together(jatdae("list", "text", "--lang", "ko").out)
    assert "대표 지표 · 기본 비교 대상 · 낮을수록 좋음 · 0에서 ∞까지 · % 단위로 표시" in told
    assert "문자열 · 선택지: char, grapheme · 기본값: char" in told


def test_json_of_one_evaluator_is_what_it_declares(jatdae: Callable[..., Any]) -> None:
    about = json.loads(jatdae("list", "keywords", "--plugin", KEYWORDS, "--json").out)
    assert about == {
        "doc": "Share of the reference's keywords that the prediction contains.",
        "version": 1,
        "metrics": [
            {
                "name": "recall",
                "better": "higher",
                "unit": "%",
                "primary": True,
                "family": True,
                "range": [0.0, 1.0],
                "worst": 0.0,
                "help": "weighted share of the reference's keywords that the prediction contains",
                "formula": "Σ w(keywords found) / Σ w(keywords of the reference)",
                "source": "jatdae",
            }
        ],
        "settings": {
            "keywords": {
                "type": ["path"],
                "default": None,
                "help": "YAML file with the keywords (see `jatdae schema keywords.keywords`).",
            }
        },
        "issues": [
            {"code": "no_keyword", "severity": "info", "help": "the reference contains no keyword"},
            {"code": "shouting", "severity": "warning", "help": "the prediction is in capitals throughout"},
        ],
        "counts": [
            {"name": "missed", "error": True, "help": "keywords of the reference that the prediction lacks"},
            {"name": "found", "error": False, "help": "keywords of the reference that the prediction contains"},
        ],
        "rates": [],
    }


def test_rates_are_listed_with_their_meaning(jatdae: Callable[..., Any]) -> None:
    assert "field ↑" in jatdae("list", "structured").out
    assert [each["name"] for each in json.loads(jatdae("list", "dialogue", "--json").out)["rates"]] == [
        "rule", "rule_violated", "rule_applied",
    ]  # fmt: skip


@pytest.mark.parametrize("name", BUNDLED)
def test_json_is_the_same_in_every_language_and_in_the_list_of_all(jatdae: Callable[..., Any], name: str) -> None:
    alone = jatdae("list", name, "--json").out
    assert jatdae("list", name, "--json", "--lang", "ko").out == alone
    assert json.loads(jatdae("list", "--json").out)[name] == json.loads(alone)


def test_an_end_of_a_range_that_is_infinite_is_null(jatdae: Callable[..., Any]) -> None:
    metrics = {each["name"]: each for each in json.loads(jatdae("list", "text", "--json").out)["metrics"]}
    assert (metrics["cer"]["range"], metrics["delta_bibliography"]["range"]) == ([0.0, None], [None, None])


def test_choices_of_a_setting_are_listed(jatdae: Callable[..., Any]) -> None:
    settings = json.loads(jatdae("list", "text", "--json").out)["settings"]
    assert (settings["unit"]["type"], settings["unit"]["choices"]) == (["string"], ["char", "grapheme"])
    assert "choices" not in settings["normaliser"]


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "Unknown evaluator 'txet'. Did you mean 'text'?"), ("ko", "알 수 없는 평가기입니다: 'txet'. 혹시 'text'")],
)
def test_an_unknown_evaluator_is_told_with_a_near_one(jatdae: Callable[..., Any], language: str, told: str) -> None:
    for form in ([], ["--json"]):
        ended = jatdae("list", "txet", "--lang", language, *form)
        assert (ended.status, ended.out) == (2, "")
        assert told in ended.err


def test_without_a_name_the_table_of_all_stays(jatdae: Callable[..., Any]) -> None:
    ended = jatdae("list", "--plugin", KEYWORDS)
    assert ended.out.splitlines()[1].split() == ["evaluator", "measures", "metrics"]
    assert "keywords" in ended.out
    assert "shouting" not in ended.out


ODD = """
from jatdae import Metric, Outcome, evaluator
@evaluator("odd", metrics=[Metric("[red]m", "higher", worst=0.0)])
class Odd:
    "Something odd."
    limit: float = {default}
    def score(self, sample):
        return Outcome({{"[red]m": 1.0}})
"""


def test_a_default_that_is_no_plain_value_does_not_end_the_list(
    jatdae: Callable[..., Any], write: Callable[..., str]
) -> None:
    plugin = write("odd.py", ODD.format(default="float('inf')")) + ":Odd"
    listed, asked = jatdae("list", "--plugin", plugin), jatdae("list", "odd", "--plugin", plugin)
    assert (listed.status, asked.status, asked.out) == (0, 2, "")
    assert "odd: limit = inf: a setting must be" in together(listed.out)
    assert "odd: limit = inf: a setting must be" in asked.err


def test_names_without_a_meaning_are_shown_and_no_markup_is_read(
    jatdae: Callable[..., Any], write: Callable[..., str]
) -> None:
    shown = jatdae("list", "odd", "--plugin", write("odd.py", ODD.format(default="1.0")) + ":Odd").out
    assert "[red]m ↑  primary" in shown
    assert "limit  a number · default: 1.0" in shown
