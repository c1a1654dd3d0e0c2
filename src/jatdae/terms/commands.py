"""The commands `jatdae terms parse`, `lint` and `diff`, and the lint report of a lexicon."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from jatdae.core.errors import UsageError
from jatdae.core.messages import language, speaker
from jatdae.core.terminal import print_json, print_line, print_table, terminal
from jatdae.core.writing import STDIN
from jatdae.terms.atom_similarity import BrokenTriangle, Similarities
from jatdae.terms.evidence import show_terms, show_unread
from jatdae.terms.lexicon import Lexicon, find_lexicon
from jatdae.terms.lexicon_diff import Moves, changes_between, moves_between
from jatdae.terms.lexicon_file import read_source
from jatdae.terms.parser import parse_text
from jatdae.terms.scored_pairs import PREDICTION_FIELDS, REFERENCE_FIELDS, read_lines, read_pairs, read_rows
from jatdae.terms.term import Term

terms = App(name="terms", help="Read clinical descriptions and check lexicons.")
say = speaker(__name__)
_told: set[tuple[str, ...]] = set()


def tell_dropped(lexicon: Lexicon) -> None:
    """Say on standard error what was left out of a lexicon of clinical terms: once, and not in every worker."""
    if lexicon.dropped and lexicon.dropped not in _told and parent_process() is None:
        _told.add(lexicon.dropped)
        lines = [say("lexicon_dropped", lexicon=lexicon.label, n=len(lexicon.dropped)), *lexicon.dropped]
        terminal(stderr=True).print("\n".join(lines), markup=False, soft_wrap=True)


@terms.command(name="parse")
def parse_command(text: str, *, lexicon: str = "tongue", lenient: bool = False, json: bool = False) -> None:
    """Print the terms of a description with their categories and positions.

    Parameters
    ----------
    text
        The description; `-` is standard input.
    lexicon
        A bundled lexicon (tongue, pulse), or the path to one.
    lenient
        Load what can be loaded of a lexicon that contradicts itself, and say what was left out.
    json
        Print only JSON.
    """
    found = find_lexicon(lexicon, lenient=lenient)
    tell_dropped(found)
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
            found.atoms[term.atom].glosses.get(language(), found.atoms[term.atom].gloss),
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
def lint_command(
    lexicon: str = "tongue",
    *,
    corpus: Path | None = None,
    most: int = 50,
    lenient: bool = False,
    json: bool = False,
) -> None:
    """Print what a lexicon does not cover in a corpus, and where its similarities contradict each other.

    Parameters
    ----------
    lexicon
        A bundled lexicon (tongue, pulse), or the path to one.
    corpus
        Descriptions: JSONL with predictions, references or texts, or one description per line.
    most
        Number of most frequent strings to print.
    lenient
        Load what can be loaded of a lexicon that contradicts itself, and say what was left out.
    json
        Print only JSON.
    """
    found = find_lexicon(lexicon, lenient=lenient)
    if not json:
        tell_dropped(found)
    report = lint_lexicon(found, read_corpus(corpus) if corpus else (), most=most)
    if json:
        print_json(report.plain())
    else:
        _print_report(report)


@terms.command(name="diff")
def diff_command(
    before: str,
    after: str,
    *,
    pairs: Annotated[tuple[Path, ...], Parameter(consume_multiple=True, negative=())] = (),
    most: int = 20,
    lenient: bool = False,
    json: bool = False,
) -> None:
    """Print what changed between two lexicons, and which scores of pairs or of a run would move.

    Parameters
    ----------
    before
        A bundled lexicon (tongue, pulse), or the path to one.
    after
        A bundled lexicon (tongue, pulse), or the path to one.
    pairs
        Run folders of `jatdae run terms`, or JSONL with a prediction and a reference in each row.
    most
        Number of samples to print, those that move furthest.
    lenient
        Load what can be loaded of a lexicon that contradicts itself, and say what was left out.
    json
        Print only JSON.
    """
    if most < 0:
        raise UsageError(say("lint_most", most=most))
    lexicons = [find_lexicon(name, lenient=lenient) for name in (before, after)]
    changes = changes_between(read_source(before).content, read_source(after).content)
    found = moves_between(
        (pair for path in pairs for pair in read_pairs(path, path.stem if len(pairs) > 1 else "")), *lexicons
    )
    if json:
        told = {"lexicons": [each.label for each in lexicons], "changes": [change._asdict() for change in changes]}
        scores = [{"system": system, **_plain_moves(moves, most)} for system, moves in found.items()]
        print_json({**told, **({"scores": scores} if pairs else {})})
        return
    for lexicon in lexicons:
        tell_dropped(lexicon)
    print_line(say("diff_lexicons", before=lexicons[0].label, after=lexicons[1].label, n=len(changes)))
    if changes:
        print_table(_heads("key", "removed", "added"), changes)
    if pairs and not found:
        print_line(say("diff_no_pairs"))
    for system, moves in found.items():
        _print_moves(system, moves, most)


def _plain_moves(moves: Moves, most: int) -> dict[str, Any]:
    return {
        **{"n": moves.n, "before": moves.before, "after": moves.after, "left_out": moves.left_out},
        **{"moved": len(moves.moved), "most": [move._asdict() for move in moves.moved[:most]]},
    }


def _print_moves(system: str, moves: Moves, most: int) -> None:
    first, second = f"{moves.before:.4f}", f"{moves.after:.4f}"
    told = say("diff_moves", n=f"{moves.n:,}", moved=f"{len(moves.moved):,}", before=first, after=second)
    print_line(f"{system}: {told}" if system else told)
    if moves.left_out:
        print_line(say("diff_left_out", n=f"{moves.left_out:,}"))
    rows = [(move.id, f"{move.before:.4f}", f"{move.after:.4f}", f"{move.by:+.4f}") for move in moves.moved[:most]]
    if rows:
        print_table(_heads("sample", "before", "after", "change"), rows)


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
        lexicon.dropped,
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
    dropped: tuple[str, ...] = ()
    """What a lenient reader left out, and why."""

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
            "dropped": list(self.dropped),
        }


def read_corpus(path: Path) -> Iterator[str]:
    """Read the corpus of a command, clinical descriptions: known fields of JSONL rows, or one a line."""
    if path.suffix in (".jsonl", ".ndjson"):
        fields = (*PREDICTION_FIELDS, *REFERENCE_FIELDS)
        for row in read_rows(path):
            yield from (row[field] for field in fields if isinstance(row.get(field), str))
    else:
        yield from (line.strip() for _, line in read_lines(path) if line.strip())


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
