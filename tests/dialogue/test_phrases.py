"""Symptoms as phrases, a noun and what is said of it: what is found, what only looks like it, and how it is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from jatdae.core.errors import UsageError
from jatdae.dialogue import extract

from .readings import measure, read_cases


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("발목이 자주 부으시면 알려 주세요.", ["oedema"]),
        ("한쪽 종아리만 붓고 열감이 있으면 오세요.", ["oedema", "fever"]),
        ("다리 부종이 있습니다.", ["oedema"]),
        ("변이 까맣게 나오면 오세요.", ["black_stools"]),
        ("변 검사를 받으세요.", []),
        ("소변줄을 끼고 계십니다.", []),
        ("소변이 확 줄면 오세요.", ["reduced_urine"]),
        ("체중을 줄이시면 좋겠습니다.", ["weight"]),
        ("체중이 까닭 없이 줄면 오세요.", ["unintended_weight_loss"]),
        ("아파트에 사시나요?", []),
        ("무릎이 쑤신다고 하셨지요.", ["knee_pain"]),
        ("아침에 속이 메스꺼우셨지요.", ["nausea"]),
        ("열이 38.5도까지 오르면 오세요.", ["fever"]),
        ("가슴 두근거림이 있으시지요.", ["palpitations"]),
        ("물을 많이 드세요.", ["water"]),
        ("If your ankles get very swollen, call us.", ["oedema"]),
        ("Swelling in both of your legs is common.", ["oedema"]),
        ("Burning when you pass water is common.", ["painful_urination"]),
        ("Weakness on one side means an ambulance.", ["one_sided_weakness"]),
        ("Tightness in the chest wall is common.", ["chest_pain"]),
        ("Pain is common in winter, and legs need rest.", ["pain"]),
        ("Check your feet.", []),
    ],
)
def test_phrases_are_found_and_what_only_looks_like_them_is_not(text, keys):
    assert [mention.concept.key for mention in extract(text) if mention.category != "hint"] == keys


@pytest.mark.parametrize(
    ("text", "status", "polarity"),
    [
        ("손이 떨리면 사탕을 드세요.", "conditional", "affirmed"),
        ("손이 떨리거나 땀이 나면 사탕을 드세요.", "conditional", "affirmed"),
        ("오한이 들면 그날 오세요.", "conditional", "affirmed"),
        ("가슴이 조이는 느낌이 5분 넘게 가면 119를 부르세요.", "conditional", "affirmed"),
        ("소변이 안 나오면 오세요.", "conditional", "affirmed"),
        ("입맛이 없으시다니 걱정입니다.", "patient_fact", "affirmed"),
        ("열은 없으시니 안심하세요.", "patient_fact", "negated"),
        ("열이 나지는 않으셨습니다.", "patient_fact", "negated"),
        ("발등이 붓는다고 하셨지요.", "patient_fact", "affirmed"),
        ("소변볼 때 따갑다고 하셨지요.", "patient_fact", "affirmed"),
        ("속이 메스꺼울 수 있습니다.", "general", "affirmed"),
        ("검은 변은 응급 신호입니다.", "conditional", "affirmed"),
        ("Call us if your stools turn black.", "conditional", "affirmed"),
        ("Black stools mean a call to us the same day.", "conditional", "affirmed"),
        ("Black stools are common with iron.", "general", "affirmed"),
        ("Go to the hospital if you can't pass urine.", "conditional", "affirmed"),
        ("Your ankles are swollen.", "patient_fact", "affirmed"),
        ("Your eyes are not yellow.", "patient_fact", "negated"),
    ],
)
def test_what_is_said_in_a_phrase_is_read_as_of_any_other_name(text, status, polarity):
    first = next(mention for mention in extract(text) if mention.category == "symptom")
    assert (first.status, first.polarity) == (status, polarity)


@pytest.mark.parametrize(
    ("name", "language", "found", "status"),
    [("w", "en", 0.92, 0.77), ("w", "ko", 0.95, 0.83), ("ac", "en", 0.89, 0.82), ("ac", "ko", 0.97, 0.94)],
)
def test_symptoms_of_the_reading_cases_are_found(name, language, found, status):
    measured = measure([case for case in read_cases("reading", name) if case["lang"] == language])
    assert measured.found() >= found and measured.status() >= status


def test_phrases_of_the_users_own_and_one_that_says_nothing(tmp_path: Path):
    file = tmp_path / "lexicon.yaml"
    file.write_text('conditions: {nose: {symptom: true, en: ["nose ~ tingly"], ko: ["콧등 ~ 따끔거리/"]}}', "utf-8")
    found = extract("콧등이 자주 따끔거리면 오세요. Call if your nose feels tingly.", lexicon=file)
    assert [mention.status for mention in found if mention.concept.key == "nose"] == ["conditional", "conditional"]
    file.write_text('conditions: {nose: {symptom: true, en: ["nose ~"]}}', "utf-8")
    with pytest.raises(UsageError, match="behind ~"):
        extract("My nose", lexicon=file)
