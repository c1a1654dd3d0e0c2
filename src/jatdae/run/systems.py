"""Which of the systems of an input or of a run are wanted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from jatdae.core.errors import UsageError
from jatdae.core.messages import near, say
from jatdae.run.model import Inputs


def choose(systems: Sequence[str], only: Sequence[str], skip: Sequence[str]) -> list[str]:
    """The systems that are wanted, in their order."""
    for name in (*only, *skip):
        if name not in systems:
            known = ", ".join(systems)
            raise UsageError(say("unknown_system", name=name, near=near(name, systems), known=known))
    chosen = [name for name in systems if name not in skip and (not only or name in only)]
    if not chosen:
        raise UsageError(say("no_system_left"))
    return chosen


def systems_of(inputs: Inputs) -> list[str]:
    """The systems an input names; those that only its rows name are not known before they are read."""
    return [name for name, _ in (*inputs.pairs, *inputs.predictions) if name]


def narrowed(inputs: Inputs, chosen: Collection[str]) -> Inputs:
    """The input with these systems alone."""
    pairs = tuple(pair for pair in inputs.pairs if pair[0] in chosen)
    return replace(inputs, pairs=pairs, predictions=tuple(each for each in inputs.predictions if each[0] in chosen))
