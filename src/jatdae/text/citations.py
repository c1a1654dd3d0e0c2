"""Normaliser steps that remove citations and footnotes from running text.

Pandoc keys, numbers in brackets and authors with a year are one thing written in three ways: gold made from LaTeX says
`[@smith2020]` where the PDF says `[12]` or `(Smith, 2020)`. All of them go, so that neither side is charged for the
other's style.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.text.markup import MASKED_BRACKET, find_code


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KEY = r"@(?:\{[^{}\s]*+\}|\w++(?:[:.\#$%&+?<>~/-]\w++)*+)"
_KEY_GROUP: Final = re.compile(rf"\[[^\[\]@]*+(?<![\w.+])-?{_KEY}[^\[\]]*+\](?!\()")
_LOCATOR = r"(?:\s\[(?:pp?|ch|chap|sec|fig|vol)\.[^\[\]]*+\])?"  # of @key [p. 3]
_BEFORE_KEY = r"(?:-(?<![\w@.+/}-]-)@|@(?<![\w@.+/}-]@))"
_KEY_IN_TEXT_1: Final = re.compile(rf"{_BEFORE_KEY}{_KEY.removeprefix('@')}{_LOCATOR}")
# In running text a key begins with a Latin letter, so that OCR noise such as "@0교육훈련" is none; a Korean particle
# that follows it is no part of it.
_KEY_LETTER = r"[^\W\u1100-\u11ff\u3040-\u9fff\uac00-\ud7a3]"
_KEY_IN_TEXT: Final = re.compile(
    rf"{_BEFORE_KEY}(?:\{{[^{{}}\s]*+\}}"
    rf"|[A-Za-z](?:{_KEY_LETTER}|[:.\#$%&+?<>~/-](?={_KEY_LETTER}))++){_LOCATOR}"
)

_NUMBERS_1 = r"\d++(?:\s*+[,;\-–—‑]\s*+\d++)*+\]"
_NUMBER_GROUP_1: Final = re.compile(rf"\[(?<!\w\[){_NUMBERS_1}(?:(?:\s*+[,–—-])?\s*+\[{_NUMBERS_1})*(?![(:])")
_RANGE = r"\-–—‑~∼～〜"  # what stands between the first and the last of several
_NUMBERS = rf"\[[^\S\n]*+\d++(?:\s*+[,;，、{_RANGE}]\s*+\d++)*+[^\S\n]*+\]"
_LINK_TARGET = r"\((?:[^()\s]++|\([^()\s]*+\))*+(?:\s++[\"'][^()\n]*+)?\)"
_NUMBER_GROUPS = rf"{_NUMBERS}(?:(?:\s*+[,;，、{_RANGE}])?\s*+{_NUMBERS})*"
_RAISED_NUMBERS: Final = re.compile(rf"\^{_NUMBER_GROUPS}\^")
_WIDE_NUMBERS: Final = re.compile(_NUMBER_GROUPS.replace(r"\[", "［").replace(r"\]", "］"))
# A number glued to a word is a link only to an address, a path, a file or a place on the page: "모델[3](BERT)" is none.
_ADDRESS = r"\((?:<|\#|\.{0,2}/|www\.|[A-Za-z][\w+.-]*+:|[^()\s]*\.[A-Za-z]{2,5}[/\#?)\s])"
_NUMBER_GROUP: Final = re.compile(
    rf"(?<=\w){_NUMBER_GROUPS}(?!(?={_ADDRESS}){_LINK_TARGET})|{_NUMBER_GROUPS}(?!{_LINK_TARGET})"
)
_INDEX: Final = re.compile(r"\[(?=[^\S\n]*+\d)")

_AUTHOR_GROUP: Final = re.compile(
    r"\((?=[^()]*?(?:1[5-9]|20)\d\d)([^()]*+)\)"
    r"|\[(?=[^()\[\]]*?(?:1[5-9]|20)\d\d)([^()\[\]]*+)\](?![(:])"
)
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


def citation_keys_1(text: str) -> str:
    """Remove citation keys from a text as `fair@1` did: a key in running text may begin with a digit."""
    if "@" not in text:
        return text
    return _KEY_IN_TEXT_1.sub("", _KEY_GROUP.sub("", text))


def citation_numbers(text: str) -> str:
    """Remove citation numbers from a text: `[1]`, `[1, 2]`, `[1–3]`, `[3~5]`, `[1], [4]`, `[1]~[3]`.

    They go right after a word as well, and with the carets that raise them, `^[1]^`. The parenthesis in
    `모델[3](BERT)` is text. `[Table 1]`, `[1](url)`, a line that begins with `[1]:`, and brackets in code stay: in code
    they are masked, so that they are still known for what they are once the marks of the code are gone.
    """
    if "［" in text:
        text = _WIDE_NUMBERS.sub("", text)
    if "[" not in text:
        return text
    if ("`" in text or "~~~" in text or "</" in text) and (code := find_code(text)):
        text = _with_masked_brackets(text, code)
    if "^[" in text:
        text = _RAISED_NUMBERS.sub("", text)
    return _NUMBER_GROUP.sub(_without_number if "]:" in text else "", text)


def _with_masked_brackets(text: str, code: list[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in code:
        parts += [text[at:start], _INDEX.sub(MASKED_BRACKET, text[start:end])]
        at = end
    return "".join([*parts, text[at:]])


def _without_number(group: re.Match[str]) -> str:
    """`[1]: …` at the start of a line says where a link leads."""
    text, (start, end) = group.string, group.span()
    line = text.rfind("\n", 0, start) + 1
    return group[0] if text.startswith(":", end) and not text[line:start].strip() else ""


def citation_numbers_1(text: str) -> str:
    """Remove citation numbers from a text as `fair@1` did: none right after a word, so `a[1]` stays."""
    return _NUMBER_GROUP_1.sub("", text) if "[" in text else text


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
