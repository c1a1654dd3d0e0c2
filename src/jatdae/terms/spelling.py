"""How a lexicon writes: variants of characters, and slips."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from jatdae.terms.format import LexiconFile, Typo
from jatdae.terms.latin import SMALL_LETTERS

Spell = Callable[[str], str]


def character_map(content: LexiconFile) -> dict[int, str]:
    """Characters that are read as others, Latin capitals among them, as `str.translate` takes them."""
    return SMALL_LETTERS | {ord(pair[0]): pair[1] for pair in content.characters}


def speller(content: LexiconFile) -> Spell:
    """What turns a string of a lexicon into the form that texts are searched for."""
    characters = character_map(content)
    return lambda text: unicodedata.normalize("NFC", text).translate(characters)


def typo_pattern(typos: Iterable[Typo], spell: Spell) -> re.Pattern[str] | None:
    """One expression for all slips. It is made of literals and fixed look-arounds alone, so it runs in linear time."""

    def each(form: str, texts: Iterable[str]) -> list[str]:
        return [form.format(re.escape(spell(text))) for text in texts]

    made = []
    for typo in typos:
        after = f"(?:{'|'.join(each('(?<={})', typo.after))})" if typo.after else ""
        not_after = "".join(each("(?<!{})", typo.not_after))
        before = f"(?={'|'.join(each('{}', typo.before))})" if typo.before else ""
        made.append(f"{after}{not_after}{re.escape(spell(typo.wrong))}{before}")
    return re.compile("|".join(made)) if made else None


def one_of(characters: Iterable[str]) -> re.Pattern[str] | None:
    """What finds any of these characters."""
    escaped = "".join(map(re.escape, characters))
    return re.compile(f"[{escaped}]") if escaped else None
