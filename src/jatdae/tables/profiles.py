"""Profiles of published table evaluations: how each reads a table before comparing it, given as data.

`pubtabnet` is the official implementation. `standard` is the same with header cells read like any other cell. The rest
follow the evaluations of OmniDocBench, docling-eval and opendataloader-bench.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from jatdae.core.errors import UsageError
from jatdae.core.messages import near, speaker

say = speaker(__name__)


@dataclass(frozen=True, slots=True)
class Profile:
    """How a published evaluation prepares a table before it becomes a tree."""

    name: str
    version: int = 1
    """Bumped when a change here moves any score."""
    anywhere: bool = True
    """Take a table wherever it stands; else only `body/table` of a full document."""
    rename: Mapping[str, str] = field(default_factory=dict)
    """Tags read as other tags."""
    unwrap: frozenset[str] = frozenset()
    """Tags taken away, with what they hold left in place."""
    drop: frozenset[str] = frozenset()
    """Tags taken away with what they hold."""
    written: Mapping[str, str] = field(default_factory=dict)
    """Tags replaced by text."""
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


_PUBTABNET: Final = Profile("pubtabnet", anywhere=False)
_TH_AS_TD: Final = {"th": "td"}

PROFILES: Final[Mapping[str, Profile]] = {
    profile.name: profile
    for profile in (
        Profile("standard", rename=_TH_AS_TD, clamp=True, both_empty=1.0),
        _PUBTABNET,
        Profile(
            "omnidocbench",
            rename=_TH_AS_TD,
            unwrap=frozenset({"thead", "tbody", "sup", "sub", "p", "div", "span"}),
            drop=frozenset({"colgroup"}),
            nfkc=True,
            collapse=True,
        ),
        Profile("docling", rename=_TH_AS_TD, unwrap=frozenset({"b", "i", "u"})),
        Profile(
            "opendataloader",
            rename=_TH_AS_TD,
            unwrap=frozenset({"thead", "tbody"}),
            written={"br": "\n"},
            collapse=True,
            verbatim=True,
            joined=True,
            clamp=True,
        ),
    )
}

OFFICIAL: Final = replace(_PUBTABNET, anywhere=True)
"""`pubtabnet` for tables that are already cut out of their document."""


def profile_of(name: str) -> Profile:
    """Find the profile of a published table evaluation by its name."""
    try:
        return PROFILES[name]
    except KeyError:
        known = ", ".join(PROFILES)
        raise UsageError(say("unknown_profile", name=name, near=near(name, PROFILES), known=known)) from None
