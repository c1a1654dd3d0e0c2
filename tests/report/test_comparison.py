"""The comparison page: which samples it holds, which have evidence, and names that fit into its tables."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import jatdae
from jatdae.core.contract import Sample
from jatdae.report.comparison import to_comparison_page
from jatdae.report.differences import NAME_WIDTH, ComparedSystem, short_names
from jatdae.run.api import evaluate
from jatdae.run.stats.compare import compare, together
from jatdae.run.stats.result import Result

Plugin = Callable[..., Any]


@pytest.fixture
def three(plugin: Plugin) -> Result:
    """System c loses more from sample to sample; b gains; of the last sample only a has a value."""
    values = {"a": lambda at: 0.5, "b": lambda at: 0.6, "c": lambda at: 0.5 - at / 100}
    made = [
        Sample(f"s{at:02}", "x", "none" if at == 39 and name != "a" else str(of(at)), system=name)
        for at in range(40)
        for name, of in values.items()
    ]
    return evaluate(made, plugin("letters:Letters"))


def page_of(result: Result, *given: Any, **settings: Any) -> str:
    first, *others = result.systems
    made = [compare(result, result, system_a=first, system_b=name, names=(first, name)) for name in others]
    sides = [ComparedSystem(name, result, name) for name in result.systems]
    return to_comparison_page(sides, together(made), *given, **settings)


def data_of(html: str) -> Any:
    return json.loads(re.findall(r'id="data">(.*?)</script>', html, re.DOTALL)[0])


def test_every_sample_is_there_those_that_lost_most_first(three: Result) -> None:
    html = page_of(three)
    rows = data_of(html)["rows"]
    assert len(rows["ids"]) == 120
    assert rows["ids"][:6] == ["s38"] * 3 + ["s37"] * 3
    assert rows["systems"] == [0, 1, 2] * 40
    assert rows["ids"][-3:] == ["s39"] * 3
    assert "This page has 40 of 40 samples" in html
    assert "samples: 40</span>" in html


@pytest.mark.parametrize(
    ("samples", "explained", "told"),
    [(7, 7, "Samples with evidence: 7"), (0, 0, "Samples with evidence: 0"), (None, 40, "Each has evidence."),
     (100, 40, "Each has evidence.")],
)  # fmt: skip
def test_the_page_says_for_which_samples_it_has_evidence(
    three: Result, samples: int | None, explained: int, told: str
) -> None:
    html = page_of(three, samples)
    found = data_of(html)
    assert {found["rows"]["ids"][int(at)] for at in found["details"]} == set(
        dict.fromkeys(found["rows"]["ids"][: 3 * explained])
    )
    assert told in html
    assert ("jatdae compare … -f html --samples all</span>" in html) == (explained < 40)


def test_a_page_has_room_for_so_many_samples_and_says_so(three: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jatdae.report.comparison.MOST_VALUES", 30)
    html = page_of(three)
    assert len(data_of(html)["rows"]["ids"]) == 30
    assert "this page has 10 of 40 samples" in html.partition('id="verdict"')[0]
    assert "This page has 10 of 40 samples" in html


def test_verdict_and_table_tell_the_same_corrected_p(three: Result) -> None:
    html = page_of(three).replace("\u00a0", " ")
    assert "a is worse than b (p &lt; .001 after Holm over 2 tests)." in html
    assert "<td>&lt; .001</td><td>&lt; .001</td>" in html


def test_long_names_are_cut_inside_where_that_tells_them_apart() -> None:
    long = ["runs/" + "x" * 60 + "/first", "runs/" + "x" * 60 + "/second", "short"]
    made = short_names(long)
    assert made["short"] == "short"
    assert all(len(name) == NAME_WIDTH and "…" in name for name in (made[long[0]], made[long[1]]))
    assert made[long[0]].endswith("/first")
    alike = ["a" * 40 + middle + "b" * 40 for middle in "xy"]
    assert short_names(alike) == {name: name for name in alike}


def test_the_full_name_stands_on_the_page_once(plugin: Plugin) -> None:
    names = ["runs/" + "x" * 60 + "/first", "runs/" + "x" * 60 + "/second"]
    result = evaluate(
        [Sample(str(at), "x", "0.5", system=name) for at in range(3) for name in names], plugin("letters:Letters")
    )
    html = page_of(result).replace("<wbr>", "")
    assert all(html.count(name) == 1 for name in names)


def test_without_texts_samples_are_no_links(three: Result) -> None:
    html = page_of(three, texts=False)
    assert 'href="#sample' not in html
    assert data_of(html)["details"] == {}
    assert 'href="#sample' in page_of(three)


def test_metrics_outside_the_family_may_be_all_that_is_asked_for() -> None:
    made = [Sample(str(at), "a b"[: 1 + 2 * (at % n)], "a b", system=f"m{n}") for at in range(4) for n in (1, 2)]
    result = evaluate(made, "text")
    sides = [ComparedSystem(name, result, name) for name in result.systems]
    asked = compare(
        result, result, system_a="m1", system_b="m2", names=("m1", "m2"), metrics=["body_wer", "cer_normalised"]
    )
    html = to_comparison_page(sides, [asked])
    assert 'id="first"' in html
    assert "Largest improvements" in html


def test_regressions_of_turns_say_what_their_names_are_made_of(three: Result) -> None:
    result = evaluate(Path(jatdae.__file__).parent / "dialogue" / "samples" / "pairs.jsonl", "dialogue")
    assert re.search(
        r"Worst regressions</span> <span class=\"faint\">\(.*sample.* · .*turn.*\)</span>", page_of(result)
    )
    assert "Worst regressions</span></h3>" in page_of(three)
