"""What is wrong with the formulas of a sample, in words: both as LaTeX, and which symbols differ how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from jatdae.core.messages import say, shown, word_finder
from jatdae.formulas.errors import count_confusions, count_errors
from jatdae.formulas.similarity import compare
from jatdae.formulas.tokens import canonical_form

LONGEST: Final = 160
"""Characters shown of a formula."""
MOST_CONFUSIONS: Final = 8

word = word_finder(__name__)


def say_findings(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Lines on the evidence of one sample; equal formulas are only counted."""
    pairs = evidence["formula_pairs"]
    differing = [pair for pair in pairs if pair["values"]["formula_match"] < 1]
    for pair in differing:
        yield f"{word('formula', n=pair['number'])}:" + ("" if pair.get("prediction") else f" {word('missing')}")
        yield f"  {say('page_reference')}: {shown(pair['reference']['latex'], LONGEST)}"
        if pair.get("prediction"):
            yield f"  {say('page_prediction')}: {shown(pair['prediction']['latex'], LONGEST)}"
            yield from (f"  {line}" for line in _errors(pair))
    for side in evidence.get("formula_extra") or ():
        yield f"{word('key.extra')}: {shown(side['latex'], LONGEST)}"
    if len(differing) < len(pairs):
        yield f"{word('equal')}: {len(pairs) - len(differing)}"
    if left_out := evidence.get("formulas_left_out"):
        yield word("formulas_left_out", n=left_out)


def _errors(pair: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the symbols, as the count tables of a run say it."""
    likeness = compare(canonical_form(pair["prediction"]["latex"]), canonical_form(pair["reference"]["latex"]))
    confused = [f"{pair} ×{n}" if n > 1 else pair for pair, n in count_confusions(likeness).most_common()]
    for kind, n in count_errors(likeness).items():
        if n and kind == "symbols" and confused:
            more = " …" if len(confused) > MOST_CONFUSIONS else ""
            yield f"{word(f'key.{kind}')}: {', '.join(confused[:MOST_CONFUSIONS])}{more}"
        elif n:
            yield f"{word(f'key.{kind}')}: {n}"
