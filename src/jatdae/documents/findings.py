"""What is wrong in a document, in words: a line per part, then the tables and formulas that differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from jatdae.core.messages import shown, word_finder
from jatdae.formulas import findings as of_formulas
from jatdae.tables import findings as of_tables
from jatdae.text import findings as of_text

ROOMS: Final[Mapping[str, Callable[[Mapping[str, Any]], Iterator[str]]]] = {
    "text": of_text.say_findings,
    "tables": of_tables.say_findings,
    "formulas": of_formulas.say_findings,
}
MOST_ELEMENTS: Final = 3
"""Headings, list items and passages that are named."""

word = word_finder(__name__)


def say_findings(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Lines on the evidence of one document, part by part; what is not compared or all right is left out."""
    for part in ("text", "blocks", "tables", "structure", "formulas"):
        found = list(_part(part, evidence.get(part) or {}))
        if found:
            yield f"{word(f'part_{part}')}:"
            yield from (f"  {line}" for line in found)


def _part(name: str, evidence: Mapping[str, Any]) -> Iterable[str]:
    if not evidence:
        return ()
    if name == "blocks":
        return _blocks(evidence)
    return _structure(evidence) if name == "structure" else ROOMS[name](evidence)


def _blocks(evidence: Mapping[str, Any]) -> Iterator[str]:
    if moved := evidence.get("moved"):
        yield word("blocks_moved", n=moved)
        yield from (f"{word('moved_passages')}: “{shown(text)}”" for text in evidence["out_of_order"][:MOST_ELEMENTS])
    for sort in ("missed", "short"):
        named = evidence.get(sort, ())[:MOST_ELEMENTS]
        yield from (f"{word(f'{sort}_passages')}: “{shown(text)}”" for text in named)


def _structure(evidence: Mapping[str, Any]) -> Iterator[str]:
    for kind, found in evidence.items():
        missed, extra = found["reference"] - found["matched"], found["predicted"] - found["matched"]
        if missed or extra:
            yield f"{word(f'kind_{kind}', kind)}: {word('structure_wrong', missed=missed, extra=extra)}"
            for side in ("missed", "extra"):
                yield from (f"  {word(side)}: “{shown(text)}”" for text in found[side][:MOST_ELEMENTS])
