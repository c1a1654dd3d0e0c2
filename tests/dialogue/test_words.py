"""Words: braces expanded, letters folded, and a cache that keeps as many words as fit."""

from __future__ import annotations

from jatdae.dialogue.reading.words import LONGEST, BoundedCache, expand, fold


def test_a_key_is_made_once_and_a_full_cache_begins_anew() -> None:
    made: list[str] = []

    def shout(word: str) -> str:
        made.append(word)
        return word.upper()

    cache = BoundedCache(shout, 3)
    assert [cache[word] for word in "abcabc"] == list("ABCABC")
    assert made == ["a", "b", "c"]
    assert (cache["d"], cache["a"]) == ("D", "A")
    assert made == ["a", "b", "c", "d", "a"]
    assert len(cache) == 2


def test_what_is_longer_than_a_word_is_not_kept() -> None:
    cache = BoundedCache(len, 3)
    assert (cache["x" * (LONGEST + 1)], cache["x" * LONGEST]) == (LONGEST + 1, LONGEST)
    assert list(cache) == ["x" * LONGEST]


def test_braces_expand_and_folding_keeps_positions():
    assert list(expand("a {b|c} {d|}")) == ["a b d", "a b ", "a c d", "a c "]
    assert list(expand("{score}")) == ["{score}"]
    for text in ("HbA1c’s", "İstanbul", "ΑΣ", "ＡＢ"):
        assert len(fold(text)) == len(text)
