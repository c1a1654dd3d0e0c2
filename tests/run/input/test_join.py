"""Finding rows by id, where ids of different rows have one hash too."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jatdae.core.errors import DataError
from jatdae.run.input import join, refusals, scan


@pytest.fixture
def clashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every third hash is the same as two others."""
    for module in (join, refusals, scan):
        monkeypatch.setattr(module, "id_hash", lambda system, name: len(system + name) % 3)


@pytest.mark.usefixtures("clashes")
def test_rows_whose_ids_have_one_hash_are_told_apart(write: Any, run: Any, outcomes: Any) -> None:
    ids = ["x" * n for n in range(1, 60)]
    pred = write("p.jsonl", "".join(json.dumps({"id": id, "pred": id}) + "\n" for id in ids[::-2]))
    ref = write("r.jsonl", "".join(json.dumps({"id": id, "gold": id}) + "\n" for id in ids))
    rows = outcomes(run(pred, ref))
    assert [row["values"]["exact"] for row in rows] == [float(n % 2 == 0) for n in range(59)]


@pytest.mark.usefixtures("clashes")
def test_one_hash_is_no_duplicate_but_one_id_is(write: Any, run: Any) -> None:
    rows = [{"id": "x" * n, "pred": "a", "gold": "a"} for n in range(1, 20)]
    assert run(write("p.jsonl", rows)).summary["systems"][""]["n"] == 19
    with pytest.raises(DataError, match=r"'xxxxx'.*q\.jsonl:5 and .*q\.jsonl:20"):
        run(write("q.jsonl", [*rows, rows[4]]))
