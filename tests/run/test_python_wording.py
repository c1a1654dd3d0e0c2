"""Messages for who calls from Python name arguments, never flags of the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

import jatdae
from jatdae.core.errors import JatdaeError
from jatdae.core.messages import COMMON, LANGUAGES, choose_language, in_python
from jatdae.core.registry import working

ROWS = [{"id": str(at), "prediction": "a", "reference": "a", "page": f"page {at}"} for at in range(3)]
FLAG = re.compile(r"(?<![\w-])--[a-z]")


@jatdae.evaluator("broken", metrics=[jatdae.Metric("one", "higher", worst=0.0)])
class Broken:
    """Fails on every sample."""

    def score(self, sample: jatdae.Sample) -> jatdae.Outcome:
        raise ValueError(sample.id)


def write(name: str, rows: list[Any]) -> str:
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return name


def without(rows: list[dict[str, Any]], *keys: str) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key not in keys} for row in rows]


def other_folder() -> str:
    Path("mine").mkdir()
    Path("mine", "summary.json").write_text("{}", "utf-8")
    return "mine"


TOLD = {
    "a missing prediction": (
        lambda: jatdae.evaluate(write("a.jsonl", [{**ROWS[0], "prediction": None}]), "text", missing="error"),
        'missing="skip"',
    ),
    "a bad row": (lambda: jatdae.evaluate(write("a.jsonl", [*ROWS, 5]), "text"), "Fix the row"),
    "an unknown slice of a file": (lambda: jatdae.evaluate(write("a.jsonl", ROWS), "text", slices=["x"]), "slices: "),
    "ids that never meet": (
        lambda: jatdae.evaluate(
            write("p.jsonl", without(ROWS, "reference")),
            "text",
            reference=write("r.jsonl", [{"id": f"x{at}", "reference": "a"} for at in range(3)]),
        ),
        "id_field=",
    ),
    "ids on one side": (
        lambda: jatdae.evaluate(
            write("p.jsonl", without(ROWS, "reference")),
            "text",
            reference=write("r.jsonl", without(ROWS, "prediction", "id")),
        ),
        "id_field=",
    ),
    "a field of a file that is not there": (
        lambda: jatdae.evaluate(write("a.jsonl", without(ROWS, "reference")), "text"), "reference_field="
    ),
    "a document alone": (
        lambda: (Path("a.md").write_text("x", "utf-8"), jatdae.evaluate("a.md", "text")), "reference=PATH"
    ),
    "an evaluator that fails": (lambda: jatdae.evaluate(ROWS, Broken()), "broken failed on sample '0'"),
    "an evaluator that fails in a worker": (lambda: jatdae.evaluate(ROWS, Broken(), jobs=2), "failed on sample '0'"),
    "a folder with other files": (lambda: jatdae.evaluate(ROWS, "text").save(other_folder()), "Choose another folder"),
    "a saved run": (
        lambda: [jatdae.evaluate(ROWS[:at], "text").save("run") for at in (1, 2)], "overwrite=True"
    ),
    "a place that cannot be written": (
        lambda: (write("a", ROWS), jatdae.evaluate(ROWS, "text").report("a/b.html")), "Choose another place"
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("call", "said"), TOLD.values(), ids=TOLD)
def test_a_message_names_arguments(
    call: Any, said: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    choose_language(language)
    with pytest.raises(JatdaeError) as told:
        call()
    assert not FLAG.search(str(told.value)), str(told.value)
    assert language != "en" or said in str(told.value)
    assert not in_python.get()


def test_a_wording_for_python_is_that_of_a_message_with_the_same_blanks_and_no_flag() -> None:
    from jatdae.core.messages import texts_beside

    every = [COMMON, *(texts_beside(cls.__module__) for cls in working().values())]
    for texts in every:
        for language in LANGUAGES:
            flagged = texts.table("messages", language)
            for key, text in texts.table("python", language).items():
                assert not FLAG.search(text)
                assert blanks(text) <= blanks(flagged[key]), key


def blanks(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}
