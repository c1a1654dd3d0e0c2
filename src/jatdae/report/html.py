"""HTML pages of jatdae: one file that loads nothing, filled from a template.

Model output enters a page as text, never as markup. A page carries its texts in both languages, so that a reader can
switch.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import resources
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from jatdae.core.messages import COMMON, LANGUAGES, Kind, language
from jatdae.core.registry import EvidenceView, documentation_of, find_meanings, views_of
from jatdae.core.version import VERSION
from jatdae.report.documentation import documentation_site
from jatdae.report.figures import Figure
from jatdae.report.sheets import holds_numbers, issue_rows, metric_label, plain_key, short_label, table_word
from jatdae.report.svg import COLOURS, to_page
from jatdae.run.stats.mistakes import Mistake
from jatdae.run.stats.pairing import SAMPLE
from jatdae.run.stats.result import metrics_of
from jatdae.run.stats.shown import NOTHING, kind_label, number, span

SCRIPTS: Final = (
    "dom.js", "words.js", "numbers.js", "theme.js", "about.js", "names.js", "contents.js", "tree.js", "letters.js",
    "views.js", "samples.js", "detail.js", "charts.js", "main.js",
)  # fmt: skip
"""The page's own script, in the order in which one part needs another."""
PAGE_STYLE: Final = "page.css"
"""Style of every page."""
TOOLS: Final = (
    "view", "draw", "el", "svg", "math", "table", "titled", "letters", "word", "say", "label", "knows", "translated",
    "term", "note", "number", "grouped",
)  # fmt: skip
"""What `evidence.js` of an evaluator is given; views.js makes them."""
WORDS: Final = (
    "about_bar", "about_baseline_constant", "about_baseline_empty", "about_baseline_shuffled", "about_clusters",
    "about_count", "about_delta", "about_interval", "about_macro", "about_micro", "about_n", "about_na", "about_p",
    "about_p_holm", "about_paired_by", "about_pairs", "about_rate_n", "about_rates_instead", "about_samples",
    "about_total", "about_unpaired", "about_win_tie_loss", "all_samples", "baseline", "baselines", "baselines_note",
    "clusters", "count", "improvements", "interval", "issue", "issues", "macro", "meaning", "metric", "metric_range",
    "micro", "mistake_key", "mistakes", "mistakes_left_out", "na_count", "no_pairs", "no_samples", "no_value",
    "page_all_metrics", "page_all_numbers", "page_and_left_out", "page_any", "page_behind", "page_behind_all",
    "page_behind_clear", "page_behind_of", "page_better_higher", "page_better_lower", "page_blank", "page_close",
    "page_comparison", "page_contents", "page_copied", "page_copy", "page_counted", "page_dark", "page_differences",
    "page_distribution", "page_distribution_note", "page_docs", "page_docs_at", "page_docs_command", "page_drawn",
    "page_evidence_absent", "page_evidence_all", "page_evidence_each", "page_evidence_of", "page_filter_issue",
    "page_filter_text", "page_flawless", "page_forest_note", "page_gate_failed", "page_gate_met", "page_gates",
    "page_headline", "page_held", "page_held_all", "page_held_evidence", "page_image", "page_images_left_out",
    "page_improvements", "page_index", "page_interval_note", "page_keys", "page_language", "page_light", "page_method",
    "page_metrics", "page_mistakes_note", "page_more_metrics", "page_more_mistakes", "page_n_samples",
    "page_name_entry", "page_names", "page_names_note", "page_next", "page_no_issue", "page_no_match",
    "page_no_mistakes", "page_no_regression", "page_no_sample", "page_none_left", "page_numbers_only", "page_of",
    "page_open", "page_p_note", "page_paper", "page_prediction", "page_previous", "page_reference", "page_regressions",
    "page_rows_of", "page_rules", "page_samples_of", "page_scrolls", "page_show_samples", "page_shown_all",
    "page_shown_grouped", "page_side_a", "page_side_b", "page_side_better", "page_side_worse", "page_slices_note",
    "page_slices_untested", "page_source", "page_systems", "page_theme", "page_tradeoff", "page_units", "page_verdict",
    "page_worst", "paired_by", "rates", "rates_instead", "regressions", "sample", "samples", "system", "unpaired",
    "win_tie_loss",
)  # fmt: skip
"""Messages that pages use."""


@dataclass(frozen=True, slots=True)
class Names:
    """Names of an evaluator that a page explains: metrics, issue codes, count tables with a key of each, and rates."""

    evaluator: str
    metrics: Iterable[str]
    issues: Iterable[str] = ()
    counts: Iterable[tuple[str, str]] = ()
    rates: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    labels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By key of a count table or rate: what stands in its place, by language."""
    scope: str = ""
    """Set before each name on a page of several evaluators, for which one name may mean different things."""

    def meanings(self, language: str) -> Iterator[tuple[str, str]]:
        """The words of the page for the names that have a meaning, each with its key."""
        known = find_meanings(self.evaluator)
        for kind, name, table, text in self._sought():
            if found := known.of(table, text, language):
                yield f"{kind}:{self.scope}{name}", found
        for key, by in self.labels.items():
            if language in by:
                yield f"key:{self.scope}{key}", by[language]
                yield f"short:{self.scope}{key}", short_label(by[language])

    def sources(self) -> Iterator[tuple[str, str]]:
        """The metrics with a source, as the page names them, each with it."""
        known = find_meanings(self.evaluator)
        for name in self.metrics:
            if found := known.of("sources", name, "en"):
                yield f"{self.scope}{name}", found

    def documentation(self, site: str) -> dict[str, Any]:
        """Where the documentation of the names is for who has its `site`, and the metrics it describes as `others`.

        The title tells the names of several evaluators apart.
        """
        texts = find_meanings(self.evaluator).texts
        listed = {name for each in texts for name in each.table("metrics", "en")}
        return {
            "title": self.evaluator if self.scope else "",
            "page": documentation_of(self.evaluator, site),
            "others": [name for name in self.metrics if name not in listed],
        }

    def _sought(self) -> Iterator[tuple[str, str, Kind, str]]:
        """For each word of the page: its kind and name, and the table and name of its text."""
        for name in self.metrics:
            yield "metric", name, "metrics", name
            yield "formula", name, "definitions", name
        for code in self.issues:
            yield "issue", code, "issues", code
        for name in self.rates:
            yield "rate", name, "rates", name
            yield "rate_word", name, "words", f"rate.{name}"
        for name in ("title", "key"):
            yield "rate_word", name, "words", f"rate.{name}"
            for table in sorted({rate["table"] for rate in self.rates.values() if "table" in rate}):
                yield "rate_word", f"{name}.{table}", "words", table_word(name, table)
        for table, key in self.counts:
            yield "counts", table, "counts", table
            yield "count", table, "words", f"count.{table}"
            yield "key", key, "words", f"key.{key}"
            yield "key", f"{table}.{key}", "words", f"key.{table}.{key}"
            yield "why", key, "words", f"why_{key}"


def counted_tables(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Count tables that evidence may name, without a key: those in which any system has something."""
    found = {table: None for system in summary["systems"].values() for table in system["counts"]}
    return [(table, "") for table in found]


OF_SHEETS: Final = ("kind.", "rate.")
"""Words of an evaluator for report sheets and sections of pages, not for its evidence."""
_OF_ONE_KEY: Final = re.compile(r"(?:key\.|why_)(.+)")
ByLanguage = Mapping[str, Mapping[str, str]]
"""By language: what the names of a page mean."""


def render(
    template: str,
    data: Mapping[str, Any],
    names: Sequence[Names],
    *,
    styles: Sequence[str] = (PAGE_STYLE,),
    docs: str | None = None,
    **shown: Any,
) -> str:
    """Fill a template. `data` is what the script of the page reads; the page explains these `names`.

    It links them to the documentation at `docs` (default: as the environment says). A page without texts is made to be
    passed on, so it does not tell a place of this machine.
    """
    site = documentation_site(docs)
    if site.startswith("file:") and not data.get("texts", True):
        site = ""
    evaluator = str(data.get("evaluator", ""))
    views = views_of(evaluator)
    meanings = {each: dict(item for few in names for item in few.meanings(each)) for each in LANGUAGES}
    written = to_script(data)
    script = squeezed("\n".join(map(_asset, SCRIPTS)))
    view_scripts = [_view_script(name, view.script) for name, view in views.items() if view.script]
    rules = [
        *(_squeezed_style(_asset(name)) for name in styles),
        *(_view_style(view.style) for view in views.values() if view.style),
    ]
    page = (
        _environment()
        .get_template(template)
        .render(
            policy=Markup(_policy(rules, [*view_scripts, script])),  # noqa: S704 - hashes in single quotes
            styles=map(Markup, rules),
            views=map(Markup, view_scripts),
            script=Markup(script),  # noqa: S704 - files of this package
            data=_DATA,
            language=language(),
            meaning=partial(_meaning, meanings[language()]),
            direction=partial(_direction, meanings[language()]),
            term=partial(_term, meanings[language()]),
            of_kind=partial(_of_kind, evaluator),
            chart=partial(_chart, evaluator),
            mistake_kind=partial(_kind, meanings[language()]),
            mistake_key=partial(_key, meanings),
            explained_key=partial(_explained_key, meanings),
            short_key=partial(_short_key, meanings[language()]),
            rate_word=partial(_rate_word, meanings[language()]),
            **shown,
        )
    )
    words = {
        each: {**_page_words(each, page), **_view_words(views, each, written), **meanings[each]} for each in LANGUAGES
    }
    places = {each.scope: each.documentation(site) for each in names}
    sources = {name: text for each in names for name, text in each.sources()}
    about = {"language": language(), "words": _catalogue(words), "docs": places, "sources": _by_text(sources)}
    return page.replace(_DATA, f"{to_script(about)[:-1]},{written[1:]}", 1)


def _by_text(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """The names that have each text: a source is that of many metrics."""
    made: dict[str, list[str]] = {}
    for name, text in texts.items():
        made.setdefault(text, []).append(name)
    return made


def _catalogue(words: ByLanguage) -> dict[str, dict[str, list[str]]]:
    """By kind and key: its text in English, and in Korean where that differs.

    The kind (`metric:`, `view:NAME:`; none of the page's own) stands once, not before each key.
    """
    made: dict[str, dict[str, list[str]]] = {}
    for key in dict.fromkeys(key for known in words.values() for key in known):
        name = _KIND.sub("", key)
        texts = dict.fromkeys(known[key] for known in words.values() if key in known)
        made.setdefault(key.removesuffix(name), {})[name] = list(texts)
    return made


_KIND: Final = re.compile("^(?:view:[^:]*:|[^:]*:)")


_DATA: Final = Markup("<!--data-->")
"""Where the data stand in a page: they have the words that it says, which only the finished page tells.

Texts and scripts of a page cannot hold it, because they are escaped.
"""


def facts_of(
    summary: Mapping[str, Any], systems: Sequence[str], colours: Sequence[int] | None = None
) -> dict[str, Any]:
    """What the script of a page needs to know of a run beside its samples; `colours` of systems (default: in turn)."""
    return {
        "evaluator": summary["evaluator"],
        "metrics": metric_facts(summary),
        "systems": list(systems),
        "colours": colours or [at % COLOURS for at in range(len(systems))],
    }


def metric_facts(summary: Mapping[str, Any], scope: str = "") -> list[dict[str, Any]]:
    """What the script of a page needs to know of the metrics of a run; `scope` as in `Names`."""
    return [
        {
            "name": f"{scope}{m.name}",
            "better": m.better,
            "unit": m.unit,
            "range": m.ends,
            **({"primary": True} if m.primary else {}),
            **({"family": True} if m.family else {}),
            **({"told": told} if (told := summary["metrics"][m.name].get("told")) else {}),
        }
        for m in metrics_of(dict(summary))
    ]


def _view_script(name: str, source: str) -> str:
    """Script of an evidence view inside a function of its own, which the page calls with its tools.

    The block inside the function lets a view have names of its own that are also those of tools.
    """
    harmless = re.sub("<(?=/script|!--)", r"\\x3c", squeezed(source), flags=re.IGNORECASE)
    used = [tool for tool in TOOLS if re.search(rf"\b{tool}\b", harmless)]
    function = f"({{{','.join(used)}}})=>{{{{\n{harmless}\n}}}}"
    return f'"use strict";\n(globalThis.evidenceViews ??= []).push(["{name}", {function}]);\n'


def squeezed(script: str) -> str:
    """A script of a report page without comments, indentation and blanks that say nothing.

    Texts of several lines keep theirs, and a comment behind code stays if it has quotes: it may be a text.
    """
    lines, in_text = [], False
    for line in re.sub(r"^[ \t]*//.*\n", "", script, flags=re.MULTILINE).split("\n"):
        turns = line.count("`") % 2 == 1  # a text begins or ends here
        if in_text or turns:
            lines.append(f"{line if in_text else line.lstrip()}\n")
        elif code := re.sub(r"\s+// [^\"'`]*$", "", line).strip(" \t"):
            goes_on = code[-1] in "{([,;" and "//" not in code
            lines.append(_tightened(code) + ("" if goes_on else "\n"))
        in_text ^= turns
    return "".join(lines).removesuffix("\n")


_QUOTED: Final = r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.|\$\{[^`{}"']*\})*`)"""
"""Texts of a script; of those with values between, only such as have no text inside a value."""


def _tightened(line: str) -> str:
    """A line of script without blanks beside signs; one with more than plain quoted texts stays as it is."""
    if re.search("[`/\"']", re.sub(_QUOTED, "", line)):
        return line
    signs = r"\s*(!==|[=(){}\[\],;:?<>&|*])\s*|(?<=[\w)\]]) ([+-]) (?=[\w(\[\"])"
    return re.sub(f"{_QUOTED}|{signs}", lambda found: found[1] or found[2] or found[3], line)


def _squeezed_style(style: str) -> str:
    """A style of a report page without comments and blanks that say nothing; quoted texts keep theirs."""
    without = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    return re.sub(r"""("[^"]*"|'[^']*')|\s*;?\s*(})\s*|\s*([{;,>])\s*|(:)\s+""", _kept, without)


def _kept(found: re.Match[str]) -> str:
    return str(next(filter(None, found.groups())))


def _view_style(source: str) -> str:
    return re.sub("<(?=/style)", r"\\3c ", _squeezed_style(source), flags=re.IGNORECASE)


def to_script(value: Any) -> str:
    """Value as JSON that is safe inside a script element of a report page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _page_words(language: str, page: str) -> dict[str, str]:
    """Messages that a page says or that its scripts may say; views of evidence leave `page_` out."""
    return {
        key: COMMON.table("messages", language)[key]
        for key in WORDS
        if key.startswith("page_better_") or f'"{key}"' in page or f'"{key.removeprefix("page_")}"' in page
    }


def _view_words(views: Mapping[str, EvidenceView], language: str, written: str) -> dict[str, str]:
    """Words of evidence views under the name of their evaluator; English stands in for what a language lacks.

    Those of report sheets are left out, names of counts (`count.TABLE`) that the view never says, and words for one key
    of a count (`key.KEY`, `why_KEY`) if the data of the page, as `written`, have no such key: there may be hundreds.
    """
    return {
        f"view:{name}:{key}": text
        for name, view in views.items()
        for key in {**view.texts.table("words", "en"), **view.texts.table("words", language)}
        if (text := view.texts.find("words", key, language)) and _is_needed(key, written, view.script)
    }


def _is_needed(key: str, written: str, script: str) -> bool:
    if key.startswith("count.") and "count." not in script:
        return False
    of_one_key = _OF_ONE_KEY.match(key)
    return of_one_key[1] in written if of_one_key else not key.startswith(OF_SHEETS)


def word(key: str, /, **blanks: object) -> Markup:
    """A message of the package, marked so that the page can switch its language."""
    text = COMMON.table("messages")[key].format(**blanks)
    fill = Markup(' data-fill="{}"').format(json.dumps(blanks, ensure_ascii=False)) if blanks else ""
    return Markup('<span data-word="{}"{}>{}</span>').format(key, fill, text)


def _meaning(known: Mapping[str, str], code: str, scope: str = "") -> Markup:
    """What an issue means, marked in the same way; a dash if that is not known."""
    return _known_word(known, f"issue:{scope}{code}") or escape(NOTHING)


def _of_kind(evaluator: str, message: str, blank: str, kind: str) -> Markup:
    """A message on a kind of unit in every language of the page, for the kind has a word of its own in each."""
    meanings = find_meanings(evaluator)
    return _in_each_language(
        {
            each: COMMON.table("messages", each)[message].format(**{blank: kind_label(kind, meanings, each)})
            for each in LANGUAGES
        }
    )


def kind_word(evaluator: str, kind: str) -> Markup:
    """A kind of unit in every language of the page; of samples, the page's own word."""
    meanings = find_meanings(evaluator)
    return (
        word("sample")
        if kind == SAMPLE
        else _in_each_language({each: kind_label(kind, meanings, each) for each in LANGUAGES})
    )


def _in_each_language(texts: Mapping[str, str]) -> Markup:
    """What is said in every language of the page; the chosen one is seen."""
    made = Markup("")
    for each, text in texts.items():
        hidden = Markup("") if each == language() else Markup(" hidden")
        made += Markup('<span lang="{0}" data-said="{0}"{1}>{2}</span>').format(each, hidden, text)
    return made


def _label(key: str, /) -> Markup:
    """The same as the name of a control for screen readers."""
    return Markup('data-label="{}" aria-label="{}"').format(key, COMMON.table("messages")[key])


def _labelled_by(id: str) -> Markup:
    return Markup('aria-labelledby="{}"').format(id)


def _chart(evaluator: str, figure: Figure) -> Markup:
    """A chart inside the page, with what it is sliced by in every language; its texts were escaped when drawn."""
    meanings, languages = find_meanings(evaluator), sorted(LANGUAGES, key=lambda each: each != language())
    along = {each: kind_label(figure.key, meanings, each) for each in languages} if figure.key else None
    return Markup(to_page(figure.chart, titled=not figure.metrics, along=along))  # noqa: S704 - escaped when drawn


def _direction(known: Mapping[str, str], name: str, better: str | None, scope: str = "") -> Markup:
    """A metric's name, which explains itself, with its arrow, spelled out for screen readers."""
    label = _term(known, f"metric:{scope}{name}", breakable(name))
    if better is None:
        return label
    said = word(f"page_better_{better}")
    return Markup('{} <span class="arrow" aria-hidden="true">{}</span><span class="unseen">{}</span>').format(
        label, metric_label("", better).strip(), said
    )


def breakable(name: str) -> Markup:
    """A name that may be cut where one of its words ends, as the scripts of the page cut it."""
    return Markup("<wbr>").join(re.split(r"(?<=[_./:-])", name))


def _term(known: Mapping[str, str], key: str, label: Markup) -> Markup:
    """A name that explains itself when it is pointed at or focused; a plain name if its meaning is not known."""
    if key not in known:
        return label
    return Markup('<button type="button" class="term" data-about="{}">{}</button>').format(key, label)


def head(key: str, label: str | Markup | None = None) -> Markup:
    """Head of a column, which explains itself: the message `key`, or a label of its own; `about_KEY` says more."""
    shown = word(key) if label is None else escape(label)
    return Markup('<button type="button" class="term" data-about="{}">{}</button>').format(f"about_{key}", shown)


def _kind(known: Mapping[str, str], table: str, scope: str = "") -> Markup:
    """A kind of mistake (a count table) as report sheets call it, which explains itself."""
    return _term(known, f"counts:{scope}{table}", _known_word(known, f"count:{scope}{table}") or escape(table))


def _key(meanings: ByLanguage, key: str, name: str, scope: str = "", table: str = "") -> Markup:
    """What went wrong, a key of a count table, as report sheets call it; the table's own word for it comes first.

    A name that is the evaluator's own word in some language is said in the reader's.
    """
    found = _word_of_key(meanings[language()], key, scope, table)
    said = _known_word(meanings[language()], found)
    if said and not name:
        return said
    if said and name in (known.get(found) for known in meanings.values()):
        return Markup("<bdi>{}</bdi> {}").format(key, said)
    return Markup("<bdi>{}</bdi>").format(plain_key(key, name))


def _word_of_key(known: Mapping[str, str], key: str, scope: str, table: str) -> str:
    own = f"key:{scope}{table}.{key}"
    return own if own in known else f"key:{scope}{key}"


def _explained_key(meanings: ByLanguage, mistake: Mistake, rate: str) -> Markup:
    """The same for a row of bars, which explains itself: why it is a mistake, what its table counts, and its rate."""
    label = _key(meanings, mistake.key, mistake.name, table=mistake.table)
    about = f"counts:{mistake.table}"
    if about not in meanings[language()]:
        return label
    return Markup(
        '<button type="button" class="term" data-about="{}" data-why="{}" data-rate="{}" data-key="{}">{}</button>'
    ).format(about, f"why:{mistake.key}", rate, mistake.key, label)


def _short_key(known: Mapping[str, str], key: str) -> Markup:
    """The same in a list of its neighbours."""
    return _known_word(known, f"short:{key}") or Markup("<bdi>{}</bdi>").format(plain_key(key))


def _rate_word(known: Mapping[str, str], name: str, otherwise: str) -> Markup:
    """What the evaluator calls a rate, or the table of its rates; else a word of the page."""
    label = _known_word(known, f"rate_word:{name}")
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
    made.filters.update(breakable=breakable, commas="{:,}".format, percent=lambda share: f"{share:.2f}%")
    made.globals.update(
        word=word,
        label=_label,
        head=head,
        labelled_by=_labelled_by,
        number=number,
        holds_numbers=holds_numbers,
        issue_rows=issue_rows,
        span=span,
        colours=COLOURS,
        version=VERSION,
    )
    return made
