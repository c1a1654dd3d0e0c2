"""Plug-ins on the command line, and commands that packages mount: used, checked, and refused with the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import app

SOURCE = '''
from jatdae import Count, IssueKind, Metric, Outcome, evaluator
from jatdae.core.configfile import Part

class Weights(Part):
    """Weights of words."""
    words: dict[str, float]
    """Weight by word."""

print("loaded")

@evaluator("own", metrics=[Metric("score", "higher", worst=0.0, range=(0.0, 1.0))], issues=[IssueKind("odd")],
           counts=[Count("letters")], files={"weights": Weights})
class Own:
    """An evaluator of one's own."""
    size: int = 1
    """How large."""
    def score(self, sample):
        return Outcome({"score": 1.0})
'''
ENGLISH = '[metrics]\nscore = "always 1"\n[issues]\nodd = "odd"\n[counts]\nletters = "letters seen"\n'
KOREAN = '[evaluators]\nown = "직접 만든 것"\n[metrics]\nscore = "늘 1"\n'
KOREAN += '[settings]\nsize = "크기"\n[issues]\nodd = "이상함"\n'
Run = Callable[..., Any]


@pytest.fixture
def own(tmp_path: Path) -> str:
    """A plug-in with texts of its own; Korean lacks the meaning of its count table."""
    (tmp_path / "own.py").write_text(SOURCE)
    (tmp_path / "messages.en.toml").write_text(ENGLISH, "utf-8")
    (tmp_path / "messages.ko.toml").write_text(KOREAN, "utf-8")
    return "own.py:Own"


def test_a_plug_in_is_listed_with_what_is_installed(jatdae: Run, own: str) -> None:
    listed = json.loads(jatdae("list", "--plugin", own, "--json").out)
    assert list(listed) == ["kinds", "marks", "own"]
    assert listed["own"]["settings"] == {"size": {"type": ["integer"], "default": 1, "help": "How large."}}
    assert "직접 만든 것" in jatdae("list", "--plugin", own, "--lang", "ko").out


def test_the_schemas_of_a_plug_in_are_printed(jatdae: Run, own: str) -> None:
    settings = json.loads(jatdae("schema", "own", "--plugin", own).out)
    assert settings["properties"]["size"]["description"] == "How large."
    file = json.loads(jatdae("schema", "own.weights", "--plugin", own).out)
    assert file["properties"]["words"]["description"] == "Weight by word."
    assert "own" in json.loads(jatdae("schema", "suite", "--plugin", own).out)["properties"]["evaluators"]["properties"]
    ended = jatdae("schema", "own.wieghts", "--plugin", own)
    assert (ended.status, ended.out) == (2, "")
    assert "Unknown schema 'own.wieghts'. Did you mean 'own.weights'?" in ended.err


def test_doctor_checks_a_plug_in_for_its_author(jatdae: Run, own: str, tmp_path: Path) -> None:
    ended = jatdae("doctor", "--plugin", own, "--json")
    assert ended.status == 1
    about = json.loads(ended.out)[own]
    assert about["missing"] == ["ko.counts.letters"]
    assert (about["metrics"], about["issues"], about["counts"]) == (["score"], ["odd"], ["letters"])
    assert about["rates"] == []
    assert about["schemas"] == ["own.weights"]
    assert about["beside"]["messages.en.toml"] == str(tmp_path / "messages.en.toml")
    assert about["beside"]["evidence.js"] is None
    shown = jatdae("doctor", "--plugin", own)
    assert shown.status == 1
    assert "as LANGUAGE.TABLE.NAME: ko.counts.letters." in shown.out


def test_doctor_is_content_with_a_plug_in_whose_names_all_have_meanings(jatdae: Run, own: str, tmp_path: Path) -> None:
    (tmp_path / "messages.ko.toml").write_text(KOREAN + '[counts]\nletters = "글자"\n', "utf-8")
    (tmp_path / "evidence.js").touch()
    ended = jatdae("doctor", "--plugin", own, "--lang", "ko")
    assert ended.status == 0
    assert "모든 이름의 뜻이 두 언어로 있습니다." in ended.out
    assert "evidence.js" in ended.out


def test_doctor_names_words_and_messages_that_only_one_language_has(jatdae: Run, own: str, tmp_path: Path) -> None:
    for language, text in (
        ("en", '[words]\nseen = "seen"\n'),
        ("ko", '[messages]\nneeded = "파일이 필요합니다"\n'),
    ):
        file = tmp_path / f"messages.{language}.toml"
        file.write_text(file.read_text("utf-8") + text, "utf-8")
    done = jatdae("doctor", "--plugin", own, "--json")
    assert {"ko.words.seen", "en.messages.needed"} <= set(json.loads(done.out)[own]["missing"])


NEEDY = '''
from jatdae import Metric, Outcome, evaluator
from jatdae.core.messages import speaker

say = speaker(__name__)

@evaluator("needy", metrics=[Metric("score", "higher", worst=0.0)])
class Needy:
    """Needs a setting."""
    size: int = 0
    """How large."""
    def __post_init__(self):
        if not self.size:
            raise ValueError("size is needed")
        if self.size > 9:
            say("too_large", size=self.size)
    def score(self, sample):
        return Outcome({"score": 1.0})
'''


def test_an_evaluator_that_its_defaults_do_not_make_is_listed_all_the_same(jatdae: Run, write: Any, pairs: str) -> None:
    write("needy.py", NEEDY)
    listed = json.loads(jatdae("list", "--plugin", "needy.py:Needy", "--json").out)
    assert listed["needy"]["settings"]["size"]["default"] == 0
    assert jatdae("run", pairs, "--plugin", "needy.py:Needy", "--size", "1").status == 0


def test_a_message_that_is_not_there_is_told_with_its_file(jatdae: Run, write: Any, pairs: str) -> None:
    write("needy.py", NEEDY)
    done = jatdae("run", pairs, "--plugin", "needy.py:Needy", "--size", "10")
    assert done.status == 3
    assert "messages.en.toml: no message 'too_large' in [messages]" in done.err


EXAMPLE = Path(__file__).parents[2] / "examples" / "keywords"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_example_with_everything_works_in_both_languages(jatdae: Run, language: str) -> None:
    plugin = ("--plugin", f"{EXAMPLE / 'keywords.py'}:Keywords", "--lang", language)
    assert jatdae("doctor", *plugin).status == 0
    words = EXAMPLE / "keywords.yaml"
    done = jatdae("run", str(EXAMPLE / "pairs.jsonl"), "--keywords", str(words), *plugin, "--out", "runs/keywords")
    assert done.status == 0
    meaning = {"en": "the reference contains no keyword", "ko": "정답에 키워드가 없습니다"}[language]
    assert meaning in done.out
    summary = json.loads(Path("runs/keywords/summary.json").read_text())
    assert summary["systems"][""]["counts"]["missed"] == {"cough": 1, "penicillin allergy": 1}
    assert "function marked" in Path("runs/keywords/report.html").read_text("utf-8")


def test_the_settings_file_of_the_example_is_checked_with_places(jatdae: Run, write: Any, pairs: str) -> None:
    file = write("words.yaml", "keywords:\n  a: {spellings: [], weight: 0}\n  b: {spelings: [x]}\n")
    told = jatdae("run", pairs, "--plugin", f"{EXAMPLE / 'keywords.py'}:Keywords", "--keywords", str(file)).err
    for place in (
        "words.yaml:2 (keywords.a.spellings)",
        "words.yaml:2 (keywords.a.weight)",
        "words.yaml:3 (keywords.b.spelings)",
    ):
        assert place in told
    file = write("words.yaml", "keywords:\n  a: {spellings: [x]}\n  b:\n    spellings:\n    - y\n    - X\n")
    told = jatdae("run", pairs, "--plugin", f"{EXAMPLE / 'keywords.py'}:Keywords", "--keywords", str(file)).err
    assert "words.yaml:6 (keywords.b.spellings[1]): 'X' is a spelling of 'a' already" in told


def test_a_name_near_that_of_a_plug_in_is_suggested(jatdae: Run, own: str, pairs: str) -> None:
    ended = jatdae("run", "onw", pairs, "--plugin", own)
    assert ended.status == 2
    assert "Did you mean 'own'? Evaluators: kinds, marks, own." in ended.err


def test_a_suite_may_use_a_plug_in_of_the_command_line(jatdae: Run, own: str, pairs: str, write: Any) -> None:
    suite = write("suite.yaml", f"name: s\ndatasets: {{d: {{pairs: {{x: {pairs}}}}}}}\nevaluators: {{own: }}\n")
    ended = jatdae("run", suite, "--plugin", own, "--json")
    assert ended.status == 0, ended.err
    assert json.loads(ended.out)[0]["evaluator"] == "own"


def test_a_gate_beyond_the_range_of_a_metric_is_refused(jatdae: Run, own: str, pairs: str) -> None:
    for language, told in (
        ("en", "-0.5 is outside the range of score, 0 to 1"),
        ("ko", "범위(0에서 1까지)를 벗어납니다"),
    ):
        ended = jatdae("run", "own", pairs, "--plugin", own, "--fail-under", "score=-50%", "--lang", language)
        assert (ended.status, ended.out) == (2, "")
        assert told in ended.err


@pytest.fixture
def mount(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """`mount(name="module:attribute", …)`: these are the commands that packages mount."""
    (tmp_path / "commands_of_ours.py").write_text(
        "from cyclopts import App\n"
        "def greet(*, name: str = 'you') -> None:\n"
        "    '''Greet somebody.'''\n"
        "    print('hello', name)\n"
        "app = App(help='Several.')\n"
        "app.command(greet)\n"
        "number = 3\n"
        "class Thing: pass\n"
    )
    (tmp_path / "exits_of_ours.py").write_text("raise SystemExit(0)\n")
    monkeypatch.syspath_prepend(tmp_path)

    def to(*entries: tuple[str, str]) -> None:
        found = [EntryPoint(name, value, app.COMMANDS) for name, value in entries]
        monkeypatch.setattr(app, "entry_points", lambda group: found)

    return to


def test_a_function_or_an_app_is_mounted(jatdae: Run, mount: Callable[..., None]) -> None:
    mount(("greet", "commands_of_ours:greet"), ("many", "commands_of_ours:app"), ("greet", "commands_of_ours:greet"))
    assert jatdae("greet", "--name", "me").out == "hello me\n"
    assert jatdae("many", "greet").out == "hello you\n"
    ended = jatdae("--help")
    assert "Greet somebody." in ended.out
    assert ended.err == ""


BAD = {
    "module is missing": (
        [("own", "no_such_module_of_ours:x")],
        "no_such_module_of_ours:x: cannot be loaded (ModuleNotFoundError",
        "no_such_module_of_ours:x: 불러올 수 없습니다 (ModuleNotFoundError",
    ),
    "attribute is missing": (
        [("own", "commands_of_ours:none")],
        "commands_of_ours:none: cannot be loaded (AttributeError",
        "commands_of_ours:none: 불러올 수 없습니다 (AttributeError",
    ),
    "module exits": (
        [("own", "exits_of_ours:x")],
        "exits_of_ours:x: cannot be loaded (SystemExit: 0)",
        "exits_of_ours:x: 불러올 수 없습니다 (SystemExit: 0)",
    ),
    "no function": (
        [("own", "commands_of_ours:number")],
        "commands_of_ours:number: cannot be mounted as `jatdae own`: it must be a function or a cyclopts App.",
        "함수나 cyclopts App이어야 합니다.",
    ),
    "a class": (
        [("own", "commands_of_ours:Thing")],
        "commands_of_ours:Thing: cannot be mounted as `jatdae own`: it must be a function or a cyclopts App.",
        "함수나 cyclopts App이어야 합니다.",
    ),
    "two of one name": (
        [("own", "commands_of_ours:greet"), ("own", "commands_of_ours:app")],
        "Two installed packages mount the command 'own': commands_of_ours:greet and commands_of_ours:app.",
        "설치된 두 패키지가 같은 명령 'own'을(를) 등록합니다: commands_of_ours:greet, commands_of_ours:app.",
    ),
}


@pytest.mark.parametrize(("entries", "english", "korean"), BAD.values(), ids=BAD)
def test_a_command_that_cannot_be_mounted_is_refused_and_the_help_goes_on_without_it(
    jatdae: Run, mount: Callable[..., None], entries: list[tuple[str, str]], english: str, korean: str
) -> None:
    mount(("greet", "commands_of_ours:greet"), *entries)
    for language, told in (("en", english), ("ko", korean)):
        ended = jatdae("own", "--lang", language)
        assert (ended.status, ended.out) == (2, "")
        assert told in ended.err
        ended = jatdae("--help", "--lang", language)
        assert ended.status == 0
        assert "greet" in ended.out
        assert told in ended.err
    assert jatdae("list").err == "", "other commands do not care"
    assert "Commands: run, report" in jatdae("onw").err


@pytest.mark.parametrize("name", ["run", "list", "--version"])
def test_no_package_takes_the_name_of_a_built_in_command(jatdae: Run, mount: Callable[..., None], name: str) -> None:
    mount((name, "commands_of_ours:greet"))
    ended = jatdae("--help")
    assert f"commands_of_ours:greet: cannot be mounted as `jatdae {name}`" in ended.err
    assert "Greet somebody." not in ended.out
    assert "hello" not in jatdae(name).out
