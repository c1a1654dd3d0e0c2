"""What atoms are called in reports: 黄 (yellow) · colour of the coat, in the language of the reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from jatdae.core.messages import LANGUAGES, texts_beside
from jatdae.terms.lexicon import Lexicon

_TEXTS: Final = texts_beside("jatdae.terms.evaluator")
_ARROW: Final = "→"


class AtomLabels(Mapping[str, Mapping[str, str]]):
    """By key of a count table of clinical terms, its label by language.

    Keys are atoms, axes, alternatives (A|B), denied atoms (¬A) and pairs of such (A→B). Labels are made when they are
    asked for: there are many more pairs than a run has.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon

    def __getitem__(self, key: str) -> Mapping[str, str]:
        """Label of a key by language."""
        if not self._knows(key):
            raise KeyError(key)
        return {language: self._label(key, language) for language in LANGUAGES}

    def __iter__(self) -> Iterator[str]:
        """Atoms and axes."""
        yield from self._lexicon.axes
        yield from self._lexicon.atoms

    def __len__(self) -> int:
        """Number of atoms and axes."""
        return len(self._lexicon.axes) + len(self._lexicon.atoms)

    def _knows(self, key: str) -> bool:
        parts = [part.removeprefix("¬") for side in key.split(_ARROW) for part in side.split("|")]
        return all(part in self._lexicon.atoms or part in self._lexicon.axes for part in parts)

    def _label(self, key: str, language: str) -> str:
        """An axis by its name; atoms by value and gloss, with the name of their axis; sides of a pair share one."""
        if key in self._lexicon.axes:
            return self._axis(key, language)
        sides = [self._side(side, language) for side in key.split(_ARROW)]
        axis = self._lexicon.atoms[key.split(_ARROW, maxsplit=1)[0].split("|", maxsplit=1)[0].removeprefix("¬")].prefix
        return f"{' → '.join(sides)} · {self._axis(axis, language)}"

    def _side(self, side: str, language: str) -> str:
        denied = "¬" if side.startswith("¬") else ""
        return denied + " / ".join(self._atom(name, language) for name in side.removeprefix("¬").split("|"))

    def _atom(self, name: str, language: str) -> str:
        atom = self._lexicon.atoms[name]
        gloss = atom.glosses.get(language, "")
        return f"{atom.value} ({gloss})" if gloss and gloss != atom.value else atom.value

    def _axis(self, prefix: str, language: str) -> str:
        return _TEXTS.find("words", f"axis_{prefix}", language) or prefix
