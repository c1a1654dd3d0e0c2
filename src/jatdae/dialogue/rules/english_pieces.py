"""Cuts an English sentence into clauses and tags their words with the kinds of `english_advice.yaml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from jatdae.core.compiled import beside
from jatdae.core.yamlfile import read_yaml
from jatdae.dialogue.reading.english_verbs import BASE, THIRD, verb_forms
from jatdae.dialogue.reading.patterns import Idioms
from jatdae.dialogue.reading.words import expand

TABLE: Final = beside(__name__, "english_advice.yaml")
_WORD: Final = re.compile(r"[XY]|[a-z]+(?:['-][a-z]+)*|\d+(?:[.,]\d+)*")
VERBS: Final = {"stop", "avoid", "keep", "more", "take", "talk", "harm", "help"}
FINITE: Final = {*VERBS, "be", "modal", "speaker"}
BUT: Final = re.compile(r"\W*(?:but|yet|however|though|although|which|so|except|unless|and|that said)\b")


class Tag(NamedTuple):
    """A word or phrase that a table knows."""

    kinds: Mapping[str, int]
    """What it can be; for verbs with its forms, else 0."""
    at: int
    """Number of its first word in the clause."""
    end: int


class Tables(NamedTuple):
    """Tables of words by first word, and patterns on how clauses hang together."""

    entries: dict[str, tuple[tuple[tuple[str, ...], Mapping[str, int]], ...]]
    """The rest of each entry and its kinds, longest first."""
    cut: re.Pattern[str]
    back: re.Pattern[str]
    command: re.Pattern[str]
    light: re.Pattern[str]
    idioms: Idioms


class Piece(NamedTuple):
    """A clause: its text, words and tags."""

    text: str
    words: tuple[str, ...]
    tags: tuple[Tag, ...]

    def has(self, *kinds: str) -> bool:
        """Whether a word of such a kind is in it."""
        return any(kind in tag.kinds for tag in self.tags for kind in kinds)


def cut_pieces(frame: str) -> list[Piece]:
    """The clauses of a sentence."""
    ends = [found.end() for found in tables().cut.finditer(frame)]
    texts = [frame[start:end] for start, end in zip([0, *ends], [*ends, len(frame)], strict=True)]
    parts = (part for text in texts for part in (_SINCE.split(text, maxsplit=1) if _SUPPOSES.match(text) else [text]))
    return [make_piece(part) for part in parts if part.strip()]


_SUPPOSES: Final = re.compile(r"\W*(?:(?:and|so|but|well|now) )?(?:if|when|since|because|as|once|now that|given)\b")
_SINCE: Final = re.compile(
    r"(?<=\w)(?<!since)(?<!because)(?<!if)(?<!when)(?<!that) (?=you (?:don't need|do not need|no longer need)\b)"
    r"|(?<=\w)(?<!if)(?<!when)(?<!that)(?<!think)(?<!feel)(?<!believe)(?<!whether)(?<!what)(?<!how)(?<!and)(?<!until) "
    r"(?=(?:you (?:can|may|should|could|might)|i'd|i would|there's no|it's (?:fine|okay|safe))\b)"
)
"""Where the main clause begins behind a reason or condition without a comma: "If you feel fine you can stop X"."""


def make_piece(text: str) -> Piece:
    """A clause with its words and their tags."""
    words = tuple(_WORD.findall(text))
    return Piece(text, words, tuple(_tags(words)))


def _tags(words: tuple[str, ...]) -> list[Tag]:
    known, found, number = tables().entries, [], 0
    while number < len(words):
        word = words[number]
        for rest, kinds in known.get(word, ()):
            end = number + 1 + len(rest)
            if not rest or words[number + 1 : end] == rest:
                found.append(Tag(kinds, number, end))
                number = end
                break
        else:
            if word.isalpha():
                pass
            elif word.endswith("n't"):
                found.append(Tag(_NOT, number, number + 1))
            elif word.endswith(("year-old", "year-olds")):
                found.append(Tag(_SORT, number, number + 1))
            elif word[0].isdigit():
                found.append(Tag(_DOSE, number, number + 1))
            elif word.endswith(("'ll", "'d")):
                found.append(Tag(_MODAL, number, number + 1))
            number += 1
    return found


_NOT: Final = {"not": 0}
_DOSE: Final = {"dose": 0}
_SORT: Final = {"sort": 0}
_MODAL: Final = {"modal": 0}


def merge_pieces(pieces: list[Piece], at: int) -> tuple[Piece, list[Piece]]:
    """The clause of X with the pieces behind it that have no subject or no verb of their own, and the rest."""
    piece, number = pieces[at], at + 1
    while number < len(pieces):
        ahead = pieces[number]
        if not _is_prescription(piece, ahead) and (
            piece.text.rstrip().endswith((".", "!", "?"))
            or "Y" in ahead.words
            or ahead.words[:1] in (("there's",), ("there",))
            or BUT.match(ahead.text)
            or tables().command.match(ahead.text)
        ):
            break
        first = _first_of(ahead)
        starts = first is not None and not {"you", "speaker"} & first.kinds.keys()
        verb = next((tag for tag in ahead.tags if FINITE & tag.kinds.keys()), None)
        goes_on = verb is None or (starts and verb is first and needs_subject(verb))
        goes_on = goes_on or _is_prescription(piece, ahead)
        if not goes_on or (ahead.words and tables().back.match(ahead.text.strip())):
            break
        piece = make_piece(f"{piece.text} {ahead.text}")
        number += 1
    return piece, pieces[number:]


def _is_prescription(piece: Piece, ahead: Piece) -> bool:
    """Whether a clause is nothing but a name, and the next one begins with its dose: "X: 300 mg daily helps"."""
    return piece.words == ("X",) and bool(ahead.tags) and ahead.tags[0].at == 0 and "dose" in ahead.tags[0].kinds


_ADVERBS: Final = frozenset(("often", "usually", "normally", "generally", "typically", "also", "always", "then"))


def _first_of(piece: Piece) -> Tag | None:
    """The tag with which a clause begins, behind an adverb or a "hardly": "…, usually settles it"."""
    first = piece.tags[0] if piece.tags else None
    if first is None or first.at != int(piece.words[0] in _ADVERBS):
        return None
    if piece.words[0] in _HARDLY and len(piece.tags) > 1 and piece.tags[1].at == 1:
        return piece.tags[1]
    return first


_HARDLY: Final = frozenset(("hardly", "never", "rarely", "barely", "scarcely"))


def needs_subject(tag: Tag) -> bool:
    """Whether a verb cannot begin a command: is, should, helps."""
    return bool({"be", "modal"} & tag.kinds.keys()) or any(form & THIRD for form in tag.kinds.values())


def is_command(tag: Tag) -> bool:
    """Whether a verb has the form of a command: take, but not takes."""
    return any(form & BASE for form in tag.kinds.values()) and not any(form & THIRD for form in tag.kinds.values())


def leads(tag: Tag, piece: Piece) -> bool:
    """Whether a verb is a command: nothing but light words stands before it."""
    if tables().command.match(piece.text):
        return True
    return is_command(tag) and all(tables().light.fullmatch(word) for word in piece.words[: tag.at])


def leads_with(later: Piece) -> bool:
    """Whether a clause begins with a command: "then take …"."""
    return bool(later.tags) and leads(later.tags[0], later)


def plain(frame: str) -> str:
    """The same sentence in plainer words; as it is where those would take X away: "the best results with X"."""
    plainer = tables().idioms.plain(frame)
    return plainer if "X" in plainer or "X" not in frame else frame


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The tables of `english_advice.yaml`."""
    content: dict[str, Any] = read_yaml(TABLE).value
    kinds: dict[tuple[str, ...], dict[str, int]] = {}
    for kind, given in content["verbs"].items():
        for entry in (form for text in given for form in expand(text)):
            for form, text in verb_forms(entry):
                known = kinds.setdefault(tuple(text.split()), {})
                known[kind] = known.get(kind, 0) | form
    for kind, given in content["words"].items():
        for entry in (form for text in given for form in expand(text)):
            kinds.setdefault(tuple(entry.split()), {}).setdefault(kind, 0)
    entries: dict[str, list[tuple[tuple[str, ...], Mapping[str, int]]]] = {}
    for words, each in sorted(kinds.items(), key=lambda item: -len(item[0])):
        entries.setdefault(words[0], []).append((words[1:], each))
    for words, each in kinds.items():
        if len(words) == 1 and words[0].endswith("n't"):
            each.setdefault("not", 0)
    command = rf"\W*(?:{content['light']}\W+)*(?!{content['closed']}\b)[a-z]+ {content['object']}\b"
    idioms = [(said.replace("{patient}", content["patient"]), meant) for said, meant in content["idioms"]]
    return Tables(
        {word: tuple(rows) for word, rows in entries.items()},
        re.compile(content["cut"]),
        re.compile(content["back"]),
        re.compile(command),
        re.compile(content["light"]),
        Idioms(idioms),
    )
