"""Words as NLTK's `word_tokenize` finds them: sentences by Punkt, then words by the rules of the Penn Treebank.

A full stop is a word of its own only at the end of a sentence, so sentences decide. Punkt was trained on the Wall
Street Journal. Of what it learned there are the abbreviations here, and single letters; its counts of words written
large and small are not. In their place stands one rule: after a single letter that is no abbreviation, a capitalised
word begins a sentence unless a comma or another initial shows it to be a name.

Sources: Kiss and Strunk, Unsupervised multilingual sentence boundary detection, Computational Linguistics 32, 2006;
MacIntyre, Treebank tokenization, 1995.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

_ABBREVIATIONS: Final = frozenset(
    """
    c d e f g h j k l m n p r s t v w
    mr mrs ms messrs dr prof gen sen rep gov lt col sgt capt jr sr st vs inc corp co ltd bros
    u.s u.k u.n d.c a.m p.m n.c n.d n.h n.j n.m n.y s.c s.d ph.d m.d b.a
    jan feb aug sept oct nov dec
    ala ariz calif conn fla ga ill ind kan ky mass md mich minn mo nev okla pa tenn tex va wash wis
    """.split()  # noqa: SIM905
)
"""Learned from the Wall Street Journal, which writes March and April in full; e.g. and i.e. are none."""

_AFTER: Final = r"[)\";}\]*:@'({\[!?]"
_RUN: Final = r"-{2,}|\.{2,}|(?:\.\s){2,}\."
_END: Final = re.compile(rf"[.?!](?=(?P<after>{_AFTER}|\s+(?P<next>\S+)))")
_PIECE: Final = re.compile(
    rf"(?=[^(\"`{{\[:;&#*@)}}\]\-,])\S+?(?=\s|$|{_AFTER}|{_RUN}|,(?=$|\s|{_AFTER}|{_RUN}))|{_RUN}|\S"
)
_CLOSING: Final = re.compile(r"[\"')\]}]+?(?:\s+|(?=--)|$)")
_LONG_SPACE: Final = re.compile(r"(\s)\s+(\s)")  # else the search for the last full stop takes its square
_NUMBER: Final = re.compile(r"-?[.,]?\d[\d,.-]*\.?")
_INITIAL: Final = re.compile(r"[^\W\d]\.")

_SPACED: Final = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r"[«“‘„]|`+", r" \g<0> "),  # quotes that open
        (r'^"', "``"),
        (r"``", r" \g<0> "),
        (r"([ (\[{<])(\"|'{2})", r"\1 `` "),
        (r"(?i)'(?!re|ve|ll|m|t|s|d|n)(\w)\b", r"' \1"),
        (r"([^.])(\.)([\])}>\"'»”’ ]*)\s*$", r"\1 \2 \3 "),  # the full stop at the end
        (r"([:,])([^\d])", r" \1 \2"),
        (r"[:,]$", r" \g<0> "),
        (r"\.{2,}|[;@#$%&?!*\]\[(){}<>]", r" \g<0> "),
        (r"([^'])' ", r"\1 ' "),
        (r"--", r" -- "),
        (r"^|$", " "),
        (r"[»”’]", r" \g<0> "),  # quotes that close
        (r"''|\"", " '' "),
        (r"([^' ])('[sSmMdD]|')\s", r"\1 \2 "),
        (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T)\s", r"\1 \2 "),
        (r"(?i)\b(can)(not)\b|\b(d)('ye)\b|\b(gim)(me)\b|\b(gon)(na)\b|\b(got)(ta)\b|\b(lem)(me)\b", None),
        (r"(?i)\b(more)('n)\b|\b(wan)(na)(?=\s)| ('t)(is)\b| ('t)(was)\b", None),
    )
)
"""Applied one after the other; None parts what was written together."""


def words_of(text: str) -> list[str]:
    """Words and signs of a text."""
    return [word for sentence in sentences_of(text) for word in _split(sentence)]


def sentences_of(text: str) -> Iterator[str]:
    """Sentences of a text; brackets and quotes that close one belong to it."""
    begin, end_before = 0, 0
    spans: list[tuple[int, int]] = []
    for end in _END.finditer(text):
        before = text[end_before : end.start()]
        word = before.split()[-1] if before and not before[-1].isspace() else ""
        if _ends(f"{word}{end[0]}{end['after']}"):
            spans.append((begin, end.end()))
            begin = end.start("next") if end["next"] else end.end()
        end_before = end.end()
    moved = 0
    for (start, stop), (following, stop_after) in pairwise([*spans, (begin, len(text.rstrip())), (0, 0)]):
        closing = _CLOSING.match(text, following, stop_after) if stop_after else None
        upto = following + len(closing[0].rstrip()) if closing else stop
        if sentence := text[start + moved : upto]:
            yield sentence
        moved = len(closing[0]) if closing else 0


def _ends(context: str) -> bool:
    """Whether a sentence ends within a word, its sign and what follows."""
    pieces = _PIECE.findall(context)
    followers = [pieces[at + 1 : at + 3] for at in range(len(pieces) - 1)]
    return any(_is_end(piece, after) for piece, after in zip(pieces, followers, strict=False))


def _is_end(piece: str, after: list[str]) -> bool:
    if piece in (".", "?", "!"):
        return True
    if not piece.endswith(".") or piece.endswith(".."):
        return False
    word = piece[:-1].lower()
    if word in _ABBREVIATIONS or word.rpartition("-")[2] in _ABBREVIATIONS:
        return False
    initial = _INITIAL.fullmatch(piece) is not None
    if not initial and not _NUMBER.fullmatch(piece):
        return True
    following = after[0]
    if following in (";", ":", ",", ".", "!", "?") or following[0].islower():
        return False
    is_name = following[0].isupper() and (after[1:] == [","] or following[1:2] == ".")
    return not (initial and is_name)


def _split(sentence: str) -> list[str]:
    sentence = _LONG_SPACE.sub(r"\1\2", sentence)
    for pattern, by in _SPACED:
        sentence = pattern.sub(_apart if by is None else by, sentence)
    return sentence.split()


def _apart(found: re.Match[str]) -> str:
    return f" {' '.join(filter(None, found.groups()))} "
