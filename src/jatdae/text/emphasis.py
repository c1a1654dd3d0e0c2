"""Bold, italic, struck text and inline code: the marks go, the text stays.

Marks are paired as CommonMark pairs them, with two differences: a `*` right after a Latin letter or digit opens
nothing (`2*x` is a product), and a closing `**` may stand before a letter where it follows punctuation
(`**"잣대"**는`).
"""

from __future__ import annotations

import re
from typing import Final

_MARKS: Final = re.compile(r"\*+|_+|~~+")
_TICKS: Final = re.compile(r"`+")
# pandoc's x^2^ and H~2~O
_SCRIPT: Final = re.compile(r"\^([^\s^\[\]]{1,20}+)\^|(?<!~)~([^\s~\[\]]{1,20}+)~(?!~)")


def unmark(text: str) -> str:
    """Drop paired backticks, `*`, `_` and `~~`, and the marks of super- and subscripts."""
    if "`" in text:
        text = _without(text, _paired_ticks(text))
    if "*" in text or "_" in text or "~~" in text:
        text = _without(text, _paired_marks(text))
    if "^" in text or "~" in text:
        text = _SCRIPT.sub(lambda m: m[1] or m[2], text)
    return text


def _paired_ticks(text: str) -> list[tuple[int, int]]:
    """A run of backticks closes with the next run of the same length."""
    runs = [span for run in _TICKS.finditer(text) if (span := _unescaped(text, run))[0] < span[1]]
    after: dict[int, int] = {}
    partner = [0] * len(runs)
    for at in range(len(runs) - 1, -1, -1):
        length = runs[at][1] - runs[at][0]
        partner[at] = after.get(length, 0)
        after[length] = at
    pairs, at = [], 0
    while at < len(runs):
        if partner[at]:
            pairs += [runs[at], runs[partner[at]]]
            at = partner[at]
        at += 1
    return pairs


def _paired_marks(text: str) -> list[tuple[int, int]]:
    """The spans of marks that open or close something, in order."""
    found: list[tuple[int, int]] = []
    waiting: dict[str, list[list[int]]] = {"*": [], "_": [], "~": []}
    end = len(text)
    for run in _MARKS.finditer(text):
        start, stop = _unescaped(text, run)
        mark = run[0][0]
        before = text[start - 1] if start else " "
        after = text[stop] if stop < end else " "
        opens, closes = _flanks(mark, before, after)
        left = stop - start
        stack = waiting[mark]
        while closes and left and stack:
            opener = stack[-1]
            taken = min(left, opener[1] - opener[0])
            found.append((opener[1] - taken, opener[1]))
            found.append((stop - left, stop - left + taken))
            left -= taken
            opener[1] -= taken
            if opener[0] == opener[1]:
                stack.pop()
        if opens and left:
            stack.append([stop - left, stop])
    found.sort()
    return found


def _unescaped(text: str, run: re.Match[str]) -> tuple[int, int]:
    """The span of a run but for a mark that a backslash makes text."""
    start, stop = run.span()
    return start + text.startswith("\\", max(0, start - 1), start), stop


def _flanks(mark: str, before: str, after: str) -> tuple[bool, bool]:
    """Whether a run between these two characters may open and whether it may close."""
    opens, closes = not after.isspace(), not before.isspace()
    if mark == "*" and before.isascii() and (before.isalnum() or before in ")]"):
        # An operator: 2*x, y*(x + 1). Only before "(" might it also close what stands open.
        return False, closes and not (after.isascii() and after.isalnum())
    if mark == "_":
        # Inside a word an underscore is a letter: snake_case.
        return opens and not before.isalnum(), closes and not after.isalnum()
    return opens, closes


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    kept, at = [], 0
    for start, end in spans:
        kept.append(text[at:start])
        at = end
    kept.append(text[at:])
    return "".join(kept)
