"""`evaluation/DOC.json`: everything measured on one document, parser by parser, as a file of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol

from jatdae.core.names import file_name
from jatdae.documents.metrics import METRICS
from jatdae.documents.outline import KINDS
from jatdae.documents.structure import counts_from, total

AT_ONCE: Final = 1000
"""Documents held in memory."""

_HEADLINE: Final = ("cer", "body_cer", "delta_bibliography", "wer", "body_wer", "structure_f1", "teds", "teds_s")
_EDITS: Final = ("substitutions", "deletions", "insertions", "hits")
_SCORES: Final = ("teds", "teds_s")
_OF_TABLES: Final = ("teds_f1", "teds_pubtabnet", "teds_s_pubtabnet")


class Run(Protocol):
    """What is needed of a run on disk."""

    def parts(self) -> list[Path]:
        """The finished parts: Parquet, a row per document and system."""

    def summary(self) -> dict[str, Any]:
        """What the run summed up to."""

    def write(self, name: str, value: Mapping[str, Any]) -> Path:
        """Write a JSON file of the run, whole or not at all."""


def write_evaluations(run: Run, folder: Path) -> None:
    """A file for each document; what an earlier run left in the folder is removed."""
    signature = run.summary()["signature"]
    folder.mkdir(exist_ok=True)
    documents = iter(dict.fromkeys(row["id"] for row in rows_of(run, ["id"])))
    written = set()
    while some := list(islice(documents, AT_ONCE)):
        parsers: dict[str, dict[str, Any]] = {name: {} for name in some}
        for row in rows_of(run, _COLUMNS, some):
            parsers[row["id"]][row["system"]] = _parser(row)
        for document, found in parsers.items():
            name = f"{file_name(document)}.json"
            written.add(name)
            run.write(f"{folder.name}/{name}", {"document": document, "signature": signature, "parsers": found})
    for path in folder.iterdir():
        if path.name not in written and path.suffix in (".json", ".tmp"):
            path.unlink()


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of these files."""
    text = (resources.files(__package__) / "schemas" / "evaluation.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def rows_of(run: Run, columns: Sequence[str], documents: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Rows of the parts in their order: all, or those of some documents."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    chosen = None if documents is None else pc.field("id").isin(list(documents))
    for part in run.parts():
        yield from pq.read_table(part, columns=list(columns), filters=chosen).to_pylist(maps_as_pydicts="strict")


_COLUMNS: Final = (
    *("id", "system", "stats", "counts", "units", "issues"),
    *(f"metric.{metric.name}" for metric in METRICS),
)


def _parser(row: Mapping[str, Any]) -> dict[str, Any]:
    stats = row["stats"]
    return {
        **{name: row[f"metric.{name}"] for name in _HEADLINE},
        "cer_detail": _edits(stats, "cer"),
        "body_cer_detail": _edits(stats, "body_cer"),
        "structure_f1_detail": _structure(stats),
        "teds_detail": _tables(row),
        "content_length": int(stats.get("content_length", 0)),
        "issues": row["issues"],
    }


def _edits(stats: Mapping[str, float], name: str) -> dict[str, int]:
    return {edit: int(stats.get(f"{name}.{edit}", 0)) for edit in _EDITS}


def _structure(stats: Mapping[str, float]) -> dict[str, Any] | None:
    if not any(name.startswith("structure.") for name in stats):
        return None
    counts = counts_from(stats)
    return {**total(counts).as_json(), "types": {kind: counts[kind].as_json() for kind in KINDS}}


def _tables(row: Mapping[str, Any]) -> dict[str, Any] | None:
    tables = row["counts"].get("tables")
    if tables is None:
        return None
    scores = [{"table_id": unit["id"], **{name: unit["values"][name] for name in _SCORES}} for unit in row["units"]]
    return {**tables, **{name: row[f"metric.{name}"] for name in _OF_TABLES}, "tables": scores}
