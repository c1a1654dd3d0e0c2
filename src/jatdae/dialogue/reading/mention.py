"""A mention of a medical concept in a text."""

from __future__ import annotations

from typing import NamedTuple

from jatdae.dialogue.reading.concepts import Concept
from jatdae.dialogue.reading.quantities import Quantity


class Mention(NamedTuple):
    """A mention of a medical concept in a text: where, with what value, and how it is meant."""

    concept: Concept
    start: int
    end: int
    text: str
    value: Quantity | None
    polarity: str
    status: str
    subject: str
    advice: str
    sure: bool = True
    """Whether the words say so. False where only the conversation suggests that it is the patient's: "tiotropium rarely
    does that". Such a mention supports what is on record, and is never called wrong."""

    @property
    def category(self) -> str:
        """The category of the concept."""
        return self.concept.category
