"""Real data where it is at hand, and the official TEDS written anew on the apted package as the oracle."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import html as lxml_html

Oracle = Callable[[str, str, bool], float]


FOLDER = Path(os.environ.get("JATDAE_DATA") or Path(__file__).parents[3] / "shared" / "data")


def _present(path: Path) -> Path:
    if not path.exists():
        pytest.skip(f"{path} is not here; set JATDAE_DATA to the folder with the conformance data")
    return path


@pytest.fixture(scope="session")
def benchmark_folder() -> Callable[[str], Path]:
    """The folder of a benchmark in the data folder."""
    return lambda name: _present(FOLDER / "benchmarks" / name)


@pytest.fixture(scope="session")
def rows() -> Callable[[str], list[dict[str, Any]]]:
    """The rows of a file of the data folder."""

    def read(name: str) -> list[dict[str, Any]]:
        path = _present(FOLDER / "tables" / name)
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]

    return read


@pytest.fixture(scope="session")
def official() -> Oracle:
    """TEDS as the PubTabNet implementation computes it: (prediction, reference, structure_only) -> score."""
    apted = pytest.importorskip("apted", reason="the oracle stands on the apted package")
    from rapidfuzz.distance import Levenshtein

    class Node:
        def __init__(self, element: Any, structure_only: bool) -> None:
            self.tag = element.tag
            self.spans: tuple[int, int] | None = None
            self.tokens: list[str] = []
            self.children: list[Node] = []
            if element.tag == "td":
                self.spans = int(element.get("colspan", "1")), int(element.get("rowspan", "1"))
                self.tokens = [] if structure_only else tokens(element)[1:-1]
            else:
                self.children = [Node(child, structure_only) for child in element]

    class Costs(apted.Config):  # type: ignore[name-defined,misc]
        def rename(self, a: Node, b: Node) -> float:
            if a.tag != b.tag or a.spans != b.spans:
                return 1.0
            if a.tokens or b.tokens:
                return float(Levenshtein.distance(a.tokens, b.tokens)) / max(len(a.tokens), len(b.tokens))
            return 0.0

    def tokens(element: Any) -> list[str]:
        made = [f"<{element.tag}>", *(element.text or "")]
        for child in element:
            made += tokens(child)
        if element.tag != "unk":
            made.append(f"</{element.tag}>")
        return made + list(element.tail or "") if element.tag != "td" else made

    def score(prediction: str, reference: str, structure_only: bool) -> float:
        parser = lxml_html.HTMLParser(remove_comments=True, encoding="utf-8")
        sides = [lxml_html.fromstring(text, parser=parser).xpath("body/table") for text in (prediction, reference)]
        if not all(sides):
            return 0.0
        a, b = sides[0][0], sides[1][0]
        size = max(len(a.xpath(".//*")), len(b.xpath(".//*")))
        trees = Node(a, structure_only), Node(b, structure_only)
        return 1.0 - float(apted.APTED(*trees, Costs()).compute_edit_distance()) / size

    return score
