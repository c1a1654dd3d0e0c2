"""The sentences of an answer: where each begins, at a mark or a line, and what is read in it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final

from jatdae.dialogue.reading.clause import Sentence
from jatdae.dialogue.reading.clauses import read_sentence
from jatdae.dialogue.reading.patterns import Span

_MARKS: Final = (";", "\n", "。", "…", "!", "?", ".")
_FULL_STOP: Final = re.compile(r"""\.(?:\Z|(?=[\s"')*])(?<!e\.g\.|i\.e\.)(?<! dr\.| vs\.| mr\.)(?<!\bst\.))""")
"""A period that ends a sentence: it must stand before a space or closing mark, and not after an abbreviation."""


def find_sentences(text: str) -> list[int]:
    """Positions where the sentences of an answer begin, to be cut into clauses; 6.2 and e.g. end none."""
    starts = [0]
    for mark in _MARKS:  # to find one mark after the other is faster than a pattern that begins with any
        place = text.find(mark)
        while place >= 0:
            if mark != "." or _FULL_STOP.match(text, place):
                starts.append(place + 1)
            place = text.find(mark, place + 1)
    starts.sort()
    return starts


class Sentences:
    """The sentences of a text, each parsed when it is first needed."""

    def __init__(self, text: str, mentions: list[Span], told: tuple[int, ...]) -> None:
        """`mentions` are the spans of the concepts in the text, in order, `told` the places where phrases end."""
        self.text = text
        self.starts = find_sentences(text)
        """Where they begin."""
        self._mentions = mentions
        self._told = told
        self.places = [start for start, _ in mentions]
        """Where the concepts begin."""
        self._parsed: dict[int, Sentence] = {}

    def number_at(self, place: int) -> int:
        """The number of the sentence at a place."""
        return bisect_right(self.starts, place) - 1

    def span_at(self, place: int) -> Span:
        """Where the sentence at a place begins and ends."""
        number = bisect_right(self.starts, place)
        return self.starts[number - 1], self.starts[number] if number < len(self.starts) else len(self.text)

    def clause_at(self, number: int, place: int) -> int:
        """The number of the clause at a place, in a sentence."""
        return bisect_right(self.read(number).starts, place - self.starts[number]) - 1

    def read(self, number: int) -> Sentence:
        """A sentence with its clauses."""
        read = self._parsed.get(number)
        if read is None:
            begin = self.starts[number]
            end = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.text)
            first = bisect_left(self.places, begin)
            inside = self._mentions[first : bisect_left(self.places, end, first)]
            named = tuple([(start - begin, stop - begin) for start, stop in inside])
            told = tuple([place - begin for place in self._told if begin < place <= end]) if self._told else ()
            read = self._parsed[number] = read_sentence(self.text[begin:end], named, told)
        return read
