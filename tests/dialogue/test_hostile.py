"""Hostile texts, truths and patterns: nothing hangs, nothing falls over, spans stay inside the text."""

from __future__ import annotations

import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.dialogue import extract, score_turn
from jatdae.dialogue.reading.statuses import STATUSES
from jatdae.dialogue.rules.configfile import CONFIG_FOLDER
from jatdae.dialogue.scores.consistency import SHOWN
from jatdae.dialogue.turns import load_scorer

PIECES = st.sampled_from(
    [
        "당뇨병",
        "이 없",
        "으시지만",
        "메트포르민",
        "을 복용 중",
        "이시므로 ",
        "HbA1c",
        "가 ",
        "9.9",
        "%",
        "150/95",
        " if ",
        "you ",
        "not ",
        ",",
        ". ",
        "\n",
        "- ",
        "# ",
        ":",
        "avoid ",
        "바나나",
        "를 드세요",
        "67세 ",
        "여성",
        "\x00",
        "İ",
        "’",
        "é",
        "👩\u200d⚕️",
        "없지 않",
        "면 ",
        "?",
        "**",
    ]
)
TEXTS = st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=25).map("".join))


@settings(derandomize=True, max_examples=150, deadline=None)
@given(TEXTS)
def test_any_text_can_be_read(text):
    whole = unicodedata.normalize("NFC", text)
    for mention in extract(text):
        assert whole[mention.start : mention.end] == mention.text
        assert mention.status in STATUSES and mention.polarity in ("affirmed", "negated")
    assert extract(text) == extract(text)


@settings(derandomize=True, max_examples=100, deadline=None)
@given(TEXTS, TEXTS, st.integers(0, 7))
def test_scores_stay_between_zero_and_one(answer, question, turn):
    slots = {"age": 67, "sex": "F", "primary_condition": "Diabetes", "labs": {"HbA1c": 8}, "active_meds": ["Metformin"]}
    result = score_turn(answer, question, slots, turn)
    for name in ("SFS", "CSP", "CUS_improved", "ASS", "MCS", "overall"):
        assert result[name]["score"] is None or 0.0 <= result[name]["score"] <= 1.0


@settings(derandomize=True, max_examples=80, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(
            ["age", "sex", "primary_condition", "comorbidities", "active_meds", "vitals", "labs", "key_labs", "x"]
        ),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(max_size=12) | st.integers(),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
            max_leaves=6,
        ),
    )
)
def test_any_truth_can_be_taken(slots):
    score_turn("67세 여성으로 당뇨병이 있으시고 HbA1c는 8%입니다.", slots=slots, turn=1)


@pytest.mark.parametrize(
    "text",
    [
        "not aspirin " * 6_000,
        "바나나고 " * 8_000,
        "없" * 20_000,
        "면 " * 20_000,
        "- " * 20_000,
        "\n# " * 10_000,
        "당뇨병, " * 8_000,
        "1" * 50_000,
        "HbA1c " * 8_000,
        "if you " * 8_000,
        ",," * 20_000,
    ],
    ids=[
        "denials",
        "joined",
        "negations",
        "conditions",
        "bullets",
        "headings",
        "list",
        "digits",
        "tests",
        "ifs",
        "commas",
    ],
)
def test_long_repetitions_are_read_in_reasonable_work(text):
    extract(text)


@pytest.mark.parametrize(
    "piece",
    [
        "아스피린, ",
        "아스피린과 ",
        "아스피린은 ",
        "- 아스피린: ",
        "당뇨병: ",
        "aspirin warfarin ",
        "aspirin: ",
        "- aspirin\n",
        "| aspirin | 5 |\n",
        "You take aspirin and ",
        "You take warfarin. ",
        "your PE ",
        "혈압 150/95 ",
        "LDL yours is 112 ",
        "a 67-year-old man, ",
        "신장 기능은 정상이고, ",
    ],
)
def test_repetitions_take_time_in_proportion_to_their_length(piece):
    """Each of them took a square of it once, 10 seconds and more at this length; 0.5 seconds now."""
    begun = time.process_time()
    score_turn(
        piece * (40_000 // len(piece)), slots={"age": 67, "active_meds": ["aspirin"], "labs": {"eGFR": 48}}, turn=2
    )
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("pattern", ["(a+)+$", "(.*)*x", "(a|a)*b", "(x+x+)+y", "([가-힣]+)*!"])
def test_a_careless_pattern_cannot_hang_a_run(tmp_path: Path, patient, pattern):
    text = (CONFIG_FOLDER / "safety_rules.yaml").read_text("utf-8")
    (tmp_path / "safety_rules.yaml").write_text(text.replace("'바나나'", f"'{pattern}', '바나나'", 1), "utf-8")
    load_scorer(tmp_path)
    score_turn("a" * 5_000 + "가" * 5_000, slots=patient, turn=4, config_dir=tmp_path)


def test_a_thousand_values_of_one_test_are_not_compared_pairwise(patient):
    answer = " ".join(f"HbA1c는 {number / 100}%입니다." for number in range(400, 2_400))
    assert score_turn(answer, slots=patient, turn=1)["MCS"]["comparable_pairs"] == 190


def test_decomposed_hangul_reads_as_composed():
    text = "당뇨병이 있으십니다. 메트포르민은 복용하지 않으십니다."
    decomposed = extract(unicodedata.normalize("NFD", text))
    assert [(m.concept.id, m.polarity) for m in decomposed] == [(m.concept.id, m.polarity) for m in extract(text)]
    assert len(decomposed) == 2


def test_of_very_many_contradictions_some_are_shown_and_all_are_counted():
    answers = ["환자분은 67세이십니다." if turn % 2 else "환자분은 57세이십니다." for turn in range(80)]
    result = score_turn(answers[0], slots={"age": 67}, turn=1, history=answers[1:])["MCS"]
    assert result["contradicting_pairs"] == 40 * 40
    assert len(result["contradictions"]) == SHOWN


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_question_raises_its_flags_in_whatever_form_it_is_written(form):
    asked = unicodedata.normalize(form, "숨이 차고 다리가 부어요. 운동은 어떻게 할까요?").replace(" ", "\u00a0")
    plain = score_turn("매일 뛰세요.", "숨이 차고 다리가 부어요. 운동은 어떻게 할까요?", {"age": 67}, 3)
    assert score_turn("매일 뛰세요.", asked, {"age": 67}, 3)["CSP"] == plain["CSP"]
    assert plain["CSP"]["applicable_rules"] != score_turn("매일 뛰세요.", "", {"age": 67}, 3)["CSP"]["applicable_rules"]
