"""The flags of an evaluator and those that every run has do not take each other's names."""

from __future__ import annotations

from dataclasses import fields
from importlib.metadata import EntryPoint, entry_points

import pytest

from jatdae.cli.choice import ChoiceFlags
from jatdae.cli.run import InputFlags, OutputFlags, RunFlags
from jatdae.core.registry import GROUP

COMMON = {field.name for flags in (InputFlags, ChoiceFlags, RunFlags, OutputFlags) for field in fields(flags)}
INSTALLED = sorted(entry_points(group=GROUP), key=lambda entry: entry.name)


@pytest.mark.parametrize("entry", INSTALLED, ids=lambda entry: entry.name)
def test_no_flag_of_an_evaluator_hides_behind_one_of_the_run(entry: EntryPoint) -> None:
    assert {field.name for field in fields(entry.load())}.isdisjoint(COMMON)
