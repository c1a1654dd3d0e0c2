"""TEDS: tree-edit-distance-based similarity of two tables.

    TEDS(a, b) = 1 − TED(a, b) / max(|a|, |b|)

TEDS-S is the same with the content of all cells taken away. Zhong, ShafieiBavani and Jimeno Yepes, "Image-based table
recognition: data, model, and evaluation", ECCV 2020; profile `pubtabnet` gives what their implementation gives.
"""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from jatdae.core.errors import UsageError
from jatdae.tables.html import find_official, find_tables
from jatdae.tables.issues import TableError
from jatdae.tables.profiles import Profile, profile_of
from jatdae.tables.reading import read_text
from jatdae.tables.tree import TableTree, distance, plant


def teds(
    prediction_html: str, reference_html: str, *, structure_only: bool = False, profile: str = "standard"
) -> float | None:
    """The TEDS of the first tables of two texts, HTML or Markdown; None where they cannot be compared.

    A prediction without a table scores 0; a reference without one is None. Profile `pubtabnet` takes nothing but the
    table of a full HTML document, as the official implementation does: anything else is 0 on either side.
    """
    chosen = profile_of(profile)
    try:
        reference = _tables(reference_html, chosen)
        if not reference and chosen.anywhere:
            return None
        prediction = _tables(prediction_html, chosen)
        if not reference or not prediction:
            return 0.0
        return score(plant(prediction, chosen), plant(reference, chosen), chosen, structure_only=structure_only)
    except TableError:
        return None


def score(prediction: TableTree, reference: TableTree, profile: Profile, *, structure_only: bool = False) -> float:
    """The TEDS of two trees planted by `profile`; raises TableError where it is not applicable."""
    return finish(ratio(prediction, reference, structure_only=structure_only), profile)


def ratio(prediction: TableTree, reference: TableTree, *, structure_only: bool) -> float | None:
    """1 − TED / max(|a|, |b|), None where both are empty."""
    size = max(prediction.size, reference.size)
    return 1.0 - distance(prediction, reference, structure_only=structure_only) / size if size else None


def finish(ratio: float | None, profile: Profile) -> float:
    """The ratio as the profile gives it out."""
    if ratio is not None:
        return max(ratio, 0.0) if profile.clamp else ratio
    if profile.both_empty is None:
        raise TableError("empty_table", "neither table has any row or cell")
    return profile.both_empty


def _tables(text: str, profile: Profile) -> Sequence[etree._Element]:
    if not isinstance(text, str):
        raise UsageError(f"teds compares two texts, HTML or Markdown, not {type(text).__name__}")
    if not text.strip():
        return ()
    if profile.anywhere:
        return find_tables(text) or _from_markdown(text, profile)
    table = find_official(text)
    return () if table is None else (table,)


def _from_markdown(text: str, profile: Profile) -> list[etree._Element]:
    tables = read_text(text, verbatim=profile.verbatim).tables
    return [element for table in tables for element in find_tables(table.html)]
