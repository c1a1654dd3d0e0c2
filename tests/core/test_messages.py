"""Texts of a folder in the chosen language: found, filled, fallen back on English, or refused with their place."""

from __future__ import annotations

import errno
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

import jatdae
from jatdae.core import messages
from jatdae.core.contract import Issue
from jatdae.core.errors import DataError, EngineError, IssueError, UsageError
from jatdae.core.messages import (
    COMMON,
    Texts,
    choose_language,
    language,
    listed,
    near,
    os_problem,
    refuse_unknown_language,
    say,
    speaker,
    speaking,
    texts_beside,
    translated,
)

ENGLISH = """
[messages]
both = "{n} of both"
english = "only English"
[metrics]
size = "how large it is"
"*" = "of any other name"
"""
KOREAN = """
[messages]
both = "둘 다 {n}"
[metrics]
size = "크기"
[help]
"A sentence of help." = "도움말 한 문장."
"""


@pytest.fixture
def texts(tmp_path: Path) -> Texts:
    """Texts of a folder that has both files."""
    (tmp_path / "messages.en.toml").write_text(ENGLISH, "utf-8")
    (tmp_path / "messages.ko.toml").write_text(KOREAN, "utf-8")
    return Texts(tmp_path)


def test_a_message_speaks_the_chosen_language() -> None:
    assert say("metric") == "metric"
    choose_language("ko")
    assert (language(), say("metric")) == ("ko", "지표")
    with speaking("en"):
        assert say("metric") == "metric"
    assert language() == "ko"


def test_a_program_chooses_the_language_before_the_environment_and_its_variable_before_the_locale(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    jatdae.set_language(None)
    assert language() == "ko"
    monkeypatch.setenv("JATDAE_LANG", "en")
    jatdae.set_language(None)
    assert language() == "en"
    jatdae.set_language("ko")
    assert language() == "ko"
    monkeypatch.setenv("JATDAE_LANG", "kr")
    jatdae.set_language(None)
    assert language() == "ko"  # what is no language leaves it to the locale
    with speaking("en"), pytest.raises(UsageError, match=r"JATDAE_LANG 'kr': unknown language\. Did you mean 'ko'"):
        refuse_unknown_language(None)
    with speaking("en"), pytest.raises(UsageError, match=r"set_language 'kr': unknown language"):
        jatdae.set_language("kr")


def test_names_in_a_message_are_short_and_counted() -> None:
    assert listed(["a", 2]) == "a, 2"
    assert listed(range(25), 3) == "0, 1, 2 … (+22)"
    assert len(listed(["x" * 1000] * 1000)) < 2000


def test_texts_are_those_of_the_folder_and_english_stands_in_for_korean(texts: Texts) -> None:
    assert texts.say("both", n=2) == "2 of both"
    with speaking("ko"):
        assert texts.say("both", n=2) == "둘 다 2"
        assert texts.say("english") == "only English"
        assert texts.find("metrics", "size", "en") == "how large it is"
    assert texts.find("issues", "size") is None
    with pytest.raises(EngineError, match="no message 'none'"):
        texts.say("none")


def test_a_star_speaks_for_every_name_that_is_not_listed(texts: Texts) -> None:
    assert texts.find("metrics", "size") == "how large it is"
    assert texts.find("metrics", "weight") == "of any other name"
    with speaking("ko"):
        assert texts.find("metrics", "size") == "크기"
        assert texts.find("metrics", "weight") == "of any other name"


def test_a_folder_without_files_has_no_texts(tmp_path: Path) -> None:
    assert Texts(tmp_path).find("metrics", "size") is None
    assert Texts(tmp_path).table("help", "ko") == {}


def test_help_is_translated_by_the_texts_that_know_it(texts: Texts) -> None:
    assert translated("A sentence of help.", [texts]) == "A sentence of help."
    with speaking("ko"):
        assert translated("A sentence\n  of help.", [texts]) == "도움말 한 문장."
        assert translated("Another one.", [texts]) == "Another one."


BROKEN = {
    "not TOML": (
        b"[messages]\nx = \n",
        "not valid TOML (Invalid value (at line 2, column 5))",
        "올바른 TOML이 아닙니다 (",
    ),
    "not UTF-8": (b"\xff", "not valid UTF-8", "올바른 UTF-8이 아닙니다"),
    "no such table": (
        b"[metrisc]\nx = 'y'",
        "unknown table [metrisc]. Did you mean 'metrics'? Tables: evaluators,",
        "알 수 없는 표 [metrisc]입니다. 혹시 'metrics'인가요?",
    ),
    "key outside a table": (b"x = 'y'", "unknown table [x]", "알 수 없는 표 [x]"),
    "not a string": (b"[metrics]\nx = 3", "table [metrics]: every name must have a string", "이름마다 문자열이"),
    "a table inside": (b"[metrics.x]\ny = 'z'", "table [metrics]: every name must have a string", "이름마다 문자열이"),
}


@pytest.mark.parametrize(("content", "english", "korean"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused_with_its_place(tmp_path: Path, content: bytes, english: str, korean: str) -> None:
    file = tmp_path / "messages.ko.toml"
    file.write_bytes(content)
    for chosen, told in (("en", english), ("ko", korean)):
        with speaking(chosen), pytest.raises(UsageError) as error:
            Texts(tmp_path).find("metrics", "size")
        assert str(error.value).startswith(f"{file}: ")
        assert told in str(error.value)


def test_a_file_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "messages.en.toml").mkdir()
    with pytest.raises(UsageError, match=r"messages\.en\.toml: .*is a folder"):
        Texts(tmp_path).find("metrics", "size")


@pytest.fixture
def module(tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """`module(path)`: the name of a loaded module whose file would be there."""
    names = []

    def load(path: str) -> str:
        made = ModuleType(f"spoken_{len(names)}")
        made.__file__ = str(tmp_path / path)
        sys.modules[made.__name__] = made
        names.append(made.__name__)
        return made.__name__

    yield load
    for name in names:
        del sys.modules[name]


def test_a_module_speaks_with_the_texts_beside_it_or_of_the_package_above(
    texts: Texts, module: Callable[[str], str]
) -> None:
    inner = texts.folder / "inner"
    inner.mkdir()
    (texts.folder / "__init__.py").touch()
    assert speaker(module("room.py"))("both", n=1) == "1 of both"
    assert speaker(module("inner/part.py"))("both", n=1) == "1 of both"
    assert texts_beside(module("inner/part.py")).folder == texts.folder.resolve()


def test_a_plug_in_does_not_speak_with_the_texts_of_folders_above_that_are_no_package(
    texts: Texts, module: Callable[[str], str]
) -> None:
    assert texts_beside(module("plug-ins/own.py")).find("metrics", "size") is None


class RoomError(IssueError):
    """An error as a room has it."""

    say = staticmethod(say)


def test_an_error_of_a_sample_is_told_in_the_chosen_language_and_kept_in_english() -> None:
    error = RoomError("too_large", "document_too_long", file="a.md", most=3)
    assert (str(error), error.code) == ("a.md is larger than 3 MiB", "too_large")
    with speaking("ko"):
        assert str(error) == "a.md: 3 MiB보다 큽니다"
        assert error.issue == Issue("too_large", "a.md is larger than 3 MiB")
        assert language() == "ko"
    assert isinstance(error, DataError)


def test_an_error_of_a_sample_survives_the_way_from_a_worker() -> None:
    back = pickle.loads(pickle.dumps(RoomError("too_large", "document_too_long", file="a.md", most=3)))
    assert (type(back), back.code) == (RoomError, "too_large")
    with speaking("ko"):
        assert str(back) == "a.md: 3 MiB보다 큽니다"


def test_without_a_room_the_text_is_the_message() -> None:
    assert str(IssueError("odd", "odd: {3}")) == "odd: {3}"
    assert str(IssueError("odd", "odd: {n}", n=3)) == "odd: 3"


@pytest.mark.parametrize(
    ("number", "english", "korean"),
    [
        (errno.ENOENT, "no such file or folder", "파일이나 폴더가 없습니다"),
        (errno.EACCES, "permission denied", "권한이 없습니다"),
        (errno.ENOSPC, "no space left on the device", "디스크에 남은 공간이 없습니다"),
    ],
)
def test_what_the_system_refuses_is_told_in_the_chosen_language(number: int, english: str, korean: str) -> None:
    assert os_problem(OSError(number, "in its own words")) == english
    with speaking("ko"):
        assert os_problem(OSError(number, "in its own words")) == korean


def test_what_the_system_refuses_for_another_reason_stays_in_its_words() -> None:
    assert os_problem(OSError(errno.EPROTO, "Protocol error")) == "Protocol error"
    assert os_problem(OSError("no number")) == "no number"


def test_every_reason_of_the_system_is_one_that_exists() -> None:
    names = [key.removeprefix("os_") for key in COMMON.table("messages", "en") if key.startswith("os_")]
    assert set(names) <= set(errno.errorcode.values())


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
