"""Normalisers of JSON fields: steps that remove from both texts, before they are compared, what does not count.

    nfkc           width and composition of characters: ＡＢＣ, ㈜, ①
    casefold       case
    punctuation    everything but letters, figures and spaces
    digits         everything but figures
    {regex: …, replacement: …}   a pattern for RE2, which takes linear time on any text

Steps are taken in order, and the result is compared as it stands.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any, Final, Literal

from jatdae.core.configfile import Part
from jatdae.core.messages import speaker

say = speaker(__name__)

Step = Literal["nfkc", "casefold", "punctuation", "digits"]
_PUNCTUATION: Final = re.compile(r"[^\w\s]|_")
_NO_DIGIT: Final = re.compile(r"\D")
_GROUP: Final = re.compile(r"\\([0-9]+)")


class Replacement(Part):
    """A step of a normaliser that replaces what a pattern matches."""

    regex: str
    """Pattern for RE2."""
    replacement: str = ""
    """What stands in its place; \\1 is its first group."""


NormaliserStep = Step | Replacement


class Normaliser:
    """Normalises the texts of a JSON field by some steps."""

    __slots__ = ("_steps",)

    def __init__(self, steps: tuple[NormaliserStep, ...]) -> None:
        self._steps = steps

    def __call__(self, value: Any) -> Any:
        """A text as the steps leave it; what is no text stays."""
        if not isinstance(value, str):
            return value
        for step in self._steps:
            value = _take(step, value)
        return value


def supported(pattern: str, replacement: str = "") -> str:
    """A pattern that a normaliser or schema may use; raises ValueError, with the problem, where it cannot be used."""
    import re2  # type: ignore[import-untyped]

    try:
        groups = compiled(pattern).groups
        if wrong := next((each for each in _GROUP.findall(replacement) if int(each) > groups), ""):
            raise re2.error(f"\\{wrong}")
    except re2.error as error:
        said = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else error
        raise ValueError(say("pattern_unsupported", pattern=pattern, problem=said)) from None
    return pattern


def _take(step: NormaliserStep, text: str) -> str:
    if isinstance(step, Replacement):
        return str(compiled(step.regex).sub(step.replacement, text))
    if step == "nfkc":
        return unicodedata.normalize("NFKC", text)
    if step == "casefold":
        return text.casefold()
    return (_PUNCTUATION if step == "punctuation" else _NO_DIGIT).sub("", text)


@cache
def compiled(pattern: str) -> Any:
    """A pattern of a normaliser or schema, for RE2."""
    import re2

    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options)
