"""Profiles of published table evaluations: how each reads a table before comparing it, given as data.

`pubtabnet` is the official implementation. `standard@2` compares what a reader sees; `standard@1` is `pubtabnet`
with header cells read like any other cell. The rest follow OmniDocBench, docling-eval and opendataloader-bench.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from jatdae.core.errors import UsageError
from jatdae.core.messages import near, speaker
from jatdae.tables.omnidocbench import rewrite_1_5, rewrite_1_6

say = speaker(__name__)


@dataclass(frozen=True, slots=True)
class Profile:
    """How a published evaluation prepares a table before it becomes a tree."""

    name: str
    version: str = "1"
    """Bumped when a change here moves any score; that of the published evaluation where it has versions."""
    anywhere: bool = True
    """Take a table wherever it stands; else only `body/table` of a full document."""
    rewrite: Callable[[str], str] | None = None
    """Rewrites the source of a table before it is parsed."""
    rename: Mapping[str, str] = field(default_factory=dict)
    """Tags read as other tags."""
    unwrap: frozenset[str] = frozenset()
    """Tags taken away, with what they hold left in place."""
    drop: frozenset[str] = frozenset()
    """Tags taken away with what they hold."""
    written: Mapping[str, str] = field(default_factory=dict)
    """Tags replaced by text."""
    text_only: bool = False
    """A cell is its text: white space collapsed, a block tag a space, an inline tag nothing."""
    as_seen: bool = False
    """With the characters a reader sees: NFC, nothing that is invisible, no-break spaces and hyphens as plain ones."""
    nfkc: bool = False
    """Cell text in Unicode's compatibility form."""
    collapse: bool = False
    """Runs of white space in a cell become one space; none at its ends."""
    verbatim: bool = False
    """Cells of Markdown tables keep their source (`**a**`) instead of being rendered (`<strong>a</strong>`)."""
    joined: bool = False
    """All tables of a document hang under one root and give one score."""
    clamp: bool = False
    """A score below 0 is 0."""
    both_empty: float | None = None
    """What two tables without any element score; None is N/A."""

    @property
    def signed(self) -> str:
        """Name and version, as they stand in the signature."""
        return f"{self.name}@{self.version}"


_TH_AS_TD: Final = {"th": "td"}
_STANDARD: Final = Profile(
    "standard",
    "2",
    rename=_TH_AS_TD,
    unwrap=frozenset({"thead", "tbody", "tfoot"}),
    drop=frozenset({"caption", "colgroup", "col"}),
    text_only=True,
    as_seen=True,
    clamp=True,
    both_empty=1.0,
)
_PUBTABNET: Final = Profile("pubtabnet", anywhere=False)
_OMNIDOCBENCH: Final = Profile("omnidocbench", "1.5", rename=_TH_AS_TD, rewrite=rewrite_1_5, nfkc=True, verbatim=True)

PROFILES: Final[Mapping[str, Profile]] = {
    "standard": _STANDARD,
    "standard@2": _STANDARD,
    "standard@1": Profile("standard", "1", rename=_TH_AS_TD, clamp=True, both_empty=1.0),
    "pubtabnet": _PUBTABNET,
    "omnidocbench": _OMNIDOCBENCH,
    "omnidocbench@1.5": _OMNIDOCBENCH,
    "omnidocbench@1.6": replace(_OMNIDOCBENCH, version="1.6", rewrite=rewrite_1_6),
    "docling": Profile("docling", rename=_TH_AS_TD, unwrap=frozenset({"b", "i", "u"})),
    "opendataloader": Profile(
        "opendataloader",
        rename=_TH_AS_TD,
        unwrap=frozenset({"thead", "tbody"}),
        written={"br": "\n"},
        collapse=True,
        verbatim=True,
        joined=True,
        clamp=True,
    ),
}
"""By name; one without a version is the version recommended here."""

OFFICIAL: Final = replace(_PUBTABNET, anywhere=True)
"""`pubtabnet` for tables that are already cut out of their document."""


def profile_of(name: str) -> Profile:
    """Find the profile of a published table evaluation by its name, with or without a version."""
    try:
        return PROFILES[name]
    except KeyError:
        known = ", ".join(PROFILES)
        raise UsageError(say("unknown_profile", name=name, near=near(name, PROFILES), known=known)) from None
