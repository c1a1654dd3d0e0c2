"""SFS, slot factuality: 1 − Σ w(hallucinated) / (Σ w(mentioned) + ε) over claims on the patient that can be checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from jatdae.dialogue.claims import SUPPORTED, UNCHECKED, Verdict

EPSILON: Final = 1e-9


def score_facts(verdicts: Iterable[Verdict], weights: Mapping[str, float], on_empty: str = "na") -> dict[str, Any]:
    """The result of one answer; a claim weighs what its category weighs, right or wrong."""
    mentioned = [verdict for verdict in verdicts if verdict.result != UNCHECKED]
    wrong = [verdict for verdict in mentioned if verdict.result != SUPPORTED]
    total = sum([weight_of(verdict, weights) for verdict in mentioned])
    lost = sum([weight_of(verdict, weights) for verdict in wrong])
    score = None if not mentioned and on_empty == "na" else 1.0 - lost / (total + EPSILON)
    return {
        "metric": "SFS",
        "score": score,
        "mentioned_count": len(mentioned),
        "hallucinated_count": len(wrong),
        "mentioned_weight": total,
        "hallucinated_weight": lost,
        "hallucinated_details": [
            {
                "concept": verdict.mention.concept.id,
                "text": verdict.mention.text,
                "span": [verdict.mention.start, span_end(verdict)],
                "why": verdict.result,
                "truth": verdict.truth,
            }
            for verdict in wrong
        ],
    }


def weight_of(verdict: Verdict, weights: Mapping[str, float]) -> float:
    """The weight of a claim, by its category alone."""
    return weights.get(verdict.mention.concept.category, weights["other"])


def span_end(verdict: Verdict) -> int:
    """Where a claim ends: behind its value, where it has one."""
    mention = verdict.mention
    return max(mention.end, mention.value.end) if mention.value else mention.end
