"""What reaches a mention from another clause, or from the line above a list."""

from __future__ import annotations

from jatdae.dialogue import extract

from .conftest import statuses


def test_a_topic_takes_the_advice_of_a_later_clause():
    assert statuses("바나나는 칼륨이 많지만 매일 드셔도 됩니다.")[0] == ("banana", "recommended", "affirmed")
    found = statuses("이부프로펜은 만성콩팥병이 있는 분에게는 금기입니다.")
    assert found[0] == ("ibuprofen", "advised_against", "affirmed")


def test_items_of_a_list_take_after_the_line_above():
    answer = "피해야 할 음식:\n- 바나나\n- 감자\n\n권장하는 음식:\n- 두부\n- 생선\n\n바나나는 과일입니다."
    read = [(mention.concept.key, mention.status) for mention in extract(answer)]
    assert read == [
        ("banana", "advised_against"),
        ("potato", "advised_against"),
        ("beans", "recommended"),
        ("fish", "recommended"),
        ("banana", "general"),
        ("fruit", "general"),
    ]
