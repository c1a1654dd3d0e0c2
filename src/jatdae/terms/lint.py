"""What a lexicon does not know yet: how much of a corpus it covers, what it misses, and where it contradicts itself."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jatdae.core.errors import DataError, UsageError
from jatdae.terms.lexicon import Lexicon
from jatdae.terms.parser import parse_text
from jatdae.terms.similarity import Broken, Similarities

FIELDS: Final = (
    *("prediction", "predict", "pred", "output", "hypothesis"),
    *("reference", "label", "gold", "target", "ground_truth", "text"),
)
"""Fields of a JSONL row that hold descriptions."""


@dataclass(frozen=True, slots=True)
class LintReport:
    """What `lint` found."""

    lexicon: str
    atoms: int
    texts: int
    letters: int
    understood: int
    missed: tuple[tuple[str, int], ...]
    """Strings that were not understood, the commonest first."""
    unused: tuple[str, ...]
    """Atoms the corpus never states."""
    without_gloss: tuple[str, ...]
    broken: tuple[Broken, ...]
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


def lint(lexicon: Lexicon, texts: Iterable[str] = (), *, most: int = 50) -> LintReport:
    """Hold a lexicon against a corpus and against itself."""
    if most < 0:
        raise UsageError(f"terms lint: most is {most}; it has to be at least 0")
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
        tuple(Similarities(lexicon).broken()),
    )


def read_corpus(path: Path) -> Iterator[str]:
    """Descriptions of a file: the known fields of JSONL rows, or one description a line."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                if path.suffix in (".jsonl", ".ndjson"):
                    yield from _of_row(line, f"{path}:{number}")
                elif line.strip():
                    yield line.strip()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error}); give a text or JSONL file") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 (byte {error.start}); convert it to UTF-8") from None


def _of_row(line: str, place: str) -> Iterator[str]:
    if not line.strip():
        return
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place}: not JSON ({error}); mend the row") from None
    if not isinstance(row, dict):
        raise DataError(f"{place}: a row must be a JSON object with one of the fields {', '.join(FIELDS)}")
    yield from (row[field] for field in FIELDS if isinstance(row.get(field), str))
