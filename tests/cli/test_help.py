"""Help in Korean: every command and flag has its text, no text is left over, and panels keep their frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from cyclopts import App
from rich.cells import cell_len

import jatdae
from jatdae.cli.app import HelpInWords, build_app, mounted
from jatdae.core import registry
from jatdae.core.messages import Texts, choose_language, speaking, texts_in, translated

FOLDERS = sorted(path.parent for path in Path(jatdae.__file__).resolve().parent.rglob("messages.ko.toml"))
KOREAN = {english: korean for folder in FOLDERS for english, korean in texts_in(folder).table("help", "ko").items()}
USAGE = {"COMMAND", "[OPTIONS]", "[ARGS]", "[ARGS...]"}
BY_CYCLOPTS = ("--help", "-h", "--version")
FORMS = ([], ["run"], ["run", "suite.yaml"])
"""Arguments under which between them every command is built."""


@pytest.fixture(autouse=True)
def _installed(_own_place: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The evaluators that are really installed."""
    monkeypatch.setattr(registry, "entry_points", entry_points)
    registry.available.cache_clear()
    yield
    registry.available.cache_clear()


@pytest.fixture
def said() -> dict[str, str]:
    """Every text of the help with a place where it is shown; the language is Korean from here on."""
    choose_language("ko")
    forms = (*FORMS, *([name] for name in mounted([])))
    return {text: place for form in forms for place, text in texts(build_app(form), "jatdae")}


def in_korean(text: str) -> str:
    """A text of the help as a command shows it, with the texts of the packages that mount commands."""
    rooms: list[Texts] = [texts for _, texts in mounted([]).values()]
    return translated(text, rooms)


def texts(app: App, path: str) -> Iterator[tuple[str, str]]:
    """(command or flag, its text), and the titles of panels, from `app` down."""
    yield path, (app.help or "").partition("\n\n")[0]
    if app.default_command and not path.endswith(BY_CYCLOPTS):
        for argument in app.assemble_argument_collection(parse_docstring=True).filter_by(show=True):
            yield f"{path} {argument.name}", argument.parameter.help or ""
            for group in argument.parameter.group:
                yield f"{path} {argument.name}", group.name
    for name in app:
        yield f"{path} {name}", app.group_commands.name
        yield from texts(app[name], f"{path} {name}")


def test_every_command_and_flag_has_a_korean_text(said: dict[str, str]) -> None:
    assert {place: text for text, place in said.items() if not is_korean(in_korean(text))} == {}


def test_no_korean_text_is_left_of_something_that_is_no_more(said: dict[str, str]) -> None:
    assert set(KOREAN) - USAGE - {" ".join(text.split()) for text in said} == set()


def is_korean(text: str) -> bool:
    return any("가" <= character <= "힣" for character in text)


def test_english_help_stays_what_the_code_says() -> None:
    assert [translated(text) for text in KOREAN] == list(KOREAN)


def test_a_text_that_nobody_translated_stays_as_it_is() -> None:
    choose_language("ko")
    assert translated("A plug-in's own words.") == "A plug-in's own words."


def test_a_text_over_several_lines_is_still_found() -> None:
    choose_language("ko")
    assert translated("Predictions:\n    file or folder.") == "예측: 파일이나 폴더."


HELP = {
    "commands": (
        ["--help"],
        ["사용법: jatdae 명령", "╭─ 명령 ─", "끝난 실행을 보여 줍니다.", "이 도움말을 보여 줍니다."],
    ),
    "evaluators": (["run"], ["사용법: jatdae run 명령", "임상 소견의 유사도를"]),
    "flags": (
        ["run", "text", "--help"],
        ["[옵션] [인자...]", "╭─ 입력 ─", "╭─ 실행 ─", "╭─ 출력 ─", "╭─ text 설정 ─", "[선택지: char, grapheme]"],
    ),
    "defaults": (["demo", "--help"], ["╭─ 옵션 ─", "실행 폴더들을 둘 폴더. [기본값: runs/demo]"]),
    "required": (["report", "-h"], ["사용법: jatdae report [옵션] RUN", "실행 폴더. [필수]"]),
    "of an evaluator": (["terms", "lint", "--help"], ["[옵션] [인자]\n", "코퍼스에서 용어집에 없는 표현과"]),
}


@pytest.mark.parametrize(("arguments", "shown"), HELP.values(), ids=HELP)
def test_help_is_in_the_chosen_language_and_keeps_its_frame(
    jatdae: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, arguments: list[str], shown: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    ended = jatdae(*arguments, "--lang", "ko")
    assert (ended.status, ended.err) == (0, "")
    assert [text for text in shown if text not in ended.out] == []
    assert {cell_len(line) for line in ended.out.splitlines() if line.startswith(("│", "╭", "╰"))} == {80}
    assert all(line.endswith("│") for line in ended.out.splitlines() if line.startswith("│"))


def test_a_command_that_nobody_described_still_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    app = App(name="own", help_formatter=HelpInWords(), result_action="return_value")
    app.default(lambda *, level=3: None)
    with speaking("ko"):
        app(["--help"])
    shown = capsys.readouterr().out
    assert shown.startswith("사용법: own [옵션]\n\n╭─ 명령 ─")
    assert "--level INT  [기본값: 3]" in shown


def test_the_locale_chooses_the_language_of_help(jatdae: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    assert jatdae("compare", "--help").out.startswith("사용법: jatdae compare")


def test_the_list_says_in_korean_what_evaluators_measure(jatdae: Callable[..., Any]) -> None:
    assert "임상 소견의 유사도를" in jatdae("list", "--lang", "ko").out
    assert "임상 소견의 유사도를" not in jatdae("list", "--json", "--lang", "ko").out
