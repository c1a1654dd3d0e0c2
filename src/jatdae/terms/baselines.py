"""What costs nothing to answer: every summary shows it beside the systems, on the same references."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any


def baselines(references: Sequence[Any], normal: str) -> dict[str, list[str]]:
    """Saying nothing, always saying the normal description, and the right answers dealt to the wrong samples."""
    made = {"empty": [""] * len(references)}
    if normal:
        made["constant"] = [normal] * len(references)
    made["shuffled"] = _dealt(references)
    return made


def _dealt(references: Sequence[Any]) -> list[str]:
    """A permutation in one cycle (Sattolo, 1986), so that no sample is dealt its own answer; always the same one."""
    texts = [reference if isinstance(reference, str) else "" for reference in references]
    random = Random(0)
    for at in range(len(texts) - 1, 0, -1):
        other = random.randrange(at)
        texts[at], texts[other] = texts[other], texts[at]
    return texts
