"""Measures the reader on labelled answers: status of mentions, and precision and recall of hallucinations."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from jatdae.dialogue import score_turn
from jatdae.dialogue.reading.mentions import Mention, load_extractor

CASES = Path(__file__).parent / "cases"
_SAME = {
    "systolic_blood_pressure": {"blood_pressure", "systolic_blood_pressure"},
    "diastolic_blood_pressure": {"blood_pressure", "diastolic_blood_pressure"},
    "glucose": {"glucose", "fasting_glucose"},
    "glycemic_control": {"glucose_control", "glucose", "hba1c", "diabetes"},
    "egfr": {"egfr", "kidney_function"},
    "hemoglobin": {"hemoglobin", "blood_count"},
    "type_2_diabetes": {"type_2_diabetes", "diabetes"},
    "chronic_kidney_disease": {"chronic_kidney_disease", "kidney_disease", "chronic_kidney_disease_stage_3"},
    "kidney_failure": {"chronic_kidney_disease", "kidney_disease"},
    "iron": {"iron_supplement", "ferrous_sulfate"},
    "ferrous_sulfate": {"iron_supplement", "ferrous_sulfate"},
    "iron_deficiency_anemia": {"iron_deficiency_anaemia", "iron_deficiency"},
    "congestive_heart_failure": {"heart_failure"},
    "heart_failure": {"heart_failure", "congestive_heart_failure"},
    "osteoarthritis": {"osteoarthritis", "arthritis"},
    "major_depressive_disorder": {"major_depressive_disorder", "depression"},
    "intervertebral_disc_prolapse": {"herniated_disc"},
    "antiplatelet": {"antiplatelet", "antithrombotic"},
    "calcium": {"calcium_carbonate", "calcium_supplement"},
    "anticoagulant": {"anticoagulant", "antithrombotic"},
    "penicillin_allergy": {"drug_allergy", "penicillin"},
    "bph": {"benign_prostatic_hyperplasia"},
    "pci": {"percutaneous_coronary_intervention", "coronary_stent"},
    "cabg": {"coronary_artery_bypass_graft"},
    "diabetes": {"diabetes", "type_2_diabetes", "type_1_diabetes"},
    "type_2_diabetes_mellitus": {"diabetes"},
    "allergy": {"drug_allergy"},
    "isosorbide_mononitrate": {"nitrate"},
    "hydrochlorothiazide": {"diuretic"},
    "complete_blood_count": {"blood_count"},
    "hyperlipidemia": {"dyslipidaemia", "hypercholesterolaemia"},
    "tsh": {"tsh", "thyroid_care"},
    "creatinine": {"creatinine", "kidney_function"},
    "alt": {"alt", "liver_function"},
    "ast": {"ast", "liver_function"},
    "sex": {"male", "female"},
    "ldl": {"ldl", "lipid_control", "total_cholesterol"},
    "weight_loss": {"unintended_weight_loss", "weight_control"},
    "weakness": {"weakness", "one_sided_weakness"},
    "urinary_retention": {"urinary_retention", "reduced_urine"},
    "insomnia": {"insomnia", "sleeping_trouble"},
    "gait_problem": {"unsteadiness"},
    "muscle_pain": {"muscle_pain", "leg_pain", "pain"},
    "sweating": {"sweating", "cold_sweat"},
}
"""Concepts of the labels that the lexicon names otherwise."""
_JOINED = re.compile("[가-힣]{2}")


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
        before = 0
        for label in case["mentions"]:
            name = label["text"] + label["concept"]
            after = max(places.get(name, 0), before)
            start = before = label.get("start", _place(case["answer"], label["text"], after))
            end = start + len(label["text"])
            places[name] = end
            read = _match(mentions, label, start, end)
            meant = (label["status"], label.get("or"))
            right = read is not None and read.status in meant and read.polarity == label["polarity"]
            near = [d for d in details if d["span"][0] < end and d["span"][1] > start and _same(label, d["concept"])]
            labels.append(Labelled(case, label, read, right, bool(near)))
            if label["verdict"] == "hallucinated":
                called |= {id(detail) for detail in near}
        false += [(case, detail) for detail in details if id(detail) not in called]
    return Measured(labels, false)


def _place(answer: str, text: str, after: int) -> int:
    """Where a label stands: labels follow the answer, and 혈압 is not that of 고혈압 before it."""
    for first in (after, 0):
        places = [found.start() for found in re.finditer(re.escape(text), answer) if found.start() >= first]
        apart = [place for place in places if not (place and _JOINED.match(answer, place - 1))]
        if apart or places:
            return (apart or places)[0]
    raise ValueError(text)


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
    keys = {given, *_SAME.get(given, ())}
    keys |= {concept.key for concept, *_ in load_extractor().concepts(name.replace("_", " "))}
    if given in ("systolic_blood_pressure", "diastolic_blood_pressure"):
        keys.add("blood_pressure")
    return frozenset(keys)
