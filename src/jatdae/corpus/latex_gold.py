"""Gold Markdown from LaTeX, by pandoc: what is printed, in the order in which it is printed.

pandoc reads the source into its document tree and citeproc sets the bibliography. Between the two the tree is changed:
title, authors and abstract stand at the beginning, the bibliography where the source prints it, captions have the
numbers that are printed, references to equations too, and wrappers that print nothing go. Tables are written as HTML,
formulas as LaTeX between dollar signs.

What could not be converted is listed, and the result is read back by the rooms that will score with it: every table,
formula and bibliography that went in must be found again.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from jatdae.core.errors import EngineError, JatdaeError, UsageError
from jatdae.core.messages import speaker
from jatdae.corpus.latex_citations import Entry, cite
from jatdae.corpus.latex_parts import NEXT_PART
from jatdae.corpus.latex_source import BIBLIOGRAPHY, LatexSource, read_source
from jatdae.formulas.extraction import extract as extract_formulas
from jatdae.tables.extraction import extract as extract_tables
from jatdae.text.bibliography import find_bibliographies

REPORT: Final = "latex.jsonl"
"""What was converted and what was not, beside the gold; a folder of references leaves it out."""
TIMEOUT: Final = 300
BY_ALPHABET: Final = frozenset([
    "plain", "abbrv", "alpha", "acm", "siam", "numeric", "numeric-comp", "splncs03", "splncs04", "spmpsci",
    "acm-reference-format", "ieee_fullname", "ieeenat_fullname", "ieeetrans", "plainurl", "abbrvurl", "amsplain",
    "siamplain",
])  # fmt: skip
"""Bibliography styles that number their entries in the order of the alphabet."""
BY_CITATION: Final = frozenset([
    "unsrt", "unsrtnat", "unsrturl", "ieeetr", "ieeetran", "ieee", "elsarticle-num", "elsarticle-num-names",
    "naturemag", "vancouver", "phys", "apsrev4-1", "apsrev4-2", "iopart-num",
])  # fmt: skip
"""Those that number them in the order in which they are cited; all other styles are by author and year."""
NATBIB: Final = frozenset(["unsrtnat"])
"""Of these, styles that are by author and year where natbib is not told to print numbers."""
_QUIET: Final = frozenset([
    "maketitle", "appendix", "ref", "eqref", "autoref", "cref", "Cref", "pageref", "label", "bibliographystyle",
    "centering", "newpage", "clearpage", "pagebreak", "noindent", "vspace", "hspace", "smallskip", "medskip", "bigskip",
    "hfill", "vfill", "tableofcontents", "thispagestyle", "pagestyle", "small", "footnotesize", "scriptsize", "large",
    "normalsize", "raggedright", "balance", "twocolumn", "onecolumn", "protect", "nocite", "phantomsection",
    "addcontentsline", "setlength", "date", "title", "author", "thanks", "and", "frontmatter", "mainmatter",
    "bgroup", "egroup", "begingroup", "endgroup", "rowcolor", "cellcolor", "color", "cmidrule", "relax",
])  # fmt: skip
"""Commands that print nothing, or what is set elsewhere."""
_ONE_PART: Final = frozenset(["citeauthor", "citeyear"])
"""Citations that print author or year alone: citeproc prints both, or brackets."""
_IN_SENTENCE: Final = frozenset(["citet", "textcite"])
"""Citations that print the author before the number, which citeproc leaves out."""
_READ_ALL_THE_SAME: Final = frozenset(["table", "figure", "longtable", "tabular", "thebibliography", "subequations"])
_COMMAND: Final = re.compile(r"\\(begin\s*\{)?([A-Za-z@]+)")
_LABEL: Final = re.compile(r"\\label\s*\{[^{}]*\}\s*")
_OUTPUT: Final = (
    "markdown-simple_tables-multiline_tables-grid_tables-pipe_tables-fenced_divs-native_divs-bracketed_spans"
    "-native_spans-header_attributes-link_attributes-raw_attribute-citations-smart-implicit_figures"
    "+raw_html+tex_math_dollars"
)
_BLANK: Final = ("Space", "SoftBreak")
_UNCITED: Final = re.compile(r"citation (\S+) not found")
"""How citeproc warns of a key that no entry has."""
_ESCAPED_BRACKET: Final = re.compile(r"(?<!\\)\\([\[\]()])")
"""pandoc escapes brackets of text; `\\[1\\]` and `\\(a\\)` would be read as formulas."""
_SPACES: Final = str.maketrans(dict.fromkeys("\u00a0\u2002\u2003\u2005\u2006\u2009\u202f", " "))
_STYLE: Final = Path(__file__).with_name("numeric.csl")
_BIBLIOGRAPHY_SORT: Final = re.compile(r"(?<=<bibliography>)\s*<sort>.*?</sort>", re.DOTALL)

say = speaker(__name__)


@dataclass
class Converted:
    """A paper as gold Markdown, with what is in it and what could not be converted."""

    document: str
    markdown: str
    source: str
    counts: dict[str, int] = field(default_factory=dict)
    """Headings, tables, formulas, figures and entries of the bibliography."""
    problems: Counter[tuple[str, str]] = field(default_factory=Counter)
    failure: str = ""
    """Why there is no gold, if there is none."""

    def row(self) -> dict[str, Any]:
        """Its line of the report."""
        listed = [{"kind": kind, "what": what, "count": n} for (kind, what), n in sorted(self.problems.items())]
        status = "failed" if self.failure else "ok"
        return {
            "document": self.document, "source": self.source, "status": status, "reason": self.failure, **self.counts,
            "problems": listed,
        }  # fmt: skip


def find_pandoc() -> str:
    """Path of pandoc; an error that says how to install it where it is absent."""
    if (found := shutil.which("pandoc")) is None:
        raise UsageError(say("no_pandoc"))
    return found


def convert_or_tell(main: Path, document: str, csl: Path | None = None) -> Converted:
    """Convert a paper; of one that cannot be converted the reason is kept, so that the others still are."""
    try:
        return convert(main, document, csl)
    except JatdaeError as error:
        return Converted(document, "", str(main), failure=str(error))


def convert(main: Path, document: str, csl: Path | None = None) -> Converted:
    """Convert a paper; `csl` is the citation style where the one that the source names is not good enough."""
    source = read_source(main)
    if "\\begin{document}" not in source.text:
        raise UsageError(say("no_document", place=main))
    made = Converted(document, "", str(main), problems=source.problems.copy())
    made.problems.update(_unknown(source))
    source.printed = _read_labels(source.printed)
    tree = json.loads(_pandoc(source.text, "--from=latex", "--to=json")[0])
    numbered = csl is None and _is_numbered(source.style.lower(), source.form.numbers)
    _Tree(source, made, numbered).change(tree)
    arguments = ["--from=json", f"--to={_OUTPUT}", "--wrap=none", "--citeproc"]
    arguments += [f"--bibliography={path}" for path in source.bibliographies]
    with _citation_style(source.style.lower(), source.form.numbers) as named:
        if csl or named:
            arguments.append(f"--csl={csl or named}")
        markdown, warnings = _pandoc(json.dumps(tree), *arguments)
    made.markdown = _tidy(markdown)
    made.problems.update(_unresolved_citations(tree, warnings))
    _validate(made, bool(source.bibliographies or source.printed))
    return made


@contextmanager
def _citation_style(name: str, numbers: bool) -> Iterator[Path | None]:
    """The file of a citation style that numbers its entries; None for one by author and year, which is pandoc's own."""
    if name in BY_CITATION and _is_numbered(name, numbers):
        with TemporaryDirectory() as folder:
            unsorted = Path(folder, "numeric.csl")
            unsorted.write_text(_BIBLIOGRAPHY_SORT.sub("", _STYLE.read_text("utf-8")), "utf-8")
            yield unsorted
    else:
        yield _STYLE if _is_numbered(name, numbers) else None


def _is_numbered(name: str, numbers: bool) -> bool:
    return numbers or name in BY_ALPHABET or (name in BY_CITATION and name not in NATBIB)


def _pandoc(text: str, *arguments: str) -> tuple[str, str]:
    """What pandoc makes of a text, and what it warns of."""
    try:
        ended = subprocess.run(  # noqa: S603 – a program found on PATH; the sandbox keeps it from other files
            [find_pandoc(), "--sandbox", *arguments], input=text.encode(), capture_output=True, timeout=TIMEOUT,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise EngineError(say("pandoc_too_slow", seconds=TIMEOUT)) from None
    if ended.returncode:
        raise UsageError(say("pandoc_failed", problem=ended.stderr.decode(errors="replace").strip()[-500:]))
    return ended.stdout.decode(), ended.stderr.decode(errors="replace")


def _read_labels(entries: dict[str, Entry]) -> dict[str, Entry]:
    """Labels of entries as plain text: pandoc reads those that have commands in them."""
    parts = {part for entry in entries.values() for part in astuple(entry) if re.search(r"[\\\\{}~$]", part)}
    if not parts:
        return entries
    listed = sorted(parts)
    text = "\\newcommand{\\natexlab}[1]{#1}\n" + "\n\n".join(f"x{{}}{part}" for part in listed)
    plain = _pandoc(text, "--from=latex", "--to=plain", "--wrap=none")[0].translate(_SPACES).strip().split("\n\n")
    read = {part: line.removeprefix("x").strip() for part, line in zip(listed, plain, strict=False)}
    return {key: Entry(*(read.get(part, part) for part in astuple(entry))) for key, entry in entries.items()}


def _unresolved_citations(tree: dict[str, Any], warnings: str) -> Counter[tuple[str, str]]:
    """Keys that are cited and that no entry of the bibliography has, with how often each is cited."""
    lacking = set(_UNCITED.findall(warnings))
    cited = (each["citationId"] for node in _nodes(tree["blocks"]) if node["t"] == "Cite" for each in node["c"][0])
    return Counter(("unresolved_citation", key) for key in cited if key in lacking)


def _unknown(source: LatexSource) -> Counter[tuple[str, str]]:
    """Commands and environments that pandoc does not know: it keeps them as they are when it is told to."""
    tree = json.loads(_pandoc(source.text, "--from=latex+raw_tex", "--to=json")[0])
    found: Counter[tuple[str, str]] = Counter()
    for node in _nodes(tree["blocks"]):
        if node["t"] not in ("RawBlock", "RawInline"):
            continue
        match = _COMMAND.match(node["c"][1].strip())
        if (
            match is None
            or match[2] in _QUIET
            or "cite" in match[2].lower()
            or (match[1] and match[2] in _READ_ALL_THE_SAME)
        ):
            continue
        found["unknown_environment" if match[1] else "unknown_command", match[2]] += 1
    return found


class _Tree:
    """Changes pandoc's document tree in place."""

    def __init__(self, source: LatexSource, made: Converted, numbered: bool) -> None:
        self.source, self.made, self.numbered = source, made, numbered
        self.numbers = Counter[str]()
        self.captions = Counter[str]()
        self.placed = False

    def change(self, tree: dict[str, Any]) -> None:
        tree["blocks"] = [*_front(tree["meta"]), *self._blocks(tree["blocks"])]
        if self.source.bibliographies and not self.placed:
            tree["blocks"] += _references()
        tree["meta"] = {}
        for kind, number in self.source.captions.items():
            if self.captions[kind] != number:
                self.made.problems["captions_not_found_again", f"{kind} {self.captions[kind]}/{number}"] += 1
        counted = Counter(node["t"] for node in _nodes(tree["blocks"]))
        self.made.counts = {
            "headings": counted["Header"],
            "tables": counted["Table"],
            "formulas": counted["Math"],
            "figures": self.numbers["Figure"],
        }

    def _blocks(self, blocks: list[Any]) -> list[Any]:
        changed: list[Any] = []
        for block in blocks:
            changed += self._block(block)
        return changed

    def _block(self, block: dict[str, Any]) -> list[Any]:
        kind: str = block["t"]
        content: Any = block.get("c")
        if kind == "Div":
            return self._blocks(content[1])
        if kind == "Table":
            return self._table(block)
        if kind in ("Para", "Plain"):
            if BIBLIOGRAPHY in _plain(content):
                self.placed = True
                return _references()
            figures = [node for node in content if node["t"] == "Image" and node["c"][2][1].startswith("fig:")]
            if figures:
                return [caption for figure in figures for caption in self._caption("Figure", figure["c"][1])]
            block["c"] = self._inlines(content)
            return [block]
        if kind == "Header":
            block["c"] = [content[0], ["", [], []], self._inlines(content[2])]
        elif kind in ("BulletList", "OrderedList"):
            items = content if kind == "BulletList" else content[1]
            items[:] = [self._blocks(item) for item in items]
        elif kind == "BlockQuote":
            block["c"] = self._blocks(content)
        elif kind == "DefinitionList":
            block["c"] = [[self._inlines(term), [self._blocks(each) for each in said]] for term, said in content]
        return [block] if kind != "RawBlock" else []

    def _table(self, block: dict[str, Any]) -> list[Any]:
        """The caption as a paragraph with its number: pandoc would write it twice, in HTML and beside it."""
        caption = block["c"][1][1]
        block["c"][1] = [None, []]
        block["c"][0] = ["", [], []]
        for cell in _cells(block):
            cell[4] = self._blocks(cell[4])
        words = [node for part in caption for node in part["c"]]
        return [*(self._caption("Table", words) if words else []), block]

    def _caption(self, kind: str, words: list[Any]) -> list[Any]:
        self.numbers[kind] += 1
        if not words:
            return []
        self.captions[kind] += 1
        said = [
            {"t": "Str", "c": f"{kind}"},
            {"t": "Space"},
            {"t": "Str", "c": f"{self.numbers[kind]}:"},
            {"t": "Space"},
        ]
        first, *parts = _split_at(NEXT_PART, self._inlines(words))
        return [{"t": "Para", "c": [*said, *first]}, *({"t": "Para", "c": part} for part in parts)]

    def _inlines(self, inlines: list[Any]) -> list[Any]:
        changed: list[Any] = []
        for node in inlines:
            changed += self._inline(node)
        return changed

    def _inline(self, node: dict[str, Any]) -> list[Any]:
        kind: str = node["t"]
        content: Any = node.get("c")
        if kind == "Span":
            return self._inlines(content[1])
        if kind == "RawInline":
            return []
        if kind == "Math":
            node["c"] = [content[0], _LABEL.sub("", content[1]).strip()]
        elif kind == "Link":
            return self._link(node)
        elif kind == "Cite":
            return self._cite(node)
        elif kind in ("Emph", "Strong", "SmallCaps", "Strikeout", "Superscript", "Subscript", "Underline"):
            node["c"] = self._inlines(content)
        elif kind == "Quoted":
            content[1] = self._inlines(content[1])
        elif kind == "Note":
            node["c"] = self._blocks(content)
        return [node]

    def _cite(self, node: dict[str, Any]) -> list[Any]:
        """A citation of a ready bibliography as it is printed; citeproc sets all others."""
        if self.source.bibliographies or not self.source.printed:
            if command := _COMMAND.match(_raw(node["c"][1])):
                if command[2] in _ONE_PART:
                    self.made.problems["citation_form", command[2]] += 1
                elif self.numbered and command[2].lower() in _IN_SENTENCE:
                    self.made.problems["citation_author", command[2]] += 1
            return [node]
        lacking: Counter[str] = Counter()
        written = cite(node, self.source.printed, self.source.form, lacking)
        self.made.problems.update({("unresolved_citation", key): n for key, n in lacking.items()})
        return written

    def _link(self, node: dict[str, Any]) -> list[Any]:
        (_, _, pairs), words, _ = node["c"]
        about = dict(pairs)
        label = about.get("reference")
        if label is None:
            node["c"] = [["", [], []], self._inlines(words), node["c"][2]]
            return [node]
        if number := self.source.numbers.get(label):
            begin, end = ("(", ")") if about["reference-type"] == "eqref" else ("", "")
            if re.search(r"[\\$^_]", number):  # A tag such as \tag{$\ast$}.
                said = {"t": "Math", "c": [{"t": "InlineMath"}, number.strip("$")]}
                return [{"t": "Str", "c": begin}, said, {"t": "Str", "c": end}]
            return [{"t": "Str", "c": f"{begin}{number}{end}"}]
        if _plain(words) == f"[{label}]":
            self.made.problems["unresolved_reference", label] += 1
        return list(words)


def _front(meta: dict[str, Any]) -> list[Any]:
    """Title, authors, date and abstract as blocks, in the order in which they are printed."""
    front: list[Any] = []
    if title := meta.get("title"):
        front.append({"t": "Header", "c": [1, ["", [], []], title["c"]]})
    if subtitle := meta.get("subtitle"):
        front.append({"t": "Para", "c": subtitle["c"]})
    authors = meta.get("author", {})
    if authors.get("t") == "MetaList":
        front += [{"t": "Para", "c": author["c"]} for author in authors["c"]]
    if (date := meta.get("date")) and date["c"]:
        front.append({"t": "Para", "c": date["c"]})
    if abstract := meta.get("abstract"):
        front.append(_heading("Abstract"))
        front += abstract["c"] if abstract["t"] == "MetaBlocks" else [{"t": "Para", "c": abstract["c"]}]
    return front


def _split_at(word: str, nodes: list[Any]) -> list[list[Any]]:
    """Nodes between those that are a word, without the spaces at their ends."""
    found: list[list[Any]] = [[]]
    for node in nodes:
        if node == {"t": "Str", "c": word}:
            found.append([])
        elif found[-1] or node["t"] not in _BLANK:
            found[-1].append(node)
    for part in found:
        while part and part[-1]["t"] in _BLANK:
            part.pop()
    return found


def _raw(nodes: list[Any]) -> str:
    return "".join(node["c"][1] for node in nodes if node["t"] == "RawInline")


def _heading(text: str) -> dict[str, Any]:
    return {"t": "Header", "c": [1, ["", ["unnumbered"], []], [{"t": "Str", "c": text}]]}


def _references() -> list[Any]:
    """The heading and the place that citeproc fills."""
    return [_heading("References"), {"t": "Div", "c": [["refs", [], []], []]}]


def _nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every node of a tree, without recursion: a document may nest deep."""
    left = [value]
    while left:
        here = left.pop()
        if isinstance(here, dict):
            if "t" in here:
                yield here
            left += reversed(list(here.values()))
        elif isinstance(here, list):
            left += reversed(here)


def _cells(table: dict[str, Any]) -> Iterator[list[Any]]:
    _, _, _, head, bodies, foot = table["c"]
    groups = [head[1], *(rows for body in bodies for rows in (body[2], body[3])), foot[1]]
    for rows in groups:
        for row in rows:
            yield from row[1]


def _plain(nodes: Any) -> str:
    return "".join(node["c"] if node["t"] == "Str" else " " for node in _nodes(nodes) if node["t"] in ("Str", "Space"))


def _tidy(markdown: str) -> str:
    """Markdown without what pandoc adds for browsers: attributes of tables, wrappers of the bibliography."""
    markdown = re.sub(r"^</?div[^>]*>\n\n?", "", markdown, flags=re.MULTILINE)
    markdown = re.sub(r"</?span[^>]*>", "", markdown)
    markdown = re.sub(r"<(t[rdh]|table|col|colgroup) [^<>]*>", _bare_tag, markdown)
    markdown = _ESCAPED_BRACKET.sub(r"\1", markdown).translate(_SPACES)
    return re.sub(r"\n{3,}", "\n\n", markdown).strip() + "\n"


def _bare_tag(match: re.Match[str]) -> str:
    spans = re.findall(r"(?:rowspan|colspan)=\"\d+\"", match[0])
    return f"<{' '.join([match[1], *spans])}>"


def _validate(made: Converted, cites: bool) -> None:
    """Read the gold back as a run will: what went in must be found again."""
    found = {"tables": len(extract_tables(made.markdown)), "formulas": len(extract_formulas(made.markdown))}
    for name, number in found.items():
        if number != made.counts[name]:
            made.problems[f"{name}_not_found_again", f"{number}/{made.counts[name]}"] += 1
    printed = [made.markdown[each.start : each.end] for each in find_bibliographies(made.markdown)]
    entries = (part for text in printed for part in text.split("\n\n") if part.strip() and not part.startswith("#"))
    made.counts["bibliography"] = sum(1 for _ in entries)
    if cites and not made.counts["bibliography"]:
        made.problems["bibliography_not_found_again", "–"] += 1
