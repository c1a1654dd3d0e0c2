"""Tables for papers: booktabs, direction-aware bold, nothing a model wrote becomes a command."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from jatdae.core.contract import Sample
from jatdae.report.latex import latex_of, tex, to_latex
from jatdae.report.sheets import Sheet, SheetCell
from jatdae.run.api import evaluate
from jatdae.run.stats.result import Result


def test_a_table_has_rules_right_numbers_and_bold() -> None:
    sheet = Sheet("CER of A & B", ("metric", "a"), ((SheetCell("cer ↓"), SheetCell("5.00 %", True)),), "text | fair_1")
    assert latex_of([sheet]) == (
        "% \\usepackage{booktabs}\n"
        "% \\usepackage{graphicx}\n"
        "\\begin{table}[t]\n"
        "\\centering\\footnotesize\\setlength{\\tabcolsep}{2.5pt}\n"
        "\\caption{CER of A \\& B}\n"
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{\\begin{tabular}{lr}\n"
        "\\toprule\n"
        "metric & a \\\\\n"
        "\\midrule\n"
        "cer $\\downarrow$ & \\textbf{5.00 \\%} \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}}\n"
        "\\par\\smallskip\\parbox{\\linewidth}{\\raggedright\\footnotesize text \\textbar{} \\allowbreak{}"
        "fair\\_\\allowbreak{}1}\n"
        "\\end{table}\n"
    )


def test_what_is_not_shown_is_told_below_the_table() -> None:
    sheet = Sheet("A", ("metric", "p"), ((SheetCell("cer ↓"), SheetCell("–")),), "text", "No p-values: 3 clusters.")
    notes = re.findall(r"footnotesize ([^}]*)}$", latex_of([sheet]), re.MULTILINE)
    assert notes == ["text", "No p-values: 3 clusters."]


def test_the_best_is_bold_whichever_way_is_better(plugin: Callable[..., Any]) -> None:
    samples = [Sample("1", "b" * n, "b", system=f"m{n}") for n in (1, 3)]
    text = to_latex(evaluate(samples, plugin("shown:Shown")).summary)
    assert "same $\\uparrow$} & \\textbf{100.00 \\%} & 0.00 \\% \\\\" in text
    assert "longer $\\downarrow$ & \\textbf{0.0000} & 0.2000 \\\\" in text


def test_no_text_is_a_command(hostile: Result) -> None:
    assert tex("\\input{x} $a_b$ 50% #1 ~^&\n{}") == (
        r"\textbackslash{}input\{x\} \$a\_\allowbreak{}b\$ 50\% \#1 \textasciitilde{}\textasciicircum{}\& \{\}"
    )
    lines = to_latex(hostile.summary).splitlines()
    rows = [line for line in lines if line.endswith(r"\\")]
    columns = {len(re.findall(r"(?<!\\)&", row)) for row in rows}
    assert columns <= {2, 3, 4, 5}
    assert "\u202e" not in "".join(lines)
