"""Requirements by turn: what is bundled, and what is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from jatdae.core.errors import UsageError
from jatdae.dialogue.rules.configfile import CONFIG_FOLDER
from jatdae.dialogue.rules.requirements import load_requirements

SLOTS = "required_slots_by_turn.yaml"


def test_bundled_requirements_are_the_agreed_ones():
    turns = load_requirements().turns
    assert {n: [(w.slot, w.weight) for w in turn.slots] for n, turn in turns.items()} == {
        1: [("age", 1), ("sex", 1), ("primary_condition", 2)],
        2: [("active_meds", 2), ("labs", 2), ("vitals", 1), ("major_procedures", 0.5)],
        3: [("primary_condition", 2), ("labs", 2), ("vitals", 1), ("active_meds", 1)],
        4: [("primary_condition", 2), ("labs", 2), ("active_meds", 1)],
        5: [("primary_condition", 2), ("labs", 2), ("vitals", 1), ("active_meds", 1)],
    }
    assert {n: [e.name for e in turn.elements] for n, turn in turns.items() if turn.elements} == {
        3: ["frequency", "intensity", "duration", "stop_criteria"],
        4: ["rules_3_to_5", "monitoring_metric"],
        5: ["priorities_top3", "weekly_plan", "monitoring_metric", "retest_timing"],
    }
    assert [turns[n].least for n in range(1, 6)] == [0.5, 0.6, 0.65, 0.65, 0.7]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("slot: age", "slot: ages", r"required_slots_by_turn.yaml:\d+ .*unknown name 'ages'.*mean 'age'"),
        ("use: any", "use: some", r"'some': unknown value.*any, all, share"),
        ('"1":', '"6":', r"'6'.*unknown value.*1, 2, 3, 4, 5"),
        ("[frequency,", "[frequancy,", r"elements\[0\]\): unknown name 'frequancy'.*mean 'frequency'"),
        ("weight: 0.5", "weight: 0", r"must be > 0, not 0"),
        ("{min: 3, max: 5}", "{min: 3}", r"the key 'max' is missing"),
    ],
)
def test_a_broken_requirements_file_is_refused_with_its_place(tmp_path: Path, old, new, message):
    text = (CONFIG_FOLDER / SLOTS).read_text("utf-8")
    assert old in text
    (tmp_path / SLOTS).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(UsageError, match=message):
        load_requirements(tmp_path)
