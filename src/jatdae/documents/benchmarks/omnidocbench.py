"""OmniDocBench, its end-to-end evaluation: text, tables and reading order of a page, after blocks were matched.

    text_edit          = Σ Levenshtein / Σ longer length      over the matched texts of a page
    reading_order_edit = Levenshtein of the order of matched blocks / their number
    teds, teds_s       = TEDS of version 1.5 (`tables`), mean over the tables of a page

A text is compared without spaces and signs, formulas in it as Unicode. Blocks are matched as its `quick_match` does:
predicted blocks that together are nearer to one block of the page are joined; the cheapest assignment is taken; a pair
with an edit distance above .7 is none; a block left over that stands inside a predicted one joins what that is matched
with, be it a page number inside a year, and no other block gets any predicted one that it stands in; what is left over
then on both sides is paired with the fewest edits. Captions, headers, footers and page numbers take part in the
matching and are left out of the numbers.

Source: https://github.com/opendatalab/OmniDocBench, end2end evaluation with quick_match, version 1.5.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from rapidfuzz.distance import Levenshtein

from jatdae.core.contract import Metric, add_up
from jatdae.core.errors import DataError
from jatdae.core.messages import speaker
from jatdae.documents.benchmarks.benchmark import (
    Benchmark,
    Row,
    folders_in,
    metrics_of,
    page_text,
    read_json,
    text_of,
)
from jatdae.tables import extract, teds

say = speaker(__name__)

VERSION: Final = "1.5r3"
"""Of the benchmark, and the revision of how its matching is done here."""
PROFILE: Final = "omnidocbench@1.5"

COUNTED: Final = ("text_block", "title", "code_txt", "code_txt_caption", "reference")
UNCOUNTED: Final = (
    "equation_caption", "figure_caption", "figure_footnote", "table_caption", "table_footnote", "code_algorithm",
    "code_algorithm_caption", "header", "footer", "page_footnote", "page_number",
)  # fmt: skip
"""Matched, but no part of the numbers."""
SURE: Final = 0.25
"""A pair below this edit distance is settled: neither of its blocks is joined to another."""
JOINED: Final = 0.6
"""A predicted block is joined to its neighbours where it stands in the block of the page with at most this distance."""
MATCHED: Final = 0.7
"""A pair above this edit distance is none."""
INSIDE: Final = 0.4
"""A block left over joins the first predicted block in which it stands with less than this distance."""
MOST_STEPS: Final = 2_000_000
"""Characters compared to find a text inside another; where it would take more, it is not looked for."""
MOST_BLOCKS: Final = 500
MOST_CHARS: Final = 100_000
"""Of a prediction; one with more has nothing that is matched."""

_TRUNCATED: Final = "truncated"
_IMAGE: Final = re.compile(r"!\[.*?\]\(.*?\)")
_FENCE: Final = re.compile(r"^```markdown\n?|```\n?$", re.MULTILINE)
_HTML_TABLE: Final = re.compile(r"<table.*?</table>", re.DOTALL)
_DISPLAY: Final = re.compile(
    r"\\begin\{(equation|align|gather)\*?\}.*?\\end\{\1\*?\}|\$\$.*?\$\$|\\\[.*?\\\]", re.DOTALL
)
_PIPE_TABLE: Final = re.compile(r"(?:^[ \t]*+\S.*+\n)?(?:^[ \t]*\|.*\|[ \t]*(?:\n|\Z)){2,}", re.MULTILINE)
"""A Markdown table with the line right before it, which the original loses as it writes the table as HTML."""
_INLINE: Final = re.compile(r"\$(.*?)\$|\\\((.*?)\\\)")
_NO_LETTER: Final = re.compile(r"[^\w\u4e00-\u9fff]")
_LINE_ENDS: Final = ("\\t", "\\n", "\t", "\n", "/t", "/n")
_COMMAND: Final = re.compile(r"\\([A-Za-z]+) ?|\\(.)", re.DOTALL)
_STYLED: Final = re.compile(r"\\math(bf|cal|scr|bb|frak|sf|tt|it)\s*\{([A-Za-z0-9]+)\}|\\math(bf|cal|bb) ([A-Za-z])")
_STYLES: Final = {
    "bf": "BOLD", "cal": "SCRIPT", "scr": "SCRIPT", "bb": "DOUBLE-STRUCK", "frak": "FRAKTUR", "sf": "SANS-SERIF",
    "tt": "MONOSPACE", "it": "ITALIC",
}  # fmt: skip
_ENVIRONMENT: Final = re.compile(r"\\(?:begin|end)\{\w+\*?\}(?:\{[lcr|]*\})?")
_GREEK: Final = {
    "epsilon": "ϵ", "varepsilon": "ε", "phi": "ϕ", "varphi": "φ", "vartheta": "ϑ", "varpi": "ϖ", "varrho": "ϱ",
    "varsigma": "ς", "lambda": "λ", "Lambda": "Λ", "hbar": "ħ", "ell": "ℓ", "omicron": "ο",
}  # fmt: skip
_FUNCTIONS: Final = frozenset((
    "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "log", "ln", "lg", "exp", "lim",
    "max", "min", "sup", "inf", "det", "dim", "ker", "arg", "deg", "gcd", "mod",
))  # fmt: skip


class Text(NamedTuple):
    """A block of a page or of a prediction, as it is compared."""

    content: str
    """Without spaces and signs."""
    counts: bool
    """Whether it is part of the numbers; of a prediction, always."""
    place: int
    """Its place in the order of the page, -1 for none; of a prediction, where it begins."""


class Match(NamedTuple):
    """Blocks of the page that were matched with blocks of the prediction, neighbours joined."""

    blocks: list[int]
    predicted: list[int]


class Wish(NamedTuple):
    """A group of predicted blocks that a block of the page is nearest to, and its edit distance."""

    cost: float
    group: list[int]


def fits(folder: Path) -> bool:
    """Whether a folder is the benchmark's."""
    return _annotations(folder) is not None and bool(_outputs(folder))


def systems(folder: Path) -> list[str]:
    """Names of the folders with predictions."""
    return list(_outputs(folder))


def rows(folder: Path, system: str) -> Iterator[Row]:
    """The pages of a system; their attributes are slices."""
    path = _annotations(folder)
    for number, page in enumerate(read_json(path, list) if path else []):
        info = page.get("page_info") if isinstance(page, Mapping) else None
        if not isinstance(info, Mapping) or not isinstance(page.get("layout_dets"), list) or "image_path" not in info:
            raise DataError(say("benchmark_page", place=path, number=number, keys="layout_dets, page_info.image_path"))
        name = Path(str(info["image_path"])).stem
        row: Row = {"id": name, "reference": _reference(page), "meta": _meta(info)}
        written = page_text(_outputs(folder)[system] / f"{name}.md")
        yield row if written is None else row | {"prediction": written}


def score(given: Any, gold: Any) -> dict[str, float | None]:
    """Every number of the benchmark for one page."""
    if not isinstance(gold, Mapping) or "blocks" not in gold:
        return dict.fromkeys(("text_edit", "reading_order_edit", "teds", "teds_s"))
    page = [Text(normalise(str(text)), bool(counts), int(place)) for text, counts, place in gold["blocks"]]
    prediction = prediction_blocks(text_of(given))
    matches = match(page, prediction)
    return {
        "text_edit": _text_edit(matches, page, prediction),
        "reading_order_edit": _order_edit(matches, page, prediction),
        **_teds(text_of(given), [str(html) for html in gold.get("tables") or ()]),
    }


def match(page: Sequence[Text], prediction: Sequence[Text]) -> list[Match]:
    """Match the blocks of a page with those of a prediction."""
    if not page or not prediction:
        return [Match([at], []) for at in range(len(page))]
    groups = _joined(page, prediction)
    costs = [[_distance(block.content, _content(prediction, group)) for group in groups] for block in page]
    partner = {row: column for row, column in _assign(costs) if costs[row][column] <= MATCHED}
    found = {tuple(groups[column]): [row] for row, column in partner.items()}
    lost = []
    used: set[int] = set()
    for row in range(len(page)):
        if row not in partner:
            around = _around(page[row].content, prediction)
            used.update(around)
            found.setdefault((around[0],), []).append(row) if around else lost.append(row)
    used.update(at for group in found for at in group)
    spare = [at for at in range(len(prediction)) if at not in used]
    edits = [[Levenshtein.distance(page[row].content, prediction[at].content) for at in spare] for row in lost]
    pairs = {lost[row]: (spare[column],) for row, column in _assign(edits)} if lost and spare else {}
    matches = [Match(sorted(blocks), list(group)) for group, blocks in found.items()]
    return matches + [Match([row], list(pairs.get(row, ()))) for row in lost]


def _joined(page: Sequence[Text], prediction: Sequence[Text]) -> list[list[int]]:
    """The predicted blocks in order, neighbours joined where a block of the page is nearer to them together."""
    costs = [[_distance(block.content, each.content) for each in prediction] for block in page]
    settled_rows = {row for row, line in enumerate(costs) if min(line) < SURE}
    settled = {column for line in costs for column, cost in enumerate(line) if cost < SURE}
    wanted: list[Wish] = []
    for row, block in enumerate(page):
        if row in settled_rows:
            continue
        tries = [
            _extend(block.content, prediction, start, settled)
            for start in range(len(prediction))
            if start not in settled
        ]
        if tries:
            wishes = (Wish(_distance(block.content, _content(prediction, each, " ")), each) for each in tries)
            wanted.append(min(wishes, key=lambda wish: wish.cost))
    groups = [group for group in _compatible(wanted) if len(group) > 1]
    taken = {at for group in groups for at in group}
    return sorted([*groups, *([at] for at in range(len(prediction)) if at not in taken)])


def _compatible(wanted: Sequence[Wish]) -> Iterator[list[int]]:
    """Of the groups that blocks of the page ask for, such as have no block in common.

    Groups that overlap one after another compete: they are put together as long as they have nothing in common, and
    the combination with the least mean cost is taken, the first of equals.
    """
    for rivals in _overlapping(sorted(wanted, key=lambda wish: wish.group[0])):
        best = min(_combinations(rivals), key=lambda wishes: add_up(wish.cost for wish in wishes) / len(wishes))
        yield from (wish.group for wish in best)


def _overlapping(wishes: Sequence[Wish]) -> list[list[Wish]]:
    """Wishes in rows of such as have a block in common with one before them in the row."""
    rows: list[list[Wish]] = []
    for wish in wishes:
        if rows and any(set(wish.group).intersection(each.group) for each in rows[-1]):
            rows[-1].append(wish)
        else:
            rows.append([wish])
    return rows


def _combinations(rivals: Sequence[Wish]) -> list[list[Wish]]:
    """Combinations of wishes without a common block: each wish joins all that it can, or begins one of its own.

    Of two wishes for one group the cheaper counts.
    """
    made: list[list[Wish]] = []
    for wish in rivals:
        joined = False
        for wishes in made:
            same = next((at for at, each in enumerate(wishes) if each.group == wish.group), None)
            if same is not None:
                joined = True
                if wish.cost < wishes[same].cost:
                    wishes[same] = wish
            elif not any(set(wish.group).intersection(each.group) for each in wishes):
                wishes.append(wish)
                joined = True
        if not joined:
            made.append([wish])
    return made


def _extend(content: str, prediction: Sequence[Text], start: int, settled: set[int]) -> list[int]:
    """Neighbours from a place on that are nearer to a text the more of them are joined."""
    group = [start]
    for at in range(start + 1, len(prediction)):
        longer = [*group, at]
        before, after = (_content(prediction, each, " ") for each in (group, longer))
        if at in settled or _distance(content, after) > _distance(content, before):
            break
        if _inside(before, content) > JOINED or _inside(prediction[at].content, content) >= JOINED:
            break
        group = longer
        if len(after) > len(content):
            break
    return group


def _around(content: str, prediction: Sequence[Text]) -> list[int]:
    """The predicted blocks that a block of the page stands in."""
    return [at for at, block in enumerate(prediction) if _inside(content, block.content) < INSIDE]


def _inside(part: str, whole: str) -> float:
    """Least edit distance of a text to a piece of its length of another, by that length; 1 where it is longer."""
    width = len(part)
    if not width or width > len(whole) or width * (len(whole) - width + 1) > MOST_STEPS:
        return 1.0
    return min(Levenshtein.distance(part, whole[at : at + width]) for at in range(len(whole) - width + 1)) / width


def _text_edit(matches: Sequence[Match], page: Sequence[Text], prediction: Sequence[Text]) -> float | None:
    errors = length = 0
    for found in matches:
        if not any(page[at].counts for at in found.blocks):
            continue
        expected, given = _content(page, found.blocks), _content(prediction, found.predicted)
        errors += Levenshtein.distance(expected, given)
        length += max(len(expected), len(given))
    return errors / length if length else None


def _order_edit(matches: Sequence[Match], page: Sequence[Text], prediction: Sequence[Text]) -> float | None:
    """Edit distance of the order of blocks; one that was not found is missing in that of the prediction."""
    counted = [each for each in matches if any(page[at].counts for at in each.blocks)]
    expected = sorted(page[at].place for each in counted for at in each.blocks if page[at].place >= 0)
    if not expected:
        return None
    found = sorted((each for each in counted if each.predicted), key=lambda each: prediction[each.predicted[0]].place)
    given = [page[at].place for each in found for at in each.blocks if page[at].place >= 0]
    return Levenshtein.normalized_distance(expected, given)


def _teds(prediction: str, tables: Sequence[str]) -> dict[str, float | None]:
    """Mean TEDS of the tables of a page, each with the predicted table that it is nearest to."""
    if not tables:
        return {"teds": None, "teds_s": None}
    found = [table.html for table in extract(prediction)]
    costs = [[1.0 - (teds(each, table, profile=PROFILE) or 0.0) for each in found] for table in tables]
    partner = dict(_assign(costs)) if found else {}
    scores = [
        [
            teds(found[partner[row]], table, profile=PROFILE, structure_only=bare) if row in partner else 0.0
            for bare in (False, True)
        ]
        for row, table in enumerate(tables)
    ]
    whole, bare = zip(*scores, strict=True)
    return {"teds": _mean(whole), "teds_s": _mean(bare)}


def _mean(values: Sequence[float | None]) -> float:
    return max(0.0, add_up(value or 0.0 for value in values) / len(values))


def prediction_blocks(text: str) -> list[Text]:
    """Blocks of a prediction: tables, display formulas and images are taken out, the rest is parted at empty lines.

    A Markdown table goes with the line right before it.
    """
    text = _FENCE.sub("", _IMAGE.sub("", text)).strip()
    for taken_out in (_HTML_TABLE, _DISPLAY):
        text = taken_out.sub(lambda found: " " * len(found[0]), text)
    text = _PIPE_TABLE.sub("\n\n", text)
    blocks, place = [], 0
    for block in text.split("\n\n"):
        if content := normalise(block):
            blocks.append(Text(content, True, place))
        place += len(block) + 2
    huge = len(blocks) > MOST_BLOCKS or sum(len(block.content) for block in blocks) > MOST_CHARS
    return [] if huge else blocks


def normalise(text: str) -> str:
    """Letters, digits and underscores of a text, formulas in it as Unicode."""
    text = _INLINE.sub(_formula, text)
    for each in _LINE_ENDS:
        text = text.replace(each, "")
    return _NO_LETTER.sub("", text)


def _formula(found: re.Match[str]) -> str:
    """A formula in a text as Unicode, if it has any command, index or power; else as it is."""
    source = found[1] if found[1] is not None else found[2]
    bare = re.sub(r"\\([\\_&%^])", "", source)
    if not set("\\^_").intersection(bare):
        return found[0]
    return _COMMAND.sub(_command, _STYLED.sub(_styled, _ENVIRONMENT.sub("", bare))).strip()


def _styled(found: re.Match[str]) -> str:
    style, letters = _STYLES[found[1] or found[3]], found[2] or found[4]
    return "".join(_letter(style, letter) for letter in letters)


def _letter(style: str, letter: str) -> str:
    """A letter in a style of its own in Unicode; a few lie outside the block of mathematical letters."""
    kind = "DIGIT" if letter.isdigit() else "CAPITAL" if letter.isupper() else "SMALL"
    name = unicodedata.name(letter).removeprefix("DIGIT ") if kind == "DIGIT" else letter.upper()
    for prefix in ("MATHEMATICAL ", "", "BLACK-LETTER"):
        try:
            return unicodedata.lookup(f"{prefix}{style} {kind} {name}")
        except KeyError:
            continue
    return letter


def _command(found: re.Match[str]) -> str:
    name = found[1]
    if name is None:
        return " "
    if name in _GREEK or name in _FUNCTIONS:
        return _GREEK.get(name, name)
    try:
        return unicodedata.lookup(f"GREEK {'CAPITAL' if name[0].isupper() else 'SMALL'} LETTER {name.upper()}")
    except KeyError:
        return ""


def _distance(first: str, second: str) -> float:
    longer = max(len(first), len(second))
    return Levenshtein.distance(first, second) / longer if longer else 0.0


def _content(blocks: Sequence[Text], numbers: Sequence[int], between: str = "") -> str:
    return between.join(blocks[at].content for at in numbers)


def _assign(costs: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    from scipy.optimize import linear_sum_assignment  # 0.3 s to import, needed here only

    return [(int(row), int(column)) for row, column in zip(*linear_sum_assignment(costs), strict=True)]


def _reference(page: Mapping[str, Any]) -> dict[str, Any]:
    """What is compared of a page: its text in reading order for our numbers, its blocks and tables for theirs."""
    annotated = [each for each in page["layout_dets"] if isinstance(each, Mapping) and not each.get("ignore")]
    blocks = _page_blocks(annotated, _relations(page))
    tables = [each for each in _ordered(annotated) if each.get("category_type") == "table"]
    return {
        "text": "\n\n".join(filter(None, map(_markdown, _ordered(annotated)))),
        "blocks": [[str(each.get("text") or ""), each["category_type"] in COUNTED, _place(each)] for each in blocks],
        "tables": [str(each.get("html") or "") for each in tables],
    }


def _page_blocks(
    annotated: Sequence[Mapping[str, Any]], truncated: Sequence[tuple[Any, Any]]
) -> list[Mapping[str, Any]]:
    """Texts of a page in their order; blocks that a column or page parts are one.

    A block in the middle of three that belong together stands twice, as in the original.
    """
    known = {each.get("anno_id"): each for each in annotated}
    groups: list[list[Any]] = []
    for source, target in truncated:
        group = next((each for each in groups if source in each or target in each), None)
        if group is None:
            groups.append(group := [])
        group += [source, target]
    parted = {name for group in groups for name in group}
    by_kind = defaultdict(list)
    for each in annotated:
        if each.get("anno_id") not in parted:
            by_kind[each.get("category_type")].append(each)
    for group in groups:
        members = _ordered([known[name] for name in group if name in known])
        if members:
            text = "".join(str(each.get("text") or "") for each in members)
            by_kind[members[0].get("category_type")].append({**members[0], "text": text})
    return _ordered([each for kind in (*COUNTED, *UNCOUNTED) for each in by_kind[kind]])


def _ordered(annotated: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(annotated, key=lambda each: each.get("order") or 0)


def _place(annotation: Mapping[str, Any]) -> int:
    order = annotation.get("order")
    return int(order) if isinstance(order, int | float) else -1


def _relations(page: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    extra = page.get("extra")
    relations = extra.get("relation") if isinstance(extra, Mapping) else None
    return [
        (each.get("source_anno_id"), each.get("target_anno_id"))
        for each in relations or ()
        if isinstance(each, Mapping) and str(each.get("relation_type", "")).lower() == _TRUNCATED
    ]


def _markdown(annotation: Mapping[str, Any]) -> str:
    """A block of a page as a document has it; what has no order is not part of the text."""
    kind, text = annotation.get("category_type"), str(annotation.get("text") or "").strip()
    if annotation.get("order") is None:
        return ""
    if kind == "table":
        return str(annotation.get("html") or "").strip()
    if kind == "equation_isolated":
        return str(annotation.get("latex") or "").strip()
    return f"# {text}" if kind == "title" and text else text


def _meta(info: Mapping[str, Any]) -> dict[str, str]:
    """Attributes of a page as slice keys; of a list, all that hold."""
    attributes = info.get("page_attribute")
    if not isinstance(attributes, Mapping):
        return {}
    return {
        str(key): "+".join(map(str, value)) if isinstance(value, list) else str(value)
        for key, value in attributes.items()
        if not isinstance(value, Mapping)
    }


def _annotations(folder: Path) -> Path | None:
    """The JSON file with the annotated pages: in the folder, or in one of its folders."""
    found = [*sorted(folder.glob("OmniDocBench*.json")), *sorted(folder.glob("*/OmniDocBench*.json"))]
    return next(iter([*found, *sorted(folder.glob("*/*/OmniDocBench*.json"))]), None)


def _outputs(folder: Path) -> dict[str, Path]:
    """Folders of Markdown, one per system: in `predictions`, or any folder with Markdown beside the annotations."""
    inner = folder / "predictions"
    if inner.is_dir():
        return {name: inner / name for name in folders_in(inner)}
    places = [folder, *(folder / name for name in folders_in(folder))]
    return {
        name: place / name for place in places for name in folders_in(place) if next((place / name).glob("*.md"), None)
    }


_METRICS: Final[tuple[Metric, ...]] = (
    *metrics_of("omnidocbench", better="lower", names=("text_edit", "reading_order_edit")),
    *metrics_of("omnidocbench", better="higher", names=("teds", "teds_s")),
)

BENCHMARK: Final = Benchmark(
    "omnidocbench",
    VERSION,
    fits,
    systems,
    rows,
    _METRICS,
    score,
)
