"""Arms of an experiment: what a model is shown in each, so that a difference between two can be explained.

llm           the question alone
llm+history   and the turns before it
llm+record    and the patient's record as text
agent         the turns before it, and tools over the record
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from jatdae.core.configfile import Part, Text, read_config

PROMPTS: Final = Path(__file__).parent / "arms.yaml"


@dataclass(frozen=True, slots=True)
class Arm:
    """What a model is shown beside the question."""

    name: str
    history: bool = False
    record: bool = False
    tools: bool = False

    @property
    def needs_record(self) -> bool:
        """Whether the arm cannot do without the patient's record."""
        return self.record or self.tools


ARMS: Final = {
    arm.name: arm
    for arm in (
        Arm("llm"),
        Arm("llm+history", history=True),
        Arm("llm+record", history=True, record=True),
        Arm("agent", history=True, tools=True),
    )
}


class Prompt(Part):
    """Prompts of one language."""

    assistant: Text
    """What every arm is told."""
    record: Text
    """What stands before the record."""
    tools: Text
    """What an arm with tools is told."""


class PromptFile(Part):
    """Prompts of all arms."""

    version: int
    """Raised when a text changes."""
    en: Prompt
    """English prompts."""
    ko: Prompt
    """Korean prompts."""


@cache
def load_prompts(file: Path = PROMPTS) -> tuple[PromptFile, str]:
    """The prompts of a file, and a hash of it."""
    return read_config(file, PromptFile).content, hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def messages_of(
    arm: Arm, prompt: Prompt, question: str, history: list[tuple[str, str]], record: str
) -> list[dict[str, Any]]:
    """The messages that an arm sends with a question, the turns before it, and the record as text."""
    system = prompt.assistant
    if arm.record:
        system += f"\n{prompt.record}{record}\n"
    if arm.tools:
        system += f"\n{prompt.tools}"
    earlier = history if arm.history else []
    spoken = [
        {"role": role, "content": text}
        for asked, answered in earlier
        for role, text in (("user", asked), ("assistant", answered))
    ]
    return [{"role": "system", "content": system}, *spoken, {"role": "user", "content": question}]
