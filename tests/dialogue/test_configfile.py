"""The configuration folder: unknown files and missing folders are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from jatdae.core.errors import UsageError
from jatdae.dialogue.rules.configfile import read_config_of
from jatdae.dialogue.rules.rulefile import RulesFile
from jatdae.dialogue.scores.overall import ScoringFile


def test_a_file_of_another_name_is_not_passed_over(tmp_path: Path):
    (tmp_path / "safety_rule.yaml").write_text("rules: []", "utf-8")
    with pytest.raises(UsageError, match=r"safety_rule.yaml: .*Did you mean 'safety_rules.yaml'"):
        read_config_of(tmp_path, "safety_rules.yaml", RulesFile)


def test_no_such_folder(tmp_path: Path):
    with pytest.raises(UsageError, match=r"nowhere: no such folder.*scoring.yaml"):
        read_config_of(tmp_path / "nowhere", "scoring.yaml", ScoringFile)


def test_a_folder_without_configuration_is_not_taken_for_the_bundled_one(tmp_path: Path):
    (tmp_path / "notes.txt").write_text("none", "utf-8")
    with pytest.raises(UsageError, match=r"no configuration file in this folder.*safety_rules\.yaml"):
        read_config_of(tmp_path, "safety_rules.yaml", RulesFile)
