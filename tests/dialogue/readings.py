"""Measures the reader on labelled answers: status of mentions, and precision and recall of hallucinations."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from jatdae.dialogue import score_turn
from jatdae.dialogue.reading.mentions import Mention, load_extractor

CASES = Path(__file__).parent / "cases"
_SAME = {
    "systolic blood pressure": {"blood_pressure", "systolic_blood_pressure"},
    "diastolic blood pressure": {"blood_pressure", "diastolic_blood_pressure"},
    "glucose": {"glucose", "fasting_glucose"},
    "glycemic control": {"glucose_control", "glucose", "hba1c", "diabetes"},
    "egfr": {"egfr", "kidney_function"},
    "ldl": {"ldl", "total_cholesterol", "cholesterol"},
    "hemoglobin": {"hemoglobin", "blood_count"},
    "type 2 diabetes": {"type_2_diabetes", "diabetes"},
    "chronic kidney disease": {"chronic_kidney_disease", "kidney_disease", "chronic_kidney_disease_stage_3"},
    "kidney failure": {"chronic_kidney_disease", "kidney_disease"},
    "kidney_failure": {"chronic_kidney_disease", "kidney_disease"},
    "iron": {"iron_supplement", "ferrous_sulfate"},
    "ferrous sulfate": {"iron_supplement", "ferrous_sulfate"},
    "iron deficiency anemia": {"iron_deficiency_anaemia", "iron_deficiency"},
    "congestive heart failure": {"heart_failure"},
    "osteoarthritis": {"osteoarthritis", "arthritis"},
    "major depressive disorder": {"major_depressive_disorder", "depression"},
    "intervertebral disc prolapse": {"herniated_disc"},
    "antiplatelet": {"antiplatelet", "antithrombotic"},
    "calcium": {"calcium_carbonate", "calcium_supplement"},
    "anticoagulant": {"anticoagulant", "antithrombotic"},
    "penicillin allergy": {"drug_allergy", "penicillin"},
}
"""Concepts of the labels that the lexicon names otherwise."""


class Labelled(NamedTuple):
    """A labelled mention beside what the reader made of it."""

    case: dict[str, Any]
    label: dict[str, Any]
    read: Mention | None
    right: bool
    """Whether status and polarity are as labelled."""
    flagged: bool


class Measured(NamedTuple):
    """The labelled mentions of some cases, and hallucinations that no label calls so."""

    labels: list[Labelled]
    false: list[tuple[dict[str, Any], dict[str, Any]]]

    def status(self) -> float:
        """Share of found mentions with the right status and polarity."""
        found = [each for each in self.labels if each.read]
        return sum(each.right for each in found) / max(1, len(found))

    def found(self) -> float:
        """Share of labelled mentions that were found."""
        return sum(each.read is not None for each in self.labels) / max(1, len(self.labels))

    def precision(self) -> float:
        """Share of hallucination flags that are right."""
        right = sum(each.flagged for each in self.labels if each.label["verdict"] == "hallucinated")
        return right / max(1, right + len(self.false))

    def recall(self) -> float:
        """Share of labelled hallucinations that were flagged."""
        wrong = [each for each in self.labels if each.label["verdict"] == "hallucinated"]
        return sum(each.flagged for each in wrong) / max(1, len(wrong))


def read_cases(name: str, *sets: str) -> list[dict[str, Any]]:
    """The cases of a file, of the given sets only if there are any."""
    return [case for case in _cases(name) if not sets or case["set"] in sets]


@lru_cache
def _cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / f"{name}.jsonl").read_text("utf-8").splitlines()]


def measure(cases: list[dict[str, Any]]) -> Measured:
    """Read every case and compare it with its labels."""
    labels: list[Labelled] = []
    false: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for case in cases:
        mentions = list(load_extractor().read(case["answer"]).mentions)
        results = score_turn(case["answer"], case["question"], case["truth"], earlier_questions=case["earlier"])
        details = results["SFS"]["hallucinated_details"]
        called = set()
        places: dict[str, int] = {}
        for label in case["mentions"]:
            start = label.get(
                "start", case["answer"].find(label["text"], places.get(label["text"] + label["concept"], 0))
            )
            end = start + len(label["text"])
            places[label["text"] + label["concept"]] = end
            read = _match(mentions, label, start, end)
            meant = (label["status"], label.get("or"))
            right = read is not None and read.status in meant and read.polarity == label["polarity"]
            near = [d for d in details if d["span"][0] < end and d["span"][1] > start and _same(label, d["concept"])]
            labels.append(Labelled(case, label, read, right, bool(near)))
            if label["verdict"] == "hallucinated":
                called |= {id(detail) for detail in near}
        false += [(case, detail) for detail in details if id(detail) not in called]
    return Measured(labels, false)


def _match(mentions: list[Mention], label: dict[str, Any], start: int, end: int) -> Mention | None:
    near = [m for m in mentions if m.start < end and max(m.end, m.value.end if m.value else 0) > start]
    near = [m for m in near if _same(label, m.concept.id)]
    if label.get("value") is not None and len(near) > 1:
        valued = [m for m in near if m.value and label["value"] in (m.value.number, m.value.second)]
        near = valued or near
    return min(near, key=lambda m: (abs(m.start - start), m.category == "hint"), default=None)


def _same(label: dict[str, Any], concept: str) -> bool:
    return concept.partition(":")[2] in _keys(label["concept"])


@lru_cache(maxsize=1024)
def _keys(name: str) -> frozenset[str]:
    given = name.replace(" ", "_").lower()
    keys = {given, *_SAME.get(name, _SAME.get(name.lower(), ()))}
    keys |= {concept.key for concept, *_ in load_extractor().concepts(name.replace("_", " "))}
    if given in ("systolic_blood_pressure", "diastolic_blood_pressure"):
        keys.add("blood_pressure")
    return frozenset(keys)
