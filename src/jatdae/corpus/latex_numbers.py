"""Numbers that references print: of equations and of sections in the appendix, and the words that come before them.

pandoc numbers sections, tables and figures; it knows neither the letters of an appendix, nor `\\tag`, nor the words of
cleveref and hyperref. Those are read from the source here. Numbers of pages are not known without typesetting.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_TOKEN: Final = re.compile(
    r"\\(?P<move>begin|end)\s*\{(?P<name>[A-Za-z]+\*?)\}|\\(?P<section>chapter|(?:sub){0,2}section)(?P<star>\*?)\s*[\[{]"
    r"|\\(?P<appendix>appendix)\b|\\label\s*\{(?P<label>[^{}]*)\}"
)
_EQUATIONS: Final = frozenset(["equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign"])
_ONE_NUMBER: Final = frozenset(["equation", "multline"])
_FLOATS: Final = {"figure": "figure", "table": "table", "longtable": "table", "wrapfigure": "figure"}
_INNER: Final = re.compile(r"\\begin\{([A-Za-z]+\*?)\}((?:[^\\]|\\(?!begin\{|end\{))*+)\\end\{\1\}")
_LABEL: Final = re.compile(r"\\label\s*\{([^{}]*)\}")
_TAG: Final = re.compile(r"\\tag\*?\s*\{((?:[^{}]|\{[^{}]*\})*+)\}")
_DEEPEST: Final = 20
_OWN: Final = re.compile(
    r"\\(numberwithin|counterwithin|setcounter\s*\{(?:equation|(?:sub)*section|table|figure)\}"
    r"|renewcommand\s*\{?\s*\\the(?:equation|(?:sub)*section|table|figure)(?![A-Za-z])"
    r"|(?:def|(?:re)?newcommand\s*\{?)\s*\\[A-Za-z]+(?=\}?\s*(?:\[\d\])?\s*\{\s*\\begin\s*\{(?:equation|align|eqnarray)\}))"
)
_ROMAN_CLASSES: Final = re.compile(r"\\documentclass\s*(?:\[[^\]]*\])?\s*\{((?:IEEEtran|revtex)[\w.-]*)\}")
_WORDED: Final = re.compile(r"\\(cref|Cref|autoref|pageref|vref|nameref)\*?\s*\{([^{}]*)\}")
_CREF: Final = {
    "section": ("section", "sections"), "subsection": ("section", "sections"),
    "subsubsection": ("section", "sections"), "chapter": ("chapter", "chapters"),
    "appendix": ("appendix", "appendices"), "figure": ("fig.", "figs."), "table": ("table", "tables"),
    "equation": ("eq.", "eqs."),
}  # fmt: skip
"""Words of cleveref by kind: one, several. `\\Cref` writes them large and in full."""
_IN_FULL: Final = {"fig.": "figure", "figs.": "figures", "eq.": "equation", "eqs.": "equations"}
_AUTOREF: Final = {
    "section": "section", "subsection": "subsection", "subsubsection": "subsubsection", "chapter": "chapter",
    "appendix": "Appendix", "figure": "Figure", "table": "Table", "equation": "Equation",
}  # fmt: skip


@dataclass
class Numbers:
    """What a source says of its labels."""

    printed: dict[str, str] = field(default_factory=dict)
    """Numbers of equations and of sections of the appendix."""
    kinds: dict[str, str] = field(default_factory=dict)
    """What each label belongs to; of those that are not here it is not known."""


def read_numbers(text: str) -> Numbers:
    """Go through the body once, with LaTeX's counters."""
    return _Reader(text.split("\\begin{document}", 1)[-1]).read()


class _Reader:
    def __init__(self, body: str) -> None:
        self.body, self.found = body, Numbers()
        self.equation = self.part = 0
        """Number of the last equation, and its letter within `subequations` (0: outside)."""
        self.sections = [0, 0, 0]
        self.in_appendix = False
        self.here, self.number = "", ""
        """Kind and number of the section that a label would name."""
        self.open: list[str] = []

    def read(self) -> Numbers:
        at = 0
        while token := _TOKEN.search(self.body, at):
            at = token.end()
            name = token["name"] or ""
            if token["appendix"] or (token["move"] == "begin" and name == "appendices"):
                self.in_appendix, self.sections = True, [0, 0, 0]
            elif token["section"]:
                self._section(token["section"], bool(token["star"]))
            elif token["label"] is not None:
                self._label(token["label"])
            elif token["move"] == "begin":
                at = self._begin(name, at)
            else:
                self._end(name.rstrip("*"))
        return self.found

    def _end(self, bare: str) -> None:
        """Close an environment with all that was left open in it."""
        if bare in self.open:
            del self.open[len(self.open) - 1 - self.open[::-1].index(bare) :]

    def _section(self, name: str, starred: bool) -> None:
        if starred or name == "chapter":
            return
        depth = name.count("sub")
        self.sections[depth:] = [self.sections[depth] + 1, *[0] * (2 - depth)]
        self.here, self.number = name, ""
        if self.in_appendix and self.sections[0] in range(1, 27):
            first = chr(ord("A") + self.sections[0] - 1)
            self.here, self.number = "appendix", ".".join([first, *map(str, self.sections[1 : depth + 1])])

    def _label(self, label: str) -> None:
        within = next((_FLOATS[name] for name in reversed(self.open) if name in _FLOATS), None)
        if within:
            self.found.kinds[label] = within
        elif not self.open:
            self.found.kinds[label] = self.here
            if self.number:
                self.found.printed[label] = self.number

    def _begin(self, name: str, at: int) -> int:
        bare = name.rstrip("*")
        if name == "subequations":
            self.equation, self.part = self.equation + 1, 1
            # A label before the first equation names them all.
            label = re.match(r"\s*\\label\s*\{([^{}]*)\}", self.body[at : at + 500])
            if label:
                self._numbered(label[1], str(self.equation))
                at += label.end()
        if bare not in _EQUATIONS:
            if bare not in ("document", "center", "appendices", "abstract"):
                self.open.append(bare)
            return at
        end = self.body.find(f"\\end{{{name}}}", at)
        if end < 0:
            return at
        self._equations(bare, self.body[at:end], name.endswith("*"))
        return end + len(f"\\end{{{name}}}")

    def _equations(self, name: str, inside: str, starred: bool) -> None:
        for line in [inside] if name in _ONE_NUMBER else _lines(inside):
            tag = _TAG.search(line)
            if not tag and (starred or not line.strip() or re.search(r"\\(?:nonumber|notag)\b", line)):
                continue
            number = tag[1] if tag else self._next()
            for label in _LABEL.findall(line):
                self._numbered(label, number)

    def _next(self) -> str:
        if "subequations" in self.open:
            self.part += 1
            return f"{self.equation}{chr(ord('a') + self.part - 2)}"
        self.equation += 1
        return str(self.equation)

    def _numbered(self, label: str, number: str) -> None:
        self.found.printed[label] = number
        self.found.kinds[label] = "equation"


def _lines(inside: str) -> list[str]:
    """Lines of an align; those of a matrix or of cases within it are none of its own."""
    for _ in range(_DEEPEST):
        inside, changed = _INNER.subn(lambda inner: "x" + "".join(_kept(inner[2])), inside)
        if not changed:
            break
    return inside.split("\\\\")


def _kept(inside: str) -> Iterator[str]:
    yield from (match[0] for match in _LABEL.finditer(inside))


def own_numbering(text: str) -> Counter[tuple[str, str]]:
    """Commands and classes that print other numbers than are counted here."""
    found = Counter(("own_numbering", re.sub(r"\s+", "", match[0])) for match in _OWN.finditer(text))
    found.update(("own_numbering", match[1]) for match in _ROMAN_CLASSES.finditer(text))
    if "\\chapter{" in text:
        found["own_numbering", "\\chapter"] += 1
    return found if re.search(r"\\(?:eq|c|C|auto)?ref\b", text) else Counter()


def with_words(text: str, numbers: Numbers) -> tuple[str, Counter[tuple[str, str]]]:
    """A text with `\\cref` and the like written out as words and `\\ref`, and those of which that cannot be done."""
    problems: Counter[tuple[str, str]] = Counter()
    options = re.search(r"\\usepackage\s*\[([^\]]*)\]\s*\{cleveref\}", text)
    said = {word.strip() for word in options[1].split(",")} if options else set()

    def written(match: re.Match[str]) -> str:
        command, labels = match[1], [label.strip() for label in match[2].split(",")]
        if command in ("pageref", "nameref"):
            problems[command, match[2]] += 1
            return ""
        if command == "vref":
            problems["pageref", match[2]] += 1
            return f"\\ref{{{match[2]}}}"
        kinds = {numbers.kinds.get(label) for label in labels}
        kind = kinds.pop() or "" if len(kinds) == 1 else ""
        if kind not in _CREF or len(labels) > (1 if command == "autoref" else 2):
            problems["reference_word", match[2]] += 1
            return ", ".join(f"\\ref{{{label}}}" for label in labels)
        if command == "autoref":
            return f"{_AUTOREF[kind]}~\\ref{{{labels[0]}}}"
        word = _CREF[kind][len(labels) - 1]
        if command == "Cref" or "noabbrev" in said:
            word = _IN_FULL.get(word, word)
        if command == "Cref" or said & {"capitalise", "capitalize"}:
            word = word.capitalize()
        form = "\\eqref" if kind == "equation" else "\\ref"
        return f"{word}~" + " and ".join(f"{form}{{{label}}}" for label in labels)

    head, begin, body = text.partition("\\begin{document}")
    return head + begin + _WORDED.sub(written, body), problems
