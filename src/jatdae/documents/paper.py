"""What a report needs to make the paper's table: its columns, and in each language what has to be said about it.

`paper.json` of a run holds `columns`, and per language `row`, `caption`, `scope` (the footnote), `methods` (the
paragraph), `warnings` and `warnings_of` one system. The numbers stay in the summary.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, Protocol

from jatdae.core.messages import LANGUAGES
from jatdae.documents.evaluation import Run, rows_of
from jatdae.text.normaliser import find_normaliser

FILE: Final = "paper.json"
ALL: Final = "*"
"""The name under which settings speak of every system they do not name."""
MOST_NAMED: Final = 10
"""Documents a warning names."""
DOUBTFUL: Final = 0.05
"""Below this Structure F1, a system that is only taken to write structure may well write none."""


class Settings(Protocol):
    """The settings a methods paragraph speaks of."""

    @property
    def normaliser(self) -> str:
        """Names of steps."""

    @property
    def bibliography(self) -> str:
        """How the bibliography is found."""

    @property
    def unit(self) -> str:
        """What a character is."""

    @property
    def profile(self) -> str:
        """How tables are read."""

    @property
    def matching(self) -> str:
        """How tables are paired."""

    @property
    def structured(self) -> Mapping[str, Any]:
        """Which systems write structure."""


def write_paper(run: Run, settings: Settings) -> None:
    """Write `paper.json`."""
    systems = run.summary()["systems"]
    above = _above(run)
    made: dict[str, Any] = {"columns": _texts()["columns"]}
    for language in LANGUAGES:
        texts = _texts()[language]
        documents = max((described["n"] for described in systems.values()), default=0)
        made[language] = {
            "row": texts["row"],
            "caption": texts["caption_of_one" if documents == 1 else "caption"].format(documents=documents),
            "scope": texts[f"scope_{settings.bibliography}"],
            "methods": " ".join(_methods(settings, texts)),
            "warnings": list(_unknown(settings, systems, texts)),
            "warnings_of": {
                name: [*_doubtful(name, described, settings, texts), *_warnings(name, described, above, texts)]
                for name, described in systems.items()
            },
        }
    run.write(FILE, made)


def _methods(settings: Settings, texts: Mapping[str, str]) -> Iterator[str]:
    """The steps, why each is fair, and how every column is made."""
    steps = list(dict.fromkeys(step.name.removeprefix("seed_") for step in find_normaliser(settings.normaliser).steps))
    yield texts["intro"].format(steps=", ".join(steps)) if steps else texts["raw"]
    for group, members in _texts()["groups"].items():
        if taken := [step for step in steps if step in members]:
            yield texts[group].format(steps=", ".join(taken))
    yield texts["cer"].format(unit=texts[settings.unit])
    yield texts[settings.bibliography]
    yield texts["structure"]
    yield texts["teds"].format(profile=settings.profile, matching=texts[settings.matching])
    yield texts["absent"]


def _above(run: Run) -> dict[tuple[str, str], list[str]]:
    """The documents whose Body CER is above their Full CER, by system and by the side that had no bibliography."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in rows_of(run, ["id", "system", "counts"]):
        for side in row["counts"].get("body_above_full", {}):
            found.setdefault((row["system"], side), []).append(row["id"])
    return found


def _warnings(
    name: str, described: Mapping[str, Any], above: Mapping[tuple[str, str], Sequence[str]], texts: Mapping[str, str]
) -> Iterator[str]:
    """Where leaving the bibliography out made the error rate of a system worse, and why it may have."""
    for (system, side), documents in above.items():
        if system != name:
            continue
        names = ", ".join(documents[:MOST_NAMED])
        if len(documents) > MOST_NAMED:
            names = texts["more"].format(names=names, n=len(documents) - MOST_NAMED)
        yield texts["above"].format(
            system=name or "–",
            count=len(documents),
            total=described["n"],
            documents=names,
            why=texts[f"above_{side}"],
        )


def _unknown(settings: Settings, systems: Mapping[str, Any], texts: Mapping[str, str]) -> Iterator[str]:
    """A misspelt system would otherwise be taken for one that nothing is declared of."""
    for name in settings.structured:
        if name != ALL and name not in systems:
            yield texts["unknown"].format(name=name, systems=", ".join(systems))


def _doubtful(name: str, described: Mapping[str, Any], settings: Settings, texts: Mapping[str, str]) -> Iterator[str]:
    """Plain text may look like structure: a 0 for a system nobody declared may have to be an N/A."""
    f1 = described["metrics"]["structure_f1"]["macro"]
    undeclared = settings.structured.get(name, settings.structured.get(ALL, "auto")) == "auto"
    if undeclared and f1 is not None and f1 < DOUBTFUL:
        yield texts["doubtful"].format(system=name or ALL, f1=f1)


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads((resources.files(__package__) / "paper.toml").read_text("utf-8"))
