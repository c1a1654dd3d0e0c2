"""TEDS, parsing included, beside other implementations in the same process: CPU milliseconds a pair, and ratios.

    python benchmarks/teds.py [--sizes 25 100 400 1000 2500] [--repeat 3] [--slow]

A pair is a random table and another. `edited`: a copy with a tenth of the texts changed, a row and a column inserted
and deleted, spans changed. `near`: a copy with two texts changed. `strangers`: a table with nothing in common, the
worst case. The scores are compared: with the official one to the last bit, with others to 1e-9, but for
table-recognition-metric, which divides by another size. `--slow` runs the official one on 1000 cells too, which takes
minutes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from html import escape
from pathlib import Path
from random import Random

import teds_peers as peers
from lxml import html

from jatdae.tables import teds

SORTS = ("edited", "near", "strangers")
RIVALS = {
    "official": peers.official,
    "table-recognition-metric": peers.table_recognition_metric,
    "zss": peers.zss,
    "numba": peers.numba,
}
LARGEST = {"official": 400, "table-recognition-metric": 400, "zss": 400, "numba": 100_000}
TOLERANCE = {"official": 0.0, "table-recognition-metric": 0.1, "zss": 1e-9, "numba": 1e-9}
TO_REACH = {
    "official": {25: 100, 100: 500, 400: 1000},
    "numba": {400: 8, 1000: 8, 2500: 8},
}
WORDS = ("mean", "total", "net", "baseline", "method", "group", "ratio", "평균", "합계", "비고", "n/a", "±", "p<0.05")
Cell = tuple[str, str]
"""Attributes and text."""
Grid = list[list[Cell]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[25, 100, 400, 1000, 2500], metavar="CELLS")
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many")
    parser.add_argument("--slow", action="store_true", help="the official algorithm on 1000 cells too")
    parser.add_argument("--once", type=int, metavar="CELLS", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.once:
        ours(*pair(options.once, "strangers"))
        print(peak_memory())
        return
    rivals = {name: make() for name, make in RIVALS.items()}
    compiling, _ = best(rivals["numba"], *pair(25, "edited"), repeat=1)
    print(f"numba compiles {compiling:.1f} s at its first call; not counted below\n")
    for sort in SORTS:
        print(f"{sort}, CPU ms\n\n| cells | TEDS | lxml alone | jatdae |{''.join(f' {name} | × |' for name in rivals)}")
        print(f"|---|---|---|---|{'---|---|' * len(rivals)}")
        largest = LARGEST | ({"official": 1000} if options.slow and sort == "edited" else {})
        for cells in options.sizes:
            fit = {name: rival for name, rival in rivals.items() if cells <= largest[name]}
            print(row(cells, sort, fit, options.repeat), flush=True)
        print()
    command = [sys.executable, __file__, "--once"]
    small, large = (
        float(subprocess.run([*command, cells], check=True, capture_output=True, text=True).stdout)
        for cells in ("25", "2500")
    )
    print(f"peak memory: {small:.0f} MB after two strangers of 25 cells, {large:.0f} MB after two of 2500")


def row(cells: int, sort: str, rivals: dict[str, peers.Teds], repeat: int) -> str:
    texts = pair(cells, sort)
    parsing, _ = best(only_parse, *texts, repeat=repeat)
    spent, score = best(ours, *texts, repeat=max(repeat, 5))
    fields = [f"{cells}", f"{score:.4f}", shown(parsing), shown(spent)]
    for name in RIVALS:
        if name not in rivals:
            fields += ["–", "–"]
            continue
        theirs, their_score = best(rivals[name], *texts, repeat=repeat if cells < 400 or name == "numba" else 1)
        assert abs(their_score - score) <= TOLERANCE[name], f"{name} gives {their_score}, not {score}"
        goal = TO_REACH.get(name, {}).get(cells)
        fields += [
            shown(theirs),
            f"{theirs / spent:.0f}" + (f" (to reach: {goal})" if goal and sort == "edited" else ""),
        ]
    return f"| {' | '.join(fields)} |"


def best(implementation: peers.Teds, prediction: str, reference: str, *, repeat: int) -> tuple[float, float]:
    """CPU seconds of the fastest of several calls, and the score."""
    least, score = float("inf"), 0.0
    for _ in range(repeat):
        start = time.process_time()
        score = implementation(prediction, reference)
        least = min(least, time.process_time() - start)
    return least, score


def ours(prediction: str, reference: str) -> float:
    score = teds(prediction, reference, profile="pubtabnet")
    assert score is not None
    return score


def only_parse(prediction: str, reference: str) -> float:
    for text in (prediction, reference):
        html.fromstring(text, parser=html.HTMLParser(remove_comments=True, encoding="utf-8"))
    return 0.0


def shown(seconds: float) -> str:
    return f"{seconds * 1000:.2f}" if seconds < 0.1 else f"{seconds * 1000:,.0f}"


def peak_memory() -> float:
    """Megabytes. From /proc, because what getrusage says a child inherits from its parent."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def pair(cells: int, sort: str) -> tuple[str, str]:
    """Prediction and reference, the same at every call."""
    draw = Random(f"{cells} {sort}")
    columns = max(3, min(50, int(cells**0.5)))
    grid = random_grid(draw, cells // columns, columns)
    if sort == "strangers":
        other = random_grid(draw, cells // columns, columns)
    else:
        other = changed(draw, grid, cells // 10 if sort == "edited" else 2)
    if sort == "edited":
        resize(draw, other)
    return page(other), page(grid)


def random_grid(draw: Random, rows: int, columns: int) -> Grid:
    return [[("", random_text(draw)) for _ in range(columns)] for _ in range(rows)]


def random_text(draw: Random) -> str:
    return f"{draw.choice(WORDS)} {draw.randrange(10_000) / 100}"


def changed(draw: Random, grid: Grid, count: int) -> Grid:
    """A copy with a character replaced and one inserted in so many cells."""
    copy = [list(row) for row in grid]
    for number in draw.sample(range(len(grid) * len(grid[0])), count):
        row, column = divmod(number, len(grid[0]))
        spans, text = copy[row][column]
        at = draw.randrange(len(text))
        copy[row][column] = spans, text[:at] + draw.choice("xyz") * 2 + text[at + 1 :]
    return copy


def resize(draw: Random, grid: Grid) -> None:
    """Delete a row and a column, insert others elsewhere, and change a span in every tenth row."""
    del grid[draw.randrange(len(grid))]
    grid.insert(draw.randrange(len(grid)), [("", random_text(draw)) for _ in grid[0]])
    gone, new = draw.randrange(len(grid[0])), draw.randrange(len(grid[0]))
    for number, cells in enumerate(grid):
        del cells[gone]
        cells.insert(new, ("", random_text(draw)))
        if number % 10 == 0:
            at = draw.randrange(len(cells))
            cells[at] = (' colspan="2"', cells[at][1])


def page(grid: Grid) -> str:
    rows = ["".join(f"<td{spans}>{escape(text)}</td>" for spans, text in row) for row in grid]
    head, *body = (f"<tr>{row}</tr>" for row in rows)
    return f"<html><body><table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table></body></html>"


if __name__ == "__main__":
    main()
