"""The text of a cell folded to what a person compares, so that two ways to write the same are equal.

The rules, in the order in which they apply:

    entities        decoded once more: `&amp;lt;` is `<`
    raised          `^{2}`, `<sup>2</sup>` and `²` are one; after a digit a raised number stays raised (10² is not 102),
                    anywhere else it does not (m² is m2, and so is a footnote's mark)
    LaTeX           a command is the character it prints (`\\alpha` is α, `\\%` is %), `\\frac{a}{b}` is a/b, an accent
                    is a combining mark, `\\SI{3}{\\gram}` is 3 g, any other command vanishes and its argument stays
    emphasis        paired * and ~~, and code marks, vanish; a star that stands alone stays (0.5** is significant)
    Unicode         compatibility form; characters that look alike are one: dashes, quotes, dots, stars, tildes, ticks,
                    crosses, degrees; invisible characters vanish
    the rest        `$ { } ^ _ \\` and white space vanish; case does not matter
    typed signs     `>=` is ≥, `<=` is ≤, `+/-` is ±
    thousands       the commas of 9,411,000 vanish, as do its spaces; 9.411.000 and 0,123 stay
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from html import unescape
from typing import Final

from jatdae.tables.latex import commands
from jatdae.tables.latex_packages import print_packages

VERSION: Final = 3
"""Bumped when a change here moves any score: 2 drops marks of direction too, and reads units and
dingbats in LaTeX; 3 folds signs typed in ASCII, the commas of thousands, and fractions with groups in them."""

# Of these only white space, case and double dashes are folded; Unicode's compatibility form leaves them as they are.
_PLAIN: Final = re.compile(r"[A-Za-z0-9\s.,:;()\[\]/+%=<>|!?#@가-힣一-鿿±×≤≥≈°-]*")
_RAISED_CHARACTERS: Final = re.compile("[⁰¹²³⁴-⁹⁺⁻⁼⁽⁾ⁱⁿ]+")
_SPACE_COMMAND: Final = re.compile(r"\\[,;:! ]|\\\\(?:\[[^\]]{0,20}\])?")
_DELIMITER: Final = re.compile(r"\\[()\[\]]")
_COMMAND: Final = re.compile(r"\\([a-zA-Z]+)\*?|\\(.)", re.DOTALL)
_GROUP: Final = r"\{((?:[^{}]++|\{[^{}]*+\})*+)\}"
_FRACTION: Final = re.compile(rf"\\[dtc]?frac\s*{_GROUP}\s*{_GROUP}")
_DIGIT_FRACTION: Final = re.compile(r"\\[dtc]?frac\s*([0-9])\s*([0-9])")
_SEVERAL_TERMS: Final = re.compile(r"\S\s*[+\-−]\s*\S")
_EMPHASIS: Final = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*]+)(?<=[^\s*])\1(?![\w*])")
_CODE_OR_STRUCK: Final = re.compile(r"(?<![`~])(`{1,3}|~~)(?![`~])([^`~]+)\1(?![`~])")
_RAISED_NUMBER: Final = re.compile(r"([0-9])[\s}]*\^[\s{]*([+-]?)[\s{]*(?=[0-9])")
_DASHES: Final = re.compile("-{2,}")
_THOUSANDS: Final = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9,])")
_TYPED: Final = (("+/-", "±"), (">=", "≥"), ("<=", "≤"))
_DROPPED: Final = re.compile(r"[\s${}^_\\]+")
_RAISED: Final = "\x02"  # stands for ^ where it means something
_MOST_FRACTIONS: Final = 8  # levels of one in the other


def _alike(groups: dict[str, str]) -> dict[int, str]:
    return {ord(character): form for form, characters in groups.items() for character in characters}


_BEFORE: Final = _alike({"°": "º˚∘", "'": "´", "·": "ㆍ"})
"""Characters whose compatibility form would hide what they look like."""
_AFTER: Final = _alike(
    {
        "-": "‐‑‒–—―−⁃➖ー─",
        '"': "“”„‟«»〝〞〟",
        "'": "‘’‚‛′‵`ʹʼ",
        "·": "•∙⋅‧・",
        "*": "∗⋆✱",
        "~": "∼〜～˜",
        "✓": "✔☑✅🗸√",
        "×": "✗✘✕✖☒❌╳⨯",
        "/": "⁄∕",
        "|": "∣❘￨",
        "<": "〈⟨‹",
        ">": "〉⟩›",
        "Δ": "∆",
        "Σ": "∑",
        "Π": "∏",
        "⊥": "⟂",
        "≥": "⩾≧",
        "≤": "⩽≦",
        "": "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\ufe0e\ufe0f\u2061\u2062\u2063\u2064",
    }
)


@lru_cache(maxsize=16_384)
def fold(text: str) -> str:
    """Fold the text of a cell to what a person compares; raised text is written `^{…}`."""
    if _PLAIN.fullmatch(text) and "--" not in text:
        return _typed("".join(text.split()).lower())
    return _fold_any(text)


def _fold_any(text: str) -> str:
    """Apply every rule."""
    if "&" in text:
        text = unescape(text)
    if not text.isascii():
        text = _RAISED_CHARACTERS.sub(lambda run: f"^{{{run[0]}}}", text)
    if "\\" in text:
        text = _without_commands(print_packages(text).replace("\\textsuperscript", "^"))
    if "*" in text:
        text = _EMPHASIS.sub(r"\2", text)
    if "`" in text or "~~" in text:
        text = _CODE_OR_STRUCK.sub(r"\2", text)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_BEFORE)).translate(_AFTER)
    text = text.replace("``", '"').replace("''", '"').replace("`", "'")
    if "--" in text:
        text = _DASHES.sub("-", text)
    if "^" in text:
        text = _RAISED_NUMBER.sub(rf"\1{_RAISED}\2", text)
    return _typed(_DROPPED.sub("", text).casefold())


def _typed(text: str) -> str:
    """Numbers without separators of thousands, and signs as they are printed."""
    if "," in text:
        text = _THOUSANDS.sub(lambda number: number[0].replace(",", ""), text)
    if "=" in text or "/" in text:
        for typed, printed in _TYPED:
            text = text.replace(typed, printed)
    return text


def _without_commands(text: str) -> str:
    text = _DELIMITER.sub("", _SPACE_COMMAND.sub(" ", text))
    if "frac" in text:
        text = _DIGIT_FRACTION.sub(r"\1/\2", text)
        for _ in range(_MOST_FRACTIONS):  # from the inside out
            text, found = _FRACTION.subn(lambda parts: f"{_term(parts[1])}/{_term(parts[2])}", text)
            if not found:
                break
    made: list[str] = []
    at = 0
    while command := _COMMAND.search(text, at):
        made.append(text[at : command.start()])
        at = command.end()
        name = command[1] or command[2]
        mark = commands().accents.get(name)
        accented = _ACCENTED.match(text, at) if mark else None
        if accented and mark:
            made.append(accented[1] + mark)
            at = accented.end(1)  # what else the argument holds, and its brace, stay
        else:
            made.append(commands().symbols.get(name, "") if command[1] else name)
    return "".join([*made, text[at:]])


_ACCENTED: Final = re.compile(r"[\s{]*([^\W\d_])")


def _term(text: str) -> str:
    """Part of a fraction: in brackets where it is a sum."""
    return f"({text.strip()})" if _SEVERAL_TERMS.search(text) else text.strip()
