"""Whether arms can be compared: each has the same patients and turns, asked in the same words, with the same truth."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from jatdae.core.errors import DataError
from jatdae.core.messages import speaker

MOST_NAMED: Final = 20
"""Problems that are named one by one."""

say = speaker(__name__)


def refuse_unequal(events: Iterable[Mapping[str, Any]]) -> None:
    """Refuse arms that cannot be compared, naming what lacks a partner."""
    if problems := find_unequal(events):
        raise DataError("\n".join([*shown_problems(problems), say("unequal_remedy")]))


def shown_problems(problems: list[str]) -> list[str]:
    """The first problems, and how many more there are."""
    more = len(problems) - MOST_NAMED
    return [*problems[:MOST_NAMED], say("unequal_more", count=more)] if more > 0 else problems


def find_unequal(events: Iterable[Mapping[str, Any]]) -> list[str]:
    """What keeps arms from being compared, in words: by patient, what an arm lacks, or what differs between arms."""
    asked: dict[str, dict[str, dict[str, Any]]] = {}
    arms: dict[str, None] = {}
    problems: list[str] = []
    for event in events:
        arm, patient, turn = str(event["mode"]), str(event["patient_id"]), str(event["turn_id"])
        arms[arm] = None
        turns = asked.setdefault(patient, {}).setdefault(turn, {})
        if arm in turns:
            problems.append(say("arm_twice", patient=patient, turn=turn, arm=arm))
        turns[arm] = event
    for patient, turns in sorted(asked.items()):
        problems += _lacking(patient, turns, list(arms))
        for turn, by_arm in turns.items():
            if _differs(by_arm.values(), _question):
                problems.append(say("arm_asks_otherwise", patient=patient, turn=turn))
            if _differs(by_arm.values(), _truth):
                problems.append(say("arm_knows_otherwise", patient=patient, turn=turn))
    return problems


def only_shared(events: Iterable[Mapping[str, Any]], first: str, other: str) -> list[Mapping[str, Any]] | None:
    """Events of two arms without the turns that one of them lacks of a patient; None if neither lacks any."""
    by_arm: dict[str, dict[tuple[str, str], Mapping[str, Any]]] = {first: {}, other: {}}
    for event in events:
        if (arm := str(event["mode"])) in by_arm:
            by_arm[arm][str(event["patient_id"]), str(event["turn_id"])] = event
    shared = by_arm[first].keys() & by_arm[other].keys()
    patients = {patient for patient, _ in by_arm[first]} & {patient for patient, _ in by_arm[other]}
    if all(key in shared for turns in by_arm.values() for key in turns if key[0] in patients):
        return None
    return [event for turns in by_arm.values() for key, event in turns.items() if key in shared]


def _lacking(patient: str, turns: Mapping[str, Mapping[str, Any]], arms: list[str]) -> list[str]:
    """What each arm lacks of a patient that another has: all of it, or some turns."""
    found = []
    for arm in arms:
        lacking = [turn for turn, by_arm in turns.items() if arm not in by_arm]
        if len(lacking) == len(turns):
            found.append(say("arm_lacks_patient", patient=patient, arm=arm))
        elif lacking:
            found.append(say("arm_lacks", patient=patient, turns=", ".join(sorted(lacking)), arm=arm))
    return found


def _differs(events: Iterable[Mapping[str, Any]], part: Any) -> bool:
    return len({part(event) for event in events}) > 1


def _question(event: Mapping[str, Any]) -> str:
    question = event.get("question")
    return str(question.get("text") if isinstance(question, Mapping) else question)


def _truth(event: Mapping[str, Any]) -> str:
    return json.dumps(event.get("slots_truth"), ensure_ascii=False, sort_keys=True, default=str)
