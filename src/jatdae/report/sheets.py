"""The tables of a summary, before they are drawn in any format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from jatdae.core.messages import say, says

NOTHING = "–"
_NUMBER: Final = re.compile(r"[-+]?[0-9]|–|N/A")


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of text; `best` cells are set strong."""

    text: str
    best: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with a title and a line below it."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


def sheets(summary: dict[str, Any]) -> list[Sheet]:
    """What a person should see of a summary, the headline first."""
    return [_headline(summary), *_baselines(summary), *_slices(summary), *_units(summary), *_issues(summary)]


def number(value: float | None, unit: str) -> str:
    """A value as it is shown: fractions as per cent where the metric says so, else four digits."""
    if value is None:
        return "N/A"
    return f"{100 * value:.2f} %" if unit == "%" else f"{100 * value:.2f} {unit}" if unit == "pp" else f"{value:.4f}"


def span(interval: list[float] | tuple[float, float] | None, unit: str) -> str:
    """An interval as it is shown."""
    if interval is None:
        return NOTHING
    low, high = interval
    scale, digits = (100, 2) if unit in ("%", "pp") else (1, 4)
    return f"{scale * low:.{digits}f} – {scale * high:.{digits}f}"


def metric_label(name: str, better: str | None) -> str:
    """A metric's name with the direction that is better, where that is known."""
    return name if better is None else f"{name} {'↑' if better == 'higher' else '↓'}"


def holds_numbers(sheet: Sheet, at: int) -> bool:
    """Whether a column is one of numbers, which stand to the right; the first never is."""
    return at > 0 and all(_NUMBER.match(row[at].text) for row in sheet.rows)


def printable(text: str) -> str:
    """Text without control characters: a name must not be able to drive a terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() else "�" for c in text)


def system_label(name: str) -> str:
    """A system's name; a lone system without one is just "all"."""
    return name or say("all_samples")


def _headline(summary: dict[str, Any]) -> Sheet:
    systems = summary["systems"]
    if len(systems) == 1:
        return _one_system(summary, *next(iter(systems.items())))
    header = (say("metric"), *(system_label(name) for name in systems))
    rows = []
    for metric, about in summary["metrics"].items():
        entries = [described["metrics"][metric] for described in systems.values()]
        best = _best([e["macro"] for e in entries], about["better"])
        cells = [Cell(metric_label(metric, about["better"]), about["primary"])]
        for entry in entries:
            text = number(entry["macro"], about["unit"])
            if entry["na"]:
                text += f" ({say('na_count', n=entry['na'])})"
            cells.append(Cell(text, entry["macro"] is not None and entry["macro"] == best))
        rows.append(tuple(cells))
    rows.append((Cell(say("samples")), *(Cell(str(d["n"])) for d in systems.values())))
    return Sheet(summary["evaluator"], header, tuple(rows), _note(summary))


def _one_system(summary: dict[str, Any], system: str, described: dict[str, Any]) -> Sheet:
    header = (say("metric"), say("macro"), say("interval"), say("micro"), "n", "N/A")
    rows = tuple(
        (
            Cell(metric_label(metric, about["better"]), about["primary"]),
            Cell(number(entry["macro"], about["unit"]), about["primary"]),
            Cell(span(entry["ci"], about["unit"])),
            Cell(NOTHING if entry["micro"] is None else number(entry["micro"], about["unit"])),
            Cell(str(entry["n"])),
            Cell(str(entry["na"] or NOTHING)),
        )
        for metric, about in summary["metrics"].items()
        for entry in [described["metrics"][metric]]
    )
    title = summary["evaluator"] + (f" · {system}" if system else "")
    return Sheet(title, header, rows, _note(summary))


def _note(summary: dict[str, Any]) -> str:
    return str(summary["signature"])


def _baselines(summary: dict[str, Any]) -> Iterator[Sheet]:
    if baselines := summary["baselines"]:
        rows = tuple(
            (
                Cell(metric_label(metric, about["better"]), about["primary"]),
                *(
                    Cell(number(described["metrics"][metric]["macro"], about["unit"]))
                    for described in baselines.values()
                ),
            )
            for metric, about in summary["metrics"].items()
        )
        yield Sheet(say("baselines"), (say("metric"), *baselines), rows, say("baselines_note"))


def _slices(summary: dict[str, Any]) -> Iterator[Sheet]:
    primary = next(name for name, about in summary["metrics"].items() if about["primary"])
    about = summary["metrics"][primary]
    keys = dict.fromkeys(key for d in summary["systems"].values() for key in d.get("slices", {}))
    for key in keys:
        label = metric_label(primary, about["better"])
        header = (key, *((say("system"),) if len(summary["systems"]) > 1 else ()), label, say("interval"), "n", "N/A")
        rows = []
        for system, described in summary["systems"].items():
            for value, inside in described.get("slices", {}).get(key, {}).items():
                entry = inside["metrics"][primary]
                whose = (Cell(system_label(system)),) if len(summary["systems"]) > 1 else ()
                numbers = (
                    Cell(number(entry["macro"], about["unit"])),
                    Cell(span(entry["ci"], about["unit"])),
                )
                counts = (Cell(str(entry["n"])), Cell(str(entry["na"] or NOTHING)))
                rows.append((Cell(value or say("no_value")), *whose, *numbers, *counts))
        yield Sheet(say("by_slice", key=key), header, tuple(rows))


def _units(summary: dict[str, Any]) -> Iterator[Sheet]:
    kinds = dict.fromkeys(kind for d in summary["systems"].values() for kind in d["units"])
    for kind in kinds:
        header = (say("metric"), say("system"), say("macro"), say("interval"), "n", "N/A")
        rows = []
        for system, described in summary["systems"].items():
            for metric, entry in described["units"].get(kind, {"metrics": {}})["metrics"].items():
                about = summary["metrics"].get(metric, {"better": None, "unit": ""})
                rows.append(
                    tuple(
                        Cell(text)
                        for text in (
                            metric_label(metric, about["better"]),
                            system_label(system),
                            number(entry["macro"], about["unit"]),
                            span(entry["ci"], about["unit"]),
                            str(entry["n"]),
                            str(entry["na"] or NOTHING),
                        )
                    )
                )
        yield Sheet(say("per_unit", kind=kind), header, tuple(rows))


def _issues(summary: dict[str, Any]) -> Iterator[Sheet]:
    rows = []
    about = summary["input"]
    if about["bad_rows"]:
        rows.append((Cell("bad_row"), Cell(NOTHING), Cell(str(about["bad_rows"])), Cell(about["bad_examples"][0])))
    for system, count in about["extra_predictions"].items():
        if count:
            rows.append(
                (
                    Cell("extra_prediction"),
                    Cell(system_label(system)),
                    Cell(str(count)),
                    Cell(issue_text("extra_prediction")),
                )
            )
    for system, described in summary["systems"].items():
        for code, by_severity in described["issues"].items():
            count = str(sum(by_severity.values()))
            rows.append((Cell(code), Cell(system_label(system)), Cell(count), Cell(issue_text(code))))
    if rows:
        yield Sheet(say("issues"), (say("issue"), say("system"), say("count"), say("meaning")), tuple(rows))


def issue_text(code: str) -> str:
    """What an issue code means, where the catalogue knows it."""
    return say(f"issue_{code}") if says(f"issue_{code}") else ""


def _best(values: list[float | None], better: str) -> float | None:
    known = [value for value in values if value is not None]
    return None if not known else max(known) if better == "higher" else min(known)
