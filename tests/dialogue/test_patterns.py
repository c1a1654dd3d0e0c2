"""Many patterns in one pass: what the pass may leave open, and where matches stand in a text."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading.patterns import MATCHES, Idioms, PatternSet, without_conditions
from jatdae.dialogue.rules.english_pieces import tables as english
from jatdae.dialogue.rules.korean_pieces import tables as korean

COUNTED = (
    r"흉통[^.\n]{0,4}중단",
    r"stop[^.\n]{2,6}?pain",
    r"(ab{1,2}|c){2,3}",
    r"x{2,}y",
    r"[]{1,2}]{2,3}z",
)
TEXTS = (
    "흉통 시 중단", "흉통이 오래 이어지면 중단", "stop if pain", "stop pain", "stop when there is pain",
    "abbc", "cc", "c", "xxxy", "xy", "]]z", "1,1}z", "}z", "",
)  # fmt: skip


def encoded(text: str) -> bytes:
    return text.encode()


@pytest.mark.parametrize("pattern", COUNTED)
def test_no_match_is_missed_by_the_common_pass(pattern):
    patterns = PatternSet([("wanted", pattern), ("other", "never")])
    matching = [text for text in TEXTS if patterns.first("wanted", encoded(text))]
    assert matching
    assert all(patterns.likely(encoded(text)) == {"wanted"} for text in matching)


def test_a_count_holds_where_a_name_is_looked_for():
    patterns = PatternSet([("wanted", COUNTED[0])])
    far = encoded("흉통이 오래 이어지면 중단")
    assert patterns.first("wanted", far) is None
    assert list(patterns.spans("wanted", far)) == []


@pytest.mark.parametrize("pattern", [r"\{1,2}", r"[{1,2}]a", r"\Qa{1,2}\E"])
def test_what_only_looks_like_a_count_is_looked_for_as_it_is_written(pattern):
    patterns = PatternSet([("wanted", pattern)])
    assert patterns.likely(encoded("aa bb")) == set()


def test_matches_stand_where_the_characters_do():
    text = "약은 🙂 café와 함께, 물은 café 뒤에"
    patterns = PatternSet([("wanted", "café")])
    assert [text[start:end] for start, end in patterns.spans("wanted", encoded(text))] == ["café", "café"]
    first = patterns.first("wanted", encoded(text))
    assert first is not None and text[slice(*first)] == "café"


@pytest.mark.parametrize("count", ["{01,2}", "{1,02}", "{00,}", "{1,1000000000}", "{１,２}", "{١,٢}"])
def test_what_the_engine_reads_as_text_is_no_count(count):
    patterns = PatternSet([("wanted", f"ab{count}c")])
    text = encoded(f"그 ab{count}c")
    assert patterns.first("wanted", text) is not None
    assert patterns.likely(text) == {"wanted"}


def test_a_match_that_cuts_a_character_moves_no_other():
    text = "가나 🙂 바나나를 드세요"
    patterns = PatternSet([("wanted", r"\C나|바나나")])
    assert list(patterns.spans("wanted", encoded(text)))[-1] == (5, 8)


def test_a_pattern_that_looks_to_the_end_at_every_match_is_left_after_some():
    patterns = PatternSet([("wanted", "가[^x]*z|가")])
    assert len(list(patterns.spans("wanted", encoded("가" * 3 * MATCHES)))) == MATCHES


@pytest.mark.parametrize(
    ("pattern", "loose"),
    [
        (r"a(?=b|(c))d(?<!e)", "ad"),
        (r"(?:x(?!y)|z)\d{0,2}", r"(?:x|z)(?s:.){0,2}"),
        (r"\(?[(?=]\b$", r"\(?[(?=]"),
        (r"[\d.]\s[^\S]\S", r"(?s:.)(?s:.)(?s:.)\S"),
    ],
)
def test_conditions_are_left_out_of_a_pattern(pattern: str, loose: str) -> None:
    assert without_conditions(pattern) == loose


@pytest.mark.parametrize("idioms", [korean().idioms, english().idioms], ids=["korean", "english"])
@pytest.mark.parametrize(
    "text",
    [
        "땀을 쭉 빼시고 걱정 마세요, 두고 가세요, 통증 때문이 아닙니다, X은 Y이 아니니까 됩니다, ３ 정까지 늘리는",
        "you don't need to stop X, feel free to have X\u00a0１ tablet, for someone with asthma X is no good",
        "Nothing of the kind.",
    ],
)
def test_idioms_are_replaced_as_if_each_were_searched(idioms: Idioms, text: str) -> None:
    replaced = text
    for pattern, meant in idioms.all:
        likely = PatternSet([("idiom", without_conditions(pattern.pattern))]).likely(encoded(text))
        assert likely or not pattern.search(text)
        replaced = pattern.sub(meant, replaced)
    assert idioms.plain(text) == replaced
