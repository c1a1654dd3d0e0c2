"""HTML pages: the report of a run, the index of several runs, and a comparison of systems.

Each page is one file that loads nothing. Model output enters it as text, never as markup. A page carries its texts in
both languages, so that a reader can switch.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from importlib import resources
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from jatdae.core.messages import COMMON, LANGUAGES, Kind, language
from jatdae.core.registry import EvidenceView, find_meanings, views_of
from jatdae.report.charts import Dot, dot_plot
from jatdae.report.differences import ComparedSystem, pair_columns, regression_sheets
from jatdae.report.figures import Figure, figures_of
from jatdae.report.paper import Paper
from jatdae.report.samples import (
    MOST_EVIDENCE,
    MOST_VALUES,
    SampleRows,
    columns_of,
    details_of,
    gather_systems,
    read_rows,
    worst_first,
)
from jatdae.report.sheets import holds_numbers, metric_label
from jatdae.report.svg import COLOURS, to_page
from jatdae.run.stats.compare import Comparison, gain
from jatdae.run.stats.result import Result, metrics_of
from jatdae.run.stats.shown import NOTHING, change, number, p_value, span

SCRIPTS: Final = (
    "dom.js", "words.js", "numbers.js", "theme.js", "tree.js", "views.js", "samples.js", "detail.js", "charts.js",
    "main.js",
)  # fmt: skip
"""The page's own script, in the order in which one part needs another."""
TOOLS: Final = ("view", "el", "svg", "table", "titled", "word", "say", "label", "knows", "number", "grouped")
"""What `evidence.js` of an evaluator is given; views.js makes them."""
WORDS: Final = (
    "all_samples", "baselines", "baselines_note", "by_slice", "clusters", "count", "interval", "issue", "issues",
    "macro", "meaning", "metric", "micro", "na_count", "no_samples", "no_value", "paired_by", "per_unit", "regressions",
    "sample", "samples", "system", "unpaired", "win_tie_loss", "page_and_left_out", "page_any", "page_better_higher",
    "page_better_lower", "page_blank", "page_close", "page_comparison", "page_copied", "page_copy", "page_dark",
    "page_differences", "page_distribution", "page_distribution_note", "page_evidence_absent", "page_filter_issue",
    "page_filter_text", "page_headline", "page_index", "page_interval_note", "page_keys", "page_language", "page_light",
    "page_next", "page_no_issue", "page_no_match", "page_none_left", "page_of", "page_open", "page_p_note",
    "page_paper", "page_prediction", "page_previous", "page_reference", "page_regressions", "page_shown_of",
    "page_slices_note", "page_theme", "page_tradeoff", "page_units",
)  # fmt: skip
"""Messages that pages use."""


def to_html(result: Result, samples: int | None = MOST_EVIDENCE, papers: Mapping[str, Paper] | None = None) -> str:
    """HTML report page of a run, with evidence for its `samples` worst samples (None: for all).

    `papers` is the table for a paper by language, if the run has one.
    """
    rows = read_rows(result)
    summary = result.summary
    systems = list(summary["systems"])
    kept = gather_systems(worst_first(rows, result.metrics), rows, MOST_VALUES)
    chosen = kept if samples is None else kept[:samples]
    at = {row: place for place, row in enumerate(kept)}
    found = details_of(result, rows, chosen)
    data = {
        **_facts(summary, systems),
        "rows": columns_of(rows, kept, systems),
        "details": {at[row]: detail for row, detail in found.items()},
    }
    codes = sorted({code for found in summary["systems"].values() for code in found["issues"]} | _input_issues(summary))
    return _render(
        "report.html.j2",
        data,
        issues=codes,
        summary=summary,
        figures=figures_of(result, rows),
        best=_best_systems(summary),
        papers=papers,
        embedded=len(kept),
        total=len(rows.ids),
        explained=len(chosen),
    )


def to_index(runs: Mapping[str, Mapping[str, Any]]) -> str:
    """HTML index page of several runs with the headline of each and a link to its report.

    Keys of `runs` are relative addresses.
    """
    shown = [(place, summary, _best_systems(summary)) for place, summary in runs.items()]
    return _render("index.html.j2", {}, runs=shown)


def to_comparison_page(sides: Sequence[ComparedSystem], comparisons: Sequence[Comparison]) -> str:
    """HTML page of a comparison: differences to the first system, and evidence for the worst regressions."""
    wanted = {lost.id for each in comparisons for d in each.differences for lost in d.regressions}
    rows, found = _compared_rows(sides, wanted)
    names = [side.name for side in sides]
    order = _lost_most(rows, comparisons)
    place = {row: at for at, row in enumerate(order)}
    data = {
        **_facts(sides[0].result.summary, names),
        "base": 0,
        "rows": columns_of(rows, order, names),
        "details": {place[row]: detail for row, detail in found.items()},
    }
    codes = sorted({code for codes in rows.issues for code in codes})
    return _render(
        "comparison.html.j2",
        data,
        issues=codes,
        comparisons=comparisons,
        evaluator=sides[0].result.summary["evaluator"],
        charts=_difference_charts(comparisons),
        change=change,
        p_value=p_value,
        pair_columns=pair_columns,
        lost=[sheet for each in comparisons for sheet in regression_sheets(each, _word)],
    )


def _facts(summary: Mapping[str, Any], systems: Sequence[str]) -> dict[str, Any]:
    """What the script of a page needs to know of a run beside its samples."""
    return {
        "evaluator": summary["evaluator"],
        "metrics": [
            {"name": m.name, "better": m.better, "unit": m.unit, "primary": m.primary}
            for m in metrics_of(dict(summary))
        ],
        "systems": list(systems),
    }


def _input_issues(summary: Mapping[str, Any]) -> set[str]:
    """Issue codes of the input, found before any sample was scored."""
    given = summary["input"]
    extra = {"extra_prediction"} if any(given["extra_predictions"].values()) else set()
    return extra | ({"bad_row"} if given["bad_rows"] else set())


def _best_systems(summary: Mapping[str, Any]) -> dict[str, list[str]]:
    """For each metric the systems with the best mean; none if all are equal."""
    found: dict[str, list[str]] = {}
    for metric, known in summary["metrics"].items():
        means = {name: described["metrics"][metric]["macro"] for name, described in summary["systems"].items()}
        values = [value for value in means.values() if value is not None]
        top = (max if known["better"] == "higher" else min)(values) if len(set(values)) > 1 else None
        found[metric] = [name for name, value in means.items() if top is not None and value == top]
    return found


def _compared_rows(sides: Sequence[ComparedSystem], wanted: set[str]) -> tuple[SampleRows, dict[int, dict[str, Any]]]:
    """The wanted samples of every compared system, under the name it has in the comparison."""
    metrics = len(sides[0].result.metrics)
    rows = SampleRows(values=[[] for _ in range(metrics)])
    found: dict[int, dict[str, Any]] = {}
    for side in sides:
        own = read_rows(side.result)
        kept = [at for at, name in enumerate(own.ids) if name in wanted and own.systems[at] == side.system]
        described = details_of(side.result, own, kept)
        for at in kept:
            found[len(rows.ids)] = described[at]
            rows.ids.append(own.ids[at])
            rows.systems.append(side.name)
            rows.meta.append(own.meta[at])
            rows.issues.append(own.issues[at])
            for to, column in zip(rows.values, own.values, strict=True):
                to.append(column[at])
    return rows, found


def _lost_most(rows: SampleRows, comparisons: Sequence[Comparison]) -> list[int]:
    """Row numbers, the worst regressions of the primary metric first, both sides of a sample together."""
    ranked = sorted(
        (gain(d.metric, lost.b - lost.a), lost.id)
        for each in comparisons
        for d in each.differences
        for lost in d.regressions
        if d.metric.primary
    )
    rank = {name: at for at, (_, name) in reversed(list(enumerate(ranked)))}
    return sorted(range(len(rows.ids)), key=lambda row: (rank.get(rows.ids[row], len(rank)), rows.ids[row], row))


def _difference_charts(comparisons: Sequence[Comparison]) -> list[Figure]:
    """For each metric a chart with the differences of all systems."""
    made = []
    for at, first in enumerate(comparisons[0].differences):
        rows = [(each.b, each.differences[at]) for each in comparisons]
        dots = [Dot(name, row.delta, row.ci, row.n, number) for number, (name, row) in enumerate(rows, 1)]
        if any(dot.value is not None for dot in dots):
            title = f"Δ {metric_label(first.metric.name, first.metric.better)}"
            chart = dot_plot(title, first.metric.unit, dots, zero=True)
            made.append(Figure("difference", "", first.metric.name, chart))
    return made


def _render(template: str, data: Mapping[str, Any], *, issues: Iterable[str] = (), **shown: Any) -> str:
    """Fill a template. `data` is what the script of the page reads, `issues` are the codes that the page explains."""
    evaluator = str(data.get("evaluator", ""))
    views = views_of(evaluator)
    meanings = _meanings(evaluator, issues, [metric["name"] for metric in data.get("metrics", ())])
    words = {each: {**_page_words(each), **_view_words(views, each), **meanings[each]} for each in LANGUAGES}
    script = "\n".join(map(_asset, SCRIPTS))
    view_scripts = [_view_script(name, view.script) for name, view in views.items() if view.script]
    styles = [_asset("page.css"), *(_view_style(view.style) for view in views.values() if view.style)]
    return (
        _environment()
        .get_template(template)
        .render(
            policy=_policy(styles, [*view_scripts, script]),
            styles=map(Markup, styles),
            views=map(Markup, view_scripts),
            script=Markup(script),  # noqa: S704 - files of this package
            data=Markup(to_script({"language": language(), "words": words, **data})),  # noqa: S704 - escaped for a script
            language=language(),
            meaning=partial(_meaning, meanings[language()]),
            direction=partial(_direction, meanings[language()]),
            **shown,
        )
    )


def _view_script(name: str, source: str) -> str:
    """Script of an evidence view inside a function of its own, which the page calls with its tools.

    The block inside the function lets a view have names of its own that are also those of tools.
    """
    harmless = re.sub("<(?=/script|!--)", r"\\x3c", source, flags=re.IGNORECASE)
    function = f"({{ {', '.join(TOOLS)} }}) => {{{{\n{harmless}\n}}}}"
    return f'"use strict";\n(globalThis.evidenceViews ??= []).push(["{name}", {function}]);\n'


def _view_style(source: str) -> str:
    return re.sub("<(?=/style)", r"\\3c ", source, flags=re.IGNORECASE)


def to_script(value: Any) -> str:
    """Value as JSON that is safe inside a script element of a report page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _page_words(language: str) -> dict[str, str]:
    return {key: COMMON.table("messages", language)[key] for key in WORDS}


def _view_words(views: Mapping[str, EvidenceView], language: str) -> dict[str, str]:
    """Words of evidence views under the name of their evaluator; English stands in for what a language lacks."""
    return {
        f"view:{name}:{key}": text
        for name, view in views.items()
        for key in {**view.texts.table("words", "en"), **view.texts.table("words", language)}
        if (text := view.texts.find("words", key, language))
    }


def _meanings(evaluator: str, issues: Iterable[str], metrics: Iterable[str]) -> dict[str, dict[str, str]]:
    """By language: what the issues and metrics of a page mean, those that have a meaning."""
    known = find_meanings(evaluator)
    names: list[tuple[Kind, str, str]] = [("issues", f"issue:{code}", code) for code in issues]
    names += [("metrics", f"metric:{name}", name) for name in metrics]
    return {
        each: {key: text for kind, key, name in names if (text := known.of(kind, name, each))} for each in LANGUAGES
    }


def _word(key: str, /, **blanks: object) -> Markup:
    """A message of the package, marked so that the page can switch its language."""
    text = COMMON.table("messages")[key].format(**blanks)
    fill = Markup(' data-fill="{}"').format(json.dumps(blanks, ensure_ascii=False)) if blanks else ""
    return Markup('<span data-word="{}"{}>{}</span>').format(key, fill, text)


def _meaning(known: Mapping[str, str], code: str) -> Markup:
    """What an issue means, marked in the same way; a dash if that is not known."""
    key = f"issue:{code}"
    return Markup('<span data-word="{}">{}</span>').format(key, known[key]) if key in known else escape(NOTHING)


def _label(key: str, /) -> Markup:
    """The same as the name of a control for screen readers."""
    return Markup('data-label="{}" aria-label="{}"').format(key, COMMON.table("messages")[key])


def _chart(figure: Figure) -> Markup:
    """A chart inside the page; its texts were escaped when it was drawn."""
    return Markup(to_page(figure.chart))  # noqa: S704 - escaped when drawn


def _direction(known: Mapping[str, str], name: str, better: str | None) -> Markup:
    """A metric's name, which tells its meaning when pointed at, with its arrow, spelled out for screen readers."""
    key = f"metric:{name}"
    label = escape(name)
    if key in known:
        label = Markup('<span title="{}" data-title="{}">{}</span>').format(known[key], key, name)
    if better is None:
        return label
    said = _word(f"page_better_{better}")
    return Markup('{} <span class="arrow" aria-hidden="true">{}</span><span class="unseen">{}</span>').format(
        label, metric_label("", better).strip(), said
    )


def _policy(styles: Sequence[str], scripts: Sequence[str]) -> str:
    """Content security policy: load nothing, run only the page's own styles and scripts."""
    style_hashes, script_hashes = (" ".join(f"'{_hash(text)}'" for text in texts) for texts in (styles, scripts))
    return (
        f"default-src 'none'; style-src {style_hashes}; script-src {script_hashes}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


@cache
def _asset(name: str) -> str:
    return (resources.files("jatdae.report") / "assets" / name).read_text("utf-8")


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("jatdae.report", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        word=_word,
        label=_label,
        chart=_chart,
        number=number,
        holds_numbers=holds_numbers,
        span=span,
        colours=COLOURS,
    )
    return made
