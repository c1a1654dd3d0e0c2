"""The numbers of the demo are those of `tests/demo.json`, which `python tests/test_demo.py --update` writes anew."""

from __future__ import annotations

import io
import json
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from jatdae.cli import main

FILE = Path(__file__).with_name("demo.json")
CHANGED = (
    "The demo scores otherwise. If that is meant, say so in CHANGELOG.md and run `python tests/test_demo.py --update`."
)


def test_the_demo_scores_what_it_always_did(tmp_path: Path) -> None:
    found, written = numbers_of_demo(tmp_path), json.loads(FILE.read_text("utf-8"))
    assert found.keys() >= written.keys()
    for evaluator in written:
        assert found[evaluator] == written[evaluator], CHANGED


def numbers_of_demo(folder: Path) -> dict[str, Any]:
    """Signature, values, micro averages and intervals of every evaluator's bundled samples, systems and baselines."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert main(["demo", "--out", str(folder / "demo"), "--json"]) == 0
    return {each["evaluator"]: numbers_of(each) for each in json.loads(printed.getvalue())}


def numbers_of(summary: dict[str, Any]) -> dict[str, Any]:
    """What a summary says of each metric, and the signature without the kernel, which changes no number."""
    return {
        "signature": summary["signature"].rpartition(" | kernel:")[0],
        **{
            kind: {name: {"n": each["n"], "metrics": each["metrics"]} for name, each in summary[kind].items()}
            for kind in ("systems", "baselines")
        },
    }


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as made:
        FILE.write_text(json.dumps(numbers_of_demo(Path(made)), indent=1, ensure_ascii=False) + "\n", "utf-8")
