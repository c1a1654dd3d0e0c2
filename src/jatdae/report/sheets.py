"""The tables of a run summary, independent of the output format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from jatdae.core.meanings import Meanings
from jatdae.core.messages import LANGUAGES, language, listed, say, shown
from jatdae.core.registry import find_meanings
from jatdae.run.stats.mistakes import Mistake, mistakes_of
from jatdae.run.stats.rates import KeyRates, rate_tables
from jatdae.run.stats.result import primary_metric
from jatdae.run.stats.shown import NOTHING, kind_label, number, span, system_label

RATES_SHOWN: Final = 5
"""Keys with rates that are listed for each mistake of a kind."""
SHOWN_INSTEAD: Final = 3
MOST_MISTAKES: Final = 10
"""What goes wrong: keys of each count table that are listed."""
SHOWN_IDS: Final = 3
"""Samples that are named for each of them."""
SHOWN_ID: Final = 40
"""Characters of an id."""
GRAVEST_FIRST: Final = ("error", "warning", "info")
"""Severities of issues in the order in which they are read."""
_NUMBER: Final = re.compile(r"[-+<.]?\s?[.0-9]|–|N/A|$")


@dataclass(frozen=True, slots=True)
class SheetCell:
    """Cell of a report table: its text, and whether it is the best value (set in bold)."""

    text: str
    best: bool = False
    about: str = ""
    """What a page says when it is pointed at: the key of a word, such as `metric:cer`."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A report table with its title and the note below it."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[SheetCell, ...], ...]
    note: str = ""
    hint: str = ""
    """What is not shown, and how to see it."""
    names: int = 1
    """How many of the first columns name a row."""
    about: tuple[str, ...] = ()
    """For each column the same as for a cell; "" if it needs no explanation."""
    title_about: str = ""
    """The same for the title."""


def sheets(summary: dict[str, Any], most_mistakes: int = MOST_MISTAKES) -> list[Sheet]:
    """Make the sheets of a report, the tables of a run summary: the headline, then what goes wrong, then the rest.

    `most_mistakes` of each kind are listed.
    """
    if not summary["systems"]:
        return [Sheet(summary["evaluator"], (say("no_samples"),), (), _note(summary)), *_issues(summary)]
    return [
        _headline(summary),
        *_mistakes(summary, most_mistakes),
        *rate_sheets(summary, RATES_SHOWN * most_mistakes),
        *_baselines(summary),
        *_slices(summary),
        *_units(summary),
        *_issues(summary),
    ]


def absence(
    entry: Mapping[str, Any], about: Mapping[str, Any], issues: Mapping[str, Mapping[str, int]], meanings: Meanings
) -> str:
    """Explain why a system has no value of a metric in a report sheet, by the issues of its samples.

    That is the first issue that all samples have, else all issues that cover them.

    `entry` is the metric's part of the system's summary, `about` what the summary says of the metric itself.
    """
    counts = {code: sum(issues[code].values()) for code in about.get("absent", ()) if code in issues}
    if entry["macro"] is not None or sum(counts.values()) < entry["na"]:
        return ""
    alone = next((code for code, count in counts.items() if count >= entry["na"]), None)
    return ", ".join(meanings.reason(code) for code in ([alone] if alone else counts))


def metric_label(name: str, better: str | None) -> str:
    """Name of a metric in a report sheet, with an arrow for its better direction, if that is known."""
    return name if better is None else f"{name} {'↑' if better == 'higher' else '↓'}"


def holds_numbers(sheet: Sheet, at: int) -> bool:
    """Whether a column of a report sheet holds numbers and is aligned right; the first column never does."""
    return at > 0 and all(_NUMBER.match(row[at].text) for row in sheet.rows)


def _headline(summary: dict[str, Any]) -> Sheet:
    systems = summary["systems"]
    if len(systems) == 1:
        return _one_system(summary, *next(iter(systems.items())))
    header = (say("metric"), *(system_label(name) for name in systems))
    meanings = find_meanings(summary["evaluator"])
    rows = []
    for metric, about in summary["metrics"].items():
        entries = [(described["metrics"][metric], described["issues"]) for described in systems.values()]
        best = best_of([entry["macro"] for entry, _ in entries], about["better"])
        cells = [SheetCell(metric_label(metric, about["better"]), about["primary"])]
        for entry, issues in entries:
            cells.append(
                SheetCell(_mean(entry, about, issues, meanings), entry["macro"] is not None and entry["macro"] == best)
            )
        rows.append(tuple(cells))
        if about["primary"]:
            rows.append(
                (SheetCell(say("interval")), *(SheetCell(span(entry["ci"], about["unit"])) for entry, _ in entries))
            )
    rows.append((SheetCell(say("samples")), *(SheetCell(str(d["n"])) for d in systems.values())))
    return Sheet(summary["evaluator"], header, tuple(rows), _note(summary), _left_out(summary))


def _mean(entry: dict[str, Any], about: dict[str, Any], issues: dict[str, Any], meanings: Meanings) -> str:
    """A mean with the number of samples it leaves out, or the reason for N/A."""
    why = absence(entry, about, issues, meanings)
    few = f" ({say('na_count', n=entry['na'])})" if entry["na"] and not why else ""
    return number(entry["macro"], about["unit"], why) + few


def _one_system(summary: dict[str, Any], system: str, described: dict[str, Any]) -> Sheet:
    meanings = find_meanings(summary["evaluator"])
    header = (say("metric"), say("macro"), say("interval"), say("micro"), "n", "N/A")
    rows = tuple(
        (
            SheetCell(metric_label(metric, about["better"]), about["primary"]),
            SheetCell(
                number(entry["macro"], about["unit"], absence(entry, about, described["issues"], meanings)),
                about["primary"],
            ),
            SheetCell(span(entry["ci"], about["unit"])),
            SheetCell(NOTHING if entry["micro"] is None else number(entry["micro"], about["unit"])),
            SheetCell(str(entry["n"])),
            SheetCell(str(entry["na"] or NOTHING)),
        )
        for metric, about in summary["metrics"].items()
        for entry in [described["metrics"][metric]]
    )
    title = summary["evaluator"] + (f" · {system}" if system else "")
    return Sheet(title, header, rows, _note(summary), _left_out(summary))


def _note(summary: dict[str, Any]) -> str:
    return str(summary["signature"])


def _left_out(summary: dict[str, Any]) -> str:
    names = summary.get("left_out", ())
    return say("metrics_left_out", n=len(names), names=", ".join(names)) if names else ""


def _mistakes(summary: dict[str, Any], most: int) -> Iterator[Sheet]:
    """What goes wrong, kind by kind, with the samples in which it is worst."""
    meanings, systems = find_meanings(summary["evaluator"]), list(summary["systems"])
    rows, left_out = [], 0
    for table, found in mistakes_of(summary).items():
        left_out += len(found[most:])
        for each in found[:most]:
            counts = [SheetCell(NOTHING if n is None else str(n)) for n in each.counts.values()]
            samples = [SheetCell(str(sum(each.samples.values())))] if len(systems) == 1 else []
            worst = SheetCell(", ".join(shown(name, SHOWN_ID) for name in each.worst_samples[:SHOWN_IDS]))
            kind = SheetCell(count_label(table, meanings))
            rows.append((kind, SheetCell(key_label(each, meanings)), *counts, *samples, worst))
    if rows:
        counts_of = [say("count"), say("samples")] if len(systems) == 1 else [system_label(name) for name in systems]
        header = (say("mistake"), say("mistake_key"), *counts_of, say("worst_samples"))
        hint = say("mistakes_left_out", n=left_out) if left_out else ""
        yield Sheet(say("mistakes"), header, tuple(rows), hint=hint, names=2)


def count_label(table: str, meanings: Meanings) -> str:
    """Short name of a count table in a report sheet: the word `count.TABLE` of the evaluator, else its name."""
    return meanings.of("words", f"count.{table}") or table


def key_label(mistake: Mistake, meanings: Meanings) -> str:
    """What went wrong in a report sheet: its label or the evaluator's word for the key, else the key with its name.

    The word for a key of one table (`key.TABLE.KEY`) comes before that for a key of any (`key.KEY`).

    A name that is the evaluator's own word in some language is said in the reader's.
    """
    if mistake.labels:
        return mistake.labels.get(language()) or plain_key(mistake.key)
    own = f"key.{mistake.table}.{mistake.key}"
    name = own if meanings.of("words", own) else f"key.{mistake.key}"
    word = meanings.of("words", name)
    if not mistake.name:
        return word or plain_key(mistake.key)
    is_word = mistake.name in (meanings.of("words", name, each) for each in LANGUAGES)
    return plain_key(mistake.key, word if is_word else mistake.name)


def rate_sheets(summary: dict[str, Any], most: int) -> Iterator[Sheet]:
    """Rates of a run key by key, for a report: how often the references have it, its rates, what was said instead."""
    for table, found in rate_tables(summary).items():
        yield _rate_sheet(summary, table, found, most)


def _rate_sheet(summary: dict[str, Any], table: str, found: list[KeyRates], most: int) -> Sheet:
    meanings, systems = find_meanings(summary["evaluator"]), list(summary["systems"])
    labels = labels_of(summary)
    said_instead = any(each.instead for each in found)
    counted = all(each.is_counted for each in found)
    rows = []
    for each in found[:most]:
        numbers = [
            SheetCell(rate_text(summary["rates"][rate], values[system]))
            for rate, values in each.values.items()
            for system in systems
        ]
        instead = [f"{short_label(key_text(key, labels))} {times}" for key, times in each.instead.items()]
        size = [] if counted else [SheetCell(str(each.size))]
        cells = (SheetCell(key_text(each.key, labels)), *size, *numbers)
        rows.append((*cells, *[SheetCell(", ".join(instead[:SHOWN_INSTEAD]) or NOTHING)] * said_instead))
    rates = [meanings.of("words", f"rate.{rate}") or rate for rate in found[0].values]
    whose = [f"{rate} · {system_label(name)}" if len(systems) > 1 else rate for rate in rates for name in systems]
    hint = say("rates_left_out", n=len(found) - most) if len(found) > most else ""
    key = meanings.of("words", table_word("key", table)) or say("mistake_key")
    header = (key, *([] if counted else ["n"]), *whose, *[say("rates_instead")] * said_instead)
    return Sheet(rates_title(meanings, table), header, tuple(rows), hint=hint)


def rate_text(rate: Mapping[str, Any], value: float | None) -> str:
    """A rate in a report sheet, or the count that stands for one."""
    if value is None:
        return NOTHING
    return number(value, "%") if rate["below"] else f"{value:,.0f}"


def rates_title(meanings: Meanings, table: str) -> str:
    """Title of a table of rates in a report, by the evaluator's own word for it."""
    return meanings.of("words", table_word("title", table)) or say("rates")


def table_word(word: str, table: str) -> str:
    """Name of the evaluator's word for the title, or the keys, of a table of rates in a report."""
    return f"rate.{word}.{table}" if table else f"rate.{word}"


def labels_of(summary: Mapping[str, Any]) -> dict[str, Mapping[str, str]]:
    """Labels by language of the keys that a report names, from all count tables and rates."""
    found: dict[str, Mapping[str, str]] = {}
    for about in summary.get("counts", {}).values():
        found |= about.get("labels", {})
    for rate in summary.get("rates", {}).values():
        found |= rate.get("labels", {})
    return found


def key_text(key: str, labels: Mapping[str, Mapping[str, str]]) -> str:
    """Label of a key in a report sheet, in the language of the reader, else the key itself."""
    return labels.get(key, {}).get(language()) or plain_key(key)


def short_label(label: str) -> str:
    """Label in a report without what its neighbours share: 黄 (yellow) of 黄 (yellow) · colour of the coat."""
    return label.partition(" · ")[0]


def near_baselines(summary: Mapping[str, Any]) -> Iterator[str]:
    """Warnings of a report, one a metric: the systems that beat the best baseline by no more than its margin."""
    for metric, about in summary["metrics"].items():
        means = {name: found["metrics"][metric]["macro"] for name, found in summary["baselines"].items()}
        known = {name: mean for name, mean in means.items() if mean is not None}
        if (margin := about.get("margin")) is None or not known:
            continue
        sign = 1.0 if about["better"] == "higher" else -1.0
        best = max(known, key=lambda name: sign * known[name])
        near = {
            system or summary["evaluator"]: number(mean, about["unit"])
            for system, described in summary["systems"].items()
            if (mean := described["metrics"][metric]["macro"]) is not None and sign * (mean - known[best]) <= margin
        }
        if near:
            systems = listed(f"{name} ({value})" for name, value in near.items())
            other = number(known[best], about["unit"])
            yield say("near_baseline", metric=metric, baseline=best, other=other, systems=systems)


def plain_key(key: str, name: str = "") -> str:
    """A key of a count table in a report sheet, with its name if it has one.

    Of `a→b` an empty side and spaces at its ends can be seen.
    """
    return f"{key} {name}" if name else "→".join(map(_visible, key.split("→")))


def _visible(text: str) -> str:
    inner = text.strip(" ")
    start = len(text) - len(text.lstrip(" "))
    return "␣" * start + inner + "␣" * (len(text) - start - len(inner)) or "∅"


def _baselines(summary: dict[str, Any]) -> Iterator[Sheet]:
    if baselines := summary["baselines"]:
        rows = tuple(
            (
                SheetCell(metric_label(metric, about["better"]), about["primary"]),
                *(
                    SheetCell(number(described["metrics"][metric]["macro"], about["unit"]))
                    for described in baselines.values()
                ),
            )
            for metric, about in summary["metrics"].items()
        )
        warnings = " ".join(near_baselines(summary))
        yield Sheet(say("baselines"), (say("metric"), *baselines), rows, say("baselines_note"), warnings)


def _slices(summary: dict[str, Any]) -> Iterator[Sheet]:
    """The primary metric by each slice key, of samples; and of units by their labels."""
    meanings = find_meanings(summary["evaluator"])
    sliced = {system: described.get("slices", {}) for system, described in summary["systems"].items()}
    for key in dict.fromkeys(key for slices in sliced.values() for key in slices):
        yield _slice(summary, key, say("by_slice", key=key), {s: slices.get(key, {}) for s, slices in sliced.items()})
    labelled = {
        (kind, key): None
        for described in summary["systems"].values()
        for kind, units in described["units"].items()
        for key in units["slices"]
    }
    for kind, key in labelled:
        units = {s: d["units"].get(kind, {}).get("slices", {}).get(key, {}) for s, d in summary["systems"].items()}
        if any(primary_metric(summary) in inside["metrics"] for values in units.values() for inside in values.values()):
            named, by = kind_label(kind, meanings), kind_label(key, meanings)
            title = say("by_slice", key=by) if kind == key else say("units_by_slice", kind=named, key=by)
            yield _slice(summary, key, title, units)


def _slice(summary: dict[str, Any], key: str, title: str, sliced: Mapping[str, Mapping[str, Any]]) -> Sheet:
    name, several = primary_metric(summary), len(summary["systems"]) > 1
    about = summary["metrics"][name]
    label = metric_label(name, about["better"])
    rows = []
    for system, values in sliced.items():
        for value, inside in values.items():
            entry = inside["metrics"].get(name)
            if entry is None:
                continue
            whose = (SheetCell(system_label(system)),) if several else ()
            numbers = (SheetCell(number(entry["macro"], about["unit"])), SheetCell(span(entry["ci"], about["unit"])))
            counts = (SheetCell(str(entry["n"])), SheetCell(str(entry["na"] or NOTHING)))
            rows.append((SheetCell(value or say("no_value")), *whose, *numbers, *counts))
    return Sheet(title, (key, *((say("system"),) if several else ()), label, say("interval"), "n", "N/A"), tuple(rows))


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
                        SheetCell(text)
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
        yield Sheet(say("per_unit", kind=kind_label(kind, find_meanings(summary["evaluator"]))), header, tuple(rows))


def issue_counts(summary: Mapping[str, Any]) -> list[tuple[str, str, str, int]]:
    """Issues of samples for a report, the gravest first, as code, severity, system and count; systems side by side."""
    found = [
        (code, severity, system, count)
        for system, described in summary["systems"].items()
        for code, by_severity in described["issues"].items()
        for severity, count in by_severity.items()
    ]
    return sorted(found, key=lambda each: (GRAVEST_FIRST.index(each[1]), each[0]))


def issue_rows(summary: Mapping[str, Any]) -> list[tuple[str, list[int]]]:
    """Issues for a report page as code and count of each system: of the input, then of samples, the gravest first."""
    systems = list(summary["systems"])
    rows: dict[tuple[str, str], dict[str, int]] = {}
    extra = summary["input"]["extra_predictions"]
    found = [("extra_prediction", "", system, count) for system, count in extra.items() if count]
    for code, severity, system, count in (*found, *issue_counts(summary)):
        rows.setdefault((code, severity), {})[system] = count
    return [(code, [counts.get(system, 0) for system in systems]) for (code, _), counts in rows.items()]


def _issues(summary: dict[str, Any]) -> Iterator[Sheet]:
    about, evaluator = summary["input"], summary["evaluator"]
    found = []
    if about["bad_rows"]:
        found.append(("bad_row", "error", NOTHING, about["bad_rows"], about["bad_examples"][0]))
    for system, count in about["extra_predictions"].items():
        if count:
            meaning = issue_text("extra_prediction", evaluator)
            found.append(("extra_prediction", "warning", system_label(system), count, meaning))
    found += [
        (code, severity, system_label(system), count, issue_text(code, evaluator))
        for code, severity, system, count in issue_counts(summary)
    ]
    if found:
        header = (say("issue"), say("severity"), say("system"), say("count"), say("meaning"))
        rows = tuple(
            (SheetCell(code), SheetCell(say(f"severity_{severity}")), *map(SheetCell, (system, str(count), meaning)))
            for code, severity, system, count, meaning in found
        )
        yield Sheet(say("issues"), header, rows)


def issue_text(code: str, evaluator: str) -> str:
    """Explain an issue code of an evaluator in a report sheet; "" if there is no explanation."""
    return find_meanings(evaluator).of("issues", code)


def best_of(values: Iterable[float | None], better: str) -> float | None:
    """Best of the means in a row of a report sheet; None if all that are known are equal."""
    known = [value for value in values if value is not None]
    return None if len(set(known)) < 2 else max(known) if better == "higher" else min(known)
