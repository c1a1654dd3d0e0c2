"""The overall dialogue score, a weighted mean, and its weights (`scoring.yaml`) with those of claims in SFS."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, TypeVar

from pydantic import AfterValidator, Field

from jatdae.core.configfile import ConfigFile, Number, Part
from jatdae.core.messages import speaker
from jatdae.dialogue.rules.configfile import read_config_of
from jatdae.dialogue.rules.limits import Judging
from jatdae.dialogue.rules.requirements import REQUIREMENTS_FILE, RequirementsFile

WEIGHTS_FILE: Final = "scoring.yaml"
Category = Literal[
    "drug", "drug_class", "condition", "lab", "vital", "age", "sex", "procedure", "symptom", "allergy", "other"
]  # fmt: skip
Score = Literal["SFS", "CSP", "CUS_improved", "MCS", "ASS", "faithfulness", "answer_relevance"]
Weight = Annotated[Number, Field(ge=0)]

W = TypeVar("W", bound=str)
_UNBOUNDED: Final = ("perplexity",)
say = speaker(__name__)


def load_weights(folder: Path | None = None) -> Weights:
    """Load the weights of the overall score of an answer from a configuration folder, or the bundled ones."""
    file = read_config_of(folder, WEIGHTS_FILE, ScoringFile)
    claims = {str(name): weight for name, weight in file.content.sfs.weights.items()}
    overall = {str(name): weight for name, weight in file.content.aggregate.weights.items()}
    if folder is not None and not (Path(folder) / WEIGHTS_FILE).exists():
        overall = _other_names(read_config_of(folder, REQUIREMENTS_FILE, RequirementsFile)) or overall
    judging = file.content.judgements
    if judging is None:
        judging = read_config_of(None, WEIGHTS_FILE, ScoringFile).content.judgements or Judging()
    return Weights(claims, overall, file.sha256[:8], judging)


def _other_names(file: ConfigFile[RequirementsFile]) -> dict[str, float]:
    """The weights of `overall` in the file of requirements, by the names of the scores here.

    Perplexity has no upper end and cannot enter a mean of shares: it stays out, and is said to.
    """
    given = file.content.aggregate.weights
    for name in given:
        file.one_of(("aggregate", "weights", name), name, _ALIASES)
    file.finish()
    return {_ALIASES[name]: weight for name, weight in given.items()}


_ALIASES: Final = {
    "sfs": "SFS", "csp": "CSP", "cus": "CUS_improved", "cus_improved": "CUS_improved", "mcs": "MCS", "ass": "ASS",
    "faithfulness": "faithfulness", "answer_relevance": "answer_relevance", "ragas_faithfulness": "faithfulness",
    "ragas_answer_relevance": "answer_relevance", "perplexity": "perplexity",
}  # fmt: skip


def _with_a_weight(weights: dict[W, float]) -> dict[W, float]:
    if not any(weights.values()):
        raise ValueError(say("no_weight"))
    return weights


def _with_other(weights: dict[Category, float]) -> dict[Category, float]:
    if "other" not in weights:
        raise ValueError(say("no_weight_of_other"))
    return weights


class ClaimWeights(Part):
    """How SFS weighs claims."""

    weights: Annotated[dict[Category, Weight], AfterValidator(_with_a_weight), AfterValidator(_with_other)]
    """Weight of a claim by its category; `other` is for claims in no listed category."""


class ScoreWeights(Part):
    """How `overall` weighs the scores."""

    weights: Annotated[dict[Score, Weight], AfterValidator(_with_a_weight)]
    """Weight of each score; CSP enters as 1 − CSP."""


class ScoringFile(Part):
    """Weights of claims in SFS, and of the scores in `overall` (`scoring.yaml`)."""

    sfs: ClaimWeights
    """How SFS weighs claims."""
    aggregate: ScoreWeights
    """How `overall` weighs the scores."""
    judgements: Judging | None = None
    """How judgements without a value are judged (default: as in the bundled file)."""


@dataclass(frozen=True)
class Weights:
    """Weights of the dialogue scores and of claims, as checked."""

    claims: Mapping[str, float]
    overall: Mapping[str, float]
    hash: str
    judging: Judging

    def combine(self, scores: Mapping[str, float | None]) -> tuple[float | None, tuple[str, ...]]:
        """The weighted mean of the scores that apply (1 − CSP for CSP), and the names of those that do not."""
        total = summed = 0.0
        left = []
        for name, weight in self.overall.items():
            value = scores.get(name) if name not in _UNBOUNDED else None
            if value is None:
                left.append(name)
            else:
                summed += weight * (1.0 - value if name == "CSP" else value)
                total += weight
        return (summed / total if total else None), tuple(left)
