"""Plants false facts into answers, to see that reading with care is not reading nothing."""

from __future__ import annotations

import random
import re
from typing import Any, NamedTuple

NOBODY: dict[str, Any] = {
    "age": 45,
    "primary_condition": None,
    "comorbidities": [],
    "active_meds": [],
    "vitals": {},
    "labs": {},
    "major_procedures": [],
    "complete": ["primary_condition", "comorbidities", "active_meds", "vitals", "labs", "major_procedures"],
}
"""A patient of 45 years with nothing on record, and the record complete."""

_DRUGS = {
    "en": (
        "metformin",
        "warfarin",
        "Lipitor",
        "lisinopril",
        "Eliquis",
        "omeprazole",
        "sertraline",
        "Synthroid",
        "Lasix",
        "insulin",
    ),
    "ko": (
        "메트포르민",
        "와파린",
        "리피토",
        "암로디핀",
        "엘리퀴스",
        "오메프라졸",
        "설트랄린",
        "씬지로이드",
        "라식스",
        "인슐린",
    ),
}
_CONDITIONS = {
    "en": (
        "type 2 diabetes",
        "heart failure",
        "asthma",
        "atrial fibrillation",
        "chronic kidney disease",
        "COPD",
        "epilepsy",
        "gout",
    ),
    "ko": ("제2형 당뇨병", "심부전", "천식", "심방세동", "만성콩팥병", "고혈압", "뇌전증", "통풍"),
}
_VALUES = {
    "en": (
        "HbA1c of 9.1%",
        "LDL of 171",
        "potassium of 5.8",
        "eGFR of 38",
        "hemoglobin of 9.2",
        "blood pressure of 168/102",
    ),
    "ko": ("당화혈색소가 9.1%", "LDL이 171", "칼륨이 5.8", "eGFR이 38", "혈색소가 9.2", "혈압이 168/102"),
}
_SENTENCES = {
    "en": (
        "Since you take {drug}, keep an eye on any new bruises.",
        "You are already on {drug}, which matters here.",
        "Given your {condition}, I would be a little more careful.",
        "Because you have {condition}, please mention this at your next visit.",
        "With your {condition}, rest is especially useful.",
        "As a patient with {condition}, you should plan ahead.",
        "You were diagnosed with {condition} some years ago.",
        "Your {value} needs attention as well.",
        "Your latest results show a {value}.",
        "I also see that you use {drug} every day.",
        "You have {condition} and take {drug}, so check with the pharmacist.",
        "At {age} years old, you recover a little more slowly.",
        "The {drug} you are taking can stay as it is.",
        "You've been taking {drug} for a while now.",
        "Your {condition} is part of the picture too.",
        "In your last blood test we found a {value}.",
    ),
    "ko": (
        "{drug}|을를 복용 중이시니 멍이 드는지 살펴보세요.",
        "이미 {drug}|을를 드시고 계시다는 점도 중요합니다.",
        "{condition}|이가 있으시므로 조금 더 조심하시는 것이 좋겠습니다.",
        "{condition}|으로 진단받으셨으니 다음 진료 때 꼭 말씀해 주세요.",
        "{condition}|을를 앓고 계신 점을 고려해야 합니다.",
        "{value}|으로 높게 나오셨으니 함께 관리해야 합니다.",
        "지난 검사에서 {value}|이었으므로 다시 확인이 필요합니다.",
        "{drug}|은는 꾸준히 드시고 계시죠.",
        "{condition}|이가 있으시고 {drug}|을를 드시니 약사와 상의하세요.",
        "{age}세이신 만큼 회복이 조금 느릴 수 있습니다.",
        "지금 드시는 {drug}|은는 그대로 드셔도 됩니다.",
        "환자분은 {condition}|을를 오래 앓으셨습니다.",
    ),
}
_PARTICLES = {
    "을를": ("을", "를"),
    "이가": ("이", "가"),
    "은는": ("은", "는"),
    "으로": ("으로", "로"),
    "이었": ("이었", "였"),
}
_END = {"en": re.compile(r"(?<=[a-z][.!?])\s+(?=[A-Z])"), "ko": re.compile(r"(?<=[다요][.!?])\s+")}


class Planted(NamedTuple):
    """An answer with a false fact, and where that stands."""

    text: str
    start: int
    end: int


def plant(answer: str, language: str, seed: int) -> Planted:
    """Put a sentence with a false fact between two sentences of an answer."""
    luck = random.Random(seed)
    sentence = luck.choice(_SENTENCES[language]).format(
        drug=luck.choice(_DRUGS[language]),
        condition=luck.choice(_CONDITIONS[language]),
        value=luck.choice(_VALUES[language]),
        age=luck.choice((31, 62, 74)),
    )
    sentence = re.sub(r"(.)\|(을를|이가|은는|으로|이었)", _with_particle, sentence)
    places = [0, *(found.end() for found in _END[language].finditer(answer)), len(answer)]
    place = luck.choice(places)
    before = answer[:place].rstrip(" ")
    lead = f"{before} " if before and not before.endswith("\n") else before
    return Planted(f"{lead}{sentence} {answer[place:]}", len(lead), len(lead) + len(sentence))


def _with_particle(found: re.Match[str]) -> str:
    """을 or 를, by whether the word before ends in a consonant; figures are read aloud."""
    last = found[1]
    closed = (ord(last) - 0xAC00) % 28 > 0 if "가" <= last <= "힣" else last in "013678lmnrLMNR"
    if found[2] == "으로" and (last in "178%" or (ord(last) - 0xAC00) % 28 == 8):
        closed = False
    with_final, without = _PARTICLES[found[2]]
    return last + (with_final if closed else without)
