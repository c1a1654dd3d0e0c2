"""One catalogue in two languages: nothing missing, nothing unused, the same blanks."""

from __future__ import annotations

import ast
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import jatdae
from jatdae.core import messages
from jatdae.core.evaluator import spec_of
from jatdae.core.messages import LANGUAGES, choose_language, language, near, say, says
from jatdae.core.registry import working

PACKAGE = Path(jatdae.__file__).parent
CATALOGUES = {name: tomllib.loads((PACKAGE / "core/catalogue" / f"{name}.toml").read_text()) for name in LANGUAGES}
CALLS = {"say", "says"}


def blanks(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


def said() -> Iterator[tuple[str, str, set[str]]]:
    """(place, key, names of blanks filled) of every call in the package; a key put together ends in *."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
                blank = {word.arg for word in node.keywords if word.arg}
                match node.args[0]:
                    case ast.Constant(value=str(key)):
                        yield f"{path.name}:{node.lineno}", key, blank
                    case ast.JoinedStr(values=[ast.Constant(value=str(start)), *_]):
                        yield f"{path.name}:{node.lineno}", f"{start}*", blank


def texts() -> set[str]:
    """Every text that stands in the code: a key may be chosen first and said later."""
    nodes = (node for path in PACKAGE.rglob("*.py") for node in ast.walk(ast.parse(path.read_text())))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_both_languages_have_the_same_keys_with_the_same_blanks() -> None:
    filled = {name: {key: blanks(text) for key, text in found.items()} for name, found in CATALOGUES.items()}
    assert filled["en"] == filled["ko"]


def test_no_message_is_empty_or_left_in_the_other_language() -> None:
    shared = {key for key, text in CATALOGUES["en"].items() if text == CATALOGUES["ko"][key]}
    words = {key for key in shared if any(c.isalpha() for c in _without_blanks(CATALOGUES["en"][key]))}
    assert words == set()
    assert all(text.strip() for found in CATALOGUES.values() for text in found.values())


def _without_blanks(text: str) -> str:
    return "".join(literal for literal, *_ in string.Formatter().parse(text))


def test_every_message_that_is_said_exists_and_its_blanks_are_filled() -> None:
    wrong = [
        f"{place} {key}"
        for place, key, filled in said()
        if not key.endswith("*") and (key not in CATALOGUES["en"] or not set(blanks(CATALOGUES["en"][key])) <= filled)
    ]
    assert wrong == []


def test_every_message_is_said_somewhere() -> None:
    known = texts()
    prefixes = tuple(key[:-1] for _, key, _ in said() if key.endswith("*"))
    assert set(prefixes) == {"absent_", "issue_", "kernel_", "phase_"}
    assert [key for key in CATALOGUES["en"] if key not in known and not key.startswith(prefixes)] == []


def test_every_reason_a_metric_gives_for_being_absent_is_an_issue_with_a_short_name() -> None:
    codes = {code for cls in working().values() for metric in spec_of(cls).metrics for code in metric.absent}
    assert {f"absent_{code}" for code in codes} == {key for key in CATALOGUES["en"] if key.startswith("absent_")}
    assert {code for code in codes if f"issue_{code}" not in CATALOGUES["en"]} == set()


def test_a_message_speaks_the_chosen_language() -> None:
    assert say("metric") == "metric"
    choose_language("ko")
    assert (language(), say("metric")) == ("ko", "지표")
    assert says("metric")
    assert not says("no such key")


@pytest.mark.parametrize(
    ("variables", "chosen"),
    [
        ({}, "en"),
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_GB", "LC_MESSAGES": "ko"}, "ko"),
        ({"LC_ALL": "", "LANG": "ko"}, "ko"),
        ({"LANG": "fr_FR"}, "en"),
    ],
)
def test_the_locale_chooses_where_nobody_does(
    variables: dict[str, str], chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    choose_language(None)
    assert messages.language() == chosen


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("txet", ["text", "tables"], "text"),
        ("kr", ["en", "ko"], "ko"),
        ("en_US", ["en", "ko"], None),
        ("xyz", ["text", "tables"], None),
        ("", ["text"], None),
        ("text" * 100_000, ["text"], None),
    ],
)
def test_near_names_are_suggested_and_far_ones_are_not(name: str, known: list[str], meant: str | None) -> None:
    assert near(name, known) == (f" Did you mean {meant!r}?" if meant else "")


def test_what_fills_a_blank_is_never_read_as_a_blank() -> None:
    assert "{key}" in say("by_slice", key="{key} {0.__class__}")
