"""The one reader of configuration files: all errors at once, with places, in both languages, of YAML and JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

import jsonschema_rs
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, field_validator

from jatdae.core.configfile import MOST_SHOWN, Part, parse_config, parse_source, read_config, schema_of
from jatdae.core.errors import UsageError
from jatdae.core.messages import say, speaking
from jatdae.core.yamlfile import MAX_DEPTH, parse_yaml


class Rule(Part):
    """A rule."""

    name: str
    """What it is called."""
    weight: Annotated[float, Field(gt=0, le=1)] = 1.0
    """How much it counts."""
    kind: Literal["hard", "soft"] = "soft"
    """How it is applied."""

    @field_validator("name")
    @classmethod
    def _check(cls, name: str) -> str:
        if name == "bad":
            raise ValueError(say("config_missing", key="good"))
        return name


class Book(Part):
    """A book of rules."""

    title: str
    """Its title."""
    rules: list[Rule | str] = Field(default_factory=list)
    """Its rules; a bare string is the name of one."""
    limits: dict[str, int] = Field(default_factory=dict, max_length=3)
    """Numbers by name."""
    deep: bool | None = None
    """Whether it is deep."""


GOOD = {"title": "a", "rules": ["x", {"name": "y", "weight": 0.5}], "limits": {"n": 3}, "deep": None}


def told(content: str, name: str = "book.yaml") -> list[str]:
    with pytest.raises(UsageError) as error:
        parse_config(content.encode(), name, Book)
    return str(error.value).splitlines()


def test_a_file_becomes_what_its_model_says(tmp_path: Path) -> None:
    for name, text in (("book.yaml", yaml.safe_dump(GOOD)), ("book.json", json.dumps(GOOD))):
        (tmp_path / name).write_text(text)
        read = read_config(tmp_path / name, Book)
        assert read.content == Book.model_validate(GOOD)
        assert len(read.sha256) == 64
        assert read.place(("title",)).startswith(f"{tmp_path / name}:")


def test_a_file_may_be_prepared_and_an_empty_one_is_an_empty_mapping() -> None:
    assert parse_config(b"", "f.yaml", dict[str, int]).content == {}
    assert parse_config(b"a: 1", "f.yaml", Book, lambda given: {"title": str(given["a"])}).content.title == "1"


def test_a_missing_file_is_told_in_the_chosen_language() -> None:
    for language, words in (("en", "no such file or folder"), ("ko", "파일이나 폴더가 없습니다")):
        with speaking(language), pytest.raises(UsageError, match=words):
            read_config("none.yaml", Book)


def test_all_errors_are_told_at_once_in_the_order_of_their_lines() -> None:
    text = "limits:\n  n: many\n  m: 1.5\nrules:\n- name: y\n  wieght: 3\n- name: z\n  weight: 3\n- {name: bad}\n"
    text += "deep: maybe\n"
    assert told(text) == [
        "book.yaml:1 (title): the key 'title' is missing",
        "book.yaml:2 (limits.n): must be an integer, not 'many'",
        "book.yaml:3 (limits.m): must be an integer, not 1.5",
        "book.yaml:6 (rules[0].wieght): unknown key 'wieght'. Did you mean 'weight'? Keys: name, weight, kind",
        "book.yaml:8 (rules[1].weight): must be ≤ 1, not 3",
        "book.yaml:9 (rules[2].name): the key 'good' is missing",
        "book.yaml:10 (deep): must be true or false, not 'maybe'",
    ]


def test_the_same_errors_are_told_of_json_with_its_lines() -> None:
    text = '{\n "title": 3,\n "rules": [\n  {"name": "y",\n   "kind": "sfot"}],\n "more": []\n}'
    assert told(text, "book.json") == [
        "book.json:2 (title): must be a string, not 3",
        "book.json:5 (rules[0].kind): 'sfot': unknown value. Did you mean 'soft'? Choices: hard, soft",
        "book.json:6 (more): unknown key 'more'. Keys: title, rules, limits, deep",
    ]


def test_of_a_union_what_fits_nothing_is_told_with_all_that_would_fit() -> None:
    assert told("title: a\nrules: [3]\n") == [
        "book.yaml:2 (rules[0]): must be a mapping of keys to values or a string, not 3"
    ]


def test_everything_is_told_in_korean() -> None:
    with speaking("ko"):
        lines = told("limits: {a: 1, b: 2, c: 3, d: x}\nrules: [3, {nam: y, weight: 0, kind: 1}]\ndeep: 7\nextra: 1\n")
    assert len(lines) >= 6
    for line in lines:
        words = line.partition("): ")[2]
        assert any("가" <= character <= "힣" for character in words), line


def test_a_key_cannot_break_the_line_of_its_message() -> None:
    assert told('title: a\nlimits: {"x\\ny\\e[1m": z}\n') == [
        r"book.yaml:2 (limits.x\ny\x1b[1m): must be an integer, not 'z'"
    ]


def test_many_errors_are_cut() -> None:
    lines = told("title: a\nlimits:\n" + "".join(f"  k{at}: x\n" for at in range(50)))
    assert len(lines) == MOST_SHOWN + 1
    assert lines[-1] == f"… and {50 - MOST_SHOWN} more"


def test_checks_beyond_the_model_are_told_together_too() -> None:
    read = parse_config(b"title: a\nlimits:\n  n: 3\n  m: 4\n", "book.yaml", Book)
    assert read.one_of(("title",), "a", ["a", "b"])
    read.finish()
    assert not read.one_of(("limits", "m"), "lenght", ["length", "depth"])
    read.complain(("limits", "n"), "too small")
    with pytest.raises(UsageError) as error:
        read.finish()
    assert str(error.value).splitlines() == [
        "book.yaml:3 (limits.n): too small",
        "book.yaml:4 (limits.m): unknown name 'lenght'. Did you mean 'length'? Known: length, depth",
    ]


HOSTILE = {
    "duplicate key": ('{"a": 1,\n "a": 2}', "f.json:2: duplicate key 'a' (first in line 1)."),
    "duplicate key below": ('{"x": {"a": 1,\n "b": 2,\n "b": 3}}', "f.json:3: duplicate key 'b' (first in line 2)."),
    "duplicate key of YAML": ("a: 1\na: 2\n", "f.yaml:2: duplicate key 'a' (first in line 1)."),
    "NaN": ('{"a": NaN}', "f.json:1: NaN is not a JSON number."),
    "infinity": ('{"a":\n -Infinity}', "f.json:2: -Infinity is not a JSON number."),
    "broken JSON": ('{"a": [1,\n 2}', "f.json:2:3: not valid JSON."),
    "text after JSON": ("{} {}", "f.json:1:4: not valid JSON."),
    "broken YAML": ("a: [1, 2\nb: 3", "f.yaml:2: not valid YAML ("),
    "tab in YAML": ("a:\n\tb: 1", "f.yaml:2: not valid YAML ("),
    "not UTF-8": (b"a: 1\nb: \xff\n", "f.yaml:2: not valid UTF-8."),
    "JSON that is not UTF-8": (b'{"a": 1,\n"b": "\xff"}', "f.json:2: not valid UTF-8."),
    "deep YAML": ("- " * 200 + "x", "f.yaml:1: nested deeper than 100 levels."),
    "JSON of brackets": ("[" * 200_000, "f.json: nested deeper than 100 levels."),
    "deep JSON": ("[" * 200 + "]" * 200, "f.json: nested deeper than 100 levels."),
    "alias": ("a: &x 1\nb: *x\n", "f.yaml:2: aliases (*x) are not supported"),
    "control character": ("a: \x07", "f.yaml:1: "),
}


@pytest.mark.parametrize(("content", "said"), HOSTILE.values(), ids=HOSTILE)
def test_what_is_no_plain_file_is_refused_with_its_place(content: str | bytes, said: str) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    with pytest.raises(UsageError) as error:
        parse_source(data, said.partition(":")[0])
    assert str(error.value).startswith(said)


@pytest.mark.parametrize("depth", [100, 101, 150])
def test_json_may_be_as_deep_as_yaml(depth: int) -> None:
    """The same nesting is taken or refused in both forms."""
    for name, text in (("f.json", "[" * depth + "1" + "]" * depth), ("f.yaml", "- " * depth + "1")):
        if depth > MAX_DEPTH:
            with pytest.raises(UsageError, match="nested deeper than 100 levels"):
                parse_source(text.encode(), name)
        else:
            parse_source(text.encode(), name)


WORDS = st.text(st.characters(max_codepoint=0xD7FF), max_size=8)  # JSON writes others as two escapes, YAML as one
SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | WORDS
CONTENT = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.dictionaries(WORDS, CONTENT, min_size=1, max_size=4), st.sampled_from([None, 0, 1, 3]))
def test_places_in_json_are_those_of_the_same_text_read_as_yaml(content: dict[str, Any], indent: int | None) -> None:
    """JSON is YAML, so both readers see the same lines."""
    text = json.dumps(content, ensure_ascii=True, indent=indent)
    as_json, as_yaml = parse_source(text.encode(), "f.json"), parse_yaml(text, "f.yaml")
    assert as_json.value == as_yaml.value == content
    for path in as_yaml.lines:
        assert as_json.line(path) == as_yaml.line(path), path


@settings(max_examples=60, derandomize=True, deadline=None)
@given(CONTENT)
def test_whatever_a_file_holds_it_is_taken_or_refused_in_words(content: Any) -> None:
    text = json.dumps({"title": "a", "rules": content, "limits": content, "deep": content})
    try:
        parse_config(text.encode(), "f.json", Book)
    except UsageError as error:
        assert "Input should" not in str(error)
        assert all(line.startswith(("f.json:", "…")) for line in str(error).splitlines())


def test_the_schema_for_editors_is_that_of_the_model() -> None:
    schema = schema_of(Book)
    jsonschema_rs.meta.validate(schema)
    assert jsonschema_rs.is_valid(schema, GOOD)
    assert not jsonschema_rs.is_valid(schema, {"title": "a", "more": 1})
    assert schema["properties"]["rules"]["description"] == "Its rules; a bare string is the name of one."
    assert schema_of(lambda: {"type": "array"}) == {"type": "array"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": {"tau": 1, "tau": 2},\n "b": {\n "tau": 1}}', "x.json:1: duplicate key 'tau' (first in line 1)"),
        ('{"a": 1,\n "b": {"a": 2},\n "c": [{"a": 1}, {"a": 2}],\n "a": 3}', "x.json:4: duplicate key 'a'"),
        ('{"a": NaN,\n "b": "NaN"}', "x.json:1: NaN"),
        ('{"b": "Infinity",\n "a": [1,\n -Infinity]}', "x.json:3: -Infinity"),
    ],
)  # fmt: skip
def test_what_json_has_twice_or_does_not_know_is_told_with_its_own_line(text: str, told: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_source(text.encode(), "x.json")
    assert str(error.value).startswith(told)


def test_a_choice_of_another_type_is_not_suggested_to_itself() -> None:
    class Turns(Part):
        turns: list[Literal[1, 2]]

    with pytest.raises(UsageError) as error:
        parse_config(b"turns: ['1']", "x.yaml", Turns)
    assert "Did you mean" not in str(error.value)


@pytest.mark.parametrize("number", ["0x" + "f" * 5000, "0o" + "7" * 5000, "9" * 5000])
def test_a_number_beyond_what_can_be_shown_is_text(number: str) -> None:
    assert isinstance(parse_source(f"a: {number}".encode(), "x.yaml").value["a"], str)
