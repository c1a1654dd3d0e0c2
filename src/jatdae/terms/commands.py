"""`jatdae terms parse` and `jatdae terms lint`: a description taken apart, and a lexicon held against a corpus."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from jatdae.core.names import STDIN
from jatdae.terms.evidence import show_terms, show_unread
from jatdae.terms.lexicon import Lexicon, find_lexicon
from jatdae.terms.lint import LintReport, lint, read_corpus
from jatdae.terms.model import Term
from jatdae.terms.parser import parse_text


def parse_command(text: str, *, lexicon: str = "tongue", json: bool = False) -> None:
    """Print the terms of a description with their categories and positions.

    Parameters
    ----------
    text
        The description; `-` is standard input.
    lexicon
        A bundled lexicon (tongue, pulse), or the path to one.
    json
        Print only JSON.
    """
    found = find_lexicon(lexicon)
    parsed = parse_text(sys.stdin.read().strip() if text == STDIN else text, found)
    if json:
        terms = [
            {**shown, "category": term.category, "gloss": found.atoms[term.atom].gloss}
            for shown, term in zip(show_terms(parsed.drafts), parsed.terms, strict=False)
        ]
        _print_json({"terms": terms, "not_understood": show_unread(parsed.unread), "coverage": parsed.coverage})
        return
    rows = [
        (
            str(term),
            term.category,
            found.atoms[term.atom].gloss,
            term.text,
            f"{term.start}–{term.end}",
            _notes(term, found),
        )
        for term in parsed.terms
    ]
    _print_table(("atom", "category", "meaning", "text", "at", ""), rows)
    gaps = ", ".join(f"{gap.text} ({gap.start}–{gap.end})" for gap in parsed.unread)
    _print(f"coverage {parsed.coverage:.1%}" + (f"; not understood: {gaps}" if gaps else ""))


def lint_command(lexicon: str = "tongue", *, corpus: Path | None = None, most: int = 50, json: bool = False) -> None:
    """Print what a lexicon does not cover in a corpus, and where its similarities contradict each other.

    Parameters
    ----------
    lexicon
        A bundled lexicon (tongue, pulse), or the path to one.
    corpus
        Descriptions: JSONL with predictions, references or texts, or one description per line.
    most
        Number of most frequent strings to print.
    json
        Print only JSON.
    """
    report = lint(find_lexicon(lexicon), read_corpus(corpus) if corpus else (), most=most)
    if json:
        _print_json(report.plain())
    else:
        _print_report(report)


def _print_report(report: LintReport) -> None:
    _print(f"{report.lexicon}: {report.atoms} atoms")
    if report.coverage is not None:
        _print(f"coverage {report.coverage:.2%} of {report.letters:,} letters in {report.texts:,} descriptions")
    if report.missed:
        _print_table(("not understood", "times"), [(text, str(count)) for text, count in report.missed])
    if report.unused:
        _print(f"never stated: {', '.join(report.unused)}")
    if report.without_gloss:
        _print(f"without a gloss: {', '.join(report.without_gloss)}")
    if report.broken:
        rows = [(b.a, b.between, b.c, f"{b.direct:g}", f"{b.around:.2g}") for b in report.broken]
        _print_table(("atom", "like", "and like", "similarity", "at least"), rows)


def _notes(term: Term, lexicon: Lexicon) -> str:
    notes = [f"degree {term.degree}"] if term.degree else []
    if term.places:
        notes.append("at " + ", ".join(lexicon.atoms[place].value for place in term.places))
    if term.choice:
        notes.append(f"alternative {term.choice}")
    return "; ".join(notes)


def _print(line: str) -> None:
    from rich.console import Console
    from rich.text import Text

    Console(highlight=False).print(Text(line), soft_wrap=True)


def _print_table(header: tuple[str, ...], rows: list[Any]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*header, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*map(Text, row))
    Console(highlight=False).print(table)


def _print_json(value: Any) -> None:
    import json

    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=1) + "\n")
