"""Normaliser steps that remove citations and footnotes from running text.

Pandoc keys, numbers in brackets and authors with a year are one thing written in three ways: gold made from LaTeX says
`[@smith2020]` where the PDF says `[12]` or `(Smith, 2020)`. All of them go, so that neither side is charged for the
other's style.
"""

from __future__ import annotations

import re
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KEY = r"@(?:\{[^{}\s]*+\}|\w++(?:[:.\#$%&+?<>~/-]\w++)*+)"
_KEY_GROUP: Final = re.compile(rf"\[[^\[\]@]*+(?<![\w.+])-?{_KEY}[^\[\]]*+\](?!\()")
_KEY_IN_TEXT: Final = re.compile(
    rf"(?<![\w@.+/}}-])-?{_KEY}"
    r"(?:\s\[(?:pp?|ch|chap|sec|fig|vol)\.[^\[\]]*+\])?"  # the locator of @key [p. 3]
)

_NUMBERS = r"\d++(?:\s*+[,;\-–—‑]\s*+\d++)*+\]"
_NUMBER_GROUP: Final = re.compile(rf"\[(?<!\w\[){_NUMBERS}(?:(?:\s*+[,–—-])?\s*+\[{_NUMBERS})*(?![(:])")

_AUTHOR_GROUP: Final = re.compile(r"\(([^()]*+)\)|\[([^()\[\]]*+)\](?![(:])")
_YEAR = r"(?:1[5-9]|20)\d\d[a-z]?(?!\w)"
_YEARS: Final = re.compile(
    rf"(?<![\s,])(?=[\s,])\s*+(?P<comma>,?+)\s*+{_YEAR}(?:\s*+,\s*+(?:{_YEAR}|[a-z](?![\w.])))*+"
    r"(?:,?\s++(?:pp?\.|§|chap(?:ter)?\.?|sec(?:tion)?s?\.?|fig(?:ure)?s?\.?|table|eqs?\.?)\s*+[\dA-Z][\w.–-]*+)?+"
    r"(?:,?\s++and\s++references\s++therein|,?\s++for\s++a\s++review)?+\s*+",
    re.IGNORECASE,
)
_INTRODUCTION: Final = re.compile(
    r"\s*+(?:(?:see|also|e\.g\.|i\.e\.|cf\.|for\s++(?:example|instance|a\s++review)|as\s++in"
    r"|(?:as\s++)?(?:reviewed|described|shown|discussed)\s++(?:in|by)|예|참조|참고)[,:]?\s++)*+",
    re.IGNORECASE,
)
_PARTICLES: Final = _words(
    "de del della der den di da do dos du des van von zu zur zum ten ter te la le lo el al bin ibn y e und et and "
    "the of for & al. others"
)
_DATES_AND_PLACES: Final = _words(
    "january february march april may june july august september october november december jan feb mar apr jun jul "
    "aug sep sept oct nov dec spring summer autumn winter fall figure figures fig table tables section sections "
    "chapter equation eq appendix page version release since until before after during circa"
)
_SEVERAL: Final = _words("al. al & and 외 등")


def citation_keys(text: str) -> str:
    """Remove citation keys from a text: `[@key]`, `[see @a; @b, p. 3]`, `[-@k]`, `@key`; e-mail addresses stay."""
    if "@" not in text:
        return text
    return _KEY_IN_TEXT.sub("", _KEY_GROUP.sub("", text))


def citation_numbers(text: str) -> str:
    """Remove citation numbers from a text: `[1]`, `[1, 2]`, `[1–3]`, `[1], [4]`.

    `[Table 1]`, `a[1]`, `[1](url)` and `[1]: …` stay.
    """
    return _NUMBER_GROUP.sub("", text) if "[" in text else text


def citation_authors(text: str) -> str:
    """Remove citations by author and year from a text: `(Author, 2020)`, `(A et al., 2020a; B & C, 2021)`.

    Also `(see A, 2020)` and the same in brackets.
    """
    if "(" not in text and "[" not in text:
        return text
    return _AUTHOR_GROUP.sub(_without_citation, text)


def _without_citation(group: re.Match[str]) -> str:
    inside = group[1] if group[1] is not None else group[2]
    parts = inside.rstrip(" ;").split(";")
    return "" if all(map(_is_citation, parts)) else group[0]


def _is_citation(part: str) -> bool:
    """Whether `part` is names and a year, with an introduction such as "see" and a place such as "p. 3" at most."""
    before = _INTRODUCTION.match(part)
    start = before.end() if before else 0
    for years in _YEARS.finditer(part, start):
        if years.end() == len(part):
            return _are_names(part[start : years.start()], bool(years["comma"]))
    return False


def _are_names(text: str, comma: bool) -> bool:
    tokens = text.replace(",", " ").replace("·", " ").split()
    if not tokens or not all(_is_name(token) or token.casefold() in _PARTICLES for token in tokens):
        return False
    if not _SEVERAL.isdisjoint(tokens):
        return True
    if tokens[0].casefold().rstrip(".") in _DATES_AND_PLACES:
        return False
    # "(개정 2020)" is no author: without capitals to tell, only a comma makes a name of a word.
    return any(map(_is_name, tokens)) and (comma or any(token[0].isupper() for token in tokens))


def _is_name(token: str) -> bool:
    """A capitalised word, an initial, or a word of a script without capitals; no digits."""
    first = token[0]
    return (first.isalpha() or first in "'’") and not first.islower() and not any(map(str.isdigit, token))


_FOOTNOTE: Final = re.compile(
    r"^[^\S\n]*+\[\^[^\[\]\s]++\]:[^\n]*+"
    r"(?:\n(?:[^\S\n]*+\n)*+(?:\t|[ ]{2})[^\S\n]*+\S[^\n]*+)*+",  # indented lines go on with the note
    re.MULTILINE,
)
_FOOTNOTE_MARK: Final = re.compile(r"\[\^[^\[\]\s]++\]")


def footnote_definitions(text: str) -> str:
    """Remove whole footnotes from a text, as citations are: `[^n]: …` with their indented continuation."""
    return _FOOTNOTE.sub("", text) if "[^" in text else text


def footnote_references(text: str) -> str:
    """Remove footnote references, `[^n]`, from a text, as citations are removed."""
    return _FOOTNOTE_MARK.sub("", text) if "[^" in text else text
