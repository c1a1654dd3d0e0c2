"""The named steps and the presets made of them. All of it is table: a new step is one line here and one function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from jatdae.text import characters, citations, formulas, layout, literal, markdown, notes, pandoc

Removes = Literal["syntax", "content", "letters"]


@dataclass(frozen=True, slots=True)
class Step:
    """One function on text, under the name users and reports know it by."""

    name: str
    apply: Callable[[str], str]
    removes: Removes
    """Syntax may go on one side only; content that goes on one side only makes the comparison unfair."""
    scope: str = ""
    """Steps that remove the same thing in different dress share a scope and are weighed together."""
    version: int = 1

    @property
    def title(self) -> str:
        """The first line of the function's docstring."""
        return (self.apply.__doc__ or "").partition("\n")[0]


@dataclass(frozen=True, slots=True)
class Preset:
    """A list of steps with a name and a version of its own."""

    name: str
    steps: tuple[str, ...]
    version: int = 1
    settles: bool = True
    """Whether the steps are repeated until nothing changes."""


STEPS: Final = {
    step.name: step
    for step in (
        Step("pandoc_blocks", pandoc.pandoc_blocks, "syntax"),
        Step("citation_keys", citations.citation_keys, "content", "citations"),
        Step("citation_numbers", citations.citation_numbers, "content", "citations"),
        Step("footnote_definitions", notes.footnote_definitions, "content", "footnotes"),
        Step("footnote_references", notes.footnote_references, "syntax"),
        Step("images", layout.images, "syntax"),
        Step("math", formulas.math, "content", "math"),
        Step("page_markers", layout.page_markers, "syntax"),
        Step("size_attributes", layout.size_attributes, "syntax"),
        Step("horizontal_rules", layout.horizontal_rules, "syntax"),
        Step("citation_authors", citations.citation_authors, "content", "citations"),
        Step("markdown", markdown.markdown, "syntax"),
        Step("whitespace", characters.whitespace, "syntax"),
        Step("nfc", characters.nfc, "letters"),
        Step("nfkc", characters.nfkc, "letters"),
        Step("casefold", characters.casefold, "letters"),
        Step("quotes", characters.quotes, "letters"),
        Step("hyphenation", characters.hyphenation, "letters"),
        Step("ligatures", characters.ligatures, "letters"),
        Step("seed_pandoc_blocks", literal.seed_pandoc_blocks, "syntax"),
        Step("seed_citation_keys", literal.seed_citation_keys, "content", "citations"),
        Step("seed_citation_numbers", literal.seed_citation_numbers, "content", "citations"),
        Step("seed_footnote_references", literal.seed_footnote_references, "syntax"),
        Step("seed_footnote_definitions", literal.seed_footnote_definitions, "content", "footnotes"),
        Step("seed_images", literal.seed_images, "syntax"),
        Step("seed_math", literal.seed_math, "content", "math"),
        Step("seed_page_markers", literal.seed_page_markers, "syntax"),
        Step("seed_size_attributes", literal.seed_size_attributes, "syntax"),
        Step("seed_horizontal_rules", literal.seed_horizontal_rules, "syntax"),
        Step("seed_citation_authors", literal.seed_citation_authors, "content", "citations"),
        Step("seed_markdown", literal.seed_markdown, "syntax"),
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
