"""Memory stays flat: it does not grow with the input, but for a few bytes a row."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXACT = Path(__file__).parents[2] / "examples" / "exact_match.py"
ROWS, TEXT = 60_000, "the quick brown fox jumps over the lazy dog; 다람쥐 헌 쳇바퀴에 타고파. " * 15
MOST = 400  # MB a process; its libraries alone take about 120


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peaks of other processes are read from /proc")
@pytest.mark.parametrize("form", ["pairs", "joined"])
def test_no_process_grows_with_the_input(form: str, tmp_path: Path) -> None:
    names = ["pairs"] if form == "pairs" else ["prediction", "reference"]
    files = [tmp_path / f"{name}.jsonl" for name in names]
    for name, file in zip(names, files, strict=True):
        with file.open("w", encoding="utf-8") as out:
            for n in range(ROWS):
                both = f'"prediction":"{TEXT}{n}","reference":"{TEXT}{n % 3}"'
                out.write(f'{{"id":"{n}",{both}}}\n' if name == "pairs" else f'{{"id":"{n}","{name}":"{TEXT}{n}"}}\n')
    assert sum(file.stat().st_size for file in files) > 150_000_000
    command = [sys.executable, Path(__file__).with_name("measured.py"), f"{EXACT}:ExactMatch", tmp_path / "run", *files]
    told = subprocess.run(command, capture_output=True, text=True, check=True, start_new_session=True).stdout
    peaks = [int(peak) for peak in told.split()]
    assert len(peaks) >= 3  # this process and two workers, at the least
    assert max(peaks) < MOST
