"""Hugging Face `evaluate`: an evaluator of jatdae as a module of that library.

    from jatdae.doors.hf_evaluate import module

    module("text").compute(predictions=[…], references=[…])     # {"cer": 0.05, "cer.ci_low": …, …}

Predictions and references are texts; a JSON document is given as its text.
"""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from jatdae.core.meanings import meanings_of
from jatdae.core.registry import find
from jatdae.doors.tracking import numbers_of
from jatdae.run import api


def module(evaluator: str = "text", *, cache_dir: str | None = None, **config: Any) -> Module:
    """Module of `evaluate` that scores with an evaluator; `config` are the settings of the evaluator."""
    api.evaluate([], evaluator, **config)  # a slip is told before any prediction is collected
    return Module(evaluator, config, config_name=evaluator, cache_dir=cache_dir, keep_in_memory=True)


class Module(evaluate.Metric):
    """Module of `evaluate`; `module` makes it."""

    def __init__(self, evaluator: str, config: dict[str, Any], **given: Any) -> None:
        self._evaluator, self._config = evaluator, config
        super().__init__(**given)

    def _info(self) -> evaluate.MetricInfo:
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=meanings_of(find(self._evaluator)).of("evaluators", self._evaluator) or self._evaluator,
            citation="",
            inputs_description=__doc__,
            features=datasets.Features({"predictions": text, "references": text}),
        )

    def _compute(self, predictions: list[str], references: list[str]) -> dict[str, Any]:
        result = api.evaluate({"prediction": predictions, "reference": references}, self._evaluator, **self._config)
        return {**numbers_of(result), "signature": str(result.signature)}
