"""`cell_f1` on tables of 100 cells, reading included, as HTML, pipe tables and LaTeX: pairs and tables a second.

    python benchmarks/cell_f1.py [--pairs 150] [--repeat 5]

The last column is the time of a pair beside that of lxml parsing both tables as HTML in the same run, which is what
any measure of HTML tables has to spend at least. Texts differ from table to table and from one repeat to the next, so
that nothing is known from before; a tenth of the cells is changed and every third prediction has lost a row. Every way
to write a pair must give the same score.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from html import escape
from random import Random
from typing import Any

from lxml import html
from timing import best

from jatdae.tables import cell_f1
from jatdae.tables.cell_text import fold

Grid = list[list[str]]
WORDS = ("mean (SD)", "Total", "p < 0.05", "3.14 ± 0.2", "ROUGE-L", "1,234", "치료군", "대조군", "합계", "—")
SIDE = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=150, help="pairs of tables")
    parser.add_argument("--repeat", type=int, default=5, help="the best of so many")
    options = parser.parse_args()
    draw = Random(0)
    batches = [[pair(draw, number) for number in range(options.pairs)] for _ in range(options.repeat)]
    parsing = best_of(lambda batch: [html.fromstring(as_html(grid)) for both in batch for grid in both], batches)
    print(f"{'written as':18}{'pairs/s':>10}{'tables/s':>10}{'× lxml alone':>14}{'mean score':>12}")
    scores = set()
    for name, write in WRITTEN.items():
        texts = [[(write(prediction), write(reference)) for prediction, reference in batch] for batch in batches]
        fold.cache_clear()
        spent = best_of(lambda batch: [cell_f1(*both) for both in batch], texts)
        score = sum(cell_f1(*both) or 0.0 for both in texts[0]) / options.pairs
        scores.add(score)
        a_second = options.pairs / spent
        print(f"{name:18}{a_second:10,.0f}{2 * a_second:10,.0f}{spent / parsing:14.1f}{score:12.4f}")
    assert len(scores) == 1, "the same tables have several scores"


def best_of(work: Callable[[Any], object], batches: list[Any]) -> float:
    """The least time of `work` on one batch."""
    left = iter(batches)
    return best(lambda: work(next(left)), len(batches))


def pair(draw: Random, number: int) -> tuple[Grid, Grid]:
    """A prediction and its reference."""
    reference = [[text(draw) for _ in range(SIDE)] for _ in range(SIDE)]
    prediction = [row[:] for row in reference]
    for _ in range(SIDE):
        prediction[draw.randrange(SIDE)][draw.randrange(SIDE)] = text(draw)
    if number % 3 == 0:
        del prediction[draw.randrange(SIDE)]
    return prediction, reference


def text(draw: Random) -> str:
    return f"{draw.random() * 100:.4f}" if draw.random() < 0.5 else f"{draw.choice(WORDS)} {draw.randrange(100_000)}"


def as_html(grid: Grid) -> str:
    return f"<table>{''.join(f'<tr>{cells(row)}</tr>' for row in grid)}</table>"


def as_indented_html(grid: Grid) -> str:
    rows = (f"  <tr>\n{cells(row, '    ', chr(10), ' class=' + chr(34) + 'n' + chr(34))}  </tr>\n" for row in grid)
    return f"<table>\n<tbody>\n{''.join(rows)}</tbody>\n</table>\n"


def as_spanning_html(grid: Grid) -> str:
    """With a span that changes nothing, so that the table has to be laid out."""
    return as_html(grid).replace("<td>", '<td rowspan="1">', 1)


def as_pipes(grid: Grid) -> str:
    lines = [f"| {' | '.join(row)} |" for row in grid]
    return "\n".join([lines[0], "|" + "---|" * SIDE, *lines[1:]])


def as_marked_pipes(grid: Grid) -> str:
    """With bold text in the first column, so that Markdown has to be parsed."""
    return as_pipes([[f"**{row[0]}**", *row[1:]] for row in grid])


def as_latex(grid: Grid) -> str:
    rows = "\n".join(f"{' & '.join(row)} \\\\" for row in grid)
    return f"\\begin{{tabular}}{{{'l' * SIDE}}}\n\\hline\n{rows}\n\\hline\n\\end{{tabular}}"


def as_marked_latex(grid: Grid) -> str:
    """With booktabs rules, bold and coloured text, formulas and signs in its cells, as papers write them."""
    lines = []
    for row in grid:
        signs = [cell.replace("±", r"$\pm$").replace("<", "$<$").replace("—", "---") for cell in row]
        lines.append(" & ".join([rf"\textbf{{{signs[0]}}}", rf"\cellcolor{{gray}} {signs[1]}", *signs[2:]]) + r" \\")
    lines.insert(1, rf"\cmidrule(lr){{2-{SIDE}}}")
    body = "\n".join(lines)
    return f"\\begin{{tabular}}{{@{{}}{'l' * SIDE}@{{}}}}\n\\toprule\n{body}\n\\bottomrule\n\\end{{tabular}}"


def cells(row: list[str], before: str = "", after: str = "", attributes: str = "") -> str:
    return "".join(f"{before}<td{attributes}>{escape(cell, quote=False)}</td>{after}" for cell in row)


WRITTEN: dict[str, Callable[[Grid], str]] = {
    "HTML": as_html,
    "HTML, indented": as_indented_html,
    "HTML, spans": as_spanning_html,
    "pipes": as_pipes,
    "pipes, bold": as_marked_pipes,
    "LaTeX": as_latex,
    "LaTeX, commands": as_marked_latex,
}


if __name__ == "__main__":
    main()
