"""Files written after a run on documents: `evaluation/DOC.json` for each document, and `paper.json`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any, Final, Protocol

from jatdae.core.messages import LANGUAGES
from jatdae.core.writing import file_name
from jatdae.documents.benchmarks.benchmark import Benchmark, prefix_of
from jatdae.documents.metrics import METRICS
from jatdae.documents.outline import KINDS
from jatdae.documents.structure import counts_from, total
from jatdae.text.normaliser import find_normaliser

DOCUMENTS_AT_ONCE: Final = 1000
"""Documents held in memory."""

_HEADLINE: Final = (
    *("cer", "body_cer", "delta_bibliography", "bibliography_cer", "order_free_error", "wer", "body_wer"),
    *("block_recall", "order_error", "structure_f1", "heading_levels", "teds", "teds_s", "cell_f1", "grits_con"),
)
_OF_FORMULAS: Final = ("formula_score", "formula_match", "formula_f1")
_EDITS: Final = ("substitutions", "deletions", "insertions", "hits")
_SCORES: Final = ("teds", "teds_s")
_OF_TABLES: Final = ("teds_f1", "teds_pubtabnet", "teds_s_pubtabnet")

PAPER_FILE: Final = "paper.json"
ALL_SYSTEMS: Final = "*"
"""The name under which settings speak of every system they do not name."""
MOST_NAMED: Final = 10
"""Documents a warning names."""
DOUBTFUL: Final = 0.05
"""Below this Structure F1, a system that is only taken to write structure may well write none."""


class FinishedRun(Protocol):
    """Interface of a finished run on disk, as far as exports of documents need it."""

    def parts(self) -> list[Path]:
        """The finished parts: Parquet, a row per document and system."""

    def summary(self) -> dict[str, Any]:
        """What the run summed up to."""

    def write(self, name: str, value: Mapping[str, Any]) -> Path:
        """Write a JSON file of the run, whole or not at all."""


def write_evaluations(run: FinishedRun, folder: Path, benchmark: Benchmark | None = None) -> None:
    """Export everything measured on each document, by parser, to a file of its own (`DOC.json`).

    Numbers of a benchmark are among it. Files of an earlier run are removed.
    """
    signature = run.summary()["signature"]
    folder.mkdir(exist_ok=True)
    of_benchmark = [metric.name for metric in benchmark.metrics] if benchmark else []
    columns = (*_COLUMNS, *(f"metric.{name}" for name in of_benchmark))
    documents = iter(dict.fromkeys(row["id"] for row in _read_rows(run, ["id"])))
    written = set()
    while some := list(islice(documents, DOCUMENTS_AT_ONCE)):
        parsers: dict[str, dict[str, Any]] = {name: {} for name in some}
        for row in _read_rows(run, columns, some):
            parsers[row["id"]][row["system"]] = _parser(row, of_benchmark)
        for document, found in parsers.items():
            name = f"{file_name(document)}.json"
            written.add(name)
            run.write(f"{folder.name}/{name}", {"document": document, "signature": signature, "parsers": found})
    for path in folder.iterdir():
        if path.name not in written and path.suffix in (".json", ".tmp"):
            path.unlink()


@cache
def evaluation_schema() -> dict[str, Any]:
    """JSON Schema of the export with everything measured on a document (`evaluation/DOC.json`)."""
    text = (resources.files(__package__) / "schemas" / "evaluation.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def _read_rows(
    run: FinishedRun, columns: Sequence[str], documents: Sequence[str] | None = None
) -> Iterator[dict[str, Any]]:
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


def _parser(row: Mapping[str, Any], of_benchmark: Sequence[str]) -> dict[str, Any]:
    stats = row["stats"]
    return {
        **{name: row[f"metric.{name}"] for name in _HEADLINE},
        "benchmark": {name: row[f"metric.{name}"] for name in of_benchmark},
        "cer_detail": _edits(stats, "cer"),
        "body_cer_detail": _edits(stats, "body_cer"),
        "structure_f1_detail": _structure(stats),
        "teds_detail": _tables(row),
        **{name: row[f"metric.{name}"] for name in _OF_FORMULAS},
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


class PaperSettings(Protocol):
    """Interface of the evaluator settings that the methods paragraph of a paper mentions."""

    @property
    def normaliser(self) -> str:
        """Names of steps."""

    @property
    def bibliography(self) -> str:
        """How the bibliography is found."""

    @property
    def unit(self) -> str:
        """What a character is."""

    @property
    def profile(self) -> str:
        """How tables are read."""

    @property
    def matching(self) -> str:
        """How tables are paired."""

    @property
    def structured(self) -> Mapping[str, Any]:
        """Which systems write structure."""


def write_paper(run: FinishedRun, settings: PaperSettings, benchmark: Benchmark | None = None) -> None:
    """Export the layout of the paper's table (`paper.json`) after a run on documents.

    The numbers of a benchmark are its first columns. It holds `columns`, and per language `row`, `caption`, `scope`
    (the footnote), `methods` (the paragraph), `warnings` and `warnings_of` one system. The numbers stay in the summary.
    """
    systems = run.summary()["systems"]
    above = _documents_above(run)
    timed, by_page = _timed(systems)
    made: dict[str, Any] = {"columns": _columns(run.summary()["metrics"], benchmark, by_page=timed == by_page)}
    for language in LANGUAGES:
        texts = _texts()[language]
        documents = max((described["n"] for described in systems.values()), default=0)
        made[language] = {
            "row": texts["row"],
            "caption": texts["caption_of_one" if documents == 1 else "caption"].format(documents=documents),
            "scope": texts[f"scope_{settings.bibliography}"],
            "methods": " ".join([*_methods(settings, texts, benchmark), *_without_pages(timed, by_page, texts)]),
            "warnings": list(_unknown_systems(settings, systems, texts)),
            "warnings_of": {
                name: [
                    *_doubtful_structure(name, described, settings, texts),
                    *_warnings(name, described, above, texts),
                    *_unparsed(name, described, texts),
                ]
                for name, described in systems.items()
            },
        }
    run.write(PAPER_FILE, made)


def _timed(systems: Mapping[str, Any]) -> tuple[int, int]:
    """How many predictions have seconds, and how many of these by page."""
    timed, by_page = (
        sum(described["metrics"].get(name, {}).get("n") or 0 for described in systems.values())
        for name in ("seconds", "seconds_per_page")
    )
    return timed, by_page


def _without_pages(timed: int, by_page: int, texts: Mapping[str, str]) -> Iterator[str]:
    """Say why seconds are by document, although pages of some are known."""
    if 0 < by_page < timed:
        yield texts["without_pages"].format(n=timed - by_page, all=timed)


def _columns(known: Mapping[str, Any], benchmark: Benchmark | None, *, by_page: bool) -> list[dict[str, Any]]:
    """Columns of the paper's table: those of the benchmark, then ours; seconds by page if the pages of all are known.

    Else they are by document for all, so that systems can be compared.
    """
    other = "seconds" if by_page else "seconds_per_page"
    ours = [column for column in _texts()["columns"] if column["metric"] in known and column["metric"] != other]
    return [*(_benchmark_columns(benchmark) if benchmark else ()), *ours]


def _benchmark_columns(benchmark: Benchmark) -> Iterator[dict[str, Any]]:
    called = _texts()["of_benchmarks"]
    for metric in benchmark.metrics:
        short = called[metric.name.removeprefix(prefix_of(benchmark.name))]
        yield {"metric": metric.name, "title": short, "show": "score", "group": benchmark.name}


def _methods(settings: PaperSettings, texts: Mapping[str, str], benchmark: Benchmark | None) -> Iterator[str]:
    """The steps, why each is fair, and how every column is made."""
    steps = list(dict.fromkeys(step.name.removeprefix("seed_") for step in find_normaliser(settings.normaliser).steps))
    yield texts["intro"].format(steps=", ".join(steps)) if steps else texts["raw"]
    for group, members in _texts()["groups"].items():
        if taken := [step for step in steps if step in members]:
            yield texts[group].format(steps=", ".join(taken))
    yield texts["cer"].format(unit=texts[settings.unit])
    yield texts[settings.bibliography]
    yield texts["structure"]
    yield texts["teds"].format(profile=settings.profile, matching=texts[settings.matching])
    yield texts["absent"]
    if benchmark:
        yield texts["benchmark"].format(name=benchmark.name, version=benchmark.version)


def _documents_above(run: FinishedRun) -> dict[tuple[str, str], list[str]]:
    """The documents whose Body CER is above their Full CER, by system and by the side that had no bibliography."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in _read_rows(run, ["id", "system", "counts"]):
        for side in row["counts"].get("body_above_full", {}):
            found.setdefault((row["system"], side), []).append(row["id"])
    return found


def _warnings(
    name: str, described: Mapping[str, Any], above: Mapping[tuple[str, str], Sequence[str]], texts: Mapping[str, str]
) -> Iterator[str]:
    """Where leaving the bibliography out made the error rate of a system worse, and why it may have."""
    for (system, side), documents in above.items():
        if system != name:
            continue
        names = ", ".join(documents[:MOST_NAMED])
        if len(documents) > MOST_NAMED:
            names = texts["more"].format(names=names, n=len(documents) - MOST_NAMED)
        yield texts["above"].format(
            system=name or "–",
            count=len(documents),
            total=described["n"],
            documents=names,
            why=texts[f"above_{side}"],
        )


def _unparsed(name: str, described: Mapping[str, Any], texts: Mapping[str, str]) -> Iterator[str]:
    """Documents of a system without output, whose time counts all the same."""
    missing = sum(described["issues"].get("missing_prediction", {}).values())
    if missing and any(described["metrics"].get(each, {}).get("n") for each in ("seconds_per_page", "seconds")):
        yield texts["unparsed"].format(system=name or "–", count=missing, total=described["n"])


def _unknown_systems(settings: PaperSettings, systems: Mapping[str, Any], texts: Mapping[str, str]) -> Iterator[str]:
    """Warn of a misspelt system: it would otherwise be taken for one that nothing is declared of."""
    for name in settings.structured:
        if name != ALL_SYSTEMS and name not in systems:
            yield texts["unknown"].format(name=name, systems=", ".join(systems))


def _doubtful_structure(
    name: str, described: Mapping[str, Any], settings: PaperSettings, texts: Mapping[str, str]
) -> Iterator[str]:
    """Warn where plain text may have been taken for structure: the 0 of an undeclared system may have to be N/A."""
    f1 = described["metrics"]["structure_f1"]["macro"]
    undeclared = settings.structured.get(name, settings.structured.get(ALL_SYSTEMS, "auto")) == "auto"
    if undeclared and f1 is not None and f1 < DOUBTFUL:
        yield texts["doubtful"].format(system=name or ALL_SYSTEMS, f1=f1)


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads((resources.files(__package__) / "paper.toml").read_text("utf-8"))
