"""Normaliser steps that remove markup: pandoc's additions, images, page marks, formulas and Markdown syntax."""

from __future__ import annotations

import re
from typing import Final

MASKED_BRACKET: Final = "\ufdd0"
MASKED_LESS: Final = "\ufdd1"
MASKED_AMPERSAND: Final = "\ufdd2"
"""Characters that no later step may take for syntax, as noncharacters until all steps are done."""

_DIV_FENCE: Final = re.compile(
    r"^[^\S\n]*+:{3,}+[^\S\n]*+"
    r"(?:\{[^{}\n]*+\}|[^\s:{}]++)?+"  # {#id .class} or a bare class name; a closing fence has neither
    r"[^\S\n]*+:*+[^\S\n]*+$",
    re.MULTILINE,
)

_ATTRIBUTE = (
    r"(?:\#\w[\w:.+/&-]*+"  # #id
    r"|\.[^\W\d][\w-]*+"  # .class
    r"|[^\W\d][\w:-]++=(?:\"[^\"]*+\"|'[^']*+'|[^\s{}\"']++)"  # key=value
    r"|=\w++|-)"  # {=latex}, {-}
)
# After `_` or `^` a brace is TeX: \sum_{ii=1}.
_ATTRIBUTE_BLOCK: Final = re.compile(rf"\{{(?<![_^\\]\{{)\s*+{_ATTRIBUTE}(?:\s++{_ATTRIBUTE})*+\s*+\}}")

# The text may hold escaped brackets and one level of plain ones; it ends before an unmatched "[",
# so that a row of "[" is read once only.
_SPAN: Final = re.compile(
    r"\[((?:[^\[\]\\]++|\\.|\[[^\[\]]*+\])*+)\]"
    r"(?:\(\#[^()\s]*+\))?"
    rf"\{{\s*+{_ATTRIBUTE}(?:\s++{_ATTRIBUTE})*+\s*+\}}",
    re.DOTALL,
)


def pandoc_blocks(text: str) -> str:
    """Remove pandoc's markup from a text: `:::` fences and `{#id .class key=val}` attributes.

    `[text](#id){…}` and `[text]{…}` become their text.
    """
    if ":::" in text:
        text = _DIV_FENCE.sub("", text)
    if "{" in text:
        text = _SPAN.sub(r"\1", text)
        text = _ATTRIBUTE_BLOCK.sub("", text)
    return text


# A caption may hold escaped brackets and one level of plain ones.
_IMAGE: Final = re.compile(
    r"!\[((?:[^\[\]\\]++|\\.|\[[^\[\]]*+\])*+)\]"
    r"(?:\(\s*+<?(?:[^()\s<>]++|\([^()\s]*+\))*+>?(?:\s++(?:\"[^\"]*+\"|'[^']*+'))?+\s*+\)|\[[^\[\]]*+\])",
    re.DOTALL,
)
_HTML_IMAGE: Final = re.compile(r"</?(?:figure|figcaption|img|embed|picture|source)\b[^<>]*+>", re.IGNORECASE)
_PAGE_MARKER: Final = re.compile(r"\[\s*+(?:Page|페이지|쪽)\s++\d++(?:\s++of\s++\d++)?\s*+\]", re.IGNORECASE)
_SIZE_ATTRIBUTE: Final = re.compile(
    r"(?<![\w-])(?:width|height)=(?:\"[^\"<>]{0,40}+\"|'[^'<>]{0,40}+'|\d[\d.]*+(?:%|\\?[a-z]++)?)", re.IGNORECASE
)
_HORIZONTAL_RULE: Final = re.compile(
    r"^[^\S\n]*+(?:-(?:[^\S\n]*+-){2,}+|\*(?:[^\S\n]*+\*){2,}+|_(?:[^\S\n]*+_){2,}+)[^\S\n]*+$", re.MULTILINE
)


def images(text: str) -> str:
    """Replace the markup of images in a text, `![caption](file)`, by captions; remove tags of HTML figures."""
    if "![" in text:
        text = _IMAGE.sub(r"\1", text)
    return _HTML_IMAGE.sub(" ", text) if "<" in text else text


def page_markers(text: str) -> str:
    """Remove the markup of pages from a text, `[Page N]`."""
    return _PAGE_MARKER.sub("", text) if "[" in text else text


def size_attributes(text: str) -> str:
    """Remove the markup of sizes from a text, `width=…` and `height=…`."""
    return _SIZE_ATTRIBUTE.sub("", text) if "idth=" in text or "eight=" in text else text


def horizontal_rules(text: str) -> str:
    """Remove the markup of horizontal rules from a text: lines of `---`, `***` or `___`, spaced or not.

    Pandoc's rules of simple tables are such lines.
    """
    if "-" in text or "*" in text or "_" in text:
        return _HORIZONTAL_RULE.sub("", text)
    return text


_LONGEST_FORMULA: Final = 4000
"""Characters in a formula, a run of white space being one: a stray `$` costs a passage at most, not the rest."""
_MATH_ENVIRONMENTS_1 = "equation|align|alignat|gather|multline|flalign|eqnarray|displaymath|math"
_MATH_ENVIRONMENTS = (
    f"{_MATH_ENVIRONMENTS_1}|aligned|alignedat|gathered|split|subequations|cases|array|[bBpvV]?matrix|smallmatrix"
)

_DISPLAY_MATH: Final = re.compile(
    rf"(?<!\\)\$\$(?:[^$\\\s]|\s++|\\.|\$(?!\$)){{0,{_LONGEST_FORMULA}}}+\$\$",
    re.DOTALL,
)


def _environment(names: str) -> re.Pattern[str]:
    """The innermost of these environments: an outer one is laid bare when it is gone."""
    return re.compile(
        rf"\\begin\{{(?:{names})\*?\}}"
        rf"(?:[^\\]|\\(?!(?:begin|end)\{{(?:{names})\*?\}})){{0,{2 * _LONGEST_FORMULA}}}+"
        rf"\\end\{{(?:{names})\*?\}}"
    )


_MATH_ENVIRONMENT: Final = _environment(_MATH_ENVIRONMENTS)
_MATH_ENVIRONMENT_1: Final = _environment(_MATH_ENVIRONMENTS_1)
_PARENTHESISED_MATH: Final = re.compile(rf"\\\((?:[^\\\s]|\s++|\\[^()]){{1,{_LONGEST_FORMULA}}}+\\\)", re.DOTALL)
# Pandoc escapes plain brackets as \[sic\]: only what looks like a formula is one.
_BRACKETED_MATH: Final = re.compile(
    rf"\\\[(?=(?:[^\\=^<>+]|\\[^\[\]\w])*+(?:[=^<>+]|\\\w))(?:[^\\\s]|\s++|\\[^\[\]]){{1,{_LONGEST_FORMULA}}}+\\\]",
    re.DOTALL,
)
# Pandoc's rule: no space inside the dollars, no digit after the closing one. A number and a word such
# as "and" or "million" after the opening one are money.
_MONEY = (
    r"\d[\d,.]*+\s++(?:and|or|to|per|each|for|in|on|at|of|from|by|with|is|was|are|were|a|an"
    r"|thousand|million|billion|trillion|US|USD)\b"
)
_INLINE_MATH_1: Final = re.compile(
    rf"(?<![\\$])\$(?![\s$])(?!{_MONEY})(?:[^$\\\s]|\s++|\\.){{1,{_LONGEST_FORMULA}}}+(?<!\s)\$(?!\d)",
    re.DOTALL,
)
_HTML_MATH: Final = re.compile(
    r"<span\s++class=\"math[^\"<>]*+\">(?:[^<]|<(?!/?span\b))*+</span>",
)


# In addition: nothing that crosses an empty line is a formula, nor what begins with a number and goes on in words
# ("$2,000 (US$)"), with the sign of a price list ("($)"), or after the letters of a currency ("US$").
_INLINE_MATH: Final = re.compile(
    rf"\$(?<![\\$]\$)(?<!US\$)(?<!CA\$)(?<!AU\$)(?<!NZ\$)(?<!HK\$)(?<!NT\$)(?![\s$)\]]|[.,;:](?!\d))(?!{_MONEY})"
    rf"(?:[^$\\\s]++|[^\S\n]++|\n(?![^\S\n]*+\n)|\\.){{1,{_LONGEST_FORMULA}}}+(?<!\s)\$(?!\d)",
    re.DOTALL,
)
_AMOUNT: Final = re.compile(r"\$\d[\d,.]*+(?=[^\\^_={}<>$]*+\$\Z)[^\\]*?(?:[^\W\d_]{2}|[가-힣一-鿿])")


def math(text: str) -> str:
    r"""Remove formulas and their markup from a text; money such as `from $1,000 to $2,000 (US$)` stays.

    Formulas are `$$…$$`, `$…$`, `\(…\)`, `\[…\]`, equation environments and pandoc's HTML spans.
    """
    if "$" in text:
        text = _INLINE_MATH.sub(_without_formula, _DISPLAY_MATH.sub("", text))
    return _without_other_math(text, _MATH_ENVIRONMENT)


def math_1(text: str) -> str:
    """Remove formulas and their markup from a text as `fair@1` did, which took some sums of money for formulas."""
    if "$" in text:
        text = _INLINE_MATH_1.sub("", _DISPLAY_MATH.sub("", text))
    return _without_other_math(text, _MATH_ENVIRONMENT_1)


def _without_formula(found: re.Match[str]) -> str:
    kept = len(found[0]) > _LONGEST_FORMULA or _AMOUNT.match(found[0])
    return found[0] if kept else ""


def _without_other_math(text: str, environment: re.Pattern[str]) -> str:
    if "\\" in text:
        text = environment.sub("", text)
        text = _PARENTHESISED_MATH.sub("", text)
        text = _BRACKETED_MATH.sub("", text)
    if '"math' in text:
        text = _HTML_MATH.sub("", text)
    return text


_CODE_FENCE: Final = re.compile(
    r"^[^\S\n]*+(?:`{3,}+|~{3,}+)[^\S\n]*+(?:\{[^`\n]*+(?<=\})|[^\s`~]*+)[^\S\n]*+$", re.MULTILINE
)
_COMMENT: Final = re.compile(r"<!--(?:[^<-]++|-(?!->)|<(?!!--))*+-->")
# Only names HTML knows: "x <y and z> w" is no tag. Block tags part what they separate.
_BLOCK_NAMES = (
    "div|p|br|hr|table|thead|tbody|tfoot|tr|td|th|caption|colgroup|col|ul|ol|li|dl|dt|dd|blockquote|pre|h[1-6]"
    "|section|article|header|footer|main|center|details|summary|object|iframe"
)
_INLINE_NAMES = "a|abbr|b|big|cite|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|tt|u|var"
_BOOLEAN_ATTRIBUTES = (
    "allowfullscreen|checked|compact|disabled|download|hidden|inert|ismap|itemscope|multiple|noshade|nowrap|open"
    "|readonly|required|reversed|selected"
)
# And only what goes on as HTML does, with name=value or an attribute that needs no value: "a<b and c>d" is no tag.
_ATTRIBUTES = rf"(?:\s++(?:{_BOOLEAN_ATTRIBUTES})(?![^\s/>]))*+(?:\s++[a-z_:@][\w:.-]*+\s*+=[^<>]*+|\s*+/?)"
_ATTRIBUTES_1 = r"(?:\s[^<>]*+|/)?"


def _tag(names: str, attributes: str) -> re.Pattern[str]:
    return re.compile(rf"</?(?:{names})(?:{attributes})>", re.IGNORECASE)


_TAGS: Final = _tag(_BLOCK_NAMES, _ATTRIBUTES), _tag(_INLINE_NAMES, _ATTRIBUTES)
_TAGS_1: Final = _tag(_BLOCK_NAMES, _ATTRIBUTES_1), _tag(_INLINE_NAMES, _ATTRIBUTES_1)
_AUTOLINK: Final = re.compile(r"<((?:https?|ftp|mailto):[^\s<>]*+|[\w.+-]++@[\w.-]++)>")
_LINK_TARGET = r"\(\s*+<?(?:[^()\s<>]++|\([^()\s]*+\))*+>?(?:\s++(?:\"[^\"]*+\"|'[^']*+'))?+\s*+\)"
_LINK: Final = re.compile(rf"\[((?:[^\[\]\\]++|\\.|\[[^\[\]]*+\])*+)\]{_LINK_TARGET}", re.DOTALL)
_LINK_BY_NAME: Final = re.compile(r"\[([^\[\]]++)\]\[([^\[\]]*+)\]")
_LINK_DEFINITION: Final = re.compile(
    r"^[^\S\n]*+\[([^\[\]\n]++)\]:[^\S\n]*+(?:<[^<>\n]*+>|(?:https?://|www\.|mailto:|[\#/.])\S*+)"
    r"(?:[^\S\n]++(?:\"[^\"\n]*+\"|'[^'\n]*+'))?+[^\S\n]*+$",
    re.MULTILINE,
)
_TABLE_RULE: Final = re.compile(
    r"^[^\S\n]*+(?=[|+:=-])(?=[^\n]*[-=])(?=[^\n]*[|+])(?:[|+:=-]|[^\S\n])++$", re.MULTILINE
)
_TABLE_ROW: Final = re.compile(r"^[^\S\n]*+\|[^\n]*+$", re.MULTILINE)
_UNESCAPED_PIPE: Final = re.compile(r"(?<!\\)\|")
_LONE_PIPE: Final = re.compile(r"\|(?<!\S\|)(?!\S)")
_UNDERLINE: Final = re.compile(r"^[^\S\n]*+={3,}+[^\S\n]*+$", re.MULTILINE)
_LINE_MARKS_1: Final = re.compile(
    r"^(?:[^\S\n]*+(?:\#{1,6}+|[-*+•◦▪‣]|>++|:)(?!\S))++(?:[^\S\n]*+\[[ xX]\](?!\S))?+", re.MULTILINE
)
# A bullet that is nothing else may stand right before its item: "•항목", "※신청 기간".
_LINE_MARKS: Final = re.compile(
    r"^(?:[^\S\n]*+(?:(?:\#{1,6}+|[-*+]|>++|:)(?!\S)|[•◦▪‣※]|·(?!·)))++(?:[^\S\n]*+\[[ xX]\](?!\S))?+", re.MULTILINE
)
_ESCAPED: Final = re.compile(r"\\++(?:([!-/:-@\[\]-`{-~])|(?!\S))|\\(\\)\\*+")

_INLINE_SIGNS: Final = re.compile(r"[`*_~^\[<]")
_LINE_SIGNS: Final = re.compile(r"[#\-*+•◦▪‣※·>:=|]")


def html_tags(text: str) -> str:
    """Remove the markup of HTML from a text: tags, comments, the angles of `<http://…>`."""
    return _without_tags(text, *_TAGS)


def _without_tags(text: str, block: re.Pattern[str], inline: re.Pattern[str]) -> str:
    if "<" not in text:
        return text
    text = _COMMENT.sub("", text)
    text = block.sub(" ", text)
    text = inline.sub("", text)
    return _AUTOLINK.sub(r"\1", text)


def markdown(text: str) -> str:
    """Remove Markdown markup from a text; link texts, code, cells and the numbers of ordered lists stay."""
    if _INLINE_SIGNS.search(text):
        text = _without_inline_syntax(_without_fences(text))
    if _LINE_SIGNS.search(text):
        text = _without_line_syntax(text, _LINE_MARKS)
    return _without_escapes(text)


def markdown_1(text: str) -> str:
    """Remove Markdown and HTML markup from a text as `fair@1` did.

    There `·` and `※` are no list marks, and `<b and c>` is a tag.
    """
    if _INLINE_SIGNS.search(text):
        text = _without_inline_syntax(_without_tags(_without_fences(text), *_TAGS_1))
    if _LINE_SIGNS.search(text):
        text = _without_line_syntax(text, _LINE_MARKS_1)
    return _without_escapes(text)


def _without_fences(text: str) -> str:
    return _CODE_FENCE.sub("", text) if "```" in text or "~~~" in text else text


def _without_escapes(text: str) -> str:
    return _ESCAPED.sub(lambda m: m[1] or m[2] or "", text) if "\\" in text else text


def _without_inline_syntax(text: str) -> str:
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "]:" in text:
        text = _without_named_links(text)
    return _without_emphasis(text)


def _without_named_links(text: str) -> str:
    """`[text][name]` is a link only where a line defines `[name]: target`; such lines go."""
    names = {definition[1].casefold() for definition in _LINK_DEFINITION.finditer(text)}
    if not names:
        return text
    text = _LINK_DEFINITION.sub("", text)
    return _LINK_BY_NAME.sub(lambda link: link[1] if (link[2] or link[1]).casefold() in names else link[0], text)


def _without_line_syntax(text: str, marks: re.Pattern[str]) -> str:
    if "|" in text or "+" in text:
        text = _TABLE_RULE.sub("", text)
    if "|" in text:
        text = _TABLE_ROW.sub(lambda row: _UNESCAPED_PIPE.sub(" ", row[0]), text)
        text = _LONE_PIPE.sub(" ", text)
    if "===" in text:
        text = _UNDERLINE.sub("", text)
    return marks.sub("", text)


_EMPHASIS_MARKS: Final = re.compile(r"\*+|_+|~~+")
_BACKTICKS: Final = re.compile(r"`+")
# pandoc's x^2^ and H~2~O
_SUPER_OR_SUBSCRIPT: Final = re.compile(r"\^([^\s^\[\]]{1,20}+)\^|~(?<!~~)([^\s~\[\]]{1,20}+)~(?!~)")


def _without_emphasis(text: str) -> str:
    """Drop paired backticks, `*`, `_` and `~~`, and the marks of super- and subscripts.

    Marks are paired as CommonMark pairs them, with two differences: a `*` right after a Latin letter or digit opens
    nothing (`2*x` is a product), and a closing `**` may stand before a letter where it follows punctuation
    (`**"잣대"**는`).
    """
    if "`" in text:
        text = _without_spans(text, _paired_ticks(text))
    if "*" in text or "_" in text or "~~" in text:
        text = _without_spans(text, _paired_marks(text))
    if "^" in text or "~" in text:
        text = _SUPER_OR_SUBSCRIPT.sub(lambda m: m[1] or m[2], text)
    return text


def _paired_ticks(text: str) -> list[tuple[int, int]]:
    """A run of backticks closes with the next run of the same length."""
    return _paired([span for run in _BACKTICKS.finditer(text) if (span := _unescaped(text, run))[0] < span[1]])


def _paired(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    after: dict[int, int] = {}
    partner = [0] * len(runs)
    for at in range(len(runs) - 1, -1, -1):
        length = runs[at][1] - runs[at][0]
        partner[at] = after.get(length, 0)
        after[length] = at
    pairs, at = [], 0
    while at < len(runs):
        if partner[at]:
            pairs += [runs[at], runs[partner[at]]]
            at = partner[at]
        at += 1
    return pairs


def _paired_marks(text: str) -> list[tuple[int, int]]:
    """The spans of marks that open or close something, in order."""
    found: list[tuple[int, int]] = []
    waiting: dict[str, list[list[int]]] = {"*": [], "_": [], "~": []}
    end = len(text)
    for run in _EMPHASIS_MARKS.finditer(text):
        start, stop = _unescaped(text, run)
        mark = run[0][0]
        before = text[start - 1] if start else " "
        after = text[stop] if stop < end else " "
        opens, closes = _flanks(mark, before, after)
        left = stop - start
        stack = waiting[mark]
        while closes and left and stack:
            opener = stack[-1]
            taken = min(left, opener[1] - opener[0])
            found.append((opener[1] - taken, opener[1]))
            found.append((stop - left, stop - left + taken))
            left -= taken
            opener[1] -= taken
            if opener[0] == opener[1]:
                stack.pop()
        if opens and left:
            stack.append([stop - left, stop])
    found.sort()
    return found


def _unescaped(text: str, run: re.Match[str]) -> tuple[int, int]:
    """The span of a run but for a mark that a backslash makes text."""
    start, stop = run.span()
    return start + text.startswith("\\", max(0, start - 1), start), stop


def _flanks(mark: str, before: str, after: str) -> tuple[bool, bool]:
    """Whether a run between these two characters may open and whether it may close."""
    opens, closes = not after.isspace(), not before.isspace()
    if mark == "*" and before.isascii() and (before.isalnum() or before in ")]"):
        # An operator: 2*x, y*(x + 1). Only before "(" might it also close what stands open.
        return False, closes and not (after.isascii() and after.isalnum())
    if mark == "_":
        # Inside a word an underscore is a letter: snake_case.
        return opens and not before.isalnum(), closes and not after.isalnum()
    return opens, closes


def _without_spans(text: str, spans: list[tuple[int, int]]) -> str:
    kept, at = [], 0
    for start, end in spans:
        kept.append(text[at:start])
        at = end
    kept.append(text[at:])
    return "".join(kept)


# Code: what is in it is never a citation.

_FENCE_LINE: Final = re.compile(r"^[^\S\n]*+(`{3,}+|~{3,}+)([^\n]*+)$", re.MULTILINE)
_EMPTY_LINE: Final = re.compile(r"\n[^\S\n]*+\n")
_CODE_TAGS: Final = re.compile(r"<(code|pre)\b[^<>]*+>([^<]*+)</\1>", re.IGNORECASE)
# ``robust'' and `fast' are how TeX writes quotation marks.
_TEX_QUOTE: Final = re.compile(r"''|\w'(?=[\s.,;:)])")


def find_code(text: str) -> list[tuple[int, int]]:
    """Find the code in a text with markup: insides of closed fences, of spans in one paragraph, of HTML code."""
    found: list[tuple[int, int]] = []
    if "```" in text or "~~~" in text:
        found = _fenced(text)
    if "`" in text:
        found += _spans_outside(text, found)
    if "</" in text:
        found += [tag.span(2) for tag in _CODE_TAGS.finditer(text)]
    found.sort()
    return [span for at, span in enumerate(found) if at == 0 or span[0] >= found[at - 1][1]]


def _fenced(text: str) -> list[tuple[int, int]]:
    found = []
    opened: re.Match[str] | None = None
    for line in _FENCE_LINE.finditer(text):
        if opened is None:
            opened = line
        elif line[1].startswith(opened[1]) and not line[2].strip():
            found.append((opened.end(), line.start()))
            opened = None
    return found


def _spans_outside(text: str, fenced: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in backticks between the fences, paragraph by paragraph: a stray backtick spoils no more than its own."""
    found = []
    edges = [0, *(edge for span in fenced for edge in span), len(text)]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        paragraph: list[tuple[int, int]] = []
        for run in _BACKTICKS.finditer(text, start, end):
            if paragraph and _EMPTY_LINE.search(text, paragraph[-1][1], run.start()):
                found += _spans(text, paragraph)
                paragraph = []
            paragraph.append(_unescaped(text, run))
        found += _spans(text, paragraph)
    return found


def _spans(text: str, runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    marks = iter(_paired([run for run in runs if run[0] < run[1]]))
    spans = [(opened[1], closed[0]) for opened, closed in zip(marks, marks, strict=True)]
    return [span for span in spans if not _TEX_QUOTE.search(text, *span)]
