"""Each step; presets, names and versions; the repeat until nothing changes; the scope report."""

from __future__ import annotations

from html import unescape

import pytest

from jatdae.core.errors import UsageError
from jatdae.text.normaliser import PRESETS, STEPS, find_normaliser, normalise

PANDOC = """# Results {#sec:results}

The **best** model errs by 3 cm [@rat2018; @mole2019].[^1] It costs \\$5.

[^1]: A note."""
EXTRACTED = "[Page 2]\nResults\nThe best model errs by 3 cm [2,\n3]. It costs $5.\n---\n"


def test_two_writings_of_one_text_become_the_same_text() -> None:
    assert normalise(PANDOC) == normalise(EXTRACTED) == "Results The best model errs by 3 cm . It costs $5."


def test_raw_changes_nothing() -> None:
    assert normalise(EXTRACTED, "raw") == EXTRACTED


@pytest.mark.parametrize("names", ["nfkc+fair", "nfkc,fair", "nfkc fair", ["nfkc", "fair"], "nfkc@1+fair@2"])
def test_names_may_be_joined_or_listed(names: str | list[str]) -> None:
    normaliser = find_normaliser(names)
    assert normaliser.signature == "nfkc@1+fair@2"
    assert normaliser("**e\u0301**") == "é"


def test_steps_apply_in_the_order_given() -> None:
    assert normalise("exam-\nple", "hyphenation+whitespace") == "example"
    assert normalise("A  B", "casefold+whitespace") == normalise("A  B", "whitespace+casefold") == "a b"


@pytest.mark.parametrize(
    "names", ["fair+hyphenation", "whitespace+hyphenation", "fair+join_lines", "nfc+fair@1+join_lines"]
)
def test_a_step_on_line_ends_after_all_of_them_are_gone_is_refused(names: str) -> None:
    late = names.rpartition("+")[2]
    with pytest.raises(UsageError, match=rf"{late} has nothing to do after whitespace.*first: {late}\+"):
        find_normaliser(names)


def test_a_name_with_an_empty_version_is_refused() -> None:
    with pytest.raises(UsageError, match=r"fair@ .*fair@2, fair@1"):
        find_normaliser("fair@")


def test_the_former_version_of_a_preset_reads_as_it_did() -> None:
    assert find_normaliser("fair@1").signature == "fair@1"
    text = r"모델[3](BERT)는 A \times B 행렬을 쓴다"
    assert normalise(text, "fair@1") == r"모델3는 A \times B 행렬을 쓴다"
    assert normalise(text) == "모델(BERT)는 행렬을 쓴다"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("모델[3](BERT)는", "모델(BERT)는"),
        ("연구[3, 4](2020)에서", "연구(2020)에서"),
        ("RNNs[3](LSTM) work", "RNNs(LSTM) work"),
        ("모델[3](이하 모델)은", "모델(이하 모델)은"),
        ("모델[3](#page-9-0)은", "모델[3](#page-9-0)은"),
        ("모델[3](https://a.kr/b)은", "모델[3](https://a.kr/b)은"),
        ("모델[3](refs/three.md)은", "모델[3](refs/three.md)은"),
        ("[3](three)", "[3](three)"),
    ],
)
def test_a_parenthesis_after_a_citation_is_a_link_only_if_it_leads_somewhere(text: str, left: str) -> None:
    assert normalise(text, "citation_numbers") == left


def test_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"'fiar'.*fair"):
        find_normaliser("fiar")


@pytest.mark.parametrize("written", ["fair@9", "fair@0", "math@3"])
def test_unknown_version_is_refused_with_those_there_are(written: str) -> None:
    name = written.partition("@")[0]
    with pytest.raises(UsageError, match=rf"no {written} in.*Known: (?:{name}@3, )?{name}@2, {name}@1\."):
        find_normaliser(written)


def test_a_former_version_stays_available_by_name() -> None:
    text = "e\u0301 &amp; 연구[3] · 항목"
    assert find_normaliser("fair@1").signature == "fair@1"
    assert normalise(text, "fair@1") == text
    assert normalise(text) == normalise(text, "fair@2") == "é & 연구 · 항목"
    assert normalise("a[1] [2]", "citation_numbers@1") == "a[1] "
    assert len(find_normaliser("fair@1").steps) == 13


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("[[1]2]", ""),
        (r"\[12\] and [12]", "and"),
        ("[**1**] (*Smith*, 2020)", ""),
        ("![A [link](x) inside](y.png)", "A link inside"),
        ("- 1. > # deep", "1. > # deep"),
        ("> - # deep", "deep"),
    ],
)
def test_what_a_removal_lays_bare_goes_too(text: str, left: str) -> None:
    assert normalise(text) == left
    assert normalise(left) == left


def test_literal_preset_is_applied_once() -> None:
    assert normalise("[[1]2]", "seed") == "[2]"


def test_scope_adds_up_to_what_is_gone() -> None:
    text, removed = find_normaliser("fair").with_scope(PANDOC)
    assert sum(removed.values()) == len(PANDOC) - len(text)
    assert removed["citation_keys"] == len("[@rat2018; @mole2019]")
    assert removed["footnote_definitions"] == len("[^1]: A note.")
    assert "math" not in removed


REMOVED = {
    "pandoc_blocks": [
        ("::: {#refs .references}\ntext\n:::", "\ntext\n"),
        (":::: center\ntext\n::::", "\ntext\n"),
        ("# Title {#sec:title .unnumbered}", "# Title "),
        ('see [1](#tab:x){reference-type="ref+label" reference="tab:x"}', "see 1"),
        ("[tinygp]{.sans-serif} is", "tinygp is"),
        ("[]{#note:python label='note:python'}Text", "Text"),
        (r"[\[eq:a\]](#eq:a){reference-type=ref}", r"\[eq:a\]"),
        ('``` {#fig caption="Of \\texttt{x}."}', "``` "),
    ],
    "citation_keys": [
        ("as said [@key].", "as said ."),
        ("[@a; @b, p. 3]", ""),
        ("[see @k and others]", ""),
        ("[-@k]", ""),
        ("[@{1989A&A...215....1V}]", ""),
        ("found by @smith2020 and", "found by  and"),
        ("@smith04 [p. 33] says", " says"),
        ("@smith2020는 [@2020jones]", "는 "),
    ],
    "citation_numbers": [
        ("a [1] b", "a  b"),
        ("[1,2]", ""),
        ("[1-3]", ""),
        ("[12, 15–17]", ""),
        ("[1;\n2]", ""),
        ("[1], [4]–[6]", ""),
        ("[1][2]", ""),
        ("[3] [4](url)", " [4](url)"),
        ("기존 연구[3]에서는, RNNs[3,4]", "기존 연구에서는, RNNs"),
        ("raised^[3]^ and^[1], [2]^ so, note^[a remark]", "raised and so, note^[a remark]"),
        ("연구[3~5]와 ［6］", "연구와 "),
        ("이전 연구[7]: 작다", "이전 연구: 작다"),
        ("[8](see below)", "(see below)"),
    ],
    "footnote_definitions": [
        ("text\n[^1]: a note\nmore", "text\n\nmore"),
        ("[^a-b]: a note\n    goes on\n\n    and on\nmore", "\nmore"),
        ("[^1]: one\n[^2]: two\n", "\n\n"),
    ],
    "footnote_references": [("word[^1].", "word."), ("word[^long-name]", "word")],
    "images": [
        ("![A caption](figures/a.png)", "A caption"),
        ('![A [linked] caption](a.png "title")', "A [linked] caption"),
        ("![By name][fig]", "By name"),
        ("<figure><img src='a.png'/><figcaption>Words</figcaption></figure>", "  " + " Words  "),
    ],
    "math": [
        ("mass $E=mc^2$ is", "mass  is"),
        ("$$\\begin{equation}\nx\n\\end{equation}$$", ""),
        ("\\begin{align*}\nx &= y\n\\end{align*}", ""),
        (r"so \(x_1\) and \[ y = \sqrt{2} \] end", "so  and  end"),
        ("$x$는", "는"),
        ('<span class="math inline"><em>T</em><sub>0</sub></span>', ""),
        ("cost \\$5 for $n$", "cost \\$5 for "),
    ],
    "page_markers": [("[Page 1]\ntext", "\ntext"), ("[Page 2 of 9]", ""), ("[페이지 3]", "")],
    "size_attributes": [('width="50%" x', " x"), ("width=0.5\\textwidth", ""), ("height=2in", "")],
    "horizontal_rules": [("a\n---\nb", "a\n\nb"), ("***", ""), ("  ___  ", ""), ("- - -", ""), ("  ----- -------", "")],
    "citation_authors": [
        ("as shown (Smith, 2020).", "as shown ."),
        ("(Smith et al., 2020a)", ""),
        ("(A & B, 2020; C, 2021)", ""),
        ("(Kundić and Müller-Lüdenscheidt 1997)", ""),
        ("(de Boor 1978; van Son et al. 2022a,b)", ""),
        ("(see Smith, 2020)", ""),
        ("(see also Lee, 1999; cf. Ng, 2000)", ""),
        ("(e.g. Barnes et al. 1980, and references therein)", ""),
        ("(Smith, 2020, p. 33)", ""),
        ("(The LIGO Scientific\nCollaboration et al. 2021b)", ""),
        ("(Barrag´an, Foreman-\nMackey 2022)", ""),
        ("(K. K. Y. Ng, Vitale, et al. 2021)", ""),
        ("(김하늘, 2020)", ""),
        ("(김하늘 외 2020)", ""),
        ("(May et al. 2020)", ""),
        ("[Smith et al., 2020]", ""),
    ],
    "markdown": [
        ("## Heading", " Heading"),
        ("**bold** and *italic* and _too_", "bold and italic and too"),
        ("***both*** ~~gone~~", "both gone"),
        ('**잣대**는 **"재다"**에서', '잣대는 "재다"에서'),
        ("[text](http://x.org/a_(b)) and <http://y.org>", "text and <http://y.org>"),
        ("[text][id]\n\n[id]: http://x.org", "text\n\n"),
        ("- one\n* two\n+ three\n• four", " one\n two\n three\n four"),
        ("·하나\n※ 둘\n  •셋", "하나\n 둘\n셋"),
        ("- [x] done", " done"),
        ("> quoted\n> > twice", " quoted\n twice"),
        ("```python\ncode\n```", "\ncode\n"),
        ("`code` and ``a`b``", "code and a`b"),
        ("| a | b |\n|:--|--:|\n| 1 | 2 |", "  a   b  \n\n  1   2  "),
        ("+---+\n| a |\n+===+", "\n  a  \n"),
        ("Title\n=====", "Title\n"),
        (": A caption.", " A caption."),
        ("H~2~O, x^2^", "H2O, x2"),
        (r"50\% of \$5, \[sic\]", "50% of $5, [sic]"),
    ],
    "latex_tables": [
        (r"\begin{tabular}{lc} a & b \\ \hline c & d \\[2pt] \end{tabular}", "  a   b    c   d    "),
        (r"\begin{tabular}{l}\multirow{2}{*}{가}&amp;\multicolumn2c{나}\end{tabular}", " 가 나 "),
        (r"\begin{tabularx}{\textwidth}{l@{\hspace{1em}}X}\textbf{a}&$x_{1}$\end{tabularx}", " a $x_{1}$ "),
        (r"\begin{table}[h]\caption{결과}\begin{tabular}{c}1\%\end{tabular}\end{table}", r" 결과 1\%  "),
    ],
    "html_tags": [("<b>a</b><br/><!-- no -->", "a "), ("see <http://y.org>", "see http://y.org")],
    "entities": [("A &amp; B, &#945;&#x3B2;&nbsp;&hellip;", "A & B, αβ\u00a0…"), ("&NotEqualTilde;", "≂̸")],
    "whitespace": [("  a \n\t b\u00a0c ", "a b c")],
    "ellipsis": [("a... b", "a… b"), (". . . . 3", "… 3"), ("……", "…"), ("끝. …", "끝…"), ("···", "…")],
    "invisible": [
        ("\ufeffa\u200bb\u2060c\u200ed", "abcd"),
        ("co\u00adop\u00ad\n  erate", "cooperate"),
        ("zero\u200cwidth\u200d", "zerowidth"),
    ],
    "bare_math": [
        (r"the ratio \frac{a}{b} is", "the ratio  is"),
        (r"so x = \frac {a} {b} + c^2 holds", "so  holds"),
        (r"f(x) = 2\pi r, \left( \sqrt[3]{y} \right)^{2}는", ", 는"),
        (r"with x_{i} and \mathbf{W} \in \mathbb{R}^{d \times k}", "with  and "),
        (r"so \alpha x + \beta y.", "so ."),
        ("as follows:\n\\lim\\frac{P_{LL}}{P_{LH}+P_{HL}}\\quad\\text{and}\n(13)", "as follows:\n\n(13)"),
    ],
    "join_lines": [("데이\n터와 舌\n 象", "데이터와 舌象")],
    "nfc": [("e\u0301 \u1112\u1161\u11ab", "é 한")],
    "nfkc": [("ﬁ ① Ａ", "fi 1 A")],
    "casefold": [("Straße", "strasse")],
    "quotes": [("“a” ‘b’", "\"a\" 'b'")],
    "hyphenation": [("exam-\nple", "example"), ("Foreman-\n  Mackey", "Foreman-Mackey")],
    "ligatures": [("ﬁnd ﬄ", "find ffl")],
}

KEPT = {
    "pandoc_blocks": ["a {set} of {x, y}", r"\sum_{ii=1}^{nn=3}", '{"json": 1}', "a ::: b"],
    "citation_keys": [
        "mail me@example.org",
        "[me@example.org]",
        "{a,b}@example.org",
        "5 @ 3",
        "직무 @0교육훈련",
        "@교육",
        "@5",
        "@a",
    ],
    "citation_numbers": ["[Table 1]", "[x]", "[1](url)", "[1]: http://x", "1. item", "[1.5]", "[]", "[1,]"],
    "footnote_definitions": ["see [^1]", "text [^1]: not at the start", "[1]: no note"],
    "footnote_references": ["[1]", "x^2", "[^]", "[^a b]"],
    "images": ["![not an image]", "wow! [link](x)", "a <b and c> d"],
    "math": [
        "$5 and $7",
        "between $5 million and then x$",
        "US$5/$6",
        r"\[sic\]",
        "a $ b $ c",
        "just one $x",
        "from $1,000 to $2,000 (US$)",
        "price ($) and cost (US$)",
        "a fee of $5\n\nor of 6$ more",
        "US$5 or US$6",
        "$5 here, 6$ there",
    ],
    "bare_math": ["C:\\temp", r"D:\data\in", r"\textbf{x} and \cite{y}", "snake_case", r"50\% of \$5", r"\alphabet"],
    "latex_tables": [r"a & b \\ c", r"\begin{tabular}{lc} a & b", r"\begin{array}{l}a\end{array}", r"\end{tabular}"],
    "html_tags": ["x <y and z> w", "a < b > c", "a<b and c>d", "i<s or j>k", "if a<b selected by c>d", "1 <p or q> 2"],
    "entities": ["AT&T; R&D", "?a=1&copy=2", "&unknown; &; &#;"],
    "ellipsis": ["a. b.", "a.. b", "·", "1.2.3"],
    "invisible": ["👩\u200d👩\u200d👧", "می\u200cخواهم", "a\u00a0b"],
    "join_lines": ["one\ntwo", "하나\n\n둘", "하나\nb"],
    "nfc": ["é"],
    "page_markers": ["[Page]", "Page 3", "[Page three]"],
    "size_attributes": ["the width of it", "max-width=3", "bandwidth=3", "width = 3"],
    "horizontal_rules": ["--", "a --- b", "- item", "* * a", "-*-"],
    "citation_authors": [
        "(May 2020)",
        "(January 15, 2020)",
        "(in 2020)",
        "(2020)",
        "(Table 2020)",
        "(a model of 2020)",
        "(Smith 2020; not a citation)",
        "(Smith, 20201)",
        "(개정 2020)",
        "[Smith, 2020](url)",
        "Smith (2020)",
    ],
    "markdown": [
        "1. item",
        "2*x + 3*y and y*(x + 1)",
        "snake_case_name",
        "0.05* and 0.01**",
        "p(a|b)",
        "#hashtag",
        "-5 degrees",
        "국내·외",
        "참고 ※ 표시",
        "[A][B]/[C]",
        "C:\\temp",
        "a ~ b",
    ],
    "whitespace": ["a b"],
    "quotes": ["\"a\" 'b'"],
    "hyphenation": ["well-known", "1-\n2", "a -\nb"],
}


@pytest.mark.parametrize(("name", "text", "left"), [(n, a, b) for n, cases in REMOVED.items() for a, b in cases])
def test_step_removes(name: str, text: str, left: str) -> None:
    assert STEPS[name].apply(text) == left


@pytest.mark.parametrize(("name", "text"), [(n, text) for n, texts in KEPT.items() for text in texts])
def test_step_leaves_alone(name: str, text: str) -> None:
    assert STEPS[name].apply(text) == text


def test_every_step_outside_the_literal_preset_has_examples() -> None:
    assert set(REMOVED) == {name for name in STEPS if not name.startswith("seed_")}


def test_steps_of_fair_come_in_their_order() -> None:
    steps = PRESETS["fair"].steps
    assert steps[:2] == ("nfc", "invisible")
    assert steps.index("html_tags") < steps.index("entities") < steps.index("citation_authors")
    assert steps.index("footnote_definitions") < steps.index("footnote_references")
    assert set(steps) <= set(KEPT) | {"whitespace"}


def test_every_step_says_in_one_line_what_it_does() -> None:
    assert all((step.apply.__doc__ or "").partition("\n")[0].endswith(".") for step in STEPS.values())


@pytest.mark.parametrize("number", ["[1]~[3]", "[1] ∼ [3]", "[1]～[3]", "[1]-[3]", "[ 3 ]", "[ 1, 2 ]", "［1］～［3］"])
def test_a_range_of_citations_goes_wholly(number: str) -> None:
    assert normalise(f"여러 연구{number}에서 보고되었다.") == "여러 연구에서 보고되었다."


@pytest.mark.parametrize(
    "tag",
    [
        "<b>",
        "</b>",
        "<b >",
        "<p/>",
        "<br />",
        "<td nowrap>",
        '<td colspan="2" style="a: b;">',
        "<a href=http://x.kr/y>",
        "<TD ALIGN = left>",
        "<details open>",
        "<td nowrap colspan=2>",
        "<span\nclass='k'>",
        '<td data-x="1" hidden>',
    ],
)
def test_attributes_in_the_form_of_html_make_a_tag(tag: str) -> None:
    assert normalise(f"앞 {tag} 뒤") == "앞 뒤"


@pytest.mark.parametrize("text", ["a&lt;b and c&gt;d", "x &lt;i for all k&gt; 0", "p&lt;s or q&gt;u"])
def test_an_inequality_is_the_same_with_entities_and_without(text: str) -> None:
    assert normalise(text) == normalise(unescape(text)) == unescape(text)


def test_a_table_is_the_same_text_in_latex_html_and_pipes() -> None:
    latex = r"""앞 문장.

\begin{table}[h]
\centering
\begin{tabular}{lcc}
\toprule
모델 & \textbf{정확도} & 비고 \\
\cmidrule(lr){2-3}
\multirow{2}{*}{가} & 76.1\% & A\&B \\[2pt]
\bottomrule
\end{tabular}
\end{table}

뒤 문장."""
    html = "앞 문장.\n\n<table><tr><th>모델</th><th>정확도</th><th>비고</th></tr>"
    html += "<tr><td>가</td><td>76.1%</td><td>A&amp;B</td></tr></table>\n\n뒤 문장."
    pipes = "앞 문장.\n\n| 모델 | **정확도** | 비고 |\n|---|---|---|\n| 가 | 76.1% | A&B |\n\n뒤 문장."
    assert normalise(latex) == normalise(html) == normalise(pipes) == "앞 문장. 모델 정확도 비고 가 76.1% A&B 뒤 문장."
