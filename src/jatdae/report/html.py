"""HTML pages of jatdae: one file that loads nothing, filled from a template.

Model output enters a page as text, never as markup. A page carries its texts in both languages, so that a reader can
switch.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from importlib import resources
from types import MappingProxyType
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from jatdae.core.messages import COMMON, LANGUAGES, Kind, language
from jatdae.core.registry import EvidenceView, documentation_of, find_meanings, views_of
from jatdae.report.figures import Figure
from jatdae.report.sheets import holds_numbers, metric_label, plain_key, short_label
from jatdae.report.svg import COLOURS, to_page
from jatdae.run.stats.result import metrics_of
from jatdae.run.stats.shown import NOTHING, number, span

SCRIPTS: Final = (
    "dom.js", "words.js", "numbers.js", "theme.js", "about.js", "contents.js", "tree.js", "letters.js", "views.js",
    "samples.js", "detail.js", "charts.js", "main.js",
)  # fmt: skip
"""The page's own script, in the order in which one part needs another."""
TOOLS: Final = (
    "view", "draw", "el", "svg", "table", "titled", "letters", "word", "say", "label", "knows", "translated", "number",
    "grouped",
)  # fmt: skip
"""What `evidence.js` of an evaluator is given; views.js makes them."""
WORDS: Final = (
    "all_samples", "baseline", "baselines", "baselines_note", "by_slice", "clusters", "count", "improvements",
    "interval", "issue", "issues", "macro", "meaning", "metric", "micro", "mistake_key", "mistakes",
    "mistakes_left_out", "na_count", "no_samples", "no_value", "paired_by", "per_unit", "rates", "rates_instead",
    "regressions", "sample", "samples", "system", "unpaired", "win_tie_loss", "page_all_metrics", "page_and_left_out",
    "page_any", "page_behind", "page_behind_all", "page_behind_clear", "page_behind_of", "page_better_higher",
    "page_better_lower", "page_blank", "page_close", "page_comparison", "page_contents", "page_copied", "page_copy",
    "page_dark", "page_differences", "page_distribution", "page_distribution_note", "page_docs", "page_docs_file",
    "page_drawn", "page_evidence_absent", "page_evidence_all", "page_evidence_each", "page_evidence_of",
    "page_filter_issue", "page_filter_text", "page_flawless", "page_forest_note", "page_gate_failed", "page_gate_met",
    "page_gates", "page_headline", "page_improvements", "page_index", "page_interval_note", "page_keys",
    "page_language", "page_light", "page_method", "page_metrics", "page_mistakes_note", "page_more_metrics",
    "page_more_mistakes", "page_next", "page_no_issue", "page_no_match", "page_no_mistakes", "page_no_regression",
    "page_none_left", "page_numbers_only", "page_of", "page_open", "page_p_note", "page_paper", "page_prediction",
    "page_previous", "page_reference", "page_regressions", "page_show_samples", "page_shown_all", "page_side_a",
    "page_side_b", "page_side_better", "page_side_worse", "page_slices_note", "page_slices_untested", "page_systems",
    "page_theme", "page_tradeoff", "page_units", "page_verdict", "page_worst",
)  # fmt: skip
"""Messages that pages use."""


def render(
    template: str,
    data: Mapping[str, Any],
    *,
    issues: Iterable[str] = (),
    counts: Iterable[tuple[str, str]] = (),
    rates: Iterable[str] = (),
    labels: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
    **shown: Any,
) -> str:
    """Fill a template. `data` is what the script of the page reads.

    The page explains its metrics and these issue codes, count tables (with a key that it names) and rates. `labels` by
    language stand in the place of keys.
    """
    evaluator = str(data.get("evaluator", ""))
    views = views_of(evaluator)
    named = _names([metric["name"] for metric in data.get("metrics", ())], issues, counts, rates)
    meanings = _meanings(evaluator, named)
    for each, known in meanings.items():
        known |= {f"key:{key}": by[each] for key, by in labels.items() if each in by}
        known |= {f"short:{key}": short_label(by[each]) for key, by in labels.items() if each in by}
    words = {each: {**_page_words(each), **_view_words(views, each), **meanings[each]} for each in LANGUAGES}
    about = {"language": language(), "words": words, "docs": documentation_of(evaluator)}
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
            data=Markup(to_script({**about, **data})),  # noqa: S704 - escaped for a script
            language=language(),
            meaning=partial(_meaning, meanings[language()]),
            direction=partial(_direction, meanings[language()]),
            term=partial(_term, meanings[language()]),
            mistake_kind=partial(_kind, meanings[language()]),
            mistake_key=partial(_key, meanings[language()]),
            short_key=partial(_short_key, meanings[language()]),
            rate_word=partial(_rate_word, meanings[language()]),
            **shown,
        )
    )


def facts_of(summary: Mapping[str, Any], systems: Sequence[str]) -> dict[str, Any]:
    """What the script of a page needs to know of a run beside its samples."""
    return {
        "evaluator": summary["evaluator"],
        "metrics": [
            {"name": m.name, "better": m.better, "unit": m.unit, "primary": m.primary, "family": m.family}
            for m in metrics_of(dict(summary))
        ],
        "systems": list(systems),
    }


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


def _names(
    metrics: Iterable[str], issues: Iterable[str], counts: Iterable[tuple[str, str]], rates: Iterable[str]
) -> dict[str, tuple[Kind, str]]:
    """Words of a page for the names of its evaluator: the key of each word, and where its text is found."""
    named: dict[str, tuple[Kind, str]] = {f"metric:{name}": ("metrics", name) for name in metrics}
    named |= {f"issue:{code}": ("issues", code) for code in issues}
    for name in rates:
        named[f"rate:{name}"] = ("rates", name)
        named[f"rate.{name}"] = ("words", f"rate.{name}")
    named |= {f"rate.{name}": ("words", f"rate.{name}") for name in ("title", "key")}
    for table, key in counts:
        named[f"counts:{table}"] = ("counts", table)
        named[f"count:{table}"] = ("words", f"count.{table}")
        named[f"key:{key}"] = ("words", f"key.{key}")
    return named


def _meanings(evaluator: str, named: Mapping[str, tuple[Kind, str]]) -> dict[str, dict[str, str]]:
    """By language: what the names of a page mean, those that have a meaning."""
    known = find_meanings(evaluator)
    return {
        each: {key: text for key, (kind, name) in named.items() if (text := known.of(kind, name, each))}
        for each in LANGUAGES
    }


def word(key: str, /, **blanks: object) -> Markup:
    """A message of the package, marked so that the page can switch its language."""
    text = COMMON.table("messages")[key].format(**blanks)
    fill = Markup(' data-fill="{}"').format(json.dumps(blanks, ensure_ascii=False)) if blanks else ""
    return Markup('<span data-word="{}"{}>{}</span>').format(key, fill, text)


def _meaning(known: Mapping[str, str], code: str) -> Markup:
    """What an issue means, marked in the same way; a dash if that is not known."""
    return _known_word(known, f"issue:{code}") or escape(NOTHING)


def _label(key: str, /) -> Markup:
    """The same as the name of a control for screen readers."""
    return Markup('data-label="{}" aria-label="{}"').format(key, COMMON.table("messages")[key])


def _labelled_by(id: str) -> Markup:
    return Markup('aria-labelledby="{}"').format(id)


def _chart(figure: Figure) -> Markup:
    """A chart inside the page; its texts were escaped when it was drawn."""
    return Markup(to_page(figure.chart))  # noqa: S704 - escaped when drawn


def _direction(known: Mapping[str, str], name: str, better: str | None) -> Markup:
    """A metric's name, which explains itself, with its arrow, spelled out for screen readers."""
    label = _term(known, f"metric:{name}", escape(name))
    if better is None:
        return label
    said = word(f"page_better_{better}")
    return Markup('{} <span class="arrow" aria-hidden="true">{}</span><span class="unseen">{}</span>').format(
        label, metric_label("", better).strip(), said
    )


def _term(known: Mapping[str, str], key: str, label: Markup) -> Markup:
    """A name that explains itself when it is pointed at or focused; a plain name if its meaning is not known."""
    if key not in known:
        return label
    return Markup('<button type="button" class="term" data-about="{}">{}</button>').format(key, label)


def _kind(known: Mapping[str, str], table: str) -> Markup:
    """A kind of mistake (a count table) as report sheets call it, which explains itself."""
    return _term(known, f"counts:{table}", _known_word(known, f"count:{table}") or escape(table))


def _key(known: Mapping[str, str], key: str, name: str) -> Markup:
    """What went wrong, a key of a count table, as report sheets call it."""
    said = None if name else _known_word(known, f"key:{key}")
    return said or Markup("<bdi>{}</bdi>").format(plain_key(key, name))


def _short_key(known: Mapping[str, str], key: str) -> Markup:
    """The same in a list of its neighbours."""
    return _known_word(known, f"short:{key}") or Markup("<bdi>{}</bdi>").format(plain_key(key))


def _rate_word(known: Mapping[str, str], name: str, otherwise: str) -> Markup:
    """What the evaluator calls a rate, or the table of its rates; else a word of the page."""
    label = _known_word(known, f"rate.{name}")
    return _term(known, f"rate:{name}", label or (word(otherwise) if otherwise else escape(name)))


def _known_word(known: Mapping[str, str], key: str) -> Markup | None:
    return Markup('<span data-word="{}">{}</span>').format(key, known[key]) if key in known else None


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
    made.filters.update(commas="{:,}".format, percent=lambda share: f"{share:.2f}%")
    made.globals.update(
        word=word,
        label=_label,
        labelled_by=_labelled_by,
        chart=_chart,
        number=number,
        holds_numbers=holds_numbers,
        span=span,
        colours=COLOURS,
    )
    return made
