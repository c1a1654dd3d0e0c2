"""English words that form predicates: verbs in all their forms, pronouns, modals and other words.

Which there are is in `lexicon/english.yaml`; here is only how a verb changes and what a word can be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NamedTuple

from jatdae.core.yamlfile import read_yaml
from jatdae.dialogue.reading.concepts import LEXICON_FOLDER
from jatdae.dialogue.reading.words import WORDS, BoundedCache, expand

STATED: Final = 0
ORDER: Final = 1
CAN: Final = 2
WILL: Final = 3
AIM: Final = 4
"""The force of a verb: stated, ordered or advised, possible or allowed, future, purpose."""
BASE: Final = 1
THIRD: Final = 2
PAST: Final = 4
ING: Final = 8
"""Forms of a verb."""
BE: Final = 1 << 0
WAS: Final = 1 << 1
HAVE: Final = 1 << 2
DO: Final = 1 << 3
NOT: Final = 1 << 4
LIGHT: Final = 1 << 5
LINK: Final = 1 << 6
SUBORDINATE: Final = 1 << 7
GOOD: Final = 1 << 8
BAD: Final = 1 << 9
MUST: Final = 1 << 10
MAY: Final = 1 << 11
SHALL: Final = 1 << 12
PERSONS: Final = 1 << 13
BARE: Final = 1 << 14
MODAL: Final = MUST | MAY | SHALL
FLAGS: Final = {
    "be": BE, "was": WAS, "have": HAVE, "do": DO, "not": NOT, "light": LIGHT, "links": LINK,
    "subordinate": SUBORDINATE, "good": GOOD, "bad": BAD, "order": MUST, "can": MAY, "will": SHALL,
    "persons": PERSONS, "bare": BARE,
}  # fmt: skip
"""What a word can be, by the name of its list. Each is a number of its own, which compiled code has at hand."""
_TOKEN: Final = re.compile(r"[a-z]+(?:['-][a-z]+)*|[,;:()–—]")
_DOUBLED: Final = re.compile(r"[^aeiou]*[aeiou][bdgmnprt]$")
"""Short stems that double their last letter: stopping."""
_HISSED: Final = ("s", "sh", "ch", "x", "o")
_BEING: Final = (
    (THIRD, "is"), (THIRD, "are"), (PAST, "was"), (PAST, "were"), (PAST, "been"), (BASE, "be"),
    (THIRD, "you're"), (THIRD, "i'm"), (THIRD, "she's"), (THIRD, "he's"),
)  # fmt: skip
_THIRDS: Final = {"have": "has"}
PREFERRED: Final[Mapping[str, tuple[str, ...]]] = {
    "generic": ("find", "help", "cause", "happen", "prevent"),
    "thing": ("find", "help", "cause", "happen", "prevent"),
    "patient": ("have", "tend", "take", "avoid", "stop", "keep"),
    "speaker": ("advise", "take", "avoid", "stop", "keep", "find"),
}
"""The kind of a verb that has several, by its subject; else the first listed."""
BEFORE_NOUN: Final = frozenset(("your", "the", "a", "this", "that", "last", "latest", "recent", "first", "each"))
"""Words between which and a verb in -ing nothing stands where it is a noun: "the reading", "your recent bleeding"."""
FRONTING: Final = frozenset((
    "for", "at", "in", "with", "during", "after", "on", "until", "throughout", "tonight", "tomorrow",
))  # fmt: skip
"""Words that may stand before a command with their noun: "For headaches use …"."""
NO_OBJECT: Final = frozenset((
    "of", "is", "are", "was", "were", "can", "may", "might", "in", "or", "and", "with", "has", "have", "for",
    "should", ",", "",
))  # fmt: skip
"""Words behind a verb that is a noun there: "In heart failure use of …"."""
WELCOME: Final = frozenset(("welcome", "good", "great", "excellent", "helpful"))
"""Judgements behind "which" of what happens, and of no thing: "dapagliflozin lowers it, which is welcome"."""


class Chain(NamedTuple):
    """Combined effect of a chain of English verbs: "not recommend stopping" is advice, reversed twice."""

    force: int = STATED
    turns: int = 0
    """The number of negations and of verbs of avoiding or stopping."""
    stops: bool = False
    keeps: bool = False


@lru_cache(maxsize=256)
def chained(force: int = STATED, turns: int = 0, stops: bool = False, keeps: bool = False) -> Chain:
    """Make a verb chain, cached: there are few, and every verb needs one."""
    return Chain(force, turns, stops, keeps)


@dataclass(frozen=True, eq=False)
class Verb:
    """An English verb of one or more words, found by its first word."""

    rest: tuple[str, ...]
    """Its words after the first."""
    sorts: tuple[str, ...]
    """Its kinds, in the order of the file."""
    forms: int


@dataclass(frozen=True, eq=False)
class EnglishWord:
    """Grammatical roles that an English word can have: verb, pronoun, modal and so on."""

    flags: int = 0
    who: str = ""
    """Whom it names: patient, speaker, adviser, generic, thing."""
    alone: Verb | None = None
    """The verb of this one word."""
    leads: Mapping[str, tuple[Verb, ...]] = field(default_factory=dict)
    """The verbs of several words that begin with it, by second word, longest first."""
    forms: int = 0
    """The forms of all these verbs."""
    idle: bool = False
    """Whether it is a light word and nothing else: it changes nothing."""


MARK: Final = EnglishWord()
"""A comma or similar mark."""
NOTHING: Final = EnglishWord()
"""An unknown word with a hyphen or apostrophe."""
PLAIN: Final = EnglishWord()
"""An unknown word of letters only."""
LOOK: Final = 5
"""How many words ahead are looked at."""


@lru_cache(maxsize=1)
def load_english_words() -> Mapping[str, EnglishWord]:
    """Load the English verbs and other words that form predicates in answers, each with its possible roles."""
    content: dict[str, Any] = read_yaml(LEXICON_FOLDER / "english.yaml").value
    verbs: dict[str, dict[tuple[str, ...], tuple[list[str], int]]] = {}
    for sort, given in content["verbs"].items():
        for entry in (form for text in given for form in expand(text)):
            for form, text in verb_forms(entry):
                first, *rest = text.split()
                sorts, forms = verbs.setdefault(first, {}).get(tuple(rest), ([], 0))
                verbs[first][tuple(rest)] = sorts if sort in sorts else [*sorts, sort], forms | form
    flags: dict[str, int] = {}
    for part, flag in FLAGS.items():
        for word in content["words"][part]:
            flags[word] = flags.get(word, 0) | flag
    who = {word: name for name, words in reversed(content["subjects"].items()) for word in words}
    return {
        word: EnglishWord(
            flags.get(word, 0) | (NOT if word.endswith("n't") else 0),
            who.get(word, ""),
            *_verbs(verbs.get(word, {})),
            flags.get(word, 0) & ~BARE == LIGHT and word not in who and word not in verbs and word != "to",
        )
        for word in {*verbs, *flags, *who}
    }


def _tokens(raw: str) -> tuple[tuple[str, EnglishWord, int], ...]:
    return tuple((found[0], _known(found[0]), found.start()) for found in _TOKEN.finditer(raw))


look_up: Final = BoundedCache(_tokens, WORDS).__getitem__
"""The words and marks between two spaces: what each can be, and where it begins."""


def _known(word: str) -> EnglishWord:
    if not word[0].isalpha():
        return MARK
    return load_english_words().get(word, PLAIN if word.isalpha() else NOTHING)


def verb_at(word: EnglishWord, words: list[str], number: int) -> Verb | None:
    """Longest English verb in an answer that begins with the word at a position, or None."""
    leads = word.leads
    if leads and number + 1 < len(words):
        for verb in leads.get(words[number + 1], ()):
            if verb.rest == tuple(words[number + 1 : number + 1 + len(verb.rest)]):
                return verb
    return word.alone


def judged(known: list[EnglishWord], number: int) -> bool:
    """Whether an adjective or participle follows a form of the English verb "be" in a sentence of an answer."""
    for word in known[number + 1 : number + LOOK]:
        if word.flags & (GOOD | BAD) or word.forms & (PAST | ING):
            return True
        if not word.flags & LIGHT:
            break
    return False


def _verbs(
    given: Mapping[tuple[str, ...], tuple[list[str], int]],
) -> tuple[Verb | None, dict[str, tuple[Verb, ...]], int]:
    """The verbs that begin with a word: alone, with others, and the forms of all."""
    alone: Verb | None = None
    leads: dict[str, tuple[Verb, ...]] = {}
    every = 0
    for rest, (sorts, forms) in sorted(given.items(), key=lambda item: -len(item[0])):
        verb = Verb(rest, tuple(sorts), forms)
        every |= forms
        if rest:
            leads[rest[0]] = (*leads.get(rest[0], ()), verb)
        else:
            alone = verb
    return alone, leads, every


def verb_forms(entry: str) -> Iterator[tuple[int, str]]:
    """take, takes, taking, took, taken; of several words the first changes."""
    base, *irregular = entry.split("/")
    first, space, rest = base.partition(" ")
    tail = space + rest
    if first == "be":
        yield from ((form, text + tail) for form, text in _BEING)
        return
    stem = first.removesuffix("e") + (first[-1] if _DOUBLED.match(first) else "")
    weak = first[:-1] + "ie" if first.endswith("y") and first[-2] not in "aeiou" else first
    yield BASE, base
    yield THIRD, _THIRDS.get(first, weak + ("es" if first.endswith(_HISSED) else "s")) + tail
    yield ING, stem + "ing" + tail
    for past in irregular or [(weak.removesuffix("e") if weak != first else stem) + "ed" + tail]:
        yield PAST, past
