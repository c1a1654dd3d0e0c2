"""Moods of Korean predicates, and what they say of a mention."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading.cues import BITS
from jatdae.dialogue.reading.korean_eojeols import load_predicate_tables
from jatdae.dialogue.reading.korean_verbs import load_korean_yaml
from jatdae.dialogue.reading.mentions import load_extractor

from .conftest import statuses


@pytest.mark.parametrize(
    ("predicate", "status"),
    [
        ("드세요", "recommended"),
        ("드시는 것이 좋습니다", "recommended"),
        ("드셔도 괜찮습니다", "recommended"),
        ("드실 수 있습니다", "recommended"),
        ("곁들여 보시길 바랍니다", "recommended"),
        ("드시지 마세요", "advised_against"),
        ("드시지 않는 것이 좋습니다", "advised_against"),
        ("드시지 않도록 유의하시기 바랍니다", "advised_against"),
        ("드시면 안 됩니다", "advised_against"),
        ("드시는 것은 피하셔야 합니다", "advised_against"),
        ("드시는 것은 좋지 않습니다", "advised_against"),
        ("줄여 나가시는 것을 권합니다", "advised_against"),
        ("줄이실 필요는 없습니다", "recommended"),
        ("꼭 피하지 않으셔도 됩니다", "recommended"),
    ],
)
def test_the_mood_of_a_korean_predicate(predicate, status):
    assert statuses(f"바나나는 {predicate}.") == [("banana", status, "affirmed")]


@pytest.mark.parametrize(
    ("predicate", "reading"),
    [
        ("복용하고 계십니다", ("patient_fact", "affirmed")),
        ("복용하고 있지 않으십니다", ("patient_fact", "negated")),
        ("복용하신 적이 없습니다", ("patient_fact", "negated")),
        ("지난달에 끊으셨습니다", ("patient_fact", "negated")),
        ("거르지 마세요", ("patient_fact", "affirmed")),
        ("임의로 줄이지 마세요", ("patient_fact", "affirmed")),
        ("중단하실 필요는 없습니다", ("patient_fact", "affirmed")),
        ("복용하신다면 알려 주세요", ("conditional", "affirmed")),
        ("복용하시는 분들은 조심해야 합니다", ("general", "affirmed")),
    ],
)
def test_what_a_korean_predicate_says_of_a_drug(predicate, reading):
    assert statuses(f"와파린을 {predicate}.") == [("warfarin", *reading)]


def test_a_predicate_with_go_takes_the_mood_of_the_next():
    assert statuses("와파린 복용을 멈추고 병원에 연락하세요.") == [("warfarin", "advised_against", "affirmed")]
    assert statuses("흰쌀밥을 덜 드시고 생선을 드세요.")[0] == ("white_rice", "advised_against", "affirmed")


def test_the_korean_tables_name_nothing_that_is_not_there():
    content = load_korean_yaml()
    made = {sort for row in content["pairs"].values() for sort in row.values()}
    sorts = {*content["verbs"], *made, "", "come", "ail"}  # come: a verb in -게 되다; ail: the stem of a phrase
    endings = {*content["endings"], *content["heads"]}
    assert set(content["roles"]) <= sorts and made <= set(content["roles"])
    assert set(content["moods"]) <= endings
    assert {sort for row in content["moods"].values() for sort in row} <= sorts
    assert {role for row in content["roles"].values() for roles in row.values() for role in roles.split()} <= set(BITS)
    assert set(content["clear"]) <= set(content["endings"]) and set(content["only"]) <= sorts
    assert load_predicate_tables().heads["분들은"] == "many"


@pytest.mark.parametrize(
    ("text", "name", "status", "polarity"),
    [
        ("이번 흉부 불편감은 협심증이 아니라 근육통입니다.", "협심증", "patient_fact", "negated"),
        ("이번 흉부 불편감은 협심증이 아니라 근육통입니다.", "흉부 불편감", "general", "affirmed"),
        ("뇌졸중일 수 있겠습니다.", "뇌졸중", "hedged", "affirmed"),
        ("결과에 따라 메트포르민을 드시게 될 수도 있습니다.", "메트포르민", "hedged", "affirmed"),
        ("푸로세미드는 아침에 드시면 밤에 화장실 가는 횟수가 줄어듭니다.", "푸로세미드", "recommended", "affirmed"),
        ("로사르탄은 콩팥을 보호하려고 드시는 약이에요.", "로사르탄", "patient_fact", "affirmed"),
    ],
)
def test_what_is_denied_supposed_or_advised_by_its_outcome(text, name, status, polarity):
    read = next(mention for mention in load_extractor().read(text).mentions if mention.text == name)
    assert (read.status, read.polarity) == (status, polarity)
