"""Results in a notebook: compact HTML that takes its colours from the theme around it, and the same as plain text.

No script and no style sheet: viewers of notebooks drop both. Model output enters as text, never as markup.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup
from rich.cells import cell_len

from jatdae.core.errors import UsageError
from jatdae.core.messages import language, printable, say, shown
from jatdae.core.registry import find_meanings, findings_of
from jatdae.core.writing import write_atomically
from jatdae.report.differences import difference_sheets
from jatdae.report.forms import FORMATS, SUFFIXES, format_of
from jatdae.report.sheets import Sheet, SheetCell, holds_numbers, metric_label, sheets
from jatdae.run.stats.compare import Comparison
from jatdae.run.stats.result import Result, SampleResult, choose_metrics, narrowed
from jatdae.run.stats.shown import number, system_label
from jatdae.run.stats.verdict import compare_with_best, verdict, verdict_on

MOST_ROWS: Final = 20
"""Rows of a table that a notebook shows."""
MOST_COLUMNS: Final = 8
MOST_SHEETS: Final = 8
"""Tables below the headline of a result."""
WIDEST: Final = 16
"""Columns of a table."""
LONGEST_CELL: Final = 80
"""Characters of a cell, such as the id of a sample."""
LONGEST_NOTE: Final = 1000
"""Characters of a verdict, a note or a title."""
MOST_FINDINGS: Final = 15
"""Lines on what is wrong in a sample."""
MOST_DEPTH: Final = 4
"""Levels of evidence that are shown."""
LONGEST: Final = 200
"""Characters of a text inside evidence that are shown."""
LONGEST_PROSE: Final = 4000
"""Characters of two aligned texts that are shown."""
LONGEST_LINE: Final = 600
"""The same on a terminal, where of equal text only what stands beside an error is shown."""
BESIDE: Final = 20
"""Characters of it on each side."""
IN_WORDS: Final = ("md", "latex")
"""Reports for people, which show the metrics of the evaluator's family."""

_BOX: Final = "font-family:sans-serif;font-size:13px;color:inherit;max-width:60em"
_TABLE: Final = "border-collapse:collapse;margin:.3em 0;color:inherit;background:transparent;font-size:13px"
_ROW: Final = "border-bottom:1px solid rgba(128,128,128,.35);vertical-align:top;background:transparent"
_CELL: Final = "padding:2px 10px 2px 0;text-align:"
_NOTE: Final = "opacity:.75;font-size:12px;margin:.3em 0;overflow-wrap:anywhere"
_MARKS: Final = {
    "del": "background:rgba(229,83,75,.35);color:inherit;text-decoration:line-through",
    "ins": "background:rgba(46,160,67,.35);color:inherit;text-decoration:none",
}


def result_html(result: Result) -> str:
    """A result in a notebook: verdict and headline, then the other tables folded away."""
    summary = narrowed(result.summary, choose_metrics(result.summary, None))
    first, *others = sheets(summary)
    headline = replace(first, hint="")  # it names a flag; here the other metrics are in `Result.table`
    said = verdict(summary, compare_with_best(summary, lambda: replace(result, summary=summary)))
    return _box(
        _paragraph(said),
        _sheet(headline),
        *map(_folded, others[:MOST_SHEETS]),
        _note(say("sheets_more", n=len(others) - MOST_SHEETS) if len(others) > MOST_SHEETS else ""),
        *(_note(note) for note in result.notes),
        _note(headline.note),
    )


def comparison_html(comparison: Comparison) -> str:
    """A comparison in a notebook: verdict and differences, then the worst regressions folded away."""
    differences, *others = difference_sheets(comparison)
    note = _note(differences.note)
    return _box(_paragraph(verdict_on(comparison)), _sheet(differences), *map(_folded, others), note)


def sample_html(sample: SampleResult) -> str:
    """One sample in a notebook: its values, its issues, what was found in words, and all of its evidence folded away.

    An evaluator that does not say what it found has its evidence shown as a table or a tree.
    """
    found = _findings(sample)
    evidence = list(_evidence_html(sample.evidence))
    if found:
        folded = Markup("<details><summary>{}</summary>{}</details>").format(
            say("evidence_as_kept"), Markup("").join(evidence)
        )
        told = Markup('<p style="white-space:pre-wrap;margin:.3em 0">{}</p>').format("\n".join(map(printable, found)))
        evidence = [told, *map(_alignment_html, _aligned_texts(sample.evidence)), folded]
    return _box(_sheet(_values_sheet(sample)), *map(_note, _issue_lines(sample, sample.issues)), *evidence)


def sample_text(sample: SampleResult) -> str:
    """One sample as lines of text: its values, its issues, and what was found in words, else its evidence."""
    about = sample.summary["metrics"]
    values = [f"{name} = {number(value, about[name]['unit'])}" for name, value in _shown_values(sample)]
    if (more := len(values) - MOST_ROWS) > 0:
        values = [*values[:MOST_ROWS], say("rows_more", n=more)]
    told: Iterable[str] = _findings(sample)
    if told:
        told = [*told, *(line for runs in _aligned_texts(sample.evidence) for line in _alignment_lines(runs, ""))]
    issues = _issue_lines(sample, [issue for issue in sample.issues if issue["severity"] != "info"])
    lines = (*values, *issues, *(told or _evidence_lines(sample.evidence, "")))
    return "\n".join([printable(_sample_title(sample)), *(f"  {printable(line)}" for line in lines)])


def _findings(sample: SampleResult) -> list[str]:
    found = findings_of(sample.summary["evaluator"], sample.evidence)
    more = len(found) - MOST_FINDINGS
    return [*found[:MOST_FINDINGS], say("lines_more", n=more)] if more > 1 else found


def _issue_lines(sample: SampleResult, issues: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """Issues as they were reported, in English; before that, what they mean in the reader's language."""
    meanings = find_meanings(sample.summary["evaluator"])
    for issue in issues:
        meaning = "" if language() == "en" else meanings.of("issues", issue["code"])
        detail = f"{meaning} ({issue['message']})" if meaning else issue["message"]
        yield f"{issue['code']}: {shown(detail, LONGEST)}"


def _aligned_texts(evidence: Any) -> list[list[dict[str, Any]]]:
    """Two aligned texts that are the main part of some evidence, if they are: the first that it has."""
    parts = evidence.values() if isinstance(evidence, Mapping) else ()
    return [value for value in parts if is_alignment(value)][:1]


def write_report(result: Result, path: Path) -> Path:
    """Write a report on a result to a file whose suffix tells the format; returns its path."""
    form = format_of(path)
    if form == "html":
        from jatdae.report.pages import to_html

        text = to_html(result)
    elif form == "junit":
        from jatdae.report.junit import to_junit

        text = to_junit(result)
    elif form in FORMATS:
        summary = result.summary
        if form in IN_WORDS:
            summary = narrowed(summary, choose_metrics(summary, None))
        text = FORMATS[form](summary, verdict(summary, compare_with_best(summary, lambda: result)))
    else:
        raise UsageError(say("report_suffix", file=path, known=", ".join(f".{suffix}" for suffix in SUFFIXES)))
    write_atomically(path, text)
    return path


def _values_sheet(sample: SampleResult) -> Sheet:
    about = sample.summary["metrics"]
    rows = tuple(
        (SheetCell(metric_label(name, about[name]["better"]), about[name]["primary"]),
         SheetCell(number(value, about[name]["unit"])))
        for name, value in _shown_values(sample)
    )  # fmt: skip
    return Sheet(_sample_title(sample), (say("metric"), say("value")), rows)


def _shown_values(sample: SampleResult) -> list[tuple[str, float | None]]:
    """Values of the evaluator's family."""
    return [(name, sample.values[name]) for name in choose_metrics(sample.summary, None)]


def _sample_title(sample: SampleResult) -> str:
    name = f"{say('sample')} {shown(sample.id)}"
    return f"{name} · {system_label(sample.system)}" if sample.system else name


def _box(*parts: Markup) -> str:
    return str(Markup('<div lang="{}" style="{}">{}</div>').format(language(), _BOX, Markup("").join(parts)))


def _paragraph(text: str) -> Markup:
    return Markup('<p style="margin:.3em 0">{}</p>').format(_said(text)) if text else Markup("")


def _said(text: str) -> str:
    return printable(_cut(text, LONGEST_NOTE))


def _note(text: str) -> Markup:
    return Markup('<p style="{}">{}</p>').format(_NOTE, _said(text)) if text else Markup("")


def _folded(sheet: Sheet) -> Markup:
    return Markup("<details><summary>{}</summary>{}</details>").format(
        _said(sheet.title), _sheet(replace(sheet, title=""))
    )


def _sheet(sheet: Sheet) -> Markup:
    narrow = len(sheet.header) - WIDEST
    if narrow > 0:
        sheet = replace(sheet, header=sheet.header[:WIDEST], rows=tuple(row[:WIDEST] for row in sheet.rows))
    numeric = [holds_numbers(sheet, at) for at in range(len(sheet.header))]
    head = Markup("").join(_cell("th", name, right) for name, right in zip(sheet.header, numeric, strict=True))
    rows = Markup("").join(
        Markup('<tr style="{}">{}</tr>').format(
            _ROW,
            Markup("").join(
                _cell("td", cell.text, right, bold=cell.best) for cell, right in zip(row, numeric, strict=True)
            ),
        )
        for row in sheet.rows[:MOST_ROWS]
    )
    title = Markup("<strong>{}</strong>").format(_said(sheet.title)) if sheet.title else Markup("")
    left_out = len(sheet.rows) - MOST_ROWS
    table = Markup('<table style="{}"><thead><tr style="{}">{}</tr></thead><tbody>{}</tbody></table>').format(
        _TABLE, _ROW, head, rows
    )
    more = [say("rows_more", n=left_out)] if left_out > 0 else []
    more += [say("columns_more", n=narrow)] if narrow > 0 else []
    return title + table + _note(" · ".join(more)) + _note(sheet.hint)


def _cell(tag: str, text: str, right: bool, *, bold: bool = False) -> Markup:
    style = _CELL + ("right;white-space:nowrap" if right else "left") + (";font-weight:bold" if bold else "")
    return Markup("<{0} style='{1}'>{2}</{0}>").format(Markup(tag), style, shown(text, LONGEST_CELL))  # noqa: S704 - th or td


# Evidence is whatever its evaluator gives. Three shapes can be told without knowing which one that was: two aligned
# texts, like records (a list or a mapping of them), and a tree of everything else.


def _evidence_html(value: Any, title: str = "", depth: int = 0) -> Iterator[Markup]:
    head = Markup("<div><strong>{}</strong></div>").format(printable(title)) if title else Markup("")
    if is_alignment(value):
        yield head + _alignment_html(value)
    elif records := _records(value):
        yield head + _sheet(_records_sheet(records))
    elif isinstance(value, Mapping | list) and value and depth < MOST_DEPTH and not _is_plain_list(value):
        inside = Markup("").join(
            part for name, each in _named(value) for part in _evidence_html(each, name, depth + 1)
        )  # fmt: skip
        if depth == 0:
            yield inside
        else:
            yield Markup('<details><summary>{}</summary><div style="margin-left:1em">{}</div></details>').format(
                printable(title), inside
            )
    elif not _is_empty(value):
        yield Markup("<div><strong>{}</strong> {}</div>").format(printable(title), _scalar(value))


def _alignment_html(runs: Sequence[Mapping[str, Any]]) -> Markup:
    pieces = [
        Markup("<{0} style='{1}'>{2}</{0}>").format(Markup(tag), _MARKS[tag], text)  # noqa: S704 - del or ins
        if tag
        else Markup("{}").format(text)
        for tag, text in _pieces(runs)
    ]
    return Markup('<p style="white-space:pre-wrap;margin:.3em 0">{}</p>').format(Markup("").join(pieces))


def _evidence_lines(value: Any, indent: str, depth: int = 0) -> Iterator[str]:
    if is_alignment(value):
        yield from _alignment_lines(value, indent)
    elif records := _records(value):
        yield from _records_lines(_records_sheet(records), indent)
    elif isinstance(value, Mapping | list) and depth < MOST_DEPTH:
        for name, each in _named(value):
            if isinstance(each, Mapping | list) and not _is_plain_list(each):
                inside = list(_evidence_lines(each, indent + "  ", depth + 1))
                yield from [f"{indent}{name}:", *inside] if inside else ()
            elif not _is_empty(each):
                yield f"{indent}{name}: {_scalar(each)}"


def _alignment_lines(runs: Sequence[Mapping[str, Any]], indent: str) -> Iterator[str]:
    marks = {"del": "[-{}-]", "ins": "{{+{}+}}", "": "{}"}
    short = "".join(marks[tag].format(text if tag else _ends(text)) for tag, text in _pieces(runs))
    for line in _cut(short, LONGEST_LINE).splitlines()[:MOST_ROWS]:
        yield indent + line


def _ends(text: str) -> str:
    """Beginning and end of a text: what stands beside the errors before and after it."""
    return text if len(text) <= 2 * BESIDE + 1 else f"{text[:BESIDE]}…{text[-BESIDE:]}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} …"


def _records_lines(sheet: Sheet, indent: str) -> Iterator[str]:
    rows = [sheet.header] if any(sheet.header) else []
    rows += [tuple(cell.text for cell in row) for row in sheet.rows[:MOST_ROWS]]
    widths = [max(cell_len(row[at]) for row in rows) for at in range(len(sheet.header))]
    for row in rows:
        padded = (text + " " * (width - cell_len(text)) for text, width in zip(row, widths, strict=True))
        yield (indent + "  ".join(padded)).rstrip()
    if len(sheet.rows) > MOST_ROWS:
        yield indent + say("rows_more", n=len(sheet.rows) - MOST_ROWS)


def is_alignment(value: Any) -> bool:
    """Whether evidence in a notebook is two aligned texts: runs of `reference`, `prediction` or both."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(run, Mapping) and "kind" in run and "at" in run for run in value)
    )


def _records(value: Any) -> list[dict[str, Any]]:
    """Evidence as like records of plain values, if it is a list or a mapping of at least two; else none."""
    if isinstance(value, list) and value and all(isinstance(each, Mapping) and _is_flat(each) for each in value):
        return value
    if isinstance(value, list) and len(value) > 1 and all(_is_plain_list(each) and each for each in value):
        return [{str(at): cell for at, cell in enumerate(each)} for each in value]
    if isinstance(value, Mapping) and len(value) > 1:
        if all(isinstance(each, Mapping) and _is_flat(each) for each in value.values()):
            return [{"": name, **each} for name, each in value.items()]
        if all(_is_plain_list(each) and each for each in value.values()):
            return [{"": name, **{str(at): cell for at, cell in enumerate(each)}} for name, each in value.items()]
    return []


def _is_plain_list(value: Any) -> bool:
    return isinstance(value, list) and not any(isinstance(each, Mapping | list) for each in value)


def _is_flat(record: Mapping[str, Any]) -> bool:
    nested = [each for each in record.values() if isinstance(each, Mapping | list)]
    return bool(record) and all(map(_is_plain_list, nested))


def _pieces(runs: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Two aligned texts as one: what both have, what the reference has (del), what the prediction has (ins)."""
    left = LONGEST_PROSE
    for run in runs:
        if left <= 0:
            yield "", " …"
            return
        if run["kind"] == "equal":
            found = [("", str(run.get("reference", "")))]
        else:
            found = [(tag, str(run.get(side, ""))) for tag, side in (("del", "reference"), ("ins", "prediction"))]
        for tag, text in found:
            if text:
                yield tag, "\n".join(map(printable, text.split("\n")))
                left -= len(text)


def _records_sheet(records: Sequence[Mapping[str, Any]]) -> Sheet:
    """Records as a table, those with something false in them first.

    If there are too many columns, those that are the same in all records are left out.
    """
    rows = sorted(records, key=lambda record: not any(value is False for value in record.values()))
    names = list(dict.fromkeys(name for record in rows for name in record))
    if len(names) > MOST_COLUMNS:
        names = [name for name in names if len({_scalar(record.get(name)) for record in rows}) > 1] or names
    names = names[:MOST_COLUMNS]
    cells = tuple(tuple(SheetCell(_scalar(record.get(name))) for name in names) for record in rows)
    return Sheet("", tuple("" if name.isdecimal() else name for name in names), cells)


def _named(value: Mapping[str, Any] | list[Any]) -> Iterator[tuple[str, Any]]:
    pairs = value.items() if isinstance(value, Mapping) else enumerate(value, 1)
    for at, (name, each) in enumerate(pairs):
        if at == MOST_ROWS:
            yield "…", say("rows_more", n=len(value) - MOST_ROWS)
            return
        yield str(name), each


def _is_empty(value: Any) -> bool:
    return value is None or value in ("", [], {})


def _scalar(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return shown(", ".join(map(_scalar, value)), LONGEST)
    return shown(str(value), LONGEST)
