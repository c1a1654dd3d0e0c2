"""Words as NLTK's `word_tokenize` finds them: sentences by Punkt, then words by the rules of the Penn Treebank.

A full stop is a word of its own only at the end of a sentence, so sentences decide. Punkt was trained on the Wall
Street Journal. Of what it learned there are here all abbreviations, words that begin sentences and words that belong
together; its counts of words written large and small (236 kB) are not. Its rules are followed as published, with the
counts of the page itself, of both its sides, in their place (`Spelling`). They decide only after an abbreviation, a
single letter or dots; where the page does not have a word in small letters, the place after a single letter decides.

Sources: Kiss and Strunk, Unsupervised multilingual sentence boundary detection, Computational Linguistics 32, 2006;
MacIntyre, Treebank tokenization, 1995.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

_ABBREVIATIONS: Final = frozenset(
    """
    c d e f g h k l m n p r s t v w
    adm bros chg cie co col corp cos dr ft gen inc jr lt ltd maj messrs mg mr mrs ms ok prof rep reps sen sr st vs yr
    ave ct sw u.k u.n u.s u.s.a u.s.s.r
    a.m p.m b.v n.v s.a s.p.a l.p p.a.m m.b.a ph.d
    aug dec feb jan nov oct sep sept fri tues wed
    ala ariz calif colo conn d.c fla ga ill kan ky mich minn n.c n.d n.h n.j n.m n.y nev okla ore pa r.i s.c tenn va vt
    w.va wash wis
    a.a a.c a.d a.g a.h a.m.e a.s a.t b.f c.i.t c.o.m.b c.v d.h d.w e.f e.h e.l e.m f.g f.j g.d g.f g.k h.c h.f h.m
    i.m.s j.b j.c j.j j.k j.p j.r l.a l.f m.d.c m.j r.a r.h r.j r.k r.t s.a.y s.g s.s t.j w.c w.r w.w
    """.split()  # noqa: SIM905
)
"""What Punkt learned from the Wall Street Journal, which writes March and April in full; e.g. and i.e. are none."""
_NUMBER_TYPE: Final = "##number##"
_TOGETHER: Final = {
    _NUMBER_TYPE: """abreast aes business cbot colgate commodities cooper corrections credit dividend financing
        genentech henley insider international leisure letters notable pay-fone pegasus pepper review rj wedgestone who
        zimmer""",
    "b": "edelman levine smith stewart wigton",
    "i": "magnin toussie",
    "j": "aron fialka walter",
    "o": "ludcke",
}
_COLLOCATIONS: Final = frozenset((first, second) for first, words in _TOGETHER.items() for second in words.split())
"""What it learned to belong together across a full stop."""
_STARTERS: Final = frozenset(
    """
    according although among both but despite even he however i if in indeed instead it many meanwhile moreover most
    nevertheless nonetheless nor sales separately similarly since so some the there these they this though thus under
    when while yet
    """.split()  # noqa: SIM905
)
"""Words that begin a sentence even after an abbreviation."""

_AFTER: Final = r"[)\";}\]*:@'({\[!?]"
_RUN: Final = r"-{2,}|\.{2,}|(?:\.\s){2,}\."
_END: Final = re.compile(rf"[.?!](?=(?P<after>{_AFTER}|\s+(?P<next>\S+)))")
_PIECE: Final = re.compile(
    rf"{_RUN}|(?=[^(\"`{{\[:;&#*@)}}\]\-,])\S+?(?=\s|$|{_AFTER}|{_RUN}|,(?=$|\s|{_AFTER}|{_RUN}))|\S"
)
_CLOSING: Final = re.compile(r"[\"')\]}]+?(?:\s+|(?=--)|$)")
_LONG_SPACE: Final = re.compile(r"(\s)\s+(\s)")  # else the search for the last full stop takes its square
_NUMBER: Final = re.compile(r"-?[.,]?\d[\d,.-]*\.?")
_MARK: Final = re.compile(r"[#|*>+_-]+")
_NO_PROSE: Final = re.compile(r" *[#|]")
"""How a heading or the row of a table begins, in which any word may be written large."""
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


@dataclass(frozen=True)
class Spelling:
    """How a page writes its words: what Punkt counts in its corpus, here for want of that corpus in the page itself."""

    small: frozenset[str]
    """Words that stand there in small letters."""
    large_within: frozenset[str]
    """Words that stand there with a capital in the midst of a sentence."""


def spelling_of(*texts: str) -> Spelling:
    """How running text writes its words; a capital in a heading or a table tells nothing."""
    small: set[str] = set(_STARTERS)
    large_within: set[str] = set()
    for line in (line for text in texts for line in text.splitlines()):
        running, within = _NO_PROSE.match(line) is None, False
        for piece in _PIECE.findall(line):
            word = piece.removesuffix(".").lower()
            if piece[0].islower():
                small.add(word)
            elif within and piece[0].isupper():
                large_within.add(word)
            within = running and not piece.endswith((".", "?", "!")) and _MARK.fullmatch(piece) is None
    return Spelling(frozenset(small), frozenset(large_within))


def words_of(text: str, spelling: Spelling | None = None) -> list[str]:
    """Words and signs of a text; `spelling` is that of the page, by default of the text itself."""
    known = spelling_of(text) if spelling is None else spelling
    return [word for sentence in sentences_of(text, known) for word in _split(sentence)]


def sentences_of(text: str, spelling: Spelling) -> Iterator[str]:
    """Sentences of a text; brackets and quotes that close one belong to it."""
    begin, end_before, line = 0, 0, 0
    titled = Spelling(spelling.small, spelling.small)
    spans: list[tuple[int, int]] = []
    for end in _END.finditer(text):
        line = max(line, text.rfind("\n", end_before, end.start()) + 1)
        known = titled if _NO_PROSE.match(text, line) else spelling
        before = text[end_before : end.start()]
        words = before.rsplit(None, 2)[-2:] if before and not before[-1].isspace() else [""]
        if _ends(f"{words[-1]}{end[0]}{end['after']}", words[0] if len(words) > 1 else "", known):
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


def _ends(context: str, before: str, spelling: Spelling) -> bool:
    """Whether a sentence ends within a word, its sign and what follows; `before` is the word before these."""
    pieces = _PIECE.findall(context)
    followers = [pieces[at + 1 : at + 3] for at in range(len(pieces) - 1)]
    return any(_is_end(piece, after, before, spelling) for piece, after in zip(pieces, followers, strict=False))


def _is_end(piece: str, after: list[str], before: str, spelling: Spelling) -> bool:
    """Whether a sentence ends with a word: sections 4.1 to 4.3 of the paper."""
    if piece in (".", "?", "!"):
        return True
    if not piece.endswith("."):
        return False
    word, following = piece[:-1].lower(), after[0]
    initial, number = _INITIAL.fullmatch(piece) is not None, _NUMBER.fullmatch(piece) is not None
    if (_NUMBER_TYPE if number else word, following.lower()) in _COLLOCATIONS:
        return False
    if piece.endswith("..") or word in _ABBREVIATIONS or word.rpartition("-")[2] in _ABBREVIATIONS:
        return not initial and _begins_sentences(following, spelling)
    if not initial and not number:
        return True
    if following in (";", ":", ",", ".", "!", "?") or following[0].islower():
        return False
    return not (initial and following[0].isupper() and _is_name(piece[0], after, before, spelling))


def _begins_sentences(word: str, spelling: Spelling) -> bool:
    """Whether a word is capitalised for standing first: it is written small elsewhere, and large within no sentence."""
    small = word.lower()
    return word[0].isupper() and (
        small in _STARTERS or (small in spelling.small and small not in spelling.large_within)
    )


def _is_name(initial: str, after: list[str], before: str, spelling: Spelling) -> bool:
    """Whether a capitalised word after a single letter is a name: Punkt takes what is never written small for one.

    The page tells it of the words that it has in small letters. Of others it cannot tell, but the place can: a name
    stands before a comma or another initial, or the letter stands after a capitalised word and is no Roman number.
    """
    following = after[0]
    if following.lower() in spelling.small:
        return False
    if after[1:] == [","] or following[1:2] == ".":
        return True
    return before[:1].isupper() and initial.isupper() and initial not in "IVX"


def _split(sentence: str) -> list[str]:
    sentence = _LONG_SPACE.sub(r"\1\2", sentence)
    for pattern, by in _SPACED:
        sentence = pattern.sub(_apart if by is None else by, sentence)
    return sentence.split()


def _apart(found: re.Match[str]) -> str:
    return f" {' '.join(filter(None, found.groups()))} "
