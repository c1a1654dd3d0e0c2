"""From plain values to an evaluator and back."""

from __future__ import annotations

import json
import math
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.core.config import build, check_settings, config_schema, plain, try_build
from jatdae.core.contract import Metric, Outcome, Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import evaluator
from jatdae.core.messages import near, speaking
from jatdae.core.registry import load_class
from jatdae.documents import DocumentEvaluator

KINDS = load_class(f"{Path(__file__).parents[1] / 'plugins' / 'kinds.py'}:Kinds")

WORDS = st.text(string.ascii_letters + string.digits + " _-+|:한글é", max_size=12)
CONFIGS = st.fixed_dictionaries(
    {},
    optional={
        "truth": st.booleans(),
        "count": st.integers(-(10**20), 10**20),
        "share": st.floats(allow_nan=False, allow_infinity=False),
        "word": WORDS,
        "choice": st.sampled_from(["first", "second"]),
        "shade": st.sampled_from(["dark", "pale"]),
        "steps": st.lists(WORDS, max_size=4),
        "names": st.lists(WORDS, max_size=4),
        "marks": st.lists(WORDS, max_size=4, unique=True).map(sorted),
        "weights": st.dictionaries(WORDS, st.floats(allow_nan=False, allow_infinity=False), max_size=4),
        "file": st.none() | st.sampled_from(["a.txt", "/b/c.txt"]),
        "files": st.none() | st.lists(st.sampled_from(["a.txt", "b.txt"]), max_size=3),
    },
)


@settings(max_examples=80, derandomize=True, deadline=None)
@given(CONFIGS)
def test_plain_values_come_back_as_they_went_in(config: dict[str, Any]) -> None:
    made = build(KINDS, config)
    written = json.loads(json.dumps(plain(made)))
    assert {key: written[key] for key in config} == config
    assert build(KINDS, written) == made


@settings(max_examples=40, derandomize=True, deadline=None)
@given(CONFIGS)
def test_the_schema_takes_what_build_takes(config: dict[str, Any]) -> None:
    assert jsonschema_rs.is_valid(config_schema(KINDS), config)


REFUSED = {
    "unknown key": ({"cuont": 1}, "kinds: unknown setting 'cuont'. Did you mean 'count'? Settings: truth, count"),
    "far key": ({"zzz": 1}, "unknown setting 'zzz'. Settings:"),
    "text for a number": ({"count": "many"}, "kinds: count: must be an integer, not 'many'."),
    "part of a whole": ({"count": 1.5}, "count: must be an integer, not 1.5."),
    "list for a text": ({"word": ["a"]}, 'word: must be a string, not ["a"].'),
    "no such choice": ({"choice": "third"}, "choice: 'third': unknown value. Choices: first, second."),
    "text for a list": ({"steps": "trim"}, "steps: must be a list, not 'trim'."),
    "wrong item": ({"steps": ["trim", 1]}, "steps.1: must be a string, not 1."),
    "wrong value in a table": ({"weights": {"a": "heavy"}}, "weights.a: must be a number, not 'heavy'."),
    "number for a file": ({"file": 3}, "kinds: file: must be a path, not 3."),
}


@pytest.mark.parametrize(("config", "told"), REFUSED.values(), ids=REFUSED)
def test_a_value_that_does_not_fit_is_refused_by_name(config: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as error:
        build(KINDS, config)
    assert told in str(error.value)
    assert not jsonschema_rs.is_valid(config_schema(KINDS), config)


def test_a_value_that_none_of_several_types_takes_is_told_what_each_would() -> None:
    with pytest.raises(UsageError) as error:
        build(DocumentEvaluator, {"structured": {"ocr": "maybe", "vlm": "maybe"}})
    assert str(error.value).splitlines() == [
        "documents: structured.ocr: 'maybe': unknown value. Choices: auto, true or false.",
        "documents: structured.vlm: 'maybe': unknown value. Choices: auto, true or false.",
    ]


def test_a_number_that_json_does_not_know_is_refused() -> None:
    for config in ({"share": float("nan")}, {"weights": {"a": float("inf")}}):
        with pytest.raises(UsageError, match="a finite number"):
            build(KINDS, config)


def test_a_renamed_key_is_refused_with_its_new_name() -> None:
    for language, told in (("en", "Did you mean 'count'?"), ("ko", "혹시 'count'인가요?")):
        with speaking(language), pytest.raises(UsageError) as error:
            build(KINDS, {"how_many": 1})
        assert told in str(error.value)
    assert "Did you mean" not in near("how_many", ["low"])  # another evaluator's settings


def test_all_settings_that_do_not_fit_are_told_at_once() -> None:
    config = {"cuont": 1, "count": "x", "steps": ["trim", 1], "truth": True}
    with pytest.raises(UsageError) as error:
        build(KINDS, config)
    assert [line.partition(" ")[0] for line in str(error.value).splitlines()] == ["kinds:"] * 3
    made, problems = try_build(KINDS, config)
    assert made is None
    assert [path for path, _ in problems] == [("cuont",), ("count",), ("steps", 1)]
    assert try_build(KINDS, {"count": 2}) == (build(KINDS, {"count": 2}), [])


def test_a_long_value_is_cut_in_the_message() -> None:
    with pytest.raises(UsageError) as error:
        build(KINDS, {"count": "9" * 5_000_000 + "x"})
    assert len(str(error.value)) < 400


def test_what_an_evaluator_refuses_itself_is_told() -> None:
    for config, told in (({"low": 2}, "range: low is above high."), ({"high": -1}, "high must not be negative")):
        with pytest.raises(UsageError) as error:
            build(Range, config)
        assert str(error.value) == told
    with pytest.raises(UsageError, match=r"^range: unknown setting 'hihg'"):
        build(Range, {"high": -1, "hihg": 1})


def test_a_field_that_no_file_could_hold_is_refused() -> None:
    with pytest.raises(UsageError, match="range: low ="):
        plain(Range(low=object()))  # type: ignore[arg-type]


def test_the_schema_describes_every_field() -> None:
    schema = config_schema(KINDS)
    jsonschema_rs.meta.validate(schema)
    assert schema["properties"]["truth"]["description"] == "Yes or no."
    assert schema["properties"]["count"]["default"] == 3
    assert schema["description"] == "A field of every kind."
    assert schema["additionalProperties"] is False


def test_an_evaluator_without_fields_has_a_schema(plugin: Callable[..., Any]) -> None:
    schema = config_schema(type(plugin("exactly:Exactly")))
    assert jsonschema_rs.is_valid(schema, {})
    assert not jsonschema_rs.is_valid(schema, {"anything": 1})


@evaluator("range", metrics=[Metric("score", "higher", worst=0.0)])
class Range:
    """Refuses what its fields alone would take."""

    low: int = 0
    high: int = 1

    def __post_init__(self) -> None:
        if self.high < 0:
            raise UsageError("high must not be negative")
        if isinstance(self.low, int) and self.low > self.high:
            raise ValueError("low is above high")

    def score(self, sample: Sample) -> Outcome:
        return Outcome({"score": 1.0})


@evaluator("limits", metrics=[Metric("score", "higher", worst=0.0)])
class Limits:
    """Has settings with choices and ranges."""

    mode: Literal["block", "heading"] = "block"
    most: int | None = 5
    share: float = 0.5

    def __post_init__(self) -> None:
        check_settings(self, most=(1, math.inf), share=(0, 1))

    def score(self, sample: Sample) -> Outcome:
        return Outcome({"score": 1.0})


LIMITS = {
    "choice": (
        {"mode": "blokc"},
        "limits: mode = 'blokc': unknown value. Did you mean 'block'? Choices: block, heading.",
    ),
    "below": ({"most": 0}, "limits: most = 0: must be 1 or more."),
    "outside": ({"share": 1.5}, "limits: share = 1.5: must be from 0 to 1."),
    "not a number": ({"share": float("nan")}, "limits: share = nan: must be from 0 to 1."),
}


@pytest.mark.parametrize(("given", "told"), LIMITS.values(), ids=LIMITS)
def test_settings_beyond_their_choices_or_range_are_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as error:
        Limits(**given)
    assert str(error.value) == told
    with speaking("ko"), pytest.raises(UsageError, match=r"[가-힣]"):
        Limits(**given)


def test_settings_at_the_ends_of_their_range_are_taken() -> None:
    assert Limits(most=1, share=0) == Limits(most=1, share=0.0)
    assert Limits(most=None, share=1).share == 1
