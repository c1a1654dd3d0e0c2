"""The commands `jatdae terms parse` and `jatdae terms lint`, and the lint report of a lexicon."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cyclopts import App

from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import os_problem, speaker
from jatdae.core.messages import say as say_common
from jatdae.core.terminal import print_json, print_line, print_table
from jatdae.core.writing import STDIN
from jatdae.terms.atom_similarity import BrokenTriangle, Similarities
from jatdae.terms.evidence import show_terms, show_unread
from jatdae.terms.lexicon import Lexicon, find_lexicon
from jatdae.terms.parser import parse_text
from jatdae.terms.term import Term

terms = App(name="terms", help="Read clinical descriptions and check lexicons.")
say = speaker(__name__)
CORPUS_FIELDS: Final = (
    *("prediction", "predict", "pred", "output", "hypothesis"),
    *("reference", "label", "gold", "target", "ground_truth", "text"),
)
"""Fields of a JSONL row that hold descriptions."""


@terms.command(name="parse")
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
        print_json({"terms": terms, "not_understood": show_unread(parsed.unread), "coverage": parsed.coverage})
        return
    rows = [
        (
            str(term),
            term.category,
            found.atoms[term.atom].gloss,
            term.text,
            f"{term.start}–{term.end}",
            _notes_of(term, found),
        )
        for term in parsed.terms
    ]
    print_table([*_heads("atom", "category", "meaning", "text", "at"), ""], rows)
    gaps = ", ".join(f"{gap.text} ({gap.start}–{gap.end})" for gap in parsed.unread)
    print_line(say("parse_gaps" if gaps else "parse_coverage", share=f"{parsed.coverage:.1%}", gaps=gaps))


@terms.command(name="lint")
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
    report = lint_lexicon(find_lexicon(lexicon), read_corpus(corpus) if corpus else (), most=most)
    if json:
        print_json(report.plain())
    else:
        _print_report(report)


def lint_lexicon(lexicon: Lexicon, texts: Iterable[str] = (), *, most: int = 50) -> LintReport:
    """Work of the lint command: check a lexicon against a corpus of descriptions and for contradictions."""
    if most < 0:
        raise UsageError(say("lint_most", most=most))
    missed: Counter[str] = Counter()
    stated: set[str] = set()
    count = letters = understood = 0
    for text in texts:
        parsed = parse_text(text, lexicon)
        count += 1
        letters += parsed.letters
        understood += parsed.understood
        missed.update(gap.text for gap in parsed.unread)
        stated.update(term.atom for term in parsed.terms)
    commonest = sorted(missed.items(), key=lambda item: (-item[1], item[0]))[:most]
    return LintReport(
        lexicon.label,
        len(lexicon.atoms),
        count,
        letters,
        understood,
        tuple(commonest),
        tuple(atom for atom in lexicon.atoms if count and atom not in stated),
        tuple(atom for atom, about in lexicon.atoms.items() if not about.gloss),
        tuple(Similarities(lexicon).broken_triangles()),
    )


@dataclass(frozen=True, slots=True)
class LintReport:
    """What a lexicon does not cover of a corpus of descriptions, and where it contradicts itself."""

    lexicon: str
    atoms: int
    texts: int
    letters: int
    understood: int
    missed: tuple[tuple[str, int], ...]
    """Strings that were not understood, most frequent first."""
    unused: tuple[str, ...]
    """Atoms the corpus never states."""
    without_gloss: tuple[str, ...]
    broken: tuple[BrokenTriangle, ...]
    """Similarities that break the triangle inequality."""

    @property
    def coverage(self) -> float | None:
        """The share of letters that was understood; None without a corpus."""
        return self.understood / self.letters if self.letters else None

    def plain(self) -> dict[str, Any]:
        """The report as JSON."""
        return {
            "lexicon": self.lexicon,
            "atoms": self.atoms,
            "texts": self.texts,
            "letters": self.letters,
            "coverage": self.coverage,
            "missed": [list(pair) for pair in self.missed],
            "unused": list(self.unused),
            "without_gloss": list(self.without_gloss),
            "triangle": [broken._asdict() for broken in self.broken],
        }


def read_corpus(path: Path) -> Iterator[str]:
    """Read the corpus of a command, clinical descriptions: known fields of JSONL rows, or one a line."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if path.suffix in (".jsonl", ".ndjson"):
                    yield from _row_texts(line, f"{path}:{number}")
                elif line.strip():
                    yield line.strip()
    except OSError as error:
        raise DataError(say_common("cannot_read", place=path, problem=os_problem(error))) from None
    except UnicodeDecodeError as error:
        raise DataError(say("corpus_not_utf8", place=path, byte=error.start)) from None


def _row_texts(line: str, place: str) -> Iterator[str]:
    if not line.strip():
        return
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise DataError(say("corpus_not_json", place=f"{place}:{error.colno}")) from None
    except (ValueError, RecursionError):  # a number of too many digits, or nested too deep
        raise DataError(say("corpus_not_json", place=place)) from None
    if not isinstance(row, dict):
        raise DataError(say("corpus_no_object", place=place, fields=", ".join(CORPUS_FIELDS)))
    yield from (row[field] for field in CORPUS_FIELDS if isinstance(row.get(field), str))


def _notes_of(term: Term, lexicon: Lexicon) -> str:
    notes = [say("note_degree", degree=term.degree)] if term.degree else []
    if term.places:
        notes.append(say("note_places", places=", ".join(lexicon.atoms[place].value for place in term.places)))
    if term.choice:
        notes.append(say("note_choice", number=term.choice))
    return "; ".join(notes)


def _print_report(report: LintReport) -> None:
    print_line(say("lint_atoms", lexicon=report.lexicon, n=report.atoms))
    if report.coverage is not None:
        share, letters, texts = f"{report.coverage:.2%}", f"{report.letters:,}", f"{report.texts:,}"
        print_line(say("lint_coverage", share=share, letters=letters, texts=texts))
    if report.missed:
        print_table(_heads("gap", "times"), [(text, str(count)) for text, count in report.missed])
    if report.unused:
        print_line(say("lint_unused", atoms=", ".join(report.unused)))
    if report.without_gloss:
        print_line(say("lint_without_gloss", atoms=", ".join(report.without_gloss)))
    if report.broken:
        rows = [(b.a, b.between, b.c, f"{b.direct:g}", f"{b.around:.2g}") for b in report.broken]
        print_table(_heads("atom", "like", "and_like", "similarity", "least"), rows)


def _heads(*names: str) -> list[str]:
    return [say(f"head_{name}") for name in names]
