"""`--only` and `--skip`: which of the systems that are given are run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.run.input.model import Inputs, choose, narrowed, systems_of


@dataclass(frozen=True)
class ChoiceFlags:
    """Which systems."""

    only: Annotated[tuple[str, ...], Parameter(negative=())] = ()
    """NAME: run only this system; repeatable."""
    skip: Annotated[tuple[str, ...], Parameter(negative=())] = ()
    """NAME: skip this system; repeatable."""

    def of(self, inputs: Sequence[Inputs]) -> list[Inputs]:
        """The inputs with the systems that are wanted; one may be left with none where another has them."""
        if not self.only and not self.skip:
            return list(inputs)
        named = list(dict.fromkeys(name for each in inputs for name in systems_of(each)))
        if not named:
            raise UsageError(say("no_named_system"))
        chosen = choose(named, self.only, self.skip)
        return [narrowed(each, chosen) for each in inputs]
