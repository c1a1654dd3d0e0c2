"""Predicates: forms of verbs, moods of Korean predicates, chains of English ones, and what they say of a mention."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading import korean_predicates
from jatdae.dialogue.reading.clauses import read_sentence
from jatdae.dialogue.reading.cues import BITS
from jatdae.dialogue.reading.english_verbs import BASE, ING, PAST, THIRD, load_english_words
from jatdae.dialogue.reading.korean_verbs import load_korean_yaml, read_form
from jatdae.dialogue.reading.mentions import extract


def statuses(text: str) -> list[tuple[str, str, str]]:
    return [(m.concept.key, m.status, m.polarity) for m in extract(text)]


@pytest.mark.parametrize(
    ("word", "sort", "ending", "past", "honoured"),
    [
        ("줄이세요", "avoid", "order", False, True),
        ("줄였습니다", "avoid", "state", True, False),
        ("줄여", "avoid", "join", False, False),
        ("복용하셨으므로", "take", "cause", True, True),
        ("복용하신다면", "take", "if", False, True),
        ("끊으셔야", "stop", "must", False, True),
        ("걸으세요", "take", "order", False, True),
        ("나아", "good", "join", False, False),
        ("좋겠습니다", "good", "order", False, False),
        ("재활하셨습니다", "do", "state", True, True),
    ],
)
def test_a_verb_is_found_in_its_forms(word, sort, ending, past, honoured):
    form = read_form(word)
    assert form is not None
    assert (form.sort, form.ending, form.past, form.honoured) == (sort, ending, past, honoured)


@pytest.mark.parametrize("word", ["당뇨나", "바나나와", "자전거를", "두부를", "매일", "대장암", "확인", "성인"])
def test_nouns_that_end_like_verbs_are_none(word):
    assert read_form(word) is None


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


def test_a_topic_takes_the_advice_of_a_later_clause():
    assert statuses("바나나는 칼륨이 많지만 매일 드셔도 됩니다.")[0] == ("banana", "recommended", "affirmed")
    found = statuses("이부프로펜은 만성콩팥병이 있는 분에게는 금기입니다.")
    assert found[0] == ("ibuprofen", "advised_against", "affirmed")


def test_forms_of_an_english_verb_and_of_one_of_several_words():
    table = load_english_words()
    assert {word: table[word].alone.forms for word in ("stop", "stops", "stopping", "stopped")} == {
        "stop": BASE,
        "stops": THIRD,
        "stopping": ING,
        "stopped": PAST,
    }
    assert [verb.rest for verb in table["staying"].leads["away"]] == [("away", "from")]


@pytest.mark.parametrize(
    ("start", "status"),
    [
        ("Try", "recommended"),
        ("You could try", "recommended"),
        ("Feel free to have", "recommended"),
        ("I would suggest adding", "recommended"),
        ("It makes sense to choose", "recommended"),
        ("There is no need to avoid", "recommended"),
        ("Avoid", "advised_against"),
        ("Try not to eat", "advised_against"),
        ("I'd hold off on", "advised_against"),
        ("I would not recommend", "advised_against"),
        ("Never gobble", "advised_against"),
        ("You may want to cut back on", "advised_against"),
        ("It would be wise to steer clear of", "advised_against"),
        ("We advise against", "advised_against"),
        ("Does anybody like", "general"),
    ],
)
def test_the_chain_of_an_english_predicate(start, status):
    mark = "?" if start.startswith("Does") else "."
    assert statuses(f"{start} bananas{mark}") == [("banana", status, "affirmed")]


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        ("Bananas should be avoided.", "advised_against"),
        ("Bananas are best avoided.", "advised_against"),
        ("Bananas aren't a good idea.", "advised_against"),
        ("Bananas are worth trying.", "recommended"),
        ("Bananas should be part of your breakfast.", "recommended"),
        ("Bananas would help.", "recommended"),
        ("Bananas aren't recommended for people on dialysis.", "general"),
    ],
)
def test_the_passive_and_adjectives_speak_of_the_subject(sentence, status):
    assert statuses(sentence)[0][:2] == ("banana", status)


@pytest.mark.parametrize(
    ("sentence", "reading"),
    [
        ("You battled through with warfarin.", ("patient_fact", "affirmed")),
        ("She takes warfarin.", ("patient_fact", "affirmed")),
        ("Takes warfarin.", ("patient_fact", "affirmed")),
        ("We stopped your warfarin.", ("patient_fact", "negated")),
        ("Don't stop taking warfarin.", ("patient_fact", "affirmed")),
        ("I would not recommend stopping warfarin.", ("patient_fact", "affirmed")),
        ("Your doctor may prescribe warfarin.", ("general", "affirmed")),
        ("Patients on warfarin need tests.", ("general", "affirmed")),
        ("Should you take warfarin, tell us.", ("conditional", "affirmed")),
        ("Ask us before taking warfarin.", ("conditional", "affirmed")),
    ],
)
def test_what_an_english_predicate_says_of_a_drug(sentence, reading):
    assert statuses(sentence) == [("warfarin", *reading)]


def test_of_two_things_one_takes_the_place_of_the_other():
    for sentence in ("Replace soda with water.", "Swap soda for water.", "Choose water over soda."):
        found = dict(m[:2] for m in statuses(sentence))
        assert found == {"sugary_drinks": "advised_against", "water": "recommended"}
    assert statuses("Warfarin was replaced by apixaban.") == [
        ("warfarin", "patient_fact", "negated"),
        ("apixaban", "patient_fact", "affirmed"),
    ]


def test_a_remembered_sentence_keeps_nothing_of_the_text_around_it():
    alone = statuses("천식에 대해 말씀드립니다.")
    extract("67세 여성이십니다. 천식에 대해 말씀드립니다. HbA1c는 7.2%입니다.")
    assert statuses("천식에 대해 말씀드립니다.") == alone
    assert read_sentence("같은 문장.", ()) is read_sentence("같은 문장.", ())


def test_a_sentence_too_long_to_be_remembered_is_read_alike():
    long = "물을 마시고 " * 80 + "바나나는 피하세요."
    assert ("banana", "advised_against", "affirmed") in statuses(long)
    assert read_sentence(long, ()) is not read_sentence(long, ())


def test_the_korean_tables_name_nothing_that_is_not_there():
    content = load_korean_yaml()
    made = {sort for row in content["pairs"].values() for sort in row.values()}
    sorts = {*content["verbs"], *made, ""}
    endings = {*content["endings"], *content["heads"]}
    assert set(content["roles"]) <= sorts and made <= set(content["roles"])
    assert set(content["moods"]) <= endings
    assert {sort for row in content["moods"].values() for sort in row} <= sorts
    assert {role for row in content["roles"].values() for roles in row.values() for role in roles.split()} <= set(BITS)
    assert set(content["clear"]) <= set(content["endings"]) and set(content["only"]) <= sorts
    assert korean_predicates.load_predicate_tables().heads["분들은"] == "many"
