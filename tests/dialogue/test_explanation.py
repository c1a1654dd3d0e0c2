"""`jatdae dialogue parse`: clauses, cues, mentions, statuses and why."""

from __future__ import annotations

import io
import json

import pytest

from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker, speaking
from jatdae.core.writing import STDIN
from jatdae.dialogue.commands import parse
from jatdae.dialogue.explanation import explain_passage
from jatdae.dialogue.reading.cues import BITS
from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.reading.statuses import STATUSES, TABLE


def test_the_parts_of_an_answer_and_why():
    read = explain_passage(load_extractor().read("칼륨은 4.3으로 괜찮습니다. 와파린은 드시지 않습니다."))
    assert read["clauses"][0]["text"].strip() == "칼륨은 4.3으로 괜찮습니다."
    potassium, warfarin = read["mentions"]
    assert (potassium["status"], potassium["value"], potassium["why"]) == ("patient_fact", 4.3, "value")
    assert (warfarin["polarity"], warfarin["why"]) == ("negated", "denied") and "negate" in warfarin["roles"]


def test_then_and_now_are_two_mentions():
    read = explain_passage(load_extractor().read("A1c fell from 8.6% to 7.1%."))
    assert [(each["value"], each["then"]) for each in read["mentions"]] == [(8.6, True), (7.1, False)]


def test_text_file_and_standard_input_are_read_alike(tmp_path, capsys, monkeypatch):
    text = "메트포르민 복용 중."
    (tmp_path / "answer.txt").write_text(text, "utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    printed = []
    for given in (text, str(tmp_path / "answer.txt"), STDIN):
        parse(given, json=True)
        printed.append(json.loads(capsys.readouterr().out))
    assert printed[0] == printed[1] == printed[2]
    assert printed[0]["mentions"][0]["concept"] == "drug:metformin"


def test_the_printed_tables_name_status_and_reason(capsys):
    parse("You may be suffering from gastritis. Your kidneys are fine.")
    out = capsys.readouterr().out
    assert "hedged" in out and "not certain" in out and "kidney_function" in out


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_role_status_and_reason_has_a_name(language):
    say = speaker(parse.__module__)
    wanted = [f"role_{role}" for role in BITS if role != "none"] + [f"status_{status}" for status in STATUSES]
    wanted += ["why_" + row.why.replace(" ", "_") for row in TABLE] + ["why_given", "why_judged", "why_limit"]
    with speaking(language):
        assert all(say(name) for name in wanted)


def test_a_file_that_is_not_there_or_no_text_is_an_error(tmp_path):
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe")
    for name, problem in (("bytes.txt", "UTF-8"), ("missing.txt", "no file"), (".", "no file")):
        with pytest.raises(UsageError, match=problem):
            parse(str(tmp_path / name))
