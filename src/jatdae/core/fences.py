r"""Answers of models in code fences: what stands in the fence is the answer.

Models write a table or a formula into ```` ```markdown ```` or ```` ```latex ```` and a sentence before or after it.
A fence of a language of its own (`python`) is code, and so is any fence of a text that is more than an answer: a page
with headings, or with tables and formulas of its own.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_LANGUAGES: Final = frozenset(["", "markdown", "md", "html", "latex", "tex", "math"])
"""Of what is text in a fence; "" is a fence without a language."""
_LINE: Final = re.compile(r"^[ ]{0,3}(?P<run>`{3,}|~{3,})[ \t]*(?P<language>[^\s`]*)[ \t]*$", re.MULTILINE)
_ON_ONE_LINE: Final = re.compile(r"(`{3,})(?:latex|tex|math)[ \t]+([^`\n]++)\1")
_MOST_AROUND: Final = 600
"""Characters around the fences of an answer."""
_MORE_THAN_SENTENCES: Final = re.compile(
    r"^[ ]{0,3}#{1,6}[ \t]|```|~~~|[$|]|\\[(\[]|\\begin|<(?:table|math)", re.MULTILINE
)


class Fenced(NamedTuple):
    """A text with fences in it."""

    inside: str
    """What stands in the fences, on the lines it stands on."""
    around: str

    @property
    def is_answer(self) -> bool:
        """Whether nothing but a few sentences stand around the fences."""
        around = self.around.strip()
        return len(around) <= _MOST_AROUND and not _MORE_THAN_SENTENCES.search(around)


def read_fences(text: str) -> Fenced | None:
    """What stands in the fences of a text and what around them; None where it has no fence of text.

    A fence that is never closed reaches to the end, as in an answer that was cut off.
    """
    if "```" not in text and "~~~" not in text:
        return None
    inside: list[str] = []
    around: list[str] = []
    at, opened = 0, ""
    for line in _LINE.finditer(text):
        run = line["run"]
        if opened and (line["language"] or run[0] != opened[0] or len(run) < len(opened)):
            continue  # a line of what stands in the fence
        if not opened and line["language"].lower() not in _LANGUAGES:
            return None  # code: what follows cannot be told from it
        (inside if opened else around).append(text[at : line.start()])
        inside.append("" if opened else "\n" * text.count("\n", at, line.start()))
        at, opened = line.end(), "" if opened else run
    if not inside:
        found = _ON_ONE_LINE.search(text)
        return Fenced(found[2], text[: found.start()] + text[found.end() :]) if found else None
    (inside if opened else around).append(text[at:])
    return Fenced("".join(inside), "\n".join(around))


def unfenced(text: str) -> str:
    """What stands in the fences of an answer, on the same lines; any other text as it is."""
    fenced = read_fences(text)
    return fenced.inside if fenced and fenced.is_answer else text
