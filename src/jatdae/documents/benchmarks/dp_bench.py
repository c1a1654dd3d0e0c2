"""DP-Bench of Upstage: the text of a page's elements in their order (NID), and its first table (TEDS).

    NID  = 2 · LCS(prediction, reference) / (|prediction| + |reference|)     over the texts of all elements but figures,
           tables and charts, each followed by a space, line ends taken away
    TEDS = that of PubTabNet on the first table of the page, `thead` and `tbody` taken away

Two rules of the original are kept: of several tables on a page only the first is compared, and a page on which neither
side has any text is worth .01, not 1 (its program writes 1 on a scale that ends at 100).

Source: https://huggingface.co/datasets/upstage/dp-bench, src/layout_evaluation.py and src/table_evaluation.py, 2024.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from rapidfuzz import fuzz

from jatdae.core.errors import DataError
from jatdae.core.messages import speaker
from jatdae.documents.benchmarks.benchmark import Benchmark, Row, metrics_of, read_json
from jatdae.tables import teds

say = speaker(__name__)

VERSION: Final = "2024.10"

_NO_TEXT: Final = frozenset({"figure", "table", "chart"})
_INNER: Final = re.compile(r"<table[^>]*?>(.*?)</table>", re.DOTALL)
_SECTIONS: Final = re.compile(r"</?(?:thead|tbody)>")
_BOTH_EMPTY: Final = 0.01
_REFERENCES: Final = ("reference.json", "dataset/reference.json")
_SYSTEMS: Final = ("sample_results", "predictions", "dataset/sample_results")
_HEADING: Final = re.compile(r"heading([1-6])")


def fits(folder: Path) -> bool:
    """Whether a folder is the benchmark's."""
    return _reference(folder) is not None and bool(_outputs(folder))


def systems(folder: Path) -> list[str]:
    """Names of the systems whose elements are there."""
    return list(_outputs(folder))


def rows(folder: Path, system: str) -> Iterator[Row]:
    """The pages of a system; elements stand beside the text made of them."""
    path = _reference(folder)
    gold = _pages(path) if path else {}
    found = _pages(_outputs(folder)[system])
    for page, elements in gold.items():
        row: Row = {"id": page.removesuffix(".pdf"), "reference": _as_sample(elements)}
        yield row | {"prediction": _as_sample(found[page])} if page in found else row


def score(prediction: Any, reference: Any) -> dict[str, float | None]:
    """Every number of the benchmark for one page."""
    gold = _elements(reference)
    if gold is None:
        return {"nid": None, "teds": None, "teds_s": None}
    found = _elements(prediction) or []
    return {"nid": _nid(_text(found), _text(gold)), **_teds(_tables(found), _tables(gold))}


def _nid(prediction: str, reference: str) -> float:
    if not prediction:
        return 0.0 if reference else _BOTH_EMPTY
    return fuzz.ratio(reference, prediction) / 100.0


def _text(elements: Sequence[Mapping[str, Any]]) -> str:
    texts = (_content(each, "text") for each in elements if _category(each) not in _NO_TEXT)
    return "".join(f"{text} " for text in texts).replace("\n", "")


def _teds(prediction: str, reference: str) -> dict[str, float | None]:
    if not reference:
        return {"teds": None, "teds_s": None}
    pages = [f"<html><body>{_SECTIONS.sub('', tables)}</body></html>" for tables in (prediction, reference)]
    if not prediction:
        return {"teds": 0.0, "teds_s": 0.0}
    return {
        "teds": _bounded(teds(*pages, profile="pubtabnet")),
        "teds_s": _bounded(teds(*pages, profile="pubtabnet", structure_only=True)),
    }


def _bounded(value: float | None) -> float:
    return max(0.0, value or 0.0)


def _tables(elements: Sequence[Mapping[str, Any]]) -> str:
    """The tables of a page one after another, each without attributes of its own."""
    sources = (_content(each, "html") for each in elements if _category(each) == "table")
    return "".join(f"<table>{inner}</table>" for source in sources for inner in _INNER.findall(source) or [source])


def _as_sample(elements: list[Any]) -> dict[str, Any]:
    return {"text": "\n\n".join(filter(None, map(_markdown, elements))), "elements": elements}


def _markdown(element: Mapping[str, Any]) -> str:
    """An element as a document has it: a table as HTML, a heading with its marks, the rest as text."""
    category, text = _category(element), _content(element, "text").strip()
    if category == "table":
        return _content(element, "html").strip() or text
    if heading := _HEADING.fullmatch(category):
        return f"{'#' * int(heading[1])} {' '.join(text.split())}" if text else ""
    return text


def _category(element: Mapping[str, Any]) -> str:
    return str(element.get("category", "")).lower()


def _content(element: Mapping[str, Any], form: str) -> str:
    content = element.get("content")
    return str(content.get(form) or "") if isinstance(content, Mapping) else ""


def _elements(value: Any) -> list[Mapping[str, Any]] | None:
    found = value.get("elements") if isinstance(value, Mapping) else None
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else None


def _pages(path: Path) -> dict[str, list[Any]]:
    pages = read_json(path, dict)
    for page, described in pages.items():
        if _elements(described) is None:
            raise DataError(say("benchmark_elements", place=path, page=page))
    return {page: described["elements"] for page, described in pages.items()}


def _reference(folder: Path) -> Path | None:
    return next((folder / name for name in _REFERENCES if (folder / name).is_file()), None)


def _outputs(folder: Path) -> dict[str, Path]:
    return {path.stem: path for name in _SYSTEMS for path in sorted((folder / name).glob("*.json"))}


BENCHMARK: Final = Benchmark(
    "dp-bench",
    VERSION,
    fits,
    systems,
    rows,
    metrics_of("dp-bench", better="higher", names=("nid", "teds", "teds_s")),
    score,
)
