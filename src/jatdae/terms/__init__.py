"""Clinical descriptions, parsed into terms by a lexicon and compared term by term."""

from __future__ import annotations

from pathlib import Path

from jatdae.terms.comparer import comparer_of
from jatdae.terms.evaluator import TermsEvaluator
from jatdae.terms.lexicon import Lexicon, find_lexicon
from jatdae.terms.lexicon_file import lexicon_schema
from jatdae.terms.parser import parse_text
from jatdae.terms.term import Term

__all__ = ["Lexicon", "Term", "TermsEvaluator", "find_lexicon", "lexicon_schema", "parse", "similarity"]


def parse(text: str, lexicon: str | Path | Lexicon = "tongue") -> tuple[Term, ...]:
    """Parse a clinical description into its terms, in reading order.

    `lexicon` is the name of a bundled lexicon (tongue, pulse), the path of a file, or a loaded lexicon.
    """
    return parse_text(text, find_lexicon(lexicon)).terms


def similarity(prediction: str, reference: str, lexicon: str | Path | Lexicon = "tongue") -> float:
    """Weighted mean similarity of two clinical descriptions over the categories of a lexicon: 0 to 1, symmetric."""
    return comparer_of(find_lexicon(lexicon)).similarity(prediction, reference)
