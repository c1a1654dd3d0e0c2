"""Input made to be slow is not: everything before the alignment takes linear time."""

from __future__ import annotations

import subprocess
import sys

SIZE = 50_000
SLOWEST_MACHINE = 300
"""Seconds: a net for quadratic time, which would take hours here, and no measurement."""

UNITS = """[ ] ( ) { } $ * _ ` ~ | # : ::: < > @ ! \\ ^ - = + " ' [1 [1, [[1] (A (Smith,20 (a; [a]( ![a]( ![ $a $$ \\(
\\[ \\[= \\begin{equation} <!-- <b <div <table> <span_class="math"> [@a [@ @{ [^ [^1]: {#a {a=" [a]{ [a](#b){ width="
[Page *a a* **a* _a `a`` [1]A,B.2020 —2020 A,A. 가, 2020 References REFERENCES :::refs <div_id="refs"> 1.Smith,
\u0301 \u200d \0 \u00ad & &a &amp; &lt; . …. · \\frac \\frac{ \\alpha x_{ x_{i} \\left( a= 1+\\pi
\\begin{tabular}{l}&\\end{tabular} ```a[1] `[1] ~~~ <code>[1] [1]: ［1 [1~
1 (A B_and [1]Z.2020 A_Title Z,Y.2020_A_Title A.1_B 가._가"""
GAPS = ["", "\n", " a "]

SCRIPT = f"""
from jatdae.text.normaliser import find_normaliser
from jatdae.text.bibliography import find_bibliographies
from jatdae.text.evidence import find_regions, project_regions
from jatdae.text.graphemes import graphemes
fair, literal = find_normaliser("join_lines+hyphenation+fair"), find_normaliser("fair@1+seed")
for unit in [*{UNITS.split()!r}, " ", "\\n", "\\ud800"]:
    for gap in {GAPS!r}:
        piece = unit.replace("_", " ") + gap
        text = "[" + piece * ({SIZE} // len(piece))
        fair(text)
        literal(text)
        graphemes(text)
        find_bibliographies(text, "heading")
        find_regions(text, find_bibliographies(text))
headings = "# a\\n" * ({SIZE} // 4)
project_regions(headings, find_regions(headings, []), fair(headings), fair)
print("done")
"""


def test_hostile_text_takes_linear_time() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=SLOWEST_MACHINE, check=False
    )
    assert done.stdout == "done\n", done.stderr
