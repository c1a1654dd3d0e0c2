"""Citations of a bibliography that stands ready in the source (thebibliography, or a .bbl file), as they are printed.

The label of `\\bibitem[Kim and Park(2020)]{kim}` has author and year, and natbib prints one or the other as the command
asks; with its option `numbers` it prints the number of the entry. Any other label is printed as it is, in brackets, and
so is every label where nothing tells of natbib, for plain LaTeX takes none apart.
Several citations are sorted, and three numbers or more in a row printed as a range, where natbib is asked to or the
package cite is used, which does both.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, Final

GROUP: Final = r"\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*+\})*+\})*+\}"
"""A group in braces, with groups in it up to four deep."""
BIBITEM: Final = re.compile(rf"\\bibitem\s*(?:\[((?:[^\[\]{{}}]|{GROUP})*+)\])?\s*\{{([^{{}}]*)\}}")
_AUTHOR_YEAR: Final = re.compile(rf"((?:[^(){{}}]|{GROUP})*+)\(((?:[^(){{}}]|{GROUP})*+)\)(.*)", re.DOTALL)
_ARGUMENTS: Final = re.compile(rf"\s*(?:\\protect\s*)?\\(?:citeauthoryear|BCAY)\s*((?:{GROUP}\s*)+)", re.DOTALL)
_ONE_GROUP: Final = re.compile(GROUP)
_NATBIB: Final = re.compile(
    r"\\usepackage\s*\[([^\]]*)\]\s*\{natbib\}|\\PassOptionsToPackage\s*\{([^{}]*)\}\s*\{natbib\}"
    r"|\\setcitestyle\s*\{([^{}]*)\}"
)
_TELLS_OF_NATBIB: Final = re.compile(
    r"natbib|\\(?:[Cc]ite(?:t|p|alt|alp|author|fullauthor|year|yearpar|text|num)|setcitestyle|natexlab|bibpunct)(?![A-Za-z])"
    r"|\\usepackage\s*(?:\[[^\]]*\])?\s*\{[^{}]*\b(?:apacite|harvard|chicago|apalike|authordate\w*|named)\b"
    r"|\\bibliographystyle\s*\{[^{}]*(?:nat|apalike|chicago|apj|aasjournal|mnras|acm-reference|authordate)"
    r"|\\documentclass\s*(?:\[[^\]]*\])?\s*\{\s*(?:revtex|elsarticle|acmart|mnras|aastex|aa\s*\}|cas-|sn-jnl|copernicus)",
    re.IGNORECASE,
)
"""natbib or one like it, commands and styles of theirs, and classes that load it."""
_CITE_PACKAGE: Final = re.compile(r"\\usepackage\s*(?:\[([^\]]*)\])?\s*\{(?:[^{}]*,)?\s*cite\s*(?:,[^{}]*)?\}")
_CLASS: Final = re.compile(r"\\documentclass\s*(?:\[([^\]]*)\])?\s*\{([^{}]*)\}")
_COMMAND: Final = re.compile(r"\\([A-Za-z]+)(\*?)")
_WITHOUT_BRACKETS: Final = frozenset(["citealt", "citealp", "citeauthor", "citeyear", "citenum"])


@dataclass(frozen=True)
class Entry:
    """An entry of a ready bibliography: what its label says."""

    label: str
    """What stands in brackets before it, or its number."""
    author: str = ""
    year: str = ""
    all_authors: str = ""


@dataclass(frozen=True)
class CitationForm:
    """How natbib or the package cite was told to print citations."""

    numbers: bool = False
    brackets: tuple[str, str] = ("(", ")")
    raised: bool = False
    sorted: bool = False
    """Several in the order of the bibliography."""
    ranges: bool = False
    """Three numbers in a row, or more, as 1–3."""
    plain: bool = False
    """LaTeX alone: labels are printed as they are."""


def read_form(text: str, packages: str = "") -> CitationForm:
    """What a source says of it: the options of natbib, or what the class is known to set.

    `packages` is the text of those that lie beside it.
    """
    said = [
        word.strip() for match in _NATBIB.finditer(text) for word in ",".join(filter(None, match.groups())).split(",")
    ]
    if chosen := _CLASS.search(text):
        options = [word.strip() for word in (chosen[1] or "").split(",")]
        if chosen[2].strip().startswith(("revtex", "elsarticle")) and "authoryear" not in [*options, *said]:
            said.insert(0, "numbers")
    raised = "super" in said
    numbers = raised or "numbers" in said
    square = "square" in said or (numbers and "round" not in said)
    package = _CITE_PACKAGE.search(text)
    options = [word.strip() for word in (package[1] or "").split(",")] if package else ["nosort", "nocompress"]
    return CitationForm(
        numbers,
        ("[", "]") if square else ("(", ")"),
        raised,
        not {"sort", "sort&compress"}.isdisjoint(said) or "nosort" not in options,
        not {"compress", "sort&compress"}.isdisjoint(said) or "nocompress" not in options,
        plain=not _TELLS_OF_NATBIB.search(text) and "natbib" not in packages,
    )


def read_entry(label: str | None, number: int, form: CitationForm) -> Entry:
    """An entry from the label of its `\\bibitem`, still as LaTeX."""
    numbers = form.numbers
    if not label:
        return Entry(str(number))
    if _ONE_GROUP.fullmatch(label.strip()):
        label = label.strip()[1:-1]
    if given := _ARGUMENTS.match(label):
        first, *more = (group[1:-1] for group in _ONE_GROUP.findall(given[1]))
        if more:
            return Entry(str(number) if numbers else "", more[0] if len(more) > 1 else first, more[-1], first)
    if not form.plain and (named := _AUTHOR_YEAR.fullmatch(label.strip())):
        return Entry(str(number) if numbers else "", named[1], named[2], named[3] or named[1])
    return Entry(str(number) if numbers else label)


def cite(node: dict[str, Any], entries: dict[str, Entry], form: CitationForm, lacking: Counter[str]) -> list[Any]:
    """Nodes that stand for a citation; keys that no entry has are counted, and stand as they are."""
    citations, (source, *_) = node["c"]
    match = _COMMAND.match(source["c"][1]) if source["t"] == "RawInline" else None
    command, starred = (match[1].lower(), bool(match[2])) if match else ("cite", False)
    lacking.update(each["citationId"] for each in citations if each["citationId"] not in entries)
    bare = not any(each["citationPrefix"] or each["citationSuffix"] for each in citations)
    if form.sorted and bare:
        place = {key: at for at, key in enumerate(entries)}
        citations = sorted(citations, key=lambda each: place.get(each["citationId"], len(place)))
    found = [entries.get(each["citationId"]) for each in citations]
    by_year = all(entry is None or not entry.label for entry in found)
    begin, end = ("", "") if command in _WITHOUT_BRACKETS or (form.raised and not by_year) else form.brackets
    if not by_year and not form.numbers and begin:
        begin, end = "[", "]"
    outside = command in ("citet", "textcite") or (command == "cite" and by_year)
    written: list[Any] = [] if outside else [_str(begin)]
    before = ""
    in_row = _in_row([entry.label if entry else "" for entry in found]) if form.ranges and bare and not outside else {}
    for at, (citation, entry) in enumerate(zip(citations, found, strict=True)):
        author, inside = _said(command, citation["citationId"], entry, starred)
        if at in in_row:
            written += [_str("–"), _str(inside)] if in_row[at] else []
            continue
        prefix, suffix = citation["citationPrefix"], citation["citationSuffix"]
        if at:
            same = bool(author) and author == before and not (outside or prefix or command == "citeauthor")
            author = "" if same else author
            written += [_str("," if same or not by_year else ";"), {"t": "Space"}]
        if outside:
            written += [_str(f"{author} " if author else ""), _str(begin)]
        elif author:
            inside = f"{author}{' ' if command == 'citealt' or not inside else ', '}{inside}".strip()
        written += [*prefix, {"t": "Space"}] if prefix else []
        written.append(_str(inside))
        written += [_str(","), {"t": "Space"}, *suffix] if suffix else []
        written += [_str(end)] if outside else []
        before = author or before
    written += [] if outside else [_str(end)]
    return [{"t": "Superscript", "c": written}] if form.raised and not by_year and not outside else written


def _in_row(labels: list[str]) -> dict[int, bool]:
    """Positions of numbers that a range stands for but for its first, with whether they are its last."""
    found: dict[int, bool] = {}
    start = 0
    for at, label in enumerate(labels):
        after = labels[at + 1] if at + 1 < len(labels) else ""
        if label.isdecimal() and after.isdecimal() and int(after) == int(label) + 1:
            continue
        if at - start >= 2:
            found.update((each, each == at) for each in range(start + 1, at + 1))
        start = at + 1
    return found


def _said(command: str, key: str, entry: Entry | None, starred: bool) -> tuple[str, str]:
    """Author and what follows it, each empty where the command does not print it."""
    if entry is None:
        return "", f"{key}?"
    author = (entry.all_authors if starred else "") or entry.author
    if command == "citeauthor":
        return author, ""
    if command in ("citeyear", "citeyearpar"):
        return "", entry.year or entry.label
    if entry.label:
        return (author if command in ("citet", "textcite") else ""), entry.label
    return author, entry.year


def _str(text: str) -> dict[str, Any]:
    return {"t": "Str", "c": text}
