"""What the names of an evaluator mean: found beside its class, in both languages, or listed as missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from jatdae.core import registry
from jatdae.core.meanings import Meanings, meanings_of, missing_meanings
from jatdae.core.messages import speaking
from jatdae.core.registry import find_meanings, lend, load_class

SOURCE = '''
from jatdae import Count, IssueKind, Metric, Outcome, evaluator

@evaluator("part", metrics=[Metric("size", "higher", worst=0.0)], issues=[IssueKind("odd", "info")])
class Part:
    """What a part is."""
    deep: bool = False
    """How
    deep."""
    def score(self, sample):
        return Outcome({"size": 1.0})

@evaluator("whole", metrics=[Metric("sum", "higher", worst=0.0)], issues=[IssueKind("empty")],
           counts=[Count("letters", error=True)], composed_of=[Part])
class Whole:
    """What the whole is."""
    def score(self, sample):
        return Outcome({"sum": 1.0})
'''
ENGLISH = """
[metrics]
size = "how large"
sum = "all together"
[issues]
odd = "something odd"
empty = "there is nothing"
[absent]
empty = "nothing"
[counts]
letters = "wrong letters"
"""
KOREAN = """
[evaluators]
part = "부분"
whole = "전체"
[metrics]
"*" = "크기"
[settings]
deep = "깊이"
[issues]
odd = "이상합니다"
empty = "비어 있습니다"
[counts]
letters = "틀린 글자"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A plug-in with two evaluators and its texts."""
    (tmp_path / "own.py").write_text(SOURCE)
    (tmp_path / "messages.en.toml").write_text(ENGLISH, "utf-8")
    (tmp_path / "messages.ko.toml").write_text(KOREAN, "utf-8")
    return tmp_path


def test_a_name_means_what_the_texts_beside_the_class_say(folder: Path) -> None:
    meanings = meanings_of(load_class(f"{folder}/own.py:Whole"))
    assert meanings.of("metrics", "sum") == "all together"
    assert meanings.of("metrics", "sum", "ko") == "크기"
    assert meanings.of("issues", "odd", "ko") == "이상합니다", "of what it is composed of"
    assert meanings.of("issues", "missing_prediction").startswith("no prediction"), "of every run"
    assert meanings.of("issues", "none") == ""
    with speaking("ko"):
        assert meanings.of("counts", "letters") == "틀린 글자"


def test_english_settings_and_evaluators_mean_what_their_docstrings_say(folder: Path) -> None:
    meanings = meanings_of(load_class(f"{folder}/own.py:Part"))
    assert meanings.of("settings", "deep", "en") == "How deep."
    assert meanings.of("settings", "deep", "ko") == "깊이"
    assert meanings.of("evaluators", "part", "en") == "What a part is."
    assert meanings.of("metrics", "deep", "en") == ""


def test_why_a_value_is_absent_is_told_in_as_few_words_as_there_are(folder: Path) -> None:
    meanings = meanings_of(load_class(f"{folder}/own.py:Whole"))
    assert [meanings.reason(code) for code in ("empty", "odd", "none")] == ["nothing", "something odd", "none"]


def test_nothing_is_missing_where_every_name_has_a_text_in_both_languages(folder: Path) -> None:
    for name in ("Part", "Whole"):
        assert missing_meanings(load_class(f"{folder}/own.py:{name}")) == []


def test_what_is_missing_is_named_by_language_table_and_name(folder: Path) -> None:
    (folder / "messages.ko.toml").write_text(
        KOREAN.replace('odd = "이상합니다"', 'odd = ""').replace('"*"', "size"), "utf-8"
    )
    (folder / "messages.en.toml").write_text(ENGLISH.replace("letters", "lettres"), "utf-8")
    cls = load_class(f"{folder}/own.py:Whole")
    assert missing_meanings(cls) == ["en.counts.letters", "ko.metrics.sum", "ko.issues.odd"]


def test_a_plug_in_without_texts_lacks_all_but_its_english_docstrings(folder: Path) -> None:
    for file in folder.glob("*.toml"):
        file.unlink()
    assert missing_meanings(load_class(f"{folder}/own.py:Part")) == [
        "en.metrics.size", "en.issues.odd",
        "ko.evaluators.part", "ko.metrics.size", "ko.settings.deep", "ko.issues.odd",
    ]  # fmt: skip


def test_a_name_in_the_registry_has_meanings_and_others_have_what_is_common(folder: Path) -> None:
    assert find_meanings("whole") == Meanings()
    lend(f"{folder}/own.py:Whole")
    assert registry.known_names()[-1] == "whole"
    assert find_meanings("whole").of("metrics", "sum") == "all together"


def test_a_lent_plug_in_comes_before_an_installed_evaluator_of_its_name(folder: Path) -> None:
    name = next(iter(registry.available()))
    (folder / "own.py").write_text(SOURCE.replace('"part"', f'"{name}"'))
    cls = lend(f"{folder}/own.py:Part")
    assert registry.find(name) is cls
    assert registry.known_names().count(name) == 1


def test_a_setting_may_have_the_name_of_its_evaluator(tmp_path: Path) -> None:
    file = tmp_path / "named.py"
    file.write_text(SOURCE.replace('"part"', '"deep"'))
    meanings = meanings_of(load_class(f"{file}:Part"))
    assert meanings.of("evaluators", "deep") == "What a part is."
    assert meanings.of("settings", "deep") == "How deep."
