"""What is wrong with the tables of a document, in words: table by table, a line per cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from jatdae.core.messages import say, shown, word_finder

LONGEST: Final = 60
"""Characters shown of a cell."""

word = word_finder(__name__)


def say_findings(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Lines on the evidence of one document; of each cell the reference, an arrow, the prediction."""
    if evidence.get("misordered"):
        yield word("misordered")
    equal = 0
    for at, pair in enumerate(evidence["pairs"], 1):
        found = list(_pair(pair))
        equal += not found
        if found:
            score = "" if pair["teds"] is None else f" (TEDS {pair['teds']:.4f})"
            yield f"{word('table', id=shown(str(pair.get('id') or at)))}{score}:"
            yield from (f"  {line}" for line in found)
    yield from (word("extra_table") for _ in evidence.get("extra") or ())
    if equal:
        yield f"{word('tables_agree')} ({equal})" if equal > 1 else word("tables_agree")
    if left_out := evidence.get("left_out"):
        yield say("page_and_left_out", n=left_out)


def _pair(pair: Mapping[str, Any]) -> Iterator[str]:
    reference, prediction = pair.get("reference"), pair.get("prediction")
    if not reference or not prediction:
        yield word("table_missed" if pair["number"] is None else "table_unread")
        if instead := pair.get("instead"):
            yield f"{word('instead')}: {_shown(instead)}"
        elif instead == "":
            yield word("nothing_instead")
        return
    texts = {(cell["row"], cell["col"]): cell["text"] for cell in prediction["cells"]}
    wrong = [cell for side in (reference, prediction) for cell in side["cells"] if _is_told(cell, side is reference)]
    for cell in wrong:
        place = word("place_cell", row=cell["row"] + 1, col=cell["col"] + 1)
        kinds = ", ".join(word(f"wrong_{kind}") for kind in cell["wrong"])
        yield f"{place}: {kinds}: {_texts(cell, texts)}"
    if not wrong and (pair["teds"] is None or pair["teds"] < 1):
        yield word("cells_agree" if pair.get("rows") else "painted_places")


def _is_told(cell: Mapping[str, Any], of_reference: bool) -> bool:
    """Whether something is wrong with a cell; of two partners the reference's tells it."""
    return bool(cell.get("wrong")) and (of_reference or "extra" in cell["wrong"])


def _texts(cell: Mapping[str, Any], predicted: Mapping[tuple[int, int], str]) -> str:
    text = _shown(cell["text"])
    partner = cell.get("partner")
    other = _shown(predicted.get(tuple(partner), "")) if partner else text
    return text if other == text else f"{text} → {other}"


def _shown(text: str) -> str:
    return shown(text, LONGEST) if text else word("cell_empty")
