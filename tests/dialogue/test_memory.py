"""Words and sentences that are remembered: as many as fit, and none that is longer than a word."""

from __future__ import annotations

from jatdae.dialogue.memory import LONGEST, Memory


def test_a_key_is_made_once_and_a_full_memory_begins_anew() -> None:
    made: list[str] = []

    def shout(word: str) -> str:
        made.append(word)
        return word.upper()

    memory = Memory(shout, 3)
    assert [memory[word] for word in "abcabc"] == list("ABCABC")
    assert made == ["a", "b", "c"]
    assert (memory["d"], memory["a"]) == ("D", "A")
    assert made == ["a", "b", "c", "d", "a"]
    assert len(memory) == 2


def test_what_is_longer_than_a_word_is_not_kept() -> None:
    memory = Memory(len, 3)
    assert (memory["x" * (LONGEST + 1)], memory["x" * LONGEST]) == (LONGEST + 1, LONGEST)
    assert list(memory) == ["x" * LONGEST]
