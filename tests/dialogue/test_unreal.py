"""What is unlikely, was ruled out or would have been, and advice on something else at the time of a drug."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading.mentions import load_extractor


@pytest.mark.parametrize(
    ("answer", "statuses"),
    [
        ("It is unlikely you have pneumonia.", ["hedged"]),
        ("It's very unlikely that you have cancer.", ["hedged"]),
        ("You are unlikely to have diabetes.", ["hedged"]),
        ("It's improbable that you have gout.", ["hedged"]),
        ("There's little chance you have cancer.", ["hedged"]),
        ("We ruled out a pulmonary embolism.", ["patient_fact-"]),
        ("We haven't ruled out a pulmonary embolism.", ["general"]),
        ("Diabetes is not something you have.", ["patient_fact-"]),
        ("Warfarin is not a drug you take.", ["patient_fact-"]),
        ("Asthma is something you have.", ["patient_fact"]),
        ("Had you taken the clopidogrel, this might have been avoided.", ["conditional"]),
        ("Had you had diabetes, we would have used metformin.", ["conditional", "conditional"]),
        ("If you had taken the aspirin, you would have been fine.", ["conditional"]),
        ("만약 당뇨가 있으셨다면 메트포르민을 썼을 것입니다.", ["conditional", "conditional"]),
        ("와파린을 드셨더라면 이런 일은 없었을 것입니다.", ["conditional"]),
        ("아스피린은 필요 없습니다.", ["advised_against"]),
        ("오메프라졸은 이제 필요 없으세요.", ["advised_against"]),
        ("메트포르민은 필요합니다.", ["recommended"]),
        ("이부프로펜보다 타이레놀이 안전합니다.", ["general", "recommended"]),
        ("이부프로펜보다 타이레놀을 드세요.", ["advised_against", "recommended"]),
        ("대장내시경 전에는 철분제를 중단하세요.", ["conditional", "advised_against"]),
        ("로라제팜을 드신 뒤에는 운전하지 마세요.", ["conditional"]),
        ("로라제팜은 식사 후에 드세요.", ["recommended"]),
        ("Avoid driving after taking the lorazepam.", ["conditional"]),
        ("When you take alendronate, sit up for half an hour.", ["conditional"]),
        ("Avoid alcohol before taking metronidazole.", ["advised_against", "conditional"]),
        ("The odds that you have cancer are slim.", ["hedged"]),
        ("I highly doubt that you have gout.", ["hedged"]),
        ("Cancer is very unlikely.", ["hedged"]),
        ("Had I known about your asthma, I would have avoided propranolol.", ["patient_fact", "conditional"]),
        ("Ibuprofen isn't something you should take.", ["advised_against"]),
        ("와파린은 더 이상 필요하지 않습니다.", ["advised_against"]),
        ("이부프로펜보다 덜 위험한 약이 타이레놀입니다.", ["general", "recommended"]),
        ("지금 드시는 와파린보다 엘리퀴스가 낫습니다.", ["patient_fact", "recommended"]),
        ("수술 전에 와파린을 끊으세요.", ["advised_against"]),
        ("The MI state health office called.", []),
        ("Your MI in 2019 was serious.", ["patient_fact"]),
    ],
)
def test_what_is_not_so_is_neither_stated_nor_advised(answer, statuses):
    read = load_extractor().read(answer).mentions
    assert [each.status + "-" * (each.polarity == "negated") for each in read] == statuses
