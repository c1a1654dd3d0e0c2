"""Replayed answers: read from any events that hold them, whatever else stands there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.errors import DataError, UsageError
from jatdae.experiments.targets import Asked, ReplayTarget, Reply


def event(**more: Any) -> str:
    return json.dumps({"mode": "llm", "patient_id": "p", "turn_id": 1, "answer": "a", **more}, ensure_ascii=False)


def replayed(file: Path, text: str | bytes) -> Reply:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return ReplayTarget(file).answer(Asked([], "llm", "p", "1", 1))


@pytest.mark.parametrize("answer", ["line\u2028separator", "next\u0085line", "return\rhere", "\x1c", ""])
def test_an_answer_may_hold_any_character(tmp_path: Path, answer: str) -> None:
    assert replayed(tmp_path / "e.jsonl", f"\n{event(answer=answer)}\n\n").answer == answer


@pytest.mark.parametrize("metadata", [None, 7, "x", [], {"tool_calls": 7}, {"tool_calls": [1, None]}, {"finish": []}])
@pytest.mark.parametrize("other", [{"usage": "much", "timing_ms": 3}, {"usage": {"prompt_tokens": True}}])
def test_what_is_odd_beside_an_answer_is_passed_over(tmp_path: Path, metadata: Any, other: dict[str, Any]) -> None:
    reply = replayed(tmp_path / "e.jsonl", event(metadata=metadata, **other))
    assert reply == Reply("a")


@pytest.mark.parametrize("data", [b"\xff\xfe", b"{", b"[]", b"1", b'{"mode": "llm"}', b'{"a":' * 2000])
def test_what_is_no_event_is_told_with_its_place(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(DataError, match=r"e\.jsonl:2"):
        replayed(tmp_path / "e.jsonl", event().encode() + b"\n" + data)


def test_a_device_is_refused() -> None:
    with pytest.raises(UsageError):
        ReplayTarget(Path("/dev/zero"))


@pytest.mark.parametrize("question", [{"text": "What then?"}, "What then?"])
def test_an_answer_to_another_question_is_refused_with_both(tmp_path: Path, question: Any) -> None:
    file = tmp_path / "e.jsonl"
    file.write_text(event(question=question), "utf-8")
    target = ReplayTarget(file)
    assert target.answer(Asked([{"role": "user", "content": "What  then? "}], "llm", "p", "1", 1)).answer == "a"
    with pytest.raises(DataError, match=r"patient 'p', turn 1.*What now\?.*What then\?"):
        target.answer(Asked([{"role": "user", "content": "What now?"}], "llm", "p", "1", 1))
