"""jatdae (잣대, a yardstick): measures what models write against what they should have written."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from jatdae.core.compiled import choose_sources
from jatdae.core.version import VERSION as __version__  # noqa: N811

if TYPE_CHECKING:
    from jatdae.checks.evaluator import CheckEvaluator
    from jatdae.core.contract import Count, Issue, IssueKind, Metric, Mix, Outcome, Rate, Ratio, Sample, Unit
    from jatdae.core.evaluator import evaluator
    from jatdae.core.messages import set_language
    from jatdae.dialogue.evaluator import DialogueEvaluator
    from jatdae.documents.evaluator import DocumentEvaluator
    from jatdae.doors.logs.loading import load
    from jatdae.formulas.evaluator import FormulaEvaluator
    from jatdae.run.api import evaluate
    from jatdae.run.stats.compare import compare
    from jatdae.run.stats.result import Result
    from jatdae.structured.evaluator import StructuredEvaluator
    from jatdae.tables.evaluator import TableEvaluator
    from jatdae.terms.evaluator import TermsEvaluator
    from jatdae.text.evaluator import TextEvaluator

choose_sources()
_HOMES = {
    "Count": "jatdae.core.contract",
    "IssueKind": "jatdae.core.contract",
    "Issue": "jatdae.core.contract",
    "Metric": "jatdae.core.contract",
    "Mix": "jatdae.core.contract",
    "Outcome": "jatdae.core.contract",
    "Rate": "jatdae.core.contract",
    "Ratio": "jatdae.core.contract",
    "Sample": "jatdae.core.contract",
    "Unit": "jatdae.core.contract",
    "evaluator": "jatdae.core.evaluator",
    "set_language": "jatdae.core.messages",
    "compare": "jatdae.run.stats.compare",
    "Result": "jatdae.run.stats.result",
    "evaluate": "jatdae.run.api",
    "load": "jatdae.doors.logs.loading",
    "CheckEvaluator": "jatdae.checks.evaluator",
    "DialogueEvaluator": "jatdae.dialogue.evaluator",
    "DocumentEvaluator": "jatdae.documents.evaluator",
    "FormulaEvaluator": "jatdae.formulas.evaluator",
    "StructuredEvaluator": "jatdae.structured.evaluator",
    "TableEvaluator": "jatdae.tables.evaluator",
    "TermsEvaluator": "jatdae.terms.evaluator",
    "TextEvaluator": "jatdae.text.evaluator",
}
_ROOMS = ("checks", "dialogue", "documents", "doors", "formulas", "structured", "tables", "terms", "text")

__all__ = [
    "CheckEvaluator",
    "Count",
    "DialogueEvaluator",
    "DocumentEvaluator",
    "FormulaEvaluator",
    "Issue",
    "IssueKind",
    "Metric",
    "Mix",
    "Outcome",
    "Rate",
    "Ratio",
    "Result",
    "Sample",
    "StructuredEvaluator",
    "TableEvaluator",
    "TermsEvaluator",
    "TextEvaluator",
    "Unit",
    "__version__",
    "compare",
    "evaluate",
    "evaluator",
    "load",
    "set_language",
]


def __getattr__(name: str) -> Any:
    """Names are looked up where they live when they are first used, so that importing jatdae costs nothing."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _ROOMS:
        return import_module(f"jatdae.{name}")
    raise AttributeError(f"module 'jatdae' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS])
