"""Events of conversations to be judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ANSWERS = {1: "You are 67 years old.", 2: "You take metformin. Take warfarin if you like."}


def event(mode: str, turn: int, **more: Any) -> dict[str, Any]:
    return {
        "schema_version": "events_record.v2", "run_id": "r", "mode": mode, "patient_id": "p", "turn_id": turn,
        "question": {"question_id": turn, "text": f"Question {turn}?"}, "answer": ANSWERS[turn],
        "timestamp_utc": "2026-01-01", "slots_truth": {"age": 67, "active_meds": ["Metformin"]},
        "metadata": {"contexts": ["the prompt"], "tool_calls": [{"result": "a finding"}], "key": f"{mode}{turn}"},
        **more,
    }  # fmt: skip


def write(folder: Path, events: list[dict[str, Any]]) -> None:
    (folder / "events.jsonl").write_text("".join(json.dumps(each) + "\n" for each in events), "utf-8")
