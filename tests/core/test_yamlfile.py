"""YAML as configuration: plain values only, and a line for whatever is wrong."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from jatdae.core import yamlfile
from jatdae.core.configfile import read_bytes
from jatdae.core.errors import UsageError
from jatdae.core.yamlfile import MAX_BYTES, MAX_FILE_BYTES, parse_yaml, read_whole, read_yaml, refuse_endless


@pytest.fixture(params=["C", "Python"], autouse=True)
def _both_parsers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """libyaml is not everywhere; without it the same must hold."""
    if request.param == "Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    elif not hasattr(yaml, "CSafeLoader"):
        pytest.skip("PyYAML was built without libyaml")


SCALARS: dict[str, Any] = {
    "no": "no", "No": "No", "off": "off", "on": "on", "yes": "yes", "y": "y", "true": True, "True": True,
    "FALSE": False, "~": None, "null": None, "": None, "nULL": "nULL", "17": 17, "-17": -17, "+17": 17, "017": 17,
    "0o17": 15, "0x1F": 31, "0b11": "0b11", "1_000": "1_000", "1:30": "1:30", "1.5": 1.5, ".5": 0.5, "5.": 5.0,
    "1e3": 1000.0, "-1.5E-3": -0.0015, "1e": "1e", ".": ".", "1e999": "1e999", "9" * 5000: "9" * 5000, ".inf": ".inf",
    ".nan": ".nan", "2026-01-02": "2026-01-02", "'17'": "17", '"no"': "no", "!!str 17": "17", "1.2.3": "1.2.3",
    "한글": "한글", "|-\n  two\n  lines": "two\nlines",
}  # fmt: skip


@pytest.mark.parametrize(("written", "meant"), SCALARS.items(), ids=[text[:12] for text in SCALARS])
def test_scalars_are_those_of_yaml_1_2(written: str, meant: Any) -> None:
    value = parse_yaml(f"key: {written}\n", "f").value["key"]
    assert (value, type(value)) == (meant, type(meant))


def test_lists_and_tables_nest_and_keys_are_texts() -> None:
    text = "a:\n- 1\n- b: [x, {c: d}]\n1: one\nno: two\n'null': three\n"
    assert parse_yaml(text, "f").value == {"a": [1, {"b": ["x", {"c": "d"}]}], "1": "one", "no": "two", "null": "three"}


@pytest.mark.parametrize("text", ["", "# only words\n", "---\n", "\ufeff"])
def test_an_empty_file_says_nothing(text: str) -> None:
    assert parse_yaml(text.encode(), "f").value is None


REFUSED: dict[str, tuple[str | bytes, int, str]] = {
    "duplicate key": ("a: 1\nb: 2\na: 3\n", 3, "duplicate key 'a' (first in line 1)"),
    "duplicate key deep down": ("a:\n  b: 1\n  c: 2\n  b: 3\n", 4, "duplicate key 'b' (first in line 2)"),
    "alias": ("a: &x 1\nb: *x\n", 2, "aliases (*x)"),
    "merge": ("a: &x {b: 1}\nc:\n  <<: *x\n", 3, "aliases (*x)"),
    "billion laughs": (
        "a: &a [lol]\n" + "".join(f"{b}: &{b} [{f'*{a}, ' * 9}*{a}]\n" for a, b in pairwise("abcdefghi")),
        2, "aliases (*a)",
    ),
    "alias as key": ("a: &x 1\n*x : 2\n", 2, "a key must be a string"),
    "list as key": ("a: 1\n? [b]\n: 2\n", 2, "a key must be a string"),
    "object": ("a: 1\nb: !!python/object:os.system {}\n", 2, "python/object:os.system"),
    "call": ("a: !!python/object/apply:os.system [ls]\n", 1, "python/object/apply:os.system"),
    "tagged text": ("a:\n- !!python/name:os.system x\n", 2, "python/name:os.system"),
    "tagged key": ("a: 1\n!!python/name:os.system b: 1\n", 2, "python/name:os.system"),
    "number by tag": ("a: !!int '3'\n", 1, "2002:int"),
    "set": ("a: !!set {x, y}\n", 1, "2002:set"),
    "own tag": ("a: !include other.yaml\n", 1, "!include"),
    "text tag on a list": ("a: !!str [x]\n", 1, "2002:str"),
    "second document": ("a: 1\n---\nb: 2\n", 2, "a second document"),
    "tab": ("a:\n\t- b\n", 2, "cannot start any token"),
    "unclosed": ("a: 1\nb: [1, 2\n", 3, "expected"),
    "unclosed text": ('a: 1\nb: "x\n', 3, "end of stream"),
    "two values": ("a: 1\nb: 2: 3\n", 2, "mapping values are not allowed"),
    "NUL": ("a: 1\nb: x\0y\n", 2, "U+0000"),
    "escape": ("a: 1\n\nb: \x1b[31m\n", 3, "U+001B"),
    "half a surrogate": ("a: \ud800\n", 1, "U+D800"),
    "not UTF-8": (b"a: 1\nb: \xff\n", 2, "not valid UTF-8"),
    "UTF-16": ("a: 1\n".encode("utf-16"), 1, "not valid UTF-8"),
    "deep lists": ("a: 1\nb: " + "[" * 100_000, 2, "nested deeper than 100 levels"),
    "deep closed lists": ("[" * 100_000 + "]" * 100_000, 1, "nested deeper than 100 levels"),
    "deep tables": ("{a: " * 100_000, 1, "nested deeper than 100 levels"),
    "deep dashes": ("- " * 100_000, 1, "nested deeper than 100 levels"),
    "directive": ("%YAML 3.0\n---\na: 1\n", 1, "incompatible"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "line", "told"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_plain_is_refused_with_its_line(text: str | bytes, line: int, told: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_yaml(text, "suite.yaml")
    assert str(error.value).startswith(f"suite.yaml:{line}: ")
    assert told in str(error.value)


def test_a_hundred_levels_are_enough_for_anybody() -> None:
    assert parse_yaml("[" * 100 + "]" * 100, "f").value is not None


def test_too_many_values_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yamlfile, "MAX_VALUES", 100)
    with pytest.raises(UsageError, match=r"^f:100: more than 100 values"):
        parse_yaml("- x\n" * 200, "f")


def test_a_file_beyond_16_mib_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(UsageError, match=r"large\.yaml: larger than 16 MiB"):
        read_yaml(path)


def test_a_device_or_a_pipe_is_refused_before_it_is_read(tmp_path: Path) -> None:
    device, pipe = tmp_path / "device.yaml", tmp_path / "pipe.yaml"
    device.symlink_to("/dev/zero")
    os.mkfifo(pipe)  # opening it would wait for a writer that never comes
    for path in (device, pipe):
        for read in (read_yaml, read_bytes, read_whole, refuse_endless):
            with pytest.raises(UsageError, match=rf"{path.name}: a device or a pipe\. Save its content to a file"):
                read(path)


def test_a_file_of_any_format_is_refused_beyond_64_mib(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(MAX_FILE_BYTES)
    assert len(read_bytes(path)) == MAX_FILE_BYTES
    with path.open("r+b") as file:
        file.truncate(MAX_FILE_BYTES + 1)
    with pytest.raises(UsageError, match=r"large\.json: larger than 64 MiB"):
        read_bytes(path)


def test_a_file_that_cannot_be_read_is_told_of(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(UsageError, match="cannot be read"):
            read_yaml(path)


def test_every_key_knows_its_line() -> None:
    file = parse_yaml("a: 1\nb:\n  - x\n  - c: 2\n    d: {e: 3}\n", "f.yaml")
    places = {
        (): "f.yaml:1",
        ("a",): "f.yaml:1 (a)",
        ("b", 0): "f.yaml:3 (b[0])",
        ("b", 1, "d", "e"): "f.yaml:5 (b[1].d.e)",
        ("b", 1, "absent", "below"): "f.yaml:4 (b[1].absent.below)",
        ("absent",): "f.yaml:1 (absent)",
    }
    assert {path: file.place(path) for path in places} == places
