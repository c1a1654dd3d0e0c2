"""Arguments that cannot be taken: told in both languages, with the flag, what was given and what could be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from cyclopts import App, CycloptsError, Parameter

from jatdae.cli.app import explain
from jatdae.core.messages import speaking

MISTAKES = {
    "unknown flag": (
        ["run", "marks", "--casefolt"],
        "Unknown option '--casefolt'. Did you mean '--casefold'?",
        "알 수 없는 옵션입니다: '--casefolt'. 혹시 '--casefold'인가요?",
    ),
    "unknown flag, none near": (
        ["run", "marks", "--zzzzzzzzzz=3"],
        "Unknown option '--zzzzzzzzzz'.\n",
        "알 수 없는 옵션입니다: '--zzzzzzzzzz'.\n",
    ),
    "renamed flag": (
        ["run", "kinds", "pairs.jsonl", "--how-many", "3"],
        "Unknown option '--how-many'. Did you mean '--count'?",
        "알 수 없는 옵션입니다: '--how-many'. 혹시 '--count'인가요?",
    ),
    "renamed metric": (
        ["run", "kinds", "pairs.jsonl", "--fail-over", "points=0.1"],
        "unknown metric 'points'. Did you mean 'score'?",
        "알 수 없는 지표입니다: 'points'. 혹시 'score'인가요?",
    ),
    "renamed metric, its micro average": (
        ["run", "kinds", "pairs.jsonl", "--fail-over", "points.micro=0.1"],
        "unknown metric 'points.micro'. Did you mean 'score'?",
        "알 수 없는 지표입니다: 'points.micro'. 혹시 'score'인가요?",
    ),
    "page images that are not there": (
        ["run", "kinds", "pairs.jsonl", "--pages", "nowhere"],
        "nowhere: no such folder of page images.",
        "nowhere: 쪽 이미지 폴더가 없습니다.",
    ),
    "a schema in a bucket": (
        ["run", "structured", "pairs.jsonl", "--schema", "s3://mine/schema.json"],
        "s3://mine/schema.json: addresses of object stores are not read or written yet.",
        "s3://mine/schema.json: 오브젝트 스토리지 주소는 아직 읽거나 쓸 수 없습니다.",
    ),
    "charts into a bucket": (
        ["report", "run", "--figures=gs://mine/charts"],
        "gs://mine/charts: addresses of object stores are not read or written yet.",
        "gs://mine/charts: 오브젝트 스토리지 주소는 아직 읽거나 쓸 수 없습니다.",
    ),
    "unknown short flag": (["run", "marks", "-z"], "Unknown option '-z'.", "알 수 없는 옵션입니다: '-z'."),
    "unknown command": (
        ["reprot"],
        "Unknown command 'reprot'. Did you mean 'report'? Commands: run, report, paper,",
        "알 수 없는 명령입니다: 'reprot'. 혹시 'report'인가요? 명령: run, report, paper,",
    ),
    "unknown subcommand": (
        ["gold", "chek"],
        "Unknown command 'chek'. Did you mean 'check'? Commands: check, new, from-latex.",
        "알 수 없는 명령입니다: 'chek'. 혹시 'check'인가요? 명령: check, new, from-latex.",
    ),
    "flag before the command": (
        ["gold", "--out=x", "new"],
        "Put the command before --out. Commands: check, new, from-latex.",
        "--out 앞에 명령을 쓰세요. 명령: check, new, from-latex.",
    ),
    "stream for a command": (["-"], "Unknown command '-'.", "알 수 없는 명령입니다: '-'."),
    "unknown choice": (
        ["run", "marks", "--missing", "wrost"],
        "--missing 'wrost': unknown value. Did you mean 'worst'? Choices: worst, skip, error.",
        "--missing 'wrost': 알 수 없는 값입니다. 혹시 'worst'인가요? 선택지: worst, skip, error.",
    ),
    "unknown name": (
        ["run", "kinds", "--shade", "drak"],
        "--shade 'drak': unknown value. Did you mean 'dark'? Choices: dark, pale.",
        "--shade 'drak': 알 수 없는 값입니다. 혹시 'dark'인가요? 선택지: dark, pale.",
    ),
    "choice or nothing": (
        ["report", "x", "-f", "pdf"],
        "-f 'pdf': unknown value. Choices: console, html, md, latex, csv, json, junit.",
        "-f 'pdf': 알 수 없는 값입니다. 선택지: console, html, md, latex, csv, json, junit.",
    ),
    "no whole number": (
        ["run", "marks", "--jobs", "x"],
        "--jobs: 'x' is not an integer.",
        "--jobs: 'x'은(는) 정수가 아닙니다.",
    ),
    "stream for a number": (
        ["run", "marks", "--jobs", "-"],
        "--jobs: '-' is not an integer.",
        "--jobs: '-'은(는) 정수가 아닙니다.",
    ),
    "no number": (
        ["run", "kinds", "--share", "x"],
        "--share: 'x' is not a number.",
        "--share: 'x'은(는) 숫자가 아닙니다.",
    ),
    "no truth value": (
        ["run", "marks", "--overwrite=maybe"],
        "--overwrite: 'maybe' is not true or false.",
        "--overwrite: 'maybe'은(는) true나 false가 아닙니다.",
    ),
    "flag without value": (["run", "marks", "-j"], "-j needs a value.", "-j에 값이 필요합니다."),
    "flag before another": (
        ["run", "marks", "--pred", "--ref"],
        "--pred needs a value.",
        "--pred에 값이 필요합니다.",
    ),
    "missing argument": (
        ["gold", "new"],
        "DOCUMENT is missing. See `jatdae gold new --help`.",
        "DOCUMENT이(가) 없습니다. `jatdae gold new --help`를 참고하세요.",
    ),
    "flag twice": (
        ["run", "marks", "--jobs", "1", "--jobs", "2"],
        "--jobs is given twice. Give it once.",
        "--jobs을(를) 두 번 지정했습니다. 한 번만 지정하세요.",
    ),
    "too many": (
        ["schema", "suite", "more", "-"],
        "Unexpected arguments: 'more', '-'.",
        "알 수 없는 인자가 있습니다: 'more', '-'.",
    ),
}


@pytest.mark.parametrize(("arguments", "english", "korean"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_in_both_languages(
    jatdae: Callable[..., Any], arguments: list[str], english: str, korean: str
) -> None:
    for language, told in (("en", english), ("ko", korean)):
        ended = jatdae(*arguments, "--lang", language)
        assert (ended.status, ended.out) == (2, "")
        assert told in ended.err


def test_a_log_is_told_from_a_run_folder(jatdae: Callable[..., Any], pairs: str) -> None:
    ended = jatdae("report", pairs)
    assert ended.status == 2
    assert f"{pairs}: a file, not a run folder. A sample log of another program can be compared" in ended.err


def odd(_kind: object, value: int) -> None:
    """A validator, such as the command of a plug-in may have."""
    if value % 2 == 0:
        raise ValueError("odd numbers only")


def roman(_kind: object, _tokens: object) -> int:
    """A converter of the same kind."""
    raise ValueError("roman numerals only")


OWN = {"validator": (Parameter(validator=odd), "odd numbers only"), "converter": (Parameter(converter=roman), "roman")}


@pytest.mark.parametrize(("parameter", "problem"), OWN.values(), ids=OWN)
def test_what_a_plug_in_refuses_is_told_in_its_own_words(parameter: Parameter, problem: str) -> None:
    app = App(default_parameter=parameter)
    app.default(lambda *, number=1: None)
    with pytest.raises(CycloptsError) as caught:
        app(["--number", "2"], exit_on_error=False, print_error=False)
    with speaking("ko"):
        told = explain(caught.value)
    assert told.startswith("인자가 잘못되었습니다 (")
    assert problem in told
