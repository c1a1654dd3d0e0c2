"""Verdicts of a judge on answers: reading them, putting them into events, and what they come to by arm.

A verdict is kept as it was given, one line for each answer, metric and repeat. The value of an answer is the mean over
the verdicts that can be read, its spread their standard deviation. A malformed verdict is counted and is no value.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import stdev
from typing import Any, Final

import orjson

from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import near, speaker
from jatdae.dialogue.events import JUDGED, STATUS_JUDGED
from jatdae.experiments.records import whole_lines
from jatdae.report.sheets import Sheet, SheetCell
from jatdae.run.stats.shown import NOTHING

VERDICTS: Final = "verdicts.jsonl"
Key = tuple[str, str, str]
"""Arm, patient and turn of an answer."""

say = speaker(__name__)


def read_verdicts(folder: Path) -> list[dict[str, Any]]:
    """Verdicts that were written down for the answers of an experiment; none if no judge was asked."""
    file = folder / VERDICTS
    if not file.exists():
        return []
    found = []
    for number, line in whole_lines(file):
        try:
            row = orjson.loads(line)
            _ = row["judge"], row["mode"], row["patient_id"], row["turn_id"], row["metric"], int(row["repeat"])
        except (ValueError, LookupError, TypeError):
            raise DataError(say("bad_verdict", place=f"{file}:{number}")) from None
        found.append(row)
    return found


def choose_judge(verdicts: Iterable[Mapping[str, Any]], named: str = "") -> str:
    """The judge whose verdicts are taken: the named one, or the only one; "" if none was asked."""
    known = list(dict.fromkeys(str(row["judge"]) for row in verdicts))
    if named and named not in known:
        raise UsageError(say("unknown_judge", name=named, near=near(named, known), known=", ".join(known) or "–"))
    if not named and len(known) > 1:
        raise UsageError(say("several_judges", known=", ".join(known)))
    return named or (known[0] if known else "")


def with_verdicts(
    events: Sequence[Mapping[str, Any]], verdicts: Iterable[Mapping[str, Any]], judge: str
) -> list[dict[str, Any]]:
    """Events with the verdicts of one judge under `judged`; those of another judge are taken out."""
    by_answer: dict[Key, dict[str, list[Mapping[str, Any]]]] = {}
    repeats = 0
    for row in verdicts:
        if row["judge"] == judge:
            repeats = max(repeats, int(row["repeat"]))
            by_answer.setdefault(_key(row), {}).setdefault(str(row["metric"]), []).append(row)
    made = []
    for event in events:
        plain = {name: value for name, value in event.items() if name != "judged"}
        mine = {
            metric: [row for row in rows if row.get("answer_hash") == answer_hash(event)]
            for metric, rows in by_answer.get(_key(event), {}).items()
        }
        given = {metric: _put_together(metric, rows) for metric, rows in sorted(mine.items()) if rows}
        if judge:
            plain["judged"] = {"judge": f"{judge}*{repeats}", "verdicts": given}
        made.append(plain)
    return made


def judged_by(events: Sequence[Mapping[str, Any]]) -> str:
    """The judge, with its repeats, whose verdicts stand in events; "" if there are none."""
    return str(events[0]["judged"]["judge"]) if events and "judged" in events[0] else ""


def answer_hash(event: Mapping[str, Any]) -> str:
    """What tells that a verdict is on this answer."""
    return hashlib.sha256(str(event.get("answer")).encode()).hexdigest()[:16]


def _put_together(metric: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The verdicts of all repeats on one answer as one."""
    latest = {int(row["repeat"]): row for row in rows}  # asked again, the later verdict counts
    rows = [latest[repeat] for repeat in sorted(latest)]
    malformed = sum(bool(row.get("malformed")) for row in rows)
    made: dict[str, Any] = {"verdicts": len(rows), "malformed": malformed}
    if metric == STATUS_JUDGED:
        return {**made, "spans": _majority([row.get("spans") or [] for row in rows if not row.get("malformed")])}
    values = [float(row["value"]) for row in rows if row.get("value") is not None]
    mean = math.fsum(values) / len(values) if values else None
    return {**made, "value": mean, "values": values, "spread": stdev(values) if len(values) > 1 else None}


def _majority(given: Sequence[Sequence[Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """The status that more than half of the verdicts give a span; a span without one is left to the extractor."""
    votes: dict[tuple[int, int], Counter[str]] = {}
    for spans in given:
        for span in spans:
            votes.setdefault((int(span["start"]), int(span["end"])), Counter())[str(span["status"])] += 1
    found = []
    for (start, end), counted in sorted(votes.items()):
        status, most = counted.most_common(1)[0]
        if 2 * most > len(given):
            found.append({"start": start, "end": end, "status": status})
    return found


@dataclass
class JudgeTally:
    """What the verdicts of a judge on one metric come to in one arm."""

    arm: str
    metric: str
    answers: int = 0
    values: list[float] = field(default_factory=list)
    spreads: list[float] = field(default_factory=list)
    verdicts: int = 0
    malformed: int = 0


def tallies_of(events: Iterable[Mapping[str, Any]], judge: str) -> list[JudgeTally]:
    """What the verdicts in events come to, by arm and metric; nothing without a judge."""
    found: dict[tuple[str, str], JudgeTally] = {}
    for event in events if judge else ():
        arm = str(event["mode"])
        for metric, given in event["judged"]["verdicts"].items():
            tally = found.setdefault((arm, metric), JudgeTally(arm, metric))
            tally.answers += 1
            tally.verdicts += given["verdicts"]
            tally.malformed += given["malformed"]
            if given.get("value") is not None:
                tally.values.append(given["value"])
            if given.get("spread") is not None:
                tally.spreads.append(given["spread"])
    order = (*JUDGED, STATUS_JUDGED)
    return sorted(found.values(), key=lambda tally: order.index(tally.metric) if tally.metric in order else len(order))


def judge_sheet(tallies: Sequence[JudgeTally]) -> Sheet:
    """Table of a judge's verdicts: mean, spread over repeats, how many there are, and how many are malformed."""
    heads = ("metric", "arm", "answers", "mean", "spread", "verdicts", "malformed")
    rows = tuple(
        tuple(
            map(
                SheetCell,
                (
                    tally.metric, tally.arm, f"{tally.answers:,}", _mean(tally.values), _mean(tally.spreads),
                    f"{tally.verdicts:,}", f"{tally.malformed:,}",
                ),
            )
        )
        for tally in tallies
    )  # fmt: skip
    return Sheet(say("sheet_judge"), tuple(say(f"head_{name}") for name in heads), rows, names=2)


def _mean(values: Sequence[float]) -> str:
    return f"{math.fsum(values) / len(values):.4f}" if values else NOTHING


def _key(row: Mapping[str, Any]) -> Key:
    return str(row["mode"]), str(row["patient_id"]), str(row["turn_id"])
