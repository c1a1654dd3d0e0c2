"""Formulas: jatdae's whole evaluator beside pylatexenc and latex2mathml, which only read them; formulas made here.

Each pair is a reference of some 120 characters and a prediction that writes it otherwise; every other one has an
error. jatdae reads both, compares them and makes the evidence that a report draws; pylatexenc reads both into nodes,
latex2mathml turns both into MathML. No formula comes twice, so that nothing is remembered, and tools take turns.

    python benchmarks/formulas.py [--rounds 3] [--pairs 3000] [--no-peers]
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Callable

from timing import best

Pair = tuple[str, str]
Tool = Callable[[Pair], object]

LETTERS = [*"abcdefghknmpqrstuvwxyz", *(f"\\{name} " for name in ("alpha", "beta", "gamma", "lambda", "mu", "theta"))]
OPERATORS = ["+", "-", "=", "\\leq ", "\\cdot ", "\\in ", "\\to "]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument("--no-peers", action="store_true", help="only jatdae")
    options = parser.parse_args()
    tools = {"jatdae": jatdae()}
    if not options.no_peers:
        tools |= {"pylatexenc": pylatexenc(), "latex2mathml": latex2mathml()}
    speed: dict[str, list[float]] = {name: [] for name in tools}
    for number in range(options.rounds):
        for name, tool in tools.items():
            draw = random.Random(f"{number}")
            batch = [pair(draw) for _ in range(options.pairs if name == "jatdae" else options.pairs // 10)]
            speed[name].append(len(batch) / best(lambda tool=tool, batch=batch: [tool(each) for each in batch], 1))
    length = statistics.mean(len(pair(random.Random(at))[1]) for at in range(500))
    print(f"pairs of formulas, {length:.0f} characters; {options.rounds} rounds, one thread, CPU time\n")
    for name, found in speed.items():
        times = statistics.median(a / b for a, b in zip(speed["jatdae"], found, strict=True))
        print(
            f"    {name:14}{statistics.median(found):10,.0f} pairs/s"
            + ("" if name == "jatdae" else f"   jatdae × {times:.1f}")
        )


def pair(draw: random.Random) -> Pair:
    """A prediction and a reference."""
    reference = "=".join(formula(draw, 2) for _ in range(2))
    prediction = reference.replace("\\leq ", "\\le ").replace("\\frac", "\\dfrac").replace("+", " + ")
    if draw.random() < 0.5:
        prediction = f"{draw.choice(LETTERS)}{prediction}"
    return f"${prediction}$", f"${reference}$"


def formula(draw: random.Random, depth: int) -> str:
    """A sum of terms, some of them built of smaller formulas."""
    return draw.choice(OPERATORS).join(term(draw, depth) for _ in range(3))


def term(draw: random.Random, depth: int) -> str:
    kind = draw.randrange(6) if depth else 0
    if kind == 1:
        return f"\\frac{{{formula(draw, depth - 1)}}}{{{draw.choice(LETTERS)}}}"
    if kind == 2:
        return f"\\sqrt{{{draw.choice(LETTERS)}}}"
    if kind == 3:
        return f"\\left({draw.choice(LETTERS)}\\right)^{{{draw.randrange(9)}}}"
    if kind == 4:
        return f"\\mathbf{{{draw.choice(LETTERS)}}}_{{{draw.choice(LETTERS)}}}"
    return draw.choice(LETTERS)


def jatdae() -> Tool:
    from jatdae import FormulaEvaluator, Sample

    evaluator = FormulaEvaluator()
    return lambda each: evaluator.score(Sample("", *each))


def pylatexenc() -> Tool:
    from pylatexenc.latexwalker import LatexWalker

    return lambda each: [LatexWalker(side).get_latex_nodes() for side in each]


def latex2mathml() -> Tool:
    from latex2mathml.converter import convert

    return lambda each: [convert(side[1:-1]) for side in each]


if __name__ == "__main__":
    main()
