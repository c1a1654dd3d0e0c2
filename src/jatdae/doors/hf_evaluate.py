"""Hugging Face `evaluate`: an evaluator of jatdae as a module of that library.

    from jatdae.doors.hf_evaluate import module

    module("text").compute(predictions=[…], references=[…])     # {"cer": 0.05, "cer.ci_low": …, …}

Predictions and references are texts; a JSON document is given as its text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from jatdae.core.errors import UsageError
from jatdae.core.evaluator import spec_of
from jatdae.core.meanings import meanings_of
from jatdae.core.messages import speaker
from jatdae.core.registry import find
from jatdae.doors.extras import NotInstalled
from jatdae.doors.tracking import numbers_of
from jatdae.run import api

try:
    import datasets
    import evaluate
except ModuleNotFoundError as error:
    raise NotInstalled(error.name or "evaluate", "evaluate") from None

FIELDS: Final = ("prediction_field", "reference_field", "id_field", "slices", "reference")
"""Arguments of `jatdae.evaluate` that have no meaning here: data come as `predictions` and `references`."""

say = speaker(__name__)


def module(evaluator: str = "text", *, cache_dir: str | None = None, **config: Any) -> Module:
    """Module of `evaluate` that scores with an evaluator; `config` are the settings of the evaluator."""
    for name in FIELDS:
        if name in config:
            raise UsageError(say("module_field", name=name))
    if isinstance(evaluator, str) and spec_of(find(evaluator)).group_by:
        raise UsageError(say("module_grouped", name=evaluator))
    api.evaluate([], evaluator, **config)  # a slip is told before any prediction is collected
    return Module(evaluator, config, config_name=evaluator, cache_dir=cache_dir, keep_in_memory=True)


class Module(evaluate.Metric):
    """Module of `evaluate`; `module` makes it."""

    def __init__(self, evaluator: str, config: dict[str, Any], **given: Any) -> None:
        self._evaluator, self._config = evaluator, config
        super().__init__(**given)

    def compute(self, *, predictions: Any = None, references: Any = None, **given: Any) -> Any:
        """The numbers of these predictions and references, or of those that were added before."""
        sides = {"predictions": predictions, "references": references}
        lacking = [name for name, side in sides.items() if side is None]
        if len(lacking) == 1 or (lacking and not len(self)):
            raise UsageError(say("module_nothing", names=", ".join(f"{name}=[…]" for name in lacking)))
        texts = {name: side if side is None else _texts(name, side) for name, side in sides.items()}
        return super().compute(**texts, **given)

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


def _texts(name: str, side: Any) -> list[str]:
    """A side as a list of texts; one without any, or with anything else among them, is refused."""
    if not isinstance(side, Iterable) or isinstance(side, str):
        raise UsageError(say("module_no_texts", name=name, kind=type(side).__name__))
    listed = list(side)
    if not listed:
        raise UsageError(say("module_empty", name=name))
    for at, each in enumerate(listed):
        if not isinstance(each, str):
            raise UsageError(say("module_no_texts", name=f"{name}[{at}]", kind=type(each).__name__))
    return listed
