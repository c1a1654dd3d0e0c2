"""The overall dialogue score, a weighted mean, and its weights (`scoring.yaml`) with those of claims in SFS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jatdae.core.yamlfile import KeyPath
from jatdae.dialogue.rules.configfile import ConfigFile, read_config

WEIGHTS_FILE: Final = "scoring.yaml"
CATEGORIES: Final = ("drug", "drug_class", "condition", "lab", "vital", "age", "sex", "procedure", "symptom", "other")
SCORES: Final = ("SFS", "CSP", "CUS_improved", "MCS", "ASS")


def load_weights(folder: Path | None = None) -> Weights:
    """Load the weights of the overall score of an answer from a configuration folder, or the bundled ones."""
    config = read_config(folder, WEIGHTS_FILE)
    top = config.mapping(config.file.value, (), ("sfs", "aggregate"), ("sfs", "aggregate"))
    claims = _weights(config, top["sfs"], ("sfs",), CATEGORIES)
    overall = _weights(config, top["aggregate"], ("aggregate",), SCORES)
    if "other" not in claims:  # checked last: a misspelt key may be the cause, and is the better message
        config.refuse(("sfs", "weights"), "other is missing: the weight of a claim in no listed category")
    return Weights(claims, overall, config.hash)


@dataclass(frozen=True)
class Weights:
    """Weights of the dialogue scores and of claims, as checked."""

    claims: Mapping[str, float]
    overall: Mapping[str, float]
    hash: str

    def combine(self, scores: Mapping[str, float | None]) -> tuple[float | None, tuple[str, ...]]:
        """The weighted mean of the scores that apply (1 − CSP for CSP), and the names of those that do not."""
        total = summed = 0.0
        left = []
        for name, weight in self.overall.items():
            value = scores.get(name)
            if value is None:
                left.append(name)
            else:
                summed += weight * (1.0 - value if name == "CSP" else value)
                total += weight
        return (summed / total if total else None), tuple(left)


def _weights(config: ConfigFile, value: Any, path: KeyPath, known: tuple[str, ...]) -> dict[str, float]:
    inside = config.mapping(value, path, ("weights",), ("weights",))
    at = (*path, "weights")
    made = {}
    for name, weight in config.mapping(inside["weights"], at, known).items():
        made[name] = config.number(weight, (*at, name))
        if made[name] < 0:
            config.refuse((*at, name), "a weight must be 0 or more")
    if not any(made.values()):
        config.refuse(at, "at least one weight must be above 0")
    return made
