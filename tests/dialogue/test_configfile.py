"""The configuration folder: unknown files and missing folders are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from jatdae.core.errors import UsageError
from jatdae.dialogue.rules.configfile import read_config


def test_a_file_of_another_name_is_not_passed_over(tmp_path: Path):
    (tmp_path / "safety_rule.yaml").write_text("rules: []", "utf-8")
    with pytest.raises(UsageError, match=r"safety_rule.yaml: .*Did you mean 'safety_rules.yaml'"):
        read_config(tmp_path, "safety_rules.yaml")


def test_no_such_folder(tmp_path: Path):
    with pytest.raises(UsageError, match="no such configuration folder"):
        read_config(tmp_path / "nowhere", "scoring.yaml")
