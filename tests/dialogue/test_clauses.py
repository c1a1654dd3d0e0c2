"""Sentences: where they begin, and how they are cached."""

from __future__ import annotations

import pytest

from jatdae.dialogue import extract
from jatdae.dialogue.reading.clauses import read_sentence
from jatdae.dialogue.reading.sentences import find_sentences

from .conftest import statuses


def test_a_remembered_sentence_keeps_nothing_of_the_text_around_it():
    alone = statuses("천식에 대해 말씀드립니다.")
    extract("67세 여성이십니다. 천식에 대해 말씀드립니다. HbA1c는 7.2%입니다.")
    assert statuses("천식에 대해 말씀드립니다.") == alone
    assert read_sentence("같은 문장.", ()) is read_sentence("같은 문장.", ())


def test_a_sentence_too_long_to_be_remembered_is_read_alike():
    long = "물을 마시고 " * 80 + "바나나는 피하세요."
    assert ("banana", "advised_against", "affirmed") in statuses(long)
    assert read_sentence(long, ()) is not read_sentence(long, ())


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("hba1c 6.2 now. next", [0, 14]),
        ("fruit, e.g. pears. yes", [0, 18]),
        ("ask dr. kim. then go", [0, 12]),
        ('he said "go." then left', [0, 12]),
        ("one; two! three? four", [0, 4, 9, 16]),
        ("it ends with e.g.", [0, 17]),
        ("dr. kim", [0, 3]),
        ("wait...\nnow", [0, 7, 8]),
    ],
)
def test_sentences_begin_behind_marks_that_end_one(text, starts):
    assert find_sentences(text) == starts
