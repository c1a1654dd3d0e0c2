"""Every name that a report page explains has its place in `docs/names`.

`python tests/test_names.py --update` writes these pages.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from jatdae.core.evaluator import spec_of
from jatdae.core.meanings import Meanings, meanings_of
from jatdae.core.messages import ANY, Kind
from jatdae.core.registry import available, documentation_of, find

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "names"
CHANGED = "{file} is not what the texts of the evaluator say: run `python tests/test_names.py --update`"
KINDS: tuple[tuple[str, str, Kind], ...] = (
    ("Metrics", "metric", "metrics"),
    ("Issues", "issue", "issues"),
    ("Counts", "count", "counts"),
    ("Rates", "rate", "rates"),
)
"""Title of a part of the page, what its anchors begin with, and the table of its texts."""


def bundled() -> list[str]:
    """Evaluators of this package; plug-ins that happen to be installed have documentation of their own."""
    return sorted(name for name, entry in available().items() if entry.module.startswith("jatdae."))


@pytest.mark.parametrize("name", bundled())
def test_every_name_has_its_place_in_the_documentation(name: str) -> None:
    page = ROOT / documentation_of(name).removesuffix("#")
    assert page.is_file(), CHANGED.format(file=page.relative_to(ROOT))
    assert page.read_text("utf-8") == page_of(name), CHANGED.format(file=page.relative_to(ROOT))
    anchors = re.findall(r'<a id="([^"]+)">', page.read_text("utf-8"))
    spec = spec_of(find(name))
    declared = {
        *(f"metric-{each.name}" for each in spec.metrics),
        *(f"issue-{each.code}" for each in spec.issues),
        *(f"count-{each.name}" for each in spec.counts),
        *(f"rate-{each.name}" for each in spec.rates),
    }
    assert declared <= set(anchors)
    assert len(anchors) == len(set(anchors))


def test_every_page_of_names_is_in_the_navigation() -> None:
    listed = set(re.findall(r"names/\w+\.md", (ROOT / "mkdocs.yml").read_text("utf-8")))
    assert listed == {f"names/{name}.md" for name in bundled()}
    assert {each.name for each in FOLDER.iterdir()} == {f"{name}.md" for name in bundled()}


def test_every_bundled_rule_has_its_place() -> None:
    """A bar of rules leads to the rule and not only to its count."""
    file = ROOT / "src" / "jatdae" / "dialogue" / "rules" / "config" / "safety_rules.yaml"
    rules = re.findall(r"\bid: (\w+)", file.read_text("utf-8"))
    page = (FOLDER / "dialogue.md").read_text("utf-8")
    assert len(rules) > 50
    assert [rule for rule in rules if f'<a id="rule-{rule}">' not in page] == []


def page_of(name: str) -> str:
    """The page of an evaluator: what each of its metrics, issues, counts, rates and rules means."""
    meanings = meanings_of(find(name))
    parts = [
        f"# Names of {name}",
        f"What each name of a `{name}` run means, as its report page says it. Written from the texts of the evaluator; "
        f"[how the numbers are made](../metrics/{name}.md).",
    ]
    for title, kind, table in KINDS:
        if entries := [_entry(kind, each, table, meanings) for each in _named(meanings, table)]:
            parts += [f"## {title}", *entries]
    if rules := list(_rules(meanings)):
        parts += ["## Rules", *rules]
    return "\n\n".join(parts) + "\n"


def _named(meanings: Meanings, table: Kind) -> Iterable[str]:
    """Names in the order of the texts, which is that of the reader; those that stand for all others last."""
    names = dict.fromkeys(name for each in meanings.texts for name in each.table(table, "en"))
    return sorted(names, key=lambda name: name == ANY)


def _entry(kind: str, name: str, table: Kind, meanings: Meanings) -> str:
    anchor = f"{kind}-others" if name == ANY else f"{kind}-{name}"
    lines = [f'<a id="{anchor}"></a>**{_shown(name)}**: {_plain(meanings.of(table, name, "en"))}']
    if kind == "metric":
        formula, source = (meanings.of(each, name, "en") for each in ("definitions", "sources"))
        lines += [f"Formula: `{formula}`"] * bool(formula) + [f"Source: {_plain(source)}"] * bool(source)
    return "<br>\n".join(lines)


def _rules(meanings: Meanings) -> Iterator[str]:
    words = {name: text for each in meanings.texts for name, text in each.table("words", "en").items()}
    for key, why in words.items():
        rule = key.removeprefix("why_")
        if rule != key and f"key.{rule}" in words:
            yield f'<a id="rule-{rule}"></a>**{_shown(rule)}**: {_plain(words[f"key.{rule}"])}<br>\n{_plain(why)}'


def _shown(name: str) -> str:
    return "any other" if name == ANY else f"`{name}`"


def _plain(text: str) -> str:
    """A text that Markdown leaves as it is."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", text)


if __name__ == "__main__" and sys.argv[1:] == ["--update"]:
    FOLDER.mkdir(exist_ok=True)
    for each in bundled():
        (FOLDER / f"{each}.md").write_text(page_of(each), "utf-8")
