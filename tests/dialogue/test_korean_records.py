"""Korean answers: headings over a record, people at large, medicines taken when needed, what is taken for granted."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading.headings import is_record, lists_taken
from jatdae.dialogue.reading.mentions import load_extractor


def _status(answer: str, text: str) -> str:
    return next(m.status for m in load_extractor().read(answer).mentions if m.text == text)


@pytest.mark.parametrize(
    "heading",
    ["현재 치료", "지금 쓰시는 약", "복용 약", "현재 약물", "사용 중인 약물", "처방 내역", "투약", "맞고 계신 주사",
     "**현재 처방**", "요즘 드시는 약", "아침에 먹는 약"],
)  # fmt: skip
def test_headings_over_what_is_taken(heading):
    assert lists_taken(heading)


@pytest.mark.parametrize("heading", ["기저질환", "병력", "과거 병력", "진단명", "**지병**", "앓고 계신 질환"])
def test_headings_over_what_the_patient_has(heading):
    assert is_record(heading)


@pytest.mark.parametrize(
    "heading",
    ["사용할 수 있는 약", "사용 가능한 약", "치료 계획", "약물 치료", "추가로 쓸 수 있는 약", "복용을 피할 약",
     "대체 약물", "통풍에 쓰는 약", "감기에 많이 사용하는 약", "흔히 처방하는 약물", "통풍의 현재 치료",
     "만성 질환", "가족력", "치료제", "투약 시 주의"],
)  # fmt: skip
def test_headings_over_what_is_not_the_patient_s(heading):
    assert not lists_taken(heading) and not is_record(heading)


@pytest.mark.parametrize(
    ("answer", "text", "status"),
    [
        ("### 현재 치료\n- 아토르바스타틴 20mg\n- 자누비아", "아토르바스타틴", "patient_fact"),
        ("- **지금 쓰시는 약**: 탐스로신, 암로디핀.", "탐스로신", "patient_fact"),
        ("### 사용할 수 있는 약\n- 탐스로신\n- 암로디핀", "탐스로신", "recommended"),
        ("스타틴을 복용하는 사람 가운데 횡문근융해증이 생기는 경우는 드뭅니다.", "횡문근융해증", "general"),
        ("와파린을 드시는 분들에서는 뇌출혈이 생기는 경우도 있습니다.", "뇌출혈", "general"),
        ("통풍 환자에서 약을 끊으면 절반 이상이 재발합니다.", "통풍", "general"),
        ("천식 환자에서는 감기에 걸리면 숨이 찰 수 있습니다.", "천식", "general"),
        ("허리 통증에는 아세트아미노펜을 필요할 때만 드셔 보세요.", "아세트아미노펜", "recommended"),
        ("로라타딘은 꼭 필요할 때 한 알 드시면 됩니다.", "로라타딘", "recommended"),
        ("통증이 심할 때는 아세트아미노펜이 도움이 되는 경우가 있습니다.", "아세트아미노펜", "general"),
        ("가슴이 아프면 앉아서 니트로글리세린 한 알을 혀 밑에 녹이세요.", "니트로글리세린", "conditional"),
        ("트로포닌이 0.01로 정상이었고, 숨을 쉴 때만 아픈 점도 다릅니다.", "트로포닌", "patient_fact"),
        ("황산제일철은 주스와 함께 드시면 흡수가 잘 됩니다.", "황산제일철", "recommended"),
        ("니페디핀에 비하면 암로디핀은 영향이 작은 편이에요.", "니페디핀", "general"),
    ],
)
def test_how_what_is_named_is_meant(answer, text, status):
    assert _status(answer, text) == status


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("피로의 원인은 다양합니다.\n\n1. 혈색소는 정상 수준으로 확인됩니다.\n2. 잠도 살펴보세요.", "patient_fact"),
        ("### 흔한 원인\n- 혈색소가 낮아지면 피로합니다.\n- 잠이 모자란 경우", "conditional"),
        ("피로의 원인은 다양합니다.\n\n1. 혈색소 저하\n2. 수면 부족", "general"),
    ],
)
def test_a_value_told_under_a_sentence_is_the_patient_s(answer, status):
    assert _status(answer, "혈색소") == status


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("아모잘탄은 암로디핀과 로사르탄이 한 알에 들어 있는 복합제입니다.", "로사르탄"),
        ("트윈스타에는 텔미사르탄과 암로디핀이 함께 들어 있습니다.", "텔미사르탄"),
        ("알로푸리놀 100mg이 잘 듣고 있다는 뜻이에요.", "알로푸리놀"),
    ],
)
def test_what_is_taken_for_granted_is_the_patient_s_and_not_sure(sentence, text):
    read = load_extractor().read(f"환자분은 혈압이 128/82입니다. {sentence}").mentions
    found = [m for m in read if m.text == text]
    assert found and all(m.status == "patient_fact" and not m.sure for m in found)


@pytest.mark.parametrize(
    "sentence",
    ["시중 감기약에는 슈도에페드린이 들어 있습니다.", "대신 텔미사르탄과 암로디핀이 들어 있는 복합제도 있습니다."],
)
def test_what_is_sold_or_could_be_taken_is_not_the_patient_s(sentence):
    read = load_extractor().read(f"환자분은 혈압이 128/82입니다. {sentence}").mentions
    assert not [m for m in read if m.category == "drug" and m.status == "patient_fact"]
