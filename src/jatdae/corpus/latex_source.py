"""LaTeX sources as one text: `\\input` followed, comments gone, macros of local packages gathered, equations numbered.

Nothing outside the folder of the main file is read, whatever a source names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import os_problem, speaker
from jatdae.core.messages import say as say_common
from jatdae.corpus.latex_cells import with_plain_cells
from jatdae.corpus.latex_citations import BIBITEM, CitationForm, Entry, read_entry, read_form
from jatdae.corpus.latex_front import front_macros, lost_in_front
from jatdae.corpus.latex_numbers import own_numbering, read_numbers, with_words
from jatdae.corpus.latex_parts import with_parts
from jatdae.corpus.latex_wrappers import count_captions, with_labels, with_plain_floats

MAX_BYTES: Final = 50 << 20
MAX_DEPTH: Final = 20
LONGEST_DEFINITION: Final = 5_000
BIBLIOGRAPHY: Final = "JATDAEBIBLIOGRAPHYSTANDSHERE"
"""Word that stands in the text where the bibliography is printed."""
_INLINE_CODE: Final = (
    r"\\(?:verb\*?|(?:lstinline|mintinline)\s*(?:\[[^\[\]]*+\])?(?:\{\w*\}(?=[^\s\w]))?)"
    r"(?:\{(?:[^{}\n]|\{[^{}\n]*+\})*+\}|(?P<mark>[^\sA-Za-z*{\[]).{0,1000}?(?P=mark))"
)
_SIGNS: Final = re.compile(
    r"\\(?P<address>path|nolinkurl)\s*\{(?P<inside>[^{}\n]*+)\}"
    r"|\\(?:url|href)\s*\{(?:[^{}\n]|\{[^{}\n]*+\})*+\}"
    rf"|{_INLINE_CODE}"
    r"|\\.|(?P<comment>%.*)"
)
"""Comments, and what a `%` may stand in without beginning one."""
_VERBATIM: Final = re.compile(r"\\begin\{(verbatim|Verbatim|lstlisting|minted)\*?\}")
_CODE: Final = re.compile(rf"{_VERBATIM.pattern}|{_INLINE_CODE}|\\\\")
_KEPT: Final = re.compile("\ue000([0-9]{1,9})\ue001")
"""What stands for code while a source is rewritten: no letter, so that a command before it keeps its name."""
_INPUT: Final = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}]+)\}|\\input\s+([^\s{}\\%]+)")
_PACKAGE: Final = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{([^{}]+)\}")
_DEFINITION: Final = re.compile(
    r"\\(?:(?:re|provide)?newcommand|renewcommand|providecommand|DeclareMathOperator|def|DeclareRobustCommand)\b"
)
_BIB_FILES: Final = re.compile(r"\\(?:bibliography|addbibresource(?:\[[^\]]*\])?)\s*\{([^{}]+)\}")
_BIB_PLACE: Final = re.compile(r"\\bibliography\s*\{[^{}]*\}|\\printbibliography(?:\s*\[[^\]]*\])?")
_MORE_AUTHORS: Final = re.compile(r"\\etalchar\s*\{([^{}]*)\}")
"""The raised + of a label such as Abc+21, which a reader of the page has as a character."""
_BIB_STYLE: Final = re.compile(r"\\bibliographystyle\s*\{([^{}]+)\}")
_BIBLATEX: Final = re.compile(r"\\usepackage\s*\[([^\]]*)\]\s*\{biblatex\}")
_BBL: Final = re.compile(
    r"\\begin\{thebibliography\}\s*(?:\{[^{}]*\})?((?:[^\\]|\\(?!(?:begin|end)\{thebibliography))*+)\\end\{thebibliography\}"
)
_STARRED: Final = re.compile(r"\\(begin|end)\{(table|figure|longtable)\*\}")

say = speaker(__name__)


@dataclass
class LatexSource:
    """A paper as one text."""

    main: Path
    text: str = ""
    bibliographies: list[Path] = field(default_factory=list)
    style: str = ""
    """What its bibliography style is called."""
    numbers: dict[str, str] = field(default_factory=dict)
    """Numbers of equations and of sections of the appendix, by label."""
    form: CitationForm = field(default_factory=CitationForm)
    printed: dict[str, Entry] = field(default_factory=dict)
    """Entries of a ready bibliography, by their keys."""
    problems: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What could not be read: kind and what."""
    captions: Counter[str] = field(default_factory=Counter)
    """How many numbered captions it has, by what they are called."""
    code: list[str] = field(default_factory=list)
    """Its code, which is printed as it stands."""

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return self.main.parent.resolve()


def find_main(given: Path) -> Path:
    """The main file of a paper: the one given, or the only one in a folder that begins a document."""
    if given.is_file():
        return given
    if not given.is_dir():
        raise UsageError(say_common("no_such_file", place=given))
    mains = [path for path in sorted(given.rglob("*.tex")) if "\\documentclass" in _uncommented(_read(path))]
    if len(mains) == 1:
        return mains[0]
    if not mains:
        raise UsageError(say("no_main_file", place=given))
    raise UsageError(say("several_main_files", place=given, files=", ".join(str(path) for path in mains[:5])))


def read_source(main: Path) -> LatexSource:
    """Read a paper with all it includes."""
    source = LatexSource(main)
    text = with_plain_floats(with_plain_cells(_flat(source, main.resolve(), ())))
    source.text = text
    numbers = read_numbers(text)
    source.numbers = numbers.printed
    source.problems.update(own_numbering(text))
    text, unsure = with_words(text, numbers)
    source.problems.update(unsure)
    text = with_labels(with_parts(text))
    source.style = _style(text)
    source.form = read_form(text, "".join(_local_files(source, text)))
    source.bibliographies = _bibliographies(source, text)
    text = _with_bibliography(source, text)
    text = _STARRED.sub(r"\\\1{\2}", text)
    head, begin, body = text.partition("\\begin{document}")
    macros = _local_macros(source, head)
    source.problems.update(lost_in_front(head))
    source.captions = count_captions(text)
    source.text = _with_code(source, front_macros(macros + text) + head + macros + begin + body)
    return source


def _flat(source: LatexSource, path: Path, above: tuple[Path, ...]) -> str:
    text = _without_code(source, _without_comments(_read(path)))

    def included(match: re.Match[str]) -> str:
        name = (match[1] or match[2]).strip()
        inner = _inside(source, name, (".tex", ""))
        if inner is None:
            return ""
        if inner in above or inner == path or len(above) >= MAX_DEPTH:
            source.problems["input_loop", name] += 1
            return ""
        return _flat(source, inner, (*above, path))

    return _INPUT.sub(included, text)


def _inside(source: LatexSource, name: str, endings: tuple[str, ...], *, told: bool = True) -> Path | None:
    """A file that a source names, if it is there and lies in the folder of the source."""
    for ending in endings:
        path = (source.folder / f"{name}{ending}").resolve()
        if not path.is_relative_to(source.folder):
            source.problems["outside_folder", name] += 1
            return None
        if path.is_file():
            return path
    if told:
        source.problems["missing_file", name] += 1
    return None


def _without_comments(text: str) -> str:
    """A text without comments; a line that is nothing but one goes with its end. Verbatim text is left alone."""
    lines = []
    ending = ""
    for line in text.splitlines():
        bare = line if ending else _uncommented(line)
        if not ending and (opened := _VERBATIM.search(bare)):
            ending = f"\\end{{{opened[1]}"
        if ending:
            ending = "" if ending in line else ending
            lines.append(line)
            continue
        if bare.strip() or not line.strip():
            lines.append(bare)
    return "\n".join(lines) + "\n"


def _uncommented(text: str) -> str:
    """A text without comments, their line ends kept."""
    return _SIGNS.sub(_without_comment, text)


def _without_comment(sign: re.Match[str]) -> str:
    if sign["address"]:  # pandoc itself takes a `%` there for a comment.
        inside = re.sub(r"(?<!\\)%", r"\\%", sign["inside"])
        return f"\\{sign['address']}{{{inside}}}"
    return "" if sign["comment"] else sign[0]


def _without_code(source: LatexSource, text: str) -> str:
    """A text in which a mark stands for each piece of code; a block that is never closed is none."""
    pieces, last = [], 0
    unclosed: set[str] = set()
    at = _CODE.search(text)
    while at is not None:
        end = at.end()
        if at[1]:
            closing = "" if at[1] in unclosed else f"\\end{{{at[1]}"
            found = text.find(closing, end) if closing else -1
            end = text.find("}", found) + 1 if found >= 0 else 0
            unclosed.update([] if end else [at[1]])
        if end and at[0] != "\\\\":
            pieces += [text[last : at.start()], f"\ue000{len(source.code)}\ue001"]
            source.code.append(text[at.start() : end])
            last = end
        at = _CODE.search(text, end or at.end())
    return "".join([*pieces, text[last:]])


def _with_code(source: LatexSource, text: str) -> str:
    known = len(source.code)
    return _KEPT.sub(lambda mark: source.code[int(mark[1])] if int(mark[1]) < known else mark[0], text)


def _local_macros(source: LatexSource, head: str) -> str:
    """Definitions of macros in packages that lie beside the source."""
    found = [each for text in _local_files(source, head) for each in _definitions(text)]
    return "\n".join(found) + "\n" if found else ""


def _local_files(source: LatexSource, head: str) -> Iterator[str]:
    """Packages that lie beside the source, without comments."""
    for match in _PACKAGE.finditer(head):
        for name in match[1].split(","):
            if path := _inside(source, name.strip(), (".sty",), told=False):
                yield _without_comments(_read(path))


def _definitions(text: str) -> list[str]:
    """Each definition with its groups: from its command to the end of the last group that follows it directly."""
    found = []
    match = _DEFINITION.search(text)
    while match is not None:
        at, depth = match.end(), 0
        while at < len(text) and at - match.start() < LONGEST_DEFINITION:
            if text[at] == "\\":
                at += 2
                continue
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            if text[at] == "}" and depth <= 0 and text[at + 1 : at + 2] not in ("{", "["):
                break
            at += 1
        if depth == 0:
            found.append(text[match.start() : at + 1])
        match = _DEFINITION.search(text, at)
    return found


def _style(text: str) -> str:
    if named := _BIB_STYLE.search(text):
        return named[1].strip()
    if (biblatex := _BIBLATEX.search(text)) and (said := re.search(r"\bstyle\s*=\s*([\w-]+)", biblatex[1])):
        return said[1]
    return "numeric" if "{biblatex}" in text else ""


def _bibliographies(source: LatexSource, text: str) -> list[Path]:
    names = [name.strip() for match in _BIB_FILES.finditer(text) for name in match[1].split(",")]
    found = (_inside(source, name, ("", ".bib"), told=False) for name in names)
    return [path for path in found if path is not None]


def _with_bibliography(source: LatexSource, text: str) -> str:
    """Mark where the bibliography is printed. A ready one (thebibliography, or a .bbl file) is written as a list."""
    if not source.bibliographies and _BIB_PLACE.search(text):
        ready = source.main.with_suffix(".bbl")
        if ready.is_file():
            printed = _without_comments(_read(ready))
            text = _BIB_PLACE.sub(lambda _: printed, text, count=1)
        else:
            source.problems["missing_bibliography", ", ".join(_BIB_FILES.findall(text)) or "–"] += 1
    text = _BBL.sub(lambda match: _listed(source, match[1]), text)
    if source.bibliographies:
        text = _BIB_PLACE.sub(f"\n\n{BIBLIOGRAPHY}\n\n", text, count=1)
    return _BIB_PLACE.sub("", text)


def _listed(source: LatexSource, items: str) -> str:
    """A ready bibliography as a section with a paragraph for each entry, after its number or label if it has one."""
    form = replace(source.form, plain=source.form.plain and "\\natexlab" not in items)
    entries = BIBITEM.split(_MORE_AUTHORS.sub(r"\1", items))[1:]
    written = []
    for number, (label, key, text) in enumerate(zip(entries[::3], entries[1::3], entries[2::3], strict=True), 1):
        entry = source.printed[key.strip()] = read_entry(label, number, form)
        body = text.replace("\\newblock", " ").strip()
        written.append(f"{{[}}{entry.label}{{]}} {body}" if entry.label else body)
    return "\\section*{References}\n\n" + "\n\n".join(written) + "\n\n"


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise DataError(say_common("cannot_read", place=path, problem=os_problem(error))) from None
    if len(data) > MAX_BYTES:
        raise DataError(say("source_too_large", place=path, most=MAX_BYTES >> 20))
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return data.decode("latin-1").replace("\r\n", "\n")
