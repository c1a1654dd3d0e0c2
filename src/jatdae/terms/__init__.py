"""Free text as atomic properties: clinical descriptions parsed by a lexicon and compared term by term."""

from __future__ import annotations

from pathlib import Path

from jatdae.terms.evaluator import TermsEvaluator
from jatdae.terms.judge import judge_for
from jatdae.terms.lexicon import Lexicon, find_lexicon
from jatdae.terms.lexicon_file import lexicon_schema
from jatdae.terms.parser import parse_text
from jatdae.terms.term import Term

__all__ = ["Lexicon", "Term", "TermsEvaluator", "find_lexicon", "lexicon_schema", "parse", "similarity"]


def parse(text: str, lexicon: str | Path | Lexicon = "tongue") -> tuple[Term, ...]:
    """The terms of a description in reading order.

    `lexicon` is the name of a bundled one (tongue, pulse), the path of one, or a loaded one.
    """
    return parse_text(text, find_lexicon(lexicon)).terms


def similarity(prediction: str, reference: str, lexicon: str | Path | Lexicon = "tongue") -> float:
    """The weighted mean of the similarities of two descriptions' categories, from 0 to 1; symmetric."""
    return judge_for(find_lexicon(lexicon)).similarity(prediction, reference)
