"""What a report needs to paint two tables side by side: plain JSON of bounded size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jatdae.tables.explain import Edit, explain
from jatdae.tables.grid import Grid
from jatdae.tables.issues import TableError
from jatdae.tables.loaded import Loaded
from jatdae.tables.pairs import Pair
from jatdae.tables.profiles import Profile

MAX_TABLES: Final = 20
MAX_EXTRA: Final = 5
MAX_CELLS: Final = 600
MAX_EDITS: Final = 1200
MAX_TEXT: Final = 200


def show_document(
    pairs: Sequence[Pair], predictions: Sequence[Loaded | None], profile: Profile, *, explained: bool
) -> dict[str, Any]:
    """The pairing with both tables of each pair, and the predicted tables that have no partner."""
    used = {pair.number for pair in pairs}
    extra = [number for number in range(len(predictions)) if number not in used]
    shown = {
        "pairs": [_show_pair(pair, profile, explained) for pair in pairs[:MAX_TABLES]],
        "extra": [{"number": at, "prediction": _show_side(predictions[at])} for at in extra[:MAX_EXTRA]],
    }
    return _with_rest(shown, max(0, len(pairs) - MAX_TABLES) + max(0, len(extra) - MAX_EXTRA))


def show_grid(grid: Grid) -> dict[str, Any]:
    """The grid with its first MAX_CELLS cells; `left_out` says how many more there are."""
    shown: dict[str, Any] = {
        "rows": grid.rows,
        "cols": grid.cols,
        "cells": [
            {
                "row": cell.row,
                "col": cell.col,
                "rowspan": cell.rowspan,
                "colspan": cell.colspan,
                "header": cell.header,
                "text": _short(cell.text),
            }
            for cell in grid.cells[:MAX_CELLS]
        ],
    }
    return _with_rest(shown, len(grid.cells) - MAX_CELLS)


def show_edits(edits: Sequence[Edit]) -> dict[str, Any]:
    """The edits that cost something, dearest first where not all fit, and how many of each kind there are."""
    counts = {op: sum(edit.op == op for edit in edits) for op in ("match", "rename", "insert", "delete")}
    costly = [edit for edit in edits if edit.op != "match"]
    kept = costly
    if len(costly) > MAX_EDITS:
        dearest = sorted(range(len(costly)), key=lambda at: -costly[at].cost)[:MAX_EDITS]
        kept = [costly[at] for at in sorted(dearest)]
    shown = {"counts": counts, "edits": [edit.as_json() for edit in kept]}
    return _with_rest(shown, len(costly) - MAX_EDITS)


def _show_pair(pair: Pair, profile: Profile, explained: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "id": pair.reference.table.id,
        "number": pair.number,
        "teds": pair.values["teds"],
        "teds_s": pair.values["teds_s"],
        "prediction": _show_side(pair.prediction),
        "reference": _show_side(pair.reference),
    }
    if explained and pair.prediction is not None and pair.values["teds"] is not None:
        try:
            shown["script"] = show_edits(explain(pair.prediction, pair.reference, profile))
        except TableError as error:
            shown["script_missing"] = str(error)
    return shown


def _show_side(side: Loaded | None) -> dict[str, Any] | None:
    try:
        return None if side is None else show_grid(side.grid)
    except TableError:
        return None


def _with_rest(shown: dict[str, Any], left_out: int) -> dict[str, Any]:
    return {**shown, "left_out": left_out} if left_out > 0 else shown


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"
