"""report.html: one file that needs nothing else. What a model wrote enters it as text, never as markup."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from jatdae.core.messages import language, phrases, says
from jatdae.report.charts.svg import COLOURS, to_page
from jatdae.report.figures import Figure
from jatdae.report.sheets import holds_numbers, metric_label, number, span
from jatdae.report.words import page_words

SCRIPTS: Final = (
    "dom.js", "words.js", "numbers.js", "theme.js",
    "evidence/tree.js", "evidence/text.js", "evidence/tables.js", "evidence/structured.js", "evidence/terms.js",
    "evidence/dialogue.js", "evidence/structure.js", "evidence/views.js",
    "samples.js", "detail.js", "charts.js", "main.js",
)  # fmt: skip
"""The page's script, in the order in which one part needs another."""


def render(template: str, data: Mapping[str, Any], issues: Sequence[str], **shown: Any) -> str:
    """A page from a template and the data its script works on."""
    style, script = _asset("page.css"), "\n".join(map(_asset, SCRIPTS))
    embedded = {"language": language(), "words": page_words(issues), **data}
    return (
        _environment()
        .get_template(template)
        .render(
            policy=_policy(style, script),
            style=Markup(style),
            script=Markup(script),
            data=Markup(to_script(embedded)),
            language=language(),
            **shown,
        )
    )


def to_script(value: Any) -> str:
    """JSON that no parser of HTML can take for anything else."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def word(key: str, /, **blanks: object) -> Markup:
    """A text of the catalogue that the page can say in the other language too."""
    said = phrases(language(), [key])[key].format(**blanks)
    fill = Markup(' data-fill="{}"').format(json.dumps(blanks, ensure_ascii=False)) if blanks else ""
    return Markup('<span data-word="{}"{}>{}</span>').format(key, fill, said)


def label(key: str, /) -> Markup:
    """The same as the name of a control, which no one sees and a screen reader says."""
    return Markup('data-label="{}" aria-label="{}"').format(key, phrases(language(), [key])[key])


def chart(figure: Figure) -> Markup:
    """A chart as a part of the page; its texts were escaped when it was built."""
    return Markup(to_page(figure.chart))


def direction(name: str, better: str | None) -> Markup:
    """A metric's name, with its arrow explained."""
    if better is None:
        return escape(name)
    said = word(f"page_better_{better}")
    return Markup('{} <span class="arrow" aria-hidden="true">{}</span><span class="unseen">{}</span>').format(
        name, metric_label("", better).strip(), said
    )


def _policy(style: str, script: str) -> str:
    """Nothing is loaded from anywhere; only our own style and script are obeyed."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
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
        known_issue=lambda code: says(f"issue_{code}"),
        word=word,
        label=label,
        chart=chart,
        direction=direction,
        number=number,
        holds_numbers=holds_numbers,
        span=span,
        colours=COLOURS,
    )
    return made
