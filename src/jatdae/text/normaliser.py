"""Text normalisers: named steps and the presets made of them, applied in order to both texts.

A new step is one function and one line in `STEPS`. The steps on characters are here; those on markup and on citations
have modules of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from html import unescape
from html.entities import html5
from itertools import takewhile
from typing import Final, Literal

from jatdae.core.characters import invisible, nfc
from jatdae.core.errors import UsageError
from jatdae.core.messages import near, speaker
from jatdae.text import citations, literal_rules, markup
from jatdae.text.bare_math import bare_math
from jatdae.text.latex_tables import latex_tables
from jatdae.text.markup import MASKED_AMPERSAND, MASKED_BRACKET, MASKED_LESS

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
    signs: str = ""
    """Characters without any of which a text stays as it is; "" where that cannot be said."""
    version: int = 1


@dataclass(frozen=True, slots=True)
class Preset:
    """A normaliser preset: a list of steps with a name and a version of its own."""

    name: str
    steps: tuple[str, ...]
    """Names; `name@1` is a step in a former version."""
    version: int = 1
    settles: bool = True
    """Whether the steps are repeated until nothing changes."""


@dataclass(frozen=True)
class Normaliser:
    """Text normaliser: steps in order. Called with a text, it returns the text as it will be compared."""

    signature: str
    """Names with versions, as they stand in the signature line: `ligatures@1+fair@2`."""
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
            for step in self.steps if self._signs.search(text) else self._unsigned:
                after = step.apply(text)
                if after != text:
                    if gone := len(text) - len(after):
                        removed[step.name] = removed.get(step.name, 0) + gone
                    # No step tells one white space from another but at line starts, so this one calls for no repeat.
                    settled = settled and step.name == "whitespace"
                    text = after
            if settled:
                break
        return text if text.isascii() else _unmasked(text), removed

    def canonical(self, text: str) -> str:
        """`text` after the steps on characters that come first, which a heading of a bibliography may be spelt with."""
        for step in self._leading:
            text = step.apply(text)
        return text

    @cached_property
    def _signs(self) -> re.Pattern[str]:
        """The signs of all steps that have some: a text without any is taken through the others alone."""
        signs = "".join(sorted({sign for step in self.steps for sign in step.signs}))
        return re.compile(f"[{re.escape(signs)}]" if signs else "")

    @cached_property
    def _unsigned(self) -> tuple[NormaliserStep, ...]:
        return tuple(step for step in self.steps if not step.signs)

    @cached_property
    def _leading(self) -> tuple[NormaliserStep, ...]:
        return tuple(takewhile(lambda step: step.name in _CANONICAL, self.steps))


def normalise(text: str, normaliser: str | Sequence[str] = "fair") -> str:
    """Normalise a text with the named normaliser; names as in `find_normaliser`."""
    return find_normaliser(normaliser)(text)


def find_normaliser(names: str | Sequence[str]) -> Normaliser:
    """Make a text normaliser from names: `fair`, `ligatures+fair`, `fair@1`, `["nfc", "markdown", "whitespace"]`."""
    listed = _SEPARATORS.split(names.strip()) if isinstance(names, str) else names
    return _made(tuple(listed))


@cache
def _made(names: tuple[str, ...]) -> Normaliser:
    signature: list[str] = []
    steps: list[NormaliserStep] = []
    settles = True
    for written in names:
        found = _find(written)
        signature.append(f"{found.name}@{found.version}")
        if isinstance(found, Preset):
            steps += [_ALL_STEPS[step] for step in found.steps]
            settles = settles and found.settles
        else:
            if found.name in _BEFORE_WHITESPACE and any(step.name == "whitespace" for step in steps):
                raise UsageError(
                    say("step_too_late", name=written, order="+".join([written, *names[: len(signature) - 1]]))
                )
            steps.append(found)
    return Normaliser("+".join(signature), tuple(steps), settles)


def _find(written: str) -> Preset | NormaliserStep:
    """A preset or a step by name, the current one where no version is written."""
    name, at, _ = written.partition("@")
    current = PRESETS.get(name) or STEPS.get(name)
    if current is None:
        known = [*PRESETS, *STEPS]
        raise UsageError(say("unknown_step", name=name, near=near(name, known), known=", ".join(known)))
    found = _ALL_PRESETS.get(written) or _ALL_STEPS.get(written)
    if at and found is None:
        versions = ", ".join(f"{name}@{each}" for each in range(current.version, 0, -1))
        raise UsageError(say("other_step_version", name=name, versions=versions, written=written))
    return found or current


_CANONICAL: Final = ("nfc", "invisible")
_BEFORE_WHITESPACE: Final = ("hyphenation", "join_lines")
"""Steps on line ends, of which `whitespace` leaves none."""
_MASKS: Final = str.maketrans({MASKED_BRACKET: "[", MASKED_LESS: "<", MASKED_AMPERSAND: "&"})


def _unmasked(text: str) -> str:
    if MASKED_BRACKET in text or MASKED_LESS in text or MASKED_AMPERSAND in text:
        return text.translate(_MASKS)
    return text


_QUOTES: Final = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "′": "'"}
)
_LIGATURES: Final = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "ĳ": "ij", "Ĳ": "IJ"}
)
_ENTITY_NAME = r"(?:\#\d{1,7}|\#[xX][0-9A-Fa-f]{1,6}|([A-Za-z][A-Za-z0-9]{1,31}));"
_ENTITY: Final = re.compile(f"&{_ENTITY_NAME}")
_ENTITY_REST: Final = re.compile(_ENTITY_NAME)
_DOTS: Final = re.compile(r"\.(?:\s?+\.){2,}+")
_MIDDLE_DOTS: Final = re.compile(r"·(?:\s?+·){2,}+")
_DOTS_AFTER: Final = re.compile(r"…(?:\s?+[.…])++")
_DOTS_BEFORE: Final = re.compile(r"\.(?:\s?+\.)?+\s?+…")
_CJK = "\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_BROKEN_LINE: Final = re.compile(rf"(?<=[{_CJK}])[^\S\n]*+\n[^\S\n]*+(?=[{_CJK}])")
_LINE_END_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])[-‐\u00ad][^\S\n]*+\n\s*+(?=[^\W\d_])")


def entities(text: str) -> str:
    """Decode the HTML entities of a text a single time: `&amp;` becomes `&`, and `&amp;lt;` becomes `&lt;`.

    What they stand for is masked where a later step would take it for a tag or for another entity.
    """
    return _ENTITY.sub(_decoded, text) if "&" in text and ";" in text else text


def ellipsis(text: str) -> str:
    """Normalise the dots of a text: three or more, spaced or not, become one `…`."""
    if ".." in text or ". ." in text:
        text = _DOTS.sub("…", text)
    if text.isascii():
        return text
    if "··" in text or "· ·" in text:
        text = _MIDDLE_DOTS.sub("…", text)
    text = text.replace("⋯", "…")
    return _DOTS_BEFORE.sub("…", _DOTS_AFTER.sub("…", text)) if "…" in text else text


def join_lines(text: str) -> str:
    """Normalise a text by joining words broken over a line end without a hyphen, as Korean and Chinese texts have them.

    Lines are joined where one ends and the next begins with such a letter, also where there was a space.
    """
    return _BROKEN_LINE.sub("", text) if "\n" in text and not text.isascii() else text


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


def _decoded(entity: re.Match[str]) -> str:
    if entity[1] and f"{entity[1]};" not in html5:
        return entity[0]
    text = unescape(entity[0])
    if text == "&" and _ENTITY_REST.match(entity.string, entity.end()):
        return MASKED_AMPERSAND
    return MASKED_LESS if text == "<" else text


def _joined(hyphen: re.Match[str]) -> str:
    """A capital after the break is a name such as Foreman-Mackey, whose hyphen is its own."""
    return "-" if hyphen.string[hyphen.end()].isupper() else ""


_STEPS: Final = (
    NormaliserStep("nfc", nfc, "letters"),
    NormaliserStep("invisible", invisible, "letters"),
    NormaliserStep("latex_tables", latex_tables, "syntax", signs="\\"),
    NormaliserStep("pandoc_blocks", markup.pandoc_blocks, "syntax", signs=":{"),
    NormaliserStep("citation_keys", citations.citation_keys, "content", "citations", signs="@", version=2),
    NormaliserStep("citation_numbers", citations.citation_numbers, "content", "citations", signs="[［", version=2),
    NormaliserStep("footnote_definitions", citations.footnote_definitions, "content", "footnotes", signs="["),
    NormaliserStep("footnote_references", citations.footnote_references, "syntax", signs="["),
    NormaliserStep("images", markup.images, "syntax", signs="!<"),
    NormaliserStep("math", markup.math, "content", "math", signs='$\\"', version=2),
    NormaliserStep("bare_math", bare_math, "content", "math", signs="\\{"),
    NormaliserStep("page_markers", markup.page_markers, "syntax", signs="["),
    NormaliserStep("size_attributes", markup.size_attributes, "syntax", signs="="),
    NormaliserStep("horizontal_rules", markup.horizontal_rules, "syntax", signs="-*_"),
    NormaliserStep("html_tags", markup.html_tags, "syntax", signs="<"),
    NormaliserStep("entities", entities, "letters", signs="&"),
    NormaliserStep("citation_authors", citations.citation_authors, "content", "citations", signs="(["),
    NormaliserStep("markdown", markup.markdown, "syntax", signs="`*_~^[<#-+•◦▪‣※·>:=|\\", version=2),
    NormaliserStep("whitespace", whitespace, "syntax"),
    NormaliserStep("ellipsis", ellipsis, "letters"),
    NormaliserStep("nfkc", nfkc, "letters"),
    NormaliserStep("casefold", casefold, "letters"),
    NormaliserStep("quotes", quotes, "letters"),
    NormaliserStep("hyphenation", hyphenation, "letters"),
    NormaliserStep("join_lines", join_lines, "letters"),
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
_FORMER_STEPS: Final = (
    NormaliserStep("citation_keys", citations.citation_keys_1, "content", "citations", signs="@"),
    NormaliserStep("citation_numbers", citations.citation_numbers_1, "content", "citations", signs="[［"),
    NormaliserStep("math", markup.math_1, "content", "math", signs='$\\"'),
    NormaliserStep("markdown", markup.markdown_1, "syntax", signs="`*_~^[<#-+•◦▪‣※·>:=|\\"),
)
STEPS: Final = {step.name: step for step in _STEPS}
_ALL_STEPS: Final = STEPS | {f"{step.name}@{step.version}": step for step in _STEPS + _FORMER_STEPS}

_FAIR: Final = (
    "nfc",
    "invisible",
    "latex_tables",
    "pandoc_blocks",
    "citation_keys",
    "citation_numbers",
    "footnote_definitions",
    "footnote_references",
    "images",
    "math",
    "bare_math",
    "page_markers",
    "size_attributes",
    "horizontal_rules",
    "html_tags",
    "entities",
    "citation_authors",
    "markdown",
    "whitespace",
    "ellipsis",
)
_PRESETS: Final = (
    Preset("fair", _FAIR, version=2),
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
_FORMER_PRESETS: Final = (
    Preset(
        "fair",
        (
            "pandoc_blocks",
            "citation_keys@1",
            "citation_numbers@1",
            "footnote_definitions",
            "footnote_references",
            "images",
            "math@1",
            "page_markers",
            "size_attributes",
            "horizontal_rules",
            "citation_authors",
            "markdown@1",
            "whitespace",
        ),
    ),
)
PRESETS: Final = {preset.name: preset for preset in _PRESETS}
_ALL_PRESETS: Final = {f"{preset.name}@{preset.version}": preset for preset in _PRESETS + _FORMER_PRESETS}
