"""LaTeX sources as one text: what is followed, what is left out and told."""

from __future__ import annotations

from pathlib import Path

import pytest

from jatdae.core.errors import JatdaeError
from jatdae.corpus.latex_source import BIBLIOGRAPHY, LatexSource, find_main, read_source


def source_of(tmp_path: Path, main: str, **files: str) -> LatexSource:
    for name, text in files.items():
        (tmp_path / name.replace("__", ".")).write_text(text, "utf-8")
    (tmp_path / "main.tex").write_text(main, "utf-8")
    return read_source(tmp_path / "main.tex")


def test_inputs_are_followed_and_comments_go(tmp_path: Path) -> None:
    source = source_of(
        tmp_path, "a\\input{one} % \\input{no}\n% alone\nb 5\\% c\n", one__tex="[\\include{two}]", two__tex="2%x"
    )
    assert source.text.split() == ["a[2", "]", "b", "5\\%", "c"]
    assert not source.problems


def test_verbatim_text_keeps_its_signs(tmp_path: Path) -> None:
    text = "\\begin{verbatim}\n50% off\n\\end{verbatim}\n50% off\n"
    assert "50% off\n\\end" in source_of(tmp_path, text).text
    assert source_of(tmp_path, text).text.count("% off") == 1


CODE = (
    "\\resizebox{1cm}{!}{\\makecell{a\\\\b}} \\input{one} \\begin{table*} \\cref{x} \\subfloat[x]{y} "
    "\\bibliography{no} \\begin{figure}\\caption{no}\\end{figure} \\affil{z} "
    "\\begin{thebibliography}{1}\\bibitem{z} Z.\\end{thebibliography}"
)


@pytest.mark.parametrize(
    "block",
    [
        "\\begin{verbatim}\nCODE\n\\end{verbatim}", "\\begin{verbatim*}\nCODE\n\\end{verbatim*}",
        "\\begin{Verbatim}[x=1]\nCODE\n\\end{Verbatim}", "\\begin{lstlisting}[language=TeX]\nCODE\n\\end{lstlisting}",
        "\\begin{minted}[linenos]{latex}\nCODE\n\\end{minted}", "\\verb|CODE|", "\\lstinline[a=b]@CODE@",
    ],
)  # fmt: skip
def test_code_is_not_rewritten(tmp_path: Path, block: str) -> None:
    """Code that shows LaTeX is printed as it stands: nothing in it is followed, expanded or counted."""
    block = block.replace("CODE", CODE)
    source = source_of(
        tmp_path, f"\\item{block} \\makecell{{c\\\\d}} \\input{{one}}", one__tex="ONE \\verb|\\input{two}|"
    )
    assert source.text.strip() == f"\\item{block} {{c d}} ONE \\verb|\\input{{two}}|"
    assert not source.problems
    assert not source.captions


def test_code_that_is_never_closed_is_read_as_text(tmp_path: Path) -> None:
    assert source_of(tmp_path, "a \\begin{verbatim} \\makecell{c\\\\d}").text.strip() == "a \\begin{verbatim} {c d}"
    assert len(source_of(tmp_path, "\\begin{verbatim}\\verb|" * 20_000).text) > 20_000


@pytest.mark.parametrize(
    "kept",
    [
        "\\url{http://x.org/a%20b}", "\\url{x{y%20}z%7E}", "\\href{http://x.org/%7Eme}{home}", "\\verb|a%b|",
        "\\verb*+a%b+", "\\lstinline{a%b}", "\\lstinline[language=C]!a%b!", "\\mintinline{c}|a%b|",
        "\\mintinline{c}{a%b}", "50\\%", "\\\\\\%", "\\footnote{\\url{a%20b}}",
    ],
)  # fmt: skip
def test_a_percent_sign_within_addresses_and_code_begins_no_comment(tmp_path: Path, kept: str) -> None:
    assert source_of(tmp_path, f"a {kept} b % gone").text.strip() == f"a {kept} b"


@pytest.mark.parametrize(
    ("written", "left"),
    [
        ("a\\\\% gone", "a\\\\"),
        ("a \\url{x} % gone}", "a \\url{x}"),
        ("a \\verb|x| % gone|", "a \\verb|x|"),
        ("a \\verbatiminput % gone a", "a \\verbatiminput"),
        ("a \\\\url{% gone}", "a \\\\url{"),
        ("a \\url{% gone", "a \\url{"),
        ("% \\begin{verbatim}\na % gone", "a"),
        ("a \\path{b%20\\%} c", "a \\path{b\\%20\\%} c"),
    ],
)
def test_comments_around_addresses_and_code_go(tmp_path: Path, written: str, left: str) -> None:
    assert source_of(tmp_path, written).text.strip() == left


@pytest.mark.parametrize(
    ("main", "problem"),
    [
        ("\\input{none}", ("missing_file", "none")),
        ("\\input{../secret}", ("outside_folder", "../secret")),
        ("\\input{/etc/hostname}", ("outside_folder", "/etc/hostname")),
        ("\\input{main}", ("input_loop", "main")),
        ("\\bibliography{none}", ("missing_bibliography", "none")),
    ],
)
def test_what_cannot_be_followed_is_told(tmp_path: Path, main: str, problem: tuple[str, str]) -> None:
    (tmp_path / "secret.tex").write_text("secret", "utf-8")
    inner = tmp_path / "paper"
    inner.mkdir()
    source = source_of(inner, f"before {main} after")
    assert list(source.problems) == [problem]
    assert "secret" not in source.text


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("secret", "utf-8")
    inner = tmp_path / "paper"
    inner.mkdir()
    (inner / "link.tex").symlink_to(tmp_path / "secret.tex")
    assert "secret" not in source_of(inner, "\\input{link}").text


def test_inputs_that_include_each_other_come_to_an_end(tmp_path: Path) -> None:
    source = source_of(tmp_path, "\\input{a}\\input{b}", a__tex="a\\input{b}", b__tex="b\\input{a}")
    assert {kind for kind, _ in source.problems} == {"input_loop"}


def test_macros_of_a_package_beside_the_paper_are_gathered(tmp_path: Path) -> None:
    style = "\\ProvidesPackage{own}\n\\newcommand{\\avg}[1]{\\langle #1\\rangle}\n\\def\\x#1{a\\}{b}}\n\\makeatletter\n"
    source = source_of(tmp_path, "\\usepackage{amsmath,own}\n\\begin{document}", own__sty=style)
    head = source.text.partition("\\begin{document}")[0]
    assert "\\newcommand{\\avg}[1]{\\langle #1\\rangle}\n\\def\\x#1{a\\}{b}}" in head
    assert "makeatletter" not in head


def test_equations_have_the_numbers_that_are_printed(tmp_path: Path) -> None:
    text = (
        "\\begin{equation}a\\label{a}\\end{equation}\\begin{equation*}x\\end{equation*}"
        "\\begin{align}b\\label{b}\\\\c\\nonumber\\\\d\\label{d}\\end{align}"
    )
    assert source_of(tmp_path, text).numbers == {"a": "1", "b": "2", "d": "3"}


@pytest.mark.parametrize("name", ["table*", "figure*", "table", "strange*"])
def test_an_appendix_after_a_float_has_letters(tmp_path: Path, name: str) -> None:
    text = f"\\section{{One}}\\begin{{{name}}}x\\end{{{name}}}\\appendix\\section{{Two}}\\label{{a}}"
    assert source_of(tmp_path, text).numbers == {"a": "A"}


def test_the_place_of_the_bibliography_is_marked(tmp_path: Path) -> None:
    source = source_of(tmp_path, "x\\bibliographystyle{IEEEtran}\\bibliography{r}\\appendix last", r__bib="@misc{a}")
    assert source.text.index("x") < source.text.index(BIBLIOGRAPHY) < source.text.index("last")
    assert (source.style, [path.name for path in source.bibliographies]) == ("IEEEtran", ["r.bib"])


def test_a_ready_bibliography_is_written_out(tmp_path: Path) -> None:
    ready = (
        "\\begin{thebibliography}{9}\\bibitem{a} Ann. \\newblock One.\\bibitem[B(2)]{b} Ben. Two.\\end{thebibliography}"
    )
    for main, files in (("x\\bibliography{none}", {"main__bbl": ready}), (f"x{ready}", {})):
        text = source_of(tmp_path, main, **files).text
        assert text.split("\n\n")[1:3] == ["{[}1{]} Ann.   One.", "{[}B(2){]} Ben. Two."]
        assert text.startswith("x\\section*{References}")


def test_the_main_file_is_found(tmp_path: Path) -> None:
    with pytest.raises(JatdaeError, match="documentclass"):
        find_main(tmp_path)
    (tmp_path / "a.tex").write_text("\\documentclass{article}", "utf-8")
    (tmp_path / "b.tex").write_text("% \\documentclass{article}", "utf-8")
    assert find_main(tmp_path).name == "a.tex"
    (tmp_path / "c.tex").write_text("\\documentclass{article}", "utf-8")
    with pytest.raises(JatdaeError, match="several files"):
        find_main(tmp_path)
    with pytest.raises(JatdaeError, match="none"):
        find_main(tmp_path / "none")


def test_hostile_sources_come_to_an_end(tmp_path: Path) -> None:
    for text in (
        "\\input{" * 20_000,
        "\\newcommand{" * 20_000,
        "\\begin{equation}" * 5_000,
        "%" * 100_000,
        "\\url{" * 20_000,
        "\\lstinline[" * 10_000,
        "".join(f"\\verb{chr(0x4E00 + at)}" for at in range(5_000)),
        "\\" * 100_001,
    ):
        source_of(tmp_path, f"\\usepackage{{own}}\\begin{{document}}{text}", own__sty=text)
