"""What contradicting statements are about, as reports say it: advice on metformin, in the language of the reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from jatdae.core.messages import LANGUAGES, texts_beside
from jatdae.dialogue.reading.concepts import Concept

_TEXTS: Final = texts_beside("jatdae.dialogue.evaluator")
_TAKEN: Final = ("drug", "drug_class")


class SubjectLabels(Mapping[str, Mapping[str, str]]):
    """By what two statements are about (`advice on ID`, `has ID`, or the id of a concept), its label by language."""

    def __init__(self, concepts: Mapping[str, Concept]) -> None:
        self._concepts = concepts

    def __getitem__(self, key: str) -> Mapping[str, str]:
        """Label of a subject by language."""
        concept = self._concepts[key.rpartition(" ")[2]]
        kind = "advice" if key.startswith("advice ") else _held(concept) if key.startswith("has ") else ""
        return {each: _label(kind, concept, each) for each in LANGUAGES}

    def __iter__(self) -> Iterator[str]:
        """The ids of the concepts."""
        return iter(self._concepts)

    def __len__(self) -> int:
        """Number of concepts."""
        return len(self._concepts)


def _held(concept: Concept) -> str:
    return "taken" if concept.category in _TAKEN else "there"


def _label(kind: str, concept: Concept, language: str) -> str:
    name = (concept.korean if language == "ko" else "") or concept.name
    text = _TEXTS.find("words", f"key.subject_{kind}", language) if kind else ""
    return text.format(name=name) if text else name
