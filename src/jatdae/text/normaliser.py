"""A normaliser: an ordered list of named steps, the same for both sides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from jatdae.core.errors import UsageError
from jatdae.core.messages import near
from jatdae.text.steps import PRESETS, STEPS, Step

MOST_PASSES: Final = 4
"""A removal may lay bare what an earlier step removes (`[[1]2]`), so steps are repeated; hostile nesting ends here."""

_SEPARATORS: Final = re.compile(r"[+,\s]+")


@dataclass(frozen=True, slots=True)
class Normaliser:
    """Steps in order. Called on a text, it gives the text as it will be compared."""

    signature: str
    """Names with versions, as they stand in the signature line: `nfc@1+fair@1`."""
    steps: tuple[Step, ...]
    settles: bool = True

    def __call__(self, text: str) -> str:
        """`text` after every step, repeated until nothing changes."""
        return self.with_scope(text)[0]

    def with_scope(self, text: str) -> tuple[str, dict[str, int]]:
        """`text` normalised, and the characters each step removed from it (steps that removed none are left out)."""
        removed: dict[str, int] = {}
        for _ in range(MOST_PASSES if self.settles else 1):
            settled = True
            for step in self.steps:
                after = step.apply(text)
                if after != text:
                    if gone := len(text) - len(after):
                        removed[step.name] = removed.get(step.name, 0) + gone
                    # No step tells one white space from another but at line starts, so this one calls for no repeat.
                    settled = settled and step.name == "whitespace"
                    text = after
            if settled:
                break
        return text, removed


def normalise(text: str, normaliser: str | Sequence[str] = "fair") -> str:
    """`text` as the named normaliser leaves it; names as in `find_normaliser`."""
    return find_normaliser(normaliser)(text)


def find_normaliser(names: str | Sequence[str]) -> Normaliser:
    """The normaliser of names such as `fair`, `nfc+fair`, `fair@1` or `["nfc", "markdown", "whitespace"]`."""
    listed = _SEPARATORS.split(names.strip()) if isinstance(names, str) else names
    return _made(tuple(listed))


@cache
def _made(names: tuple[str, ...]) -> Normaliser:
    signature: list[str] = []
    steps: list[Step] = []
    settles = True
    for written in names:
        name, _, version = written.partition("@")
        preset = PRESETS.get(name)
        if preset is None and name not in STEPS:
            known = [*PRESETS, *STEPS]
            message = f"normaliser: no step or preset is called {name!r}.{near(name, known)}"
            raise UsageError(f"{message} Known: {', '.join(known)}")
        current = (preset or STEPS[name]).version
        if version and version != str(current):
            raise UsageError(f"normaliser: this release has {name}@{current}, not {written}; write {name}")
        signature.append(f"{name}@{current}")
        steps += [STEPS[step] for step in preset.steps] if preset else [STEPS[name]]
        settles = settles and (preset is None or preset.settles)
    return Normaliser("+".join(signature), tuple(steps), settles)
