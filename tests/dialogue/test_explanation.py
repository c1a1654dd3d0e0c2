"""`jatdae dialogue parse`: clauses, cues, mentions, statuses and why."""

from __future__ import annotations

import io
import json
import os
import threading

import pytest
from cyclopts import UnknownOptionError

from jatdae.cli.app import explain
from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker, speaking
from jatdae.core.writing import STDIN
from jatdae.dialogue.commands import dialogue, parse
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


def test_bytes_that_are_no_utf8_are_refused_wherever_they_come_from(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("아스피린".encode("cp949")), errors="surrogateescape"))
    with pytest.raises(UsageError, match="standard input is not UTF-8"):
        parse(STDIN)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_and_a_device_are_read(tmp_path, capsys):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=("Take aspirin.",))
    writer.start()
    parse(str(pipe), json=True)
    writer.join()
    assert json.loads(capsys.readouterr().out)["mentions"][0]["concept"] == "drug:aspirin"
    parse(os.devnull, json=True)
    assert json.loads(capsys.readouterr().out)["mentions"] == []


def test_an_empty_answer_has_empty_tables(capsys):
    parse("")
    assert "mention" in capsys.readouterr().out


def test_a_text_that_is_too_long_for_a_file_name_is_an_answer(capsys):
    parse("가" * 250)
    assert "가가" in capsys.readouterr().out


def test_a_dash_that_begins_an_answer_is_explained():
    with pytest.raises(UnknownOptionError) as caught:
        dialogue(["parse", "- aspirin"], exit_on_error=False, print_error=False)
    with speaking("en"):
        assert "write -- before it" in explain(caught.value)


def test_a_terminal_obeys_nothing_of_an_answer(capsys):
    parse("aspirin \x1b[31mred\x9b2J is fine")
    out = capsys.readouterr().out
    assert "\x1b" not in out and "\x9b" not in out and "aspirin \\x1b[31mred" in out


def test_a_cue_without_words_says_where_it_comes_from(capsys):
    with speaking("ko"):
        parse("어머님이 드시는 도네페질은 치매약입니다.")
    out = " ".join(capsys.readouterr().out.split())
    assert "앞에서 이어짐 (가족·타인)" in out and ", (" not in out


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
