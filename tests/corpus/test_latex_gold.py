"""Gold from LaTeX: a paper of our own with bibliography, appendix, two columns, macros and tables, by pandoc."""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from pathlib import Path

import pytest

from jatdae.cli import main
from jatdae.core.errors import JatdaeError
from jatdae.corpus import latex_gold
from jatdae.corpus.commands import _named
from jatdae.corpus.latex_cells import with_plain_cells
from jatdae.corpus.latex_citations import Entry, cite, read_form
from jatdae.corpus.latex_gold import REPORT, Converted, convert
from jatdae.corpus.latex_source import read_source
from jatdae.tables.extraction import extract
from jatdae.tables.grid import grid_of
from jatdae.text.bibliography import find_bibliographies

PAPER = Path(__file__).parent / "latex" / "paper"
needs_pandoc = pytest.mark.skipif(
    shutil.which("pandoc") is None and "CI" not in os.environ, reason="pandoc is not installed (apt-get install pandoc)"
)


@pytest.fixture(scope="module")
def gold() -> Converted:
    return convert(PAPER / "main.tex", "paper")


@needs_pandoc
def test_title_sections_bibliography_and_appendix_stand_as_they_are_printed(gold: Converted) -> None:
    headings = [line.removeprefix("# ") for line in gold.markdown.splitlines() if line.startswith("# ")]
    assert headings == [
        "Measuring Readings of Tide Gauges[^1]", "Abstract", "Introduction", "Method", "Results", "References",
        "Further measurements",
    ]  # fmt: skip
    assert "Ada Moon\n\nBen Kim\n\nMay 2026" in gold.markdown
    assert "[^1]: Supported by nobody." in gold.markdown


@needs_pandoc
def test_macros_are_expanded_also_those_of_the_package_beside_it(gold: Converted) -> None:
    assert "find that Yardstick reads 12 % closer" in gold.markdown
    assert "$\\left\\langle \\mathrm{err}_{g}(t) \\right\\rangle$" in gold.markdown
    assert "comment" not in gold.markdown


@needs_pandoc
def test_citations_and_bibliography_are_set_and_what_is_not_cited_is_left_out(gold: Converted) -> None:
    assert "Tides are read by gauges (Moon 2019)." in gold.markdown
    assert "the one of Kim and Lee (2021)" in gold.markdown
    assert "Kim, Ben, and Cara Lee. 2021. *Radar over the Harbour*. Pier Press." in gold.markdown
    assert "Never cited" not in gold.markdown
    assert len(find_bibliographies(gold.markdown)) == 1


@needs_pandoc
def test_references_have_the_numbers_that_are_printed(gold: Converted) -> None:
    assert "as in Equation (1)." in gold.markdown
    assert "Table 1 lists the errors." in gold.markdown
    assert "see also Figure 1." in gold.markdown
    assert "Table 1: Errors of three gauges." in gold.markdown
    assert "Figure 1: A gauge on its pole." in gold.markdown


@needs_pandoc
def test_a_table_over_both_columns_is_kept_as_html_with_its_spans(gold: Converted) -> None:
    (table,) = extract(gold.markdown)
    grid = grid_of(table.html)
    assert (grid.rows, grid.cols) == (5, 3)
    assert [cell.text for cell in grid.cells if cell.colspan == 2] == ["Error (mm)"]
    assert "style=" not in table.html


@needs_pandoc
def test_what_could_not_be_converted_is_told_and_nothing_else(gold: Converted) -> None:
    assert dict(gold.problems) == {("missing_file", "sections/missing"): 1, ("unknown_command", "unknownthing"): 1}
    assert gold.counts == {"headings": 7, "tables": 1, "formulas": 3, "figures": 1, "bibliography": 2}


@needs_pandoc
@pytest.mark.parametrize(
    ("style", "first", "cited"),
    [
        ("plain", "[1] Ben Kim", "gauges [2]"),
        ("IEEEtran", "[1] Ada Moon", "gauges [1]"),
        ("apalike", "Kim, Ben", "(Moon 2019)"),
    ],
)
def test_entries_are_numbered_as_the_style_numbers_them(tmp_path: Path, style: str, first: str, cited: str) -> None:
    shutil.copy(PAPER / "refs.bib", tmp_path)
    body = "Read by gauges \\cite{moon2019} and radar \\cite{kim2021}.\n\\bibliographystyle{%s}\n\\bibliography{refs}\n"
    (tmp_path / "p.tex").write_text(
        f"\\documentclass{{article}}\\begin{{document}}{body % style}\\end{{document}}", "utf-8"
    )
    markdown = convert(tmp_path / "p.tex", "p").markdown.replace("\\", "")
    assert cited in markdown
    assert markdown.split("# References")[1].strip().startswith(first)


@needs_pandoc
def test_unknown_environments_and_references_are_told(tmp_path: Path) -> None:
    body = (
        "\\begin{strange}kept words\\end{strange} See \\ref{nowhere}. "
        "\\begin{thebibliography}{1}\\bibitem{a} Ann. One. 2001.\\end{thebibliography}"
    )
    (tmp_path / "p.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}", "utf-8")
    made = convert(tmp_path / "p.tex", "p")
    assert set(made.problems) == {("unknown_environment", "strange"), ("unresolved_reference", "nowhere")}
    assert "kept words" in made.markdown
    assert "# References" in made.markdown


@needs_pandoc
def test_citations_without_an_entry_are_told_with_their_number(tmp_path: Path) -> None:
    shutil.copy(PAPER / "refs.bib", tmp_path)
    body = "As in \\cite{moon2019,nobody} and \\cite{nobody}.\n\\bibliography{refs}\n"
    (tmp_path / "p.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}", "utf-8")
    made = convert(tmp_path / "p.tex", "p")
    assert dict(made.problems) == {("unresolved_citation", "nobody"): 2}
    assert made.counts["bibliography"] == 1


@needs_pandoc
def test_citations_of_a_ready_bibliography_have_its_numbers(tmp_path: Path) -> None:
    body = (
        "As in \\cite{b}, \\cite{a,b} and \\cite{none}. "
        "\\begin{thebibliography}{1}\\bibitem{a} Ann. One. 2001.\n\n\\bibitem{b} Ben. Two. 2002.\\end{thebibliography}"
    )
    (tmp_path / "p.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}", "utf-8")
    made = convert(tmp_path / "p.tex", "p")
    assert "As in [2], [1, 2] and" in made.markdown
    assert dict(made.problems) == {("unresolved_citation", "none"): 1}
    assert made.counts["bibliography"] == 2


READY = (
    "\\begin{thebibliography}{2}\\bibitem[Kim and Park(2020)]{kim} Kim, A. (2020). Tides. Sea Press.\n\n"
    "\\bibitem[{G{\\'{o}}mez et~al.}(2021{\\natexlab{a}}){G{\\'{o}}mez, Choi, and Han}]{gomez} "
    "Gómez, C. (2021). Waves. Sea Press.\n\n"
    "\\bibitem[\\protect\\citeauthoryear{Moon}{Moon}{1999}]{moon} Moon, D. (1999). Ebb. Sea.\\end{thebibliography}"
)


@needs_pandoc
@pytest.mark.parametrize(
    ("head", "printed"),
    [
        (
            "\\usepackage{natbib}",
            "(Kim and Park, 2020), Gómez et al. (2021a), (see Kim and Park, 2020; Moon, 1999, p. 3), Moon (1999), "
            "Kim and Park, 2020, Gómez, Choi, and Han (2021a), Moon, 1999; Moon, 1999. (none?)",
        ),
        (
            "\\usepackage[numbers]{natbib}",
            "[1], Gómez et al. [2], [see 1, 3, p. 3], [3], "
            "Kim and Park, 2020, Gómez, Choi, and Han [2], Moon, 1999; 3. [none?]",
        ),
    ],
)
def test_citations_of_labels_with_author_and_year(tmp_path: Path, head: str, printed: str) -> None:
    body = (
        "\\citep{kim}, \\citet{gomez}, \\citep[see][p.~3]{kim,moon}, \\cite{moon}, "
        "\\citeauthor{kim}, \\citeyear{kim}, \\citet*{gomez}, \\citeauthor{moon}, \\citeyear{moon}; \\citealp{moon}. "
        "\\citep{none}\n\n"
    )
    (tmp_path / "p.tex").write_text(
        f"\\documentclass{{article}}{head}\\begin{{document}}{body}{READY}\\end{{document}}", "utf-8"
    )
    made = convert(tmp_path / "p.tex", "p")
    assert made.markdown.splitlines()[0] == printed
    assert dict(made.problems) == {("unresolved_citation", "none"): 1}
    assert ("[3] Moon, D. (1999). Ebb." in made.markdown) == ("numbers" in head)


@needs_pandoc
@pytest.mark.parametrize(
    ("head", "printed"),
    [
        ("", "As [Kim(2020)] and [Kim(2020), Moon(1999), p. 3]."),
        ("\\usepackage{cite}", "As [Kim(2020)] and [Kim(2020), Moon(1999), p. 3]."),
        ("\\usepackage{graphicx,natbib}", "As Kim (2020) and Kim (2020)"),
        ("\\usepackage{house}", "As Kim (2020) and Kim (2020)"),
    ],
)
def test_plain_latex_prints_a_label_with_author_and_year_as_it_is(tmp_path: Path, head: str, printed: str) -> None:
    """Without natbib nothing takes the label apart: it stands in brackets, in the text and before its entry."""
    items = (
        "\\begin{thebibliography}{9}\\bibitem[Kim(2020)]{k} Kim, A. Tides of the harbour. Sea, 2020.\n\n"
        "\\bibitem[Moon(1999)]{m} Moon, D. Ebb and flow. Waves, 1999.\\end{thebibliography}"
    )
    (tmp_path / "house.sty").write_text("\\RequirePackage[round]{natbib}", "utf-8")
    body = f"As \\cite{{k}} and \\cite[p.~3]{{k,m}}.\n\n{items}"
    (tmp_path / "p.tex").write_text(
        f"\\documentclass{{article}}{head}\\begin{{document}}{body}\\end{{document}}", "utf-8"
    )
    made = convert(tmp_path / "p.tex", "p")
    assert made.markdown.startswith(printed)
    assert ("\n[Kim(2020)] Kim, A. Tides" in made.markdown) == ("[" in printed)
    assert made.counts["bibliography"] == 2
    assert not made.problems


@needs_pandoc
def test_a_label_of_its_own_is_printed_as_it_is(tmp_path: Path) -> None:
    body = "As \\cite[p.~3]{kim}.\n\n\\begin{thebibliography}{9}\\bibitem[KP20]{kim} Kim. Tides.\\end{thebibliography}"
    (tmp_path / "p.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}", "utf-8")
    made = convert(tmp_path / "p.tex", "p")
    assert "As [KP20, p. 3]." in made.markdown
    assert "[KP20] Kim. Tides." in made.markdown
    assert dict(made.problems) == {("bibliography_not_found_again", "–"): 1}  # one entry without a year is none


@needs_pandoc
def test_labels_of_letters_are_printed_and_their_entries_counted(tmp_path: Path) -> None:
    items = (
        "\\newcommand{\\etalchar}[1]{$^{#1}$}\\begin{thebibliography}{KP20}"
        "\\bibitem[KP20]{kim} Kim, J. and Park, S. Tides of the harbour. Sea, 2020.\n\n"
        "\\bibitem[ABC{\\etalchar{+}}21]{abc} Abcott, A. et al. Gauges. Waves, 2021.\\end{thebibliography}"
    )
    (tmp_path / "p.bbl").write_text(items, "utf-8")
    (tmp_path / "p.tex").write_text(
        "\\documentclass{article}\\usepackage[sort&compress]{natbib}\\begin{document}"
        "As \\cite{abc,kim}.\\bibliographystyle{alpha}\\bibliography{gone}\\end{document}",
        "utf-8",
    )
    made = convert(tmp_path / "p.tex", "p")
    assert made.markdown.startswith("As [KP20, ABC+21].")
    assert "\n[ABC+21] Abcott, A. et al." in made.markdown
    assert made.counts["bibliography"] == 2
    assert not made.problems


@pytest.mark.parametrize(
    ("head", "cited", "printed"),
    [
        ("\\usepackage[numbers]{natbib}", "dacb", "[4, 1, 3, 2]"),
        ("\\usepackage[numbers,sort]{natbib}", "dacb", "[1, 2, 3, 4]"),
        ("\\usepackage[numbers,sort&compress]{natbib}", "dacb", "[1–4]"),
        ("\\usepackage[numbers]{natbib}\\setcitestyle{sort&compress}", "fba", "[1, 2, 6]"),
        ("\\usepackage[numbers,compress]{natbib}", "fabce", "[6, 1–3, 5]"),
        ("\\usepackage[super,sort&compress]{natbib}", "cab", "1–3"),
        ("\\usepackage{cite}", "cabfe", "[1–3, 5, 6]"),
        ("\\usepackage{amsmath, cite}", "cab", "[1–3]"),
        ("\\usepackage[nocompress]{cite}", "cab", "[1, 2, 3]"),
        ("\\usepackage{citeall}", "cab", "[3, 1, 2]"),
        ("\\usepackage{cite}", "cazb", "[1–3, z?]"),
    ],
)
def test_several_citations_are_sorted_and_ranges_made_as_asked(head: str, cited: str, printed: str) -> None:
    citations = [{"citationId": key, "citationPrefix": [], "citationSuffix": []} for key in cited]
    node = {"t": "Cite", "c": [citations, [{"t": "RawInline", "c": ["latex", "\\cite{…}"]}]]}
    entries = {key: Entry(str(number)) for number, key in enumerate("abcdef", 1)}
    written = cite(node, entries, read_form(f"\\documentclass{{article}}{head}"), Counter())
    nodes = written[0]["c"] if written[0]["t"] == "Superscript" else written
    assert "".join(each.get("c", " ") for each in nodes) == printed


@needs_pandoc
def test_natbib_with_numbers_numbers_a_bib_file(tmp_path: Path) -> None:
    shutil.copy(PAPER / "refs.bib", tmp_path)
    body = "Read \\citep{moon2019} by \\citeauthor{kim2021}.\n\\bibliographystyle{plainnat}\n\\bibliography{refs}\n"
    (tmp_path / "p.tex").write_text(
        f"\\documentclass{{article}}\\usepackage[numbers]{{natbib}}\\begin{{document}}{body}\\end{{document}}", "utf-8"
    )
    made = convert(tmp_path / "p.tex", "p")
    assert "Read [2] by" in made.markdown
    assert dict(made.problems) == {("citation_form", "citeauthor"): 1}


@needs_pandoc
def test_citations_in_numbers_keep_their_pages_and_tell_of_their_authors(tmp_path: Path) -> None:
    shutil.copy(PAPER / "refs.bib", tmp_path)
    body = "Read \\cite[see][p.~3]{moon2019}, \\textcite{kim2021}.\n\\bibliographystyle{plain}\n\\bibliography{refs}\n"
    (tmp_path / "p.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}", "utf-8")
    made = convert(tmp_path / "p.tex", "p")
    assert "Read [see 2, p. 3], [1]." in made.markdown
    assert dict(made.problems) == {("citation_author", "textcite"): 1}


@needs_pandoc
@pytest.mark.parametrize(
    ("head", "front"),
    [
        ("{article}\\author[1]{Ann}\\affil[1]{Univ One}", "Ann\n\nUniv One"),
        ("{IEEEtran}\\author{\\IEEEauthorblockN{Ann}\\IEEEauthorblockA{Univ One}}", "Ann\\\nUniv One"),
        ("{revtex4-2}\\author{Ann}\\affiliation{Univ One}", "Ann\n\nUniv One"),
        ("{acmart}\\subtitle{Sub}\\author{Ann}\\affiliation{\\institution{Univ}\\city{Ulsan}}",
         "Sub\n\nAnn\n\nUniv\\\nUlsan"),
        ("{llncs}\\author{Ann\\inst{1} \\and Ben}\\institute{Univ One}", "Ann^1^\n\nBen\n\nUniv One"),
        ("{article}\\newcommand{\\affil}[1]{of #1}\\author{Ann \\affil{One}}", "Ann of One"),
    ],
)  # fmt: skip
def test_what_stands_below_the_title_is_kept(tmp_path: Path, head: str, front: str) -> None:
    (tmp_path / "p.tex").write_text(
        f"\\documentclass{head}\\title{{T}}\\begin{{document}}\\maketitle Text.\\end{{document}}", "utf-8"
    )
    made = convert(tmp_path / "p.tex", "p")
    assert made.markdown == f"# T\n\n{front}\n\nText.\n"
    assert not {kind for kind, _ in made.problems} - {"own_numbering"}


@needs_pandoc
def test_what_is_lost_below_the_title_is_told(tmp_path: Path) -> None:
    head = "\\documentclass{article}\\title{T}\\author{Ann}\\email{a@b.c}\\keywords{tide}"
    (tmp_path / "p.tex").write_text(f"{head}\\begin{{document}}\\maketitle Text.\\end{{document}}", "utf-8")
    assert dict(convert(tmp_path / "p.tex", "p").problems) == {
        ("unknown_command", "email"): 1,
        ("unknown_command", "keywords"): 1,
    }


@needs_pandoc
def test_an_environment_of_the_source_is_expanded_without_a_word(tmp_path: Path) -> None:
    head = "\\documentclass{article}\\newenvironment{note}{\\textbf{Note.} }{}"
    (tmp_path / "p.tex").write_text(
        f"{head}\\begin{{document}}\\begin{{note}}Mind.\\end{{note}}\\end{{document}}", "utf-8"
    )
    made = convert(tmp_path / "p.tex", "p")
    assert made.markdown == "**Note.** Mind.\n"
    assert not made.problems


@needs_pandoc
def test_lines_within_a_cell_are_one_text(tmp_path: Path) -> None:
    table = (
        "\\begin{tabular}{lll}\\makecell[l]{a\\\\b} & \\shortstack{c\\\\\\textbf{d}} & "
        "\\begin{tabular}[c]{@{}c@{}}top\\\\ low\\end{tabular}\\\\ \\hline "
        "1 & {\\thead{x \\\\[2pt] y}} & \\begin{tabular}{ll}p & q\\\\ \\hline r & s\\end{tabular}\\end{tabular}"
    )
    (tmp_path / "p.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{table}\\end{{document}}", "utf-8")
    made = convert(tmp_path / "p.tex", "p")
    (found,) = extract(made.markdown)
    assert [cell.text for cell in grid_of(found.html).cells] == ["a b", "c d", "top low", "1", "x y", "p q r s"]
    assert not made.problems


@pytest.mark.parametrize(
    "text", ["\\end{tabular} \\makecell{a", "\\begin{tabular}\\begin{tabular}", "\\makecell{\\makecell{a\\\\b}}"]
)
def test_cells_that_are_broken_off_are_left_alone(text: str) -> None:
    assert with_plain_cells(text) in (text, "{{a b}}")


@needs_pandoc
def test_references_print_words_tags_and_letters_of_the_appendix(tmp_path: Path) -> None:
    body = (
        "\\section{One}\\label{s}\\subsection{Two}\\label{ss}\n"
        "\\begin{equation}\\label{t} q \\tag{9}\\end{equation}\\begin{equation}\\label{e} r \\end{equation}\n"
        "\\begin{subequations}\\label{g}"
        "\\begin{align} a \\label{ga} \\\\ b \\label{gb} \\end{align}\\end{subequations}\n"
        "\\begin{align} \\begin{cases} 1 \\\\ 2 \\end{cases} \\notag \\\\ y \\label{y} \\end{align}\n\n"
        "Plain \\ref{ss}, \\eqref{t}, \\eqref{e}, \\eqref{g}, "
        "\\eqref{ga}, \\eqref{gb}, \\eqref{y}, \\ref{a}, \\ref{aa}.\n\n"
        "Words \\cref{s}, \\Cref{ss}, \\cref{e}, \\Cref{e,y}, \\cref{aa}, \\autoref{s}, \\autoref{e}, \\autoref{a}.\n\n"
        "Unknown \\pageref{s}, \\cref{s,e}, \\cref{i}.\n\n\\begin{enumerate}\\item\\label{i} z\\end{enumerate}\n"
        "\\appendix\\section{Three}\\label{a}\\subsection{Four}\\label{aa}\n"
    )
    (tmp_path / "p.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}", "utf-8")
    made = convert(tmp_path / "p.tex", "p")
    lines = made.markdown.splitlines()
    assert "Plain 1.1, (9), (1), (2), (2a), (2b), (3), A, A.1." in lines
    assert (
        "Words section 1, Section 1.1, eq. (1), Equations (1) and (3), appendix A.1, section 1, Equation 1, Appendix A."
        in lines
    )
    assert dict(made.problems) == {
        ("pageref", "s"): 1, ("reference_word", "s,e"): 1, ("reference_word", "i"): 1, ("unresolved_reference", "i"): 1,
    }  # fmt: skip


@needs_pandoc
def test_a_table_of_parts_has_one_number_and_each_part_its_caption(tmp_path: Path) -> None:
    body = (
        "\\begin{table*}[ht]\\begin{subtable}[t]{.5\\linewidth}\\begin{tabular}{ll} 1 & 2 \\end{tabular}"
        "\\caption{First {\\em part}}\\label{sa}\\end{subtable}\\hfill\n"
        "\\begin{subtable}{5cm}\\caption{Second}\\label{sb}\\begin{tabular}{ll} 3 & 4 \\end{tabular}\\end{subtable}"
        "\\caption{Both}\\label{both}\\end{table*}\n"
        "\\begin{figure}\\begin{subfigure}{5cm}\\includegraphics{a}\\caption{Left}\\label{fa}\\end{subfigure}"
        "\\begin{subfigure}{5cm}\\includegraphics{b}\\caption{Right}\\end{subfigure}"
        "\\caption{Sides}\\label{f}\\end{figure}\n"
        "\\begin{table}\\begin{tabular}{ll} 5 & 6 \\end{tabular}\\caption{Last}\\label{last}\\end{table}\n\n"
        "See \\ref{both}, \\ref{sa}, \\cref{sb}, \\subref{sb}, \\ref{last}, \\ref{f}, \\autoref{fa}."
    )
    (tmp_path / "p.tex").write_text(f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}", "utf-8")
    made = convert(tmp_path / "p.tex", "p")
    assert [line for line in made.markdown.splitlines() if line and not line.startswith("<")] == [
        "Table 1: Both", "(a) First *part*", "(b) Second", "Figure 1: Sides", "(a) Left", "(b) Right", "Table 2: Last",
        "See 1, 1a, table 1b, (b), 2, 1, Figure 1a.",
    ]  # fmt: skip
    assert (made.counts["tables"], made.counts["figures"], dict(made.problems)) == (3, 1, {})


@pytest.mark.parametrize(
    ("head", "told"),
    [
        ("\\documentclass[10pt]{IEEEtran}", "IEEEtran"),
        ("\\documentclass{article}\\numberwithin{equation}{section}", "\\numberwithin"),
        ("\\documentclass{article}\\renewcommand{\\theequation}{A}", "\\renewcommand{\\theequation"),
        ("\\documentclass{article}\\def\\be{\\begin{equation}}", "\\def\\be"),
        ("\\documentclass{article}\\newcommand{\\be}{\\begin{equation}}", "\\newcommand{\\be"),
    ],
)
def test_numbers_that_a_source_sets_itself_are_told(tmp_path: Path, head: str, told: str) -> None:
    (tmp_path / "p.tex").write_text(head + "\\begin{document}See \\ref{a}.\\end{document}", "utf-8")
    assert dict(read_source(tmp_path / "p.tex").problems) == {("own_numbering", told): 1}


def test_papers_of_one_name_are_given_by_their_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither message sends to the other: what both advise works."""
    monkeypatch.chdir(tmp_path)
    for folder in ("one", "two"):
        Path(folder).mkdir()
        Path(folder, "main.tex").write_text("\\documentclass{article}\\begin{document}a\\end{document}", "utf-8")
    for given in (["one/main.tex", "two/main.tex"], ["."]):
        assert main(["gold", "from-latex", *given, "--out", "gold"]) == 2
        assert "the folder of each" in capsys.readouterr().err
    assert list(_named((Path("one"), Path("two")))) == ["one", "two"]


@needs_pandoc
def test_the_command_writes_gold_and_report_that_a_run_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "gold"
    call = ["gold", "from-latex", str(PAPER), "--out", str(out)]
    assert main(call) == 0
    told = capsys.readouterr().out
    assert "headings 7, tables 1, formulas 3, figures 1" in told
    assert "\\unknownthing (1): not known to pandoc" in told
    row = json.loads((out / REPORT).read_text("utf-8"))
    assert (row["document"], row["tables"], len(row["problems"])) == ("paper", 1, 2)
    assert main(call) == 2
    assert "exists" in capsys.readouterr().err
    (tmp_path / "pred").mkdir()
    shutil.copy(out / "paper.md", tmp_path / "pred")
    run = [
        "run",
        "text",
        "--ref",
        str(out),
        "--pred",
        str(tmp_path / "pred"),
        "--out",
        str(tmp_path / "run"),
        "--jobs=1",
    ]
    assert main([*run, "--fail-over", "cer=0.0001"]) == 0


@needs_pandoc
def test_a_paper_that_cannot_be_read_is_named_and_the_others_are_converted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, body in (("bad", "a {\\textbf{b}"), ("good", "words"), ("late", "more words")):
        (tmp_path / f"{name}.tex").write_text(
            f"\\documentclass{{article}}\\begin{{document}}{body}\\end{{document}}", "utf-8"
        )
    out = tmp_path / "gold"
    papers = [str(tmp_path / f"{name}.tex") for name in ("bad", "good", "late")]
    assert main(["gold", "from-latex", *papers, "--out", str(out)]) == 1
    assert f"{papers[0]}: not converted" in capsys.readouterr().out.replace("\n", " ")
    assert sorted(path.name for path in out.iterdir()) == ["good.md", "late.md", REPORT]
    rows = [json.loads(line) for line in (out / REPORT).read_text("utf-8").splitlines()]
    assert [(row["document"], row["status"], bool(row["reason"])) for row in rows] == [
        ("bad", "failed", True), ("good", "ok", False), ("late", "ok", False),
    ]  # fmt: skip
    assert "pandoc could not read" in rows[0]["reason"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [([], "No source given"), (["none"], "none"), ([".", "--csl", "none.csl"], "--csl"), (["."], "documentclass")],
)
def test_a_wrong_call_is_told(
    arguments: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["gold", "from-latex", *arguments, "--out", "x"]) == 2
    assert told in capsys.readouterr().err


def test_without_pandoc_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latex_gold.shutil, "which", lambda _: None)
    with pytest.raises(JatdaeError, match="apt-get install pandoc"):
        convert(PAPER / "main.tex", "paper")


@needs_pandoc
def test_a_source_without_a_document_is_refused(tmp_path: Path) -> None:
    (tmp_path / "p.tex").write_text("\\section{a}", "utf-8")
    with pytest.raises(JatdaeError, match="Give the main file"):
        convert(tmp_path / "p.tex", "p")
