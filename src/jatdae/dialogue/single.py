"""Scores and mentions of a single answer, from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jatdae.core.errors import UsageError
from jatdae.core.messages import shown, speaker
from jatdae.dialogue.reading.mentions import Mention, load_extractor
from jatdae.dialogue.scores.consistency import score_consistency
from jatdae.dialogue.scores.safety import violations
from jatdae.dialogue.turns import PER_TURN, WORST, TurnScores, load_scorer, read_turn_number

ON_EMPTY: Final = ("na", "formula")

say = speaker(__name__)


def score_turn(
    answer: str,
    question: str = "",
    slots: Mapping[str, Any] | None = None,
    turn: int | str | None = None,
    *,
    slots_truth: Mapping[str, Any] | None = None,
    turn_id: int | str | None = None,
    config_dir: str | Path | None = None,
    lexicon: str | Path | None = None,
    history: Sequence[str] = (),
    earlier_questions: Sequence[str] = (),
    on_empty: str = "na",
) -> dict[str, Any]:
    """Score one turn of a conversation: SFS, CSP, CUS_improved, ASS, MCS and overall, each with its spans.

    `slots_truth` and `turn_id` are other names for `slots` and `turn`. `history` holds earlier answers of the same
    conversation, which MCS compares with this one, `earlier_questions` what the patient asked before: what patients
    say of themselves supports a claim. Without a truth every score is None; an empty answer gets the worst values, as
    in a run.
    """
    slots, turn = _one_of("slots", slots, "slots_truth", slots_truth), _one_of("turn", turn, "turn_id", turn_id)
    _check_types(answer, question, slots, {"history": history, "earlier_questions": earlier_questions}, on_empty)
    scorer = load_scorer(
        Path(config_dir) if config_dir is not None else None, Path(lexicon) if lexicon is not None else None, on_empty
    )
    truth = scorer.truth_of(slots)
    if truth is None:
        issue = {"code": "no_slots_truth", "message": "nothing is known of the patient"}
        nothing: dict[str, Any] = {name: {"metric": name, "score": None} for name in (*PER_TURN, "MCS", "overall")}
        nothing["CSP"] |= {"any_violation": None, "critical_violation": None}
        return {**nothing, "issues": [issue]}
    (scores,) = scorer.score([scorer.case_of(answer, question, truth, read_turn_number(turn), earlier_questions)])
    passages = [(str(at), passage) for at, passage in enumerate(scorer.extractor.read_all(history), 1)]
    issues = [*scorer.slot_issues(truth), *scores.issues]
    if answer.strip():
        passages.append(("now", scores.passage))
        results = {**scores.results, "CSP": {**scores.results["CSP"], **violations(scores.results["CSP"])}}
    else:
        results = _worst(scores)
        issues = [*scorer.slot_issues(truth), ("missing_answer", "the worst value was given")]
    results["MCS"] = score_consistency(passages)
    overall, left = scorer.weights.combine({name: result["score"] for name, result in results.items()})
    return {
        **results,
        "overall": {"metric": "overall", "score": overall, "left_out": list(left)},
        "spans": list(scores.spans),
        "issues": [{"code": code, "message": message} for code, message in issues],
    }


def compute_advanced_metrics(
    answer: str,
    question: str,
    slots_truth: Mapping[str, Any] | None,
    turn_id: int | str | None,
    config_dir: str | Path | None = None,
) -> dict[str, Any]:
    """Score one turn of a conversation, with the arguments in the order in which the seed project gives them."""
    return score_turn(answer, question, slots_truth, turn_id, config_dir=config_dir)


def extract(text: str, lexicon: Path | None = None) -> tuple[Mention, ...]:
    """Find the medical concepts that an answer mentions, in order."""
    _check_text("text", text)
    return load_extractor(lexicon).read(text).mentions


def _worst(scores: TurnScores) -> dict[str, dict[str, Any]]:
    """The scores of a turn without an answer: the worst values, except of what no answer to it needs."""
    results = {name: {**scores.results[name], "score": WORST[name]} for name in PER_TURN}
    if scores.results["ASS"]["score"] is None:
        results["ASS"]["score"] = None
    results["CSP"] |= {"any_violation": WORST["any_violation"], "critical_violation": WORST["critical_violation"]}
    return results


def _one_of(name: str, value: Any, other: str, again: Any) -> Any:
    """The value of an argument that has two names; two different ones are refused."""
    if value is not None and again is not None and value != again:
        raise UsageError(say("given_twice", name=name, other=other))
    return value if value is not None else again


def _check_types(answer: Any, question: Any, slots: Any, texts: Mapping[str, Any], on_empty: Any) -> None:
    """Refuse what is no text, no dictionary or no list of texts, and say what to give."""
    _check_text("answer", answer)
    _check_text("question", question)
    if slots is not None and not isinstance(slots, Mapping):
        raise UsageError(say("not_slots", kind=type(slots).__name__))
    for name, given in texts.items():
        if isinstance(given, str) or not isinstance(given, Sequence):
            raise UsageError(say("not_texts", name=name, kind=type(given).__name__))
        for at, text in enumerate(given):
            _check_text(f"{name}[{at}]", text)
    if on_empty not in ON_EMPTY:
        raise UsageError(say("not_on_empty", given=shown(str(on_empty)), known=", ".join(ON_EMPTY)))


def _check_text(name: str, given: Any) -> None:
    if not isinstance(given, str):
        raise UsageError(say("not_a_text", name=name, kind=type(given).__name__))
