"""Text normalisers: named steps and the presets made of them, applied in order to both texts.

A new step is one function and one line in `STEPS`. The steps on characters are here; those on markup and on citations
have modules of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from jatdae.core.errors import UsageError
from jatdae.core.messages import near, speaker
from jatdae.text import citations, literal_rules, markup

say = speaker(__name__)

MOST_PASSES: Final = 4
"""A removal may lay bare what an earlier step removes (`[[1]2]`), so steps are repeated; hostile nesting ends here."""

_SEPARATORS: Final = re.compile(r"[+,\s]+")


Removes = Literal["syntax", "content", "letters"]


@dataclass(frozen=True, slots=True)
class NormaliserStep:
    """A normaliser step: a function on text, under the name users and reports know it by."""

    name: str
    apply: Callable[[str], str]
    removes: Removes
    """Syntax may go on one side only; content that goes on one side only makes the comparison unfair."""
    scope: str = ""
    """Steps that remove the same thing in different dress share a scope and are weighed together."""
    version: int = 1


@dataclass(frozen=True, slots=True)
class Preset:
    """A normaliser preset: a list of steps with a name and a version of its own."""

    name: str
    steps: tuple[str, ...]
    version: int = 1
    settles: bool = True
    """Whether the steps are repeated until nothing changes."""


@dataclass(frozen=True, slots=True)
class Normaliser:
    """Text normaliser: steps in order. Called with a text, it returns the text as it will be compared."""

    signature: str
    """Names with versions, as they stand in the signature line: `nfc@1+fair@1`."""
    steps: tuple[NormaliserStep, ...]
    settles: bool = True

    def __call__(self, text: str) -> str:
        """`text` after every step, repeated until nothing changes."""
        return self.with_scope(text)[0]

    def with_scope(self, text: str) -> tuple[str, dict[str, int]]:
        """`text` normalised, and the characters each step removed from it (steps that removed none are left out)."""
        removed: dict[str, int] = {}
        for _ in range(MOST_PASSES if self.settles else 1):
            settled = True
            for step in self.steps:
                after = step.apply(text)
                if after != text:
                    if gone := len(text) - len(after):
                        removed[step.name] = removed.get(step.name, 0) + gone
                    # No step tells one white space from another but at line starts, so this one calls for no repeat.
                    settled = settled and step.name == "whitespace"
                    text = after
            if settled:
                break
        return text, removed


def normalise(text: str, normaliser: str | Sequence[str] = "fair") -> str:
    """Normalise a text with the named normaliser; names as in `find_normaliser`."""
    return find_normaliser(normaliser)(text)


def find_normaliser(names: str | Sequence[str]) -> Normaliser:
    """Make a text normaliser from names: `fair`, `nfc+fair`, `fair@1`, `["nfc", "markdown", "whitespace"]`."""
    listed = _SEPARATORS.split(names.strip()) if isinstance(names, str) else names
    return _made(tuple(listed))


@cache
def _made(names: tuple[str, ...]) -> Normaliser:
    signature: list[str] = []
    steps: list[NormaliserStep] = []
    settles = True
    for written in names:
        name, _, version = written.partition("@")
        preset = PRESETS.get(name)
        if preset is None and name not in STEPS:
            known = [*PRESETS, *STEPS]
            raise UsageError(say("unknown_step", name=name, near=near(name, known), known=", ".join(known)))
        current = (preset or STEPS[name]).version
        if version and version != str(current):
            raise UsageError(say("other_step_version", name=name, current=current, written=written))
        signature.append(f"{name}@{current}")
        steps += [STEPS[step] for step in preset.steps] if preset else [STEPS[name]]
        settles = settles and (preset is None or preset.settles)
    return Normaliser("+".join(signature), tuple(steps), settles)


_QUOTES: Final = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "′": "'"}
)
_LIGATURES: Final = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "ĳ": "ij", "Ĳ": "IJ"}
)
_LINE_END_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])[-‐\u00ad][^\S\n]*+\n\s*+(?=[^\W\d_])")


def nfc(text: str) -> str:
    """Normalise a text by Unicode composition (NFC): `e` + `´` becomes `é`, Hangul letters become syllables."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def nfkc(text: str) -> str:
    """Normalise a text by Unicode compatibility (NFKC): also `ﬁ` → `fi`, `①` → `1`, full width → half width."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def casefold(text: str) -> str:
    """Normalise a text by folding upper and lower case, so that case does not count."""
    return text.casefold()


def quotes(text: str) -> str:
    """Normalise the quotes of a text: curly ones become straight."""
    return text if text.isascii() else text.translate(_QUOTES)


def ligatures(text: str) -> str:
    """Normalise the ligatures of a text: `ﬁ` and others become their letters."""
    return text if text.isascii() else text.translate(_LIGATURES)


def hyphenation(text: str) -> str:
    """Normalise a text by joining words hyphenated at a line end. Before `whitespace`, which removes line ends."""
    return _LINE_END_HYPHEN.sub(_joined, text) if "\n" in text else text


def whitespace(text: str) -> str:
    """Normalise the white space of a text: runs become one space, both ends are trimmed."""
    return " ".join(text.split())


def _joined(hyphen: re.Match[str]) -> str:
    """A capital after the break is a name such as Foreman-Mackey, whose hyphen is its own."""
    return "-" if hyphen.string[hyphen.end()].isupper() else ""


STEPS: Final = {
    step.name: step
    for step in (
        NormaliserStep("pandoc_blocks", markup.pandoc_blocks, "syntax"),
        NormaliserStep("citation_keys", citations.citation_keys, "content", "citations"),
        NormaliserStep("citation_numbers", citations.citation_numbers, "content", "citations"),
        NormaliserStep("footnote_definitions", citations.footnote_definitions, "content", "footnotes"),
        NormaliserStep("footnote_references", citations.footnote_references, "syntax"),
        NormaliserStep("images", markup.images, "syntax"),
        NormaliserStep("math", markup.math, "content", "math"),
        NormaliserStep("page_markers", markup.page_markers, "syntax"),
        NormaliserStep("size_attributes", markup.size_attributes, "syntax"),
        NormaliserStep("horizontal_rules", markup.horizontal_rules, "syntax"),
        NormaliserStep("citation_authors", citations.citation_authors, "content", "citations"),
        NormaliserStep("markdown", markup.markdown, "syntax"),
        NormaliserStep("whitespace", whitespace, "syntax"),
        NormaliserStep("nfc", nfc, "letters"),
        NormaliserStep("nfkc", nfkc, "letters"),
        NormaliserStep("casefold", casefold, "letters"),
        NormaliserStep("quotes", quotes, "letters"),
        NormaliserStep("hyphenation", hyphenation, "letters"),
        NormaliserStep("ligatures", ligatures, "letters"),
        NormaliserStep("seed_pandoc_blocks", literal_rules.seed_pandoc_blocks, "syntax"),
        NormaliserStep("seed_citation_keys", literal_rules.seed_citation_keys, "content", "citations"),
        NormaliserStep("seed_citation_numbers", literal_rules.seed_citation_numbers, "content", "citations"),
        NormaliserStep("seed_footnote_references", literal_rules.seed_footnote_references, "syntax"),
        NormaliserStep("seed_footnote_definitions", literal_rules.seed_footnote_definitions, "content", "footnotes"),
        NormaliserStep("seed_images", literal_rules.seed_images, "syntax"),
        NormaliserStep("seed_math", literal_rules.seed_math, "content", "math"),
        NormaliserStep("seed_page_markers", literal_rules.seed_page_markers, "syntax"),
        NormaliserStep("seed_size_attributes", literal_rules.seed_size_attributes, "syntax"),
        NormaliserStep("seed_horizontal_rules", literal_rules.seed_horizontal_rules, "syntax"),
        NormaliserStep("seed_citation_authors", literal_rules.seed_citation_authors, "content", "citations"),
        NormaliserStep("seed_markdown", literal_rules.seed_markdown, "syntax"),
    )
}

PRESETS: Final = {
    preset.name: preset
    for preset in (
        Preset(
            "fair",
            (
                "pandoc_blocks",
                "citation_keys",
                "citation_numbers",
                "footnote_definitions",
                "footnote_references",
                "images",
                "math",
                "page_markers",
                "size_attributes",
                "horizontal_rules",
                "citation_authors",
                "markdown",
                "whitespace",
            ),
        ),
        Preset(
            "seed",
            (
                "seed_pandoc_blocks",
                "seed_citation_keys",
                "seed_citation_numbers",
                "seed_footnote_references",
                "seed_footnote_definitions",
                "seed_images",
                "seed_math",
                "seed_page_markers",
                "seed_size_attributes",
                "seed_horizontal_rules",
                "seed_citation_authors",
                "seed_markdown",
                "whitespace",
            ),
            settles=False,
        ),
        Preset("raw", ()),
    )
}
