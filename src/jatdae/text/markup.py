"""Normaliser steps that remove markup: pandoc's additions, images, page marks, formulas and Markdown syntax."""

from __future__ import annotations

import re
from typing import Final

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
_ATTRIBUTE_BLOCK: Final = re.compile(rf"(?<![_^\\])\{{\s*+{_ATTRIBUTE}(?:\s++{_ATTRIBUTE})*+\s*+\}}")

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
_MATH_ENVIRONMENTS = "equation|align|alignat|gather|multline|flalign|eqnarray|displaymath|math"

_DISPLAY_MATH: Final = re.compile(
    rf"(?<!\\)\$\$(?:[^$\\\s]|\s++|\\.|\$(?!\$)){{0,{_LONGEST_FORMULA}}}+\$\$",
    re.DOTALL,
)
_MATH_ENVIRONMENT: Final = re.compile(
    rf"\\begin\{{(?:{_MATH_ENVIRONMENTS})\*?\}}"
    rf"(?:[^\\]|\\(?!(?:begin|end)\{{(?:{_MATH_ENVIRONMENTS})\*?\}})){{0,{2 * _LONGEST_FORMULA}}}+"
    rf"\\end\{{(?:{_MATH_ENVIRONMENTS})\*?\}}"
)
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
_INLINE_MATH: Final = re.compile(
    rf"(?<![\\$])\$(?![\s$])(?!{_MONEY})(?:[^$\\\s]|\s++|\\.){{1,{_LONGEST_FORMULA}}}+(?<!\s)\$(?!\d)",
    re.DOTALL,
)
_HTML_MATH: Final = re.compile(
    r"<span\s++class=\"math[^\"<>]*+\">(?:[^<]|<(?!/?span\b))*+</span>",
)


def math(text: str) -> str:
    r"""Remove formulas and their markup from a text; money such as `$5 and $7` stays.

    Formulas are `$$…$$`, `$…$`, `\(…\)`, `\[…\]`, equation environments and pandoc's HTML spans.
    """
    if "$" in text:
        text = _INLINE_MATH.sub("", _DISPLAY_MATH.sub("", text))
    if "\\" in text:
        text = _MATH_ENVIRONMENT.sub("", text)
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
_BLOCK_TAG: Final = re.compile(
    r"</?(?:div|p|br|hr|table|thead|tbody|tfoot|tr|td|th|caption|colgroup|col|ul|ol|li|dl|dt|dd|blockquote|pre|h[1-6]"
    r"|section|article|header|footer|main|center|details|summary|object|iframe)(?:\s[^<>]*+|/)?>",
    re.IGNORECASE,
)
_INLINE_TAG: Final = re.compile(
    r"</?(?:a|abbr|b|big|cite|code|del|em|font|i|ins|kbd|mark|q|s|small|span|strong|sub|sup|tt|u|var)(?:\s[^<>]*+|/)?>",
    re.IGNORECASE,
)
_AUTOLINK: Final = re.compile(r"<((?:https?|ftp|mailto):[^\s<>]*+|[\w.+-]++@[\w.-]++)>")
_LINK_TARGET = r"\(\s*+<?(?:[^()\s<>]++|\([^()\s]*+\))*+>?(?:\s++(?:\"[^\"]*+\"|'[^']*+'))?+\s*+\)"
_LINK: Final = re.compile(rf"\[((?:[^\[\]\\]++|\\.|\[[^\[\]]*+\])*+)\]{_LINK_TARGET}", re.DOTALL)
_LINK_BY_NAME: Final = re.compile(r"\[([^\[\]]++)\]\[([^\[\]]*+)\]")
_LINK_DEFINITION: Final = re.compile(
    r"^[^\S\n]*+\[([^\[\]\n]++)\]:[^\S\n]*+(?:<[^<>\n]*+>|(?:https?://|www\.|mailto:|[\#/.])\S*+)"
    r"(?:[^\S\n]++(?:\"[^\"\n]*+\"|'[^'\n]*+'))?+[^\S\n]*+$",
    re.MULTILINE,
)
_TABLE_RULE: Final = re.compile(r"^[^\S\n]*+(?=[^\n]*[-=])(?=[^\n]*[|+])(?:[|+:=-]|[^\S\n])++$", re.MULTILINE)
_TABLE_ROW: Final = re.compile(r"^[^\S\n]*+\|[^\n]*+$", re.MULTILINE)
_UNESCAPED_PIPE: Final = re.compile(r"(?<!\\)\|")
_LONE_PIPE: Final = re.compile(r"(?<!\S)\|(?!\S)")
_UNDERLINE: Final = re.compile(r"^[^\S\n]*+={3,}+[^\S\n]*+$", re.MULTILINE)
_LINE_MARKS: Final = re.compile(
    r"^(?:[^\S\n]*+(?:\#{1,6}+|[-*+•◦▪‣]|>++|:)(?!\S))++(?:[^\S\n]*+\[[ xX]\](?!\S))?+", re.MULTILINE
)
_ESCAPED: Final = re.compile(r"\\++(?:([!-/:-@\[\]-`{-~])|(?!\S))|\\(\\)\\*+")

_INLINE_SIGNS: Final = re.compile(r"[`*_~^\[<]")
_LINE_SIGNS: Final = re.compile(r"[#\-*+•◦▪‣>:=|]")


def markdown(text: str) -> str:
    """Remove Markdown markup from a text; link texts, code, cells and the numbers of ordered lists stay."""
    if _INLINE_SIGNS.search(text):
        text = _without_inline_syntax(text)
    if _LINE_SIGNS.search(text):
        text = _without_line_syntax(text)
    if "\\" in text:
        text = _ESCAPED.sub(lambda m: m[1] or m[2] or "", text)
    return text


def _without_inline_syntax(text: str) -> str:
    if "```" in text or "~~~" in text:
        text = _CODE_FENCE.sub("", text)
    if "<" in text:
        text = _COMMENT.sub("", text)
        text = _BLOCK_TAG.sub(" ", text)
        text = _INLINE_TAG.sub("", text)
        text = _AUTOLINK.sub(r"\1", text)
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


def _without_line_syntax(text: str) -> str:
    if "|" in text or "+" in text:
        text = _TABLE_RULE.sub("", text)
    if "|" in text:
        text = _TABLE_ROW.sub(lambda row: _UNESCAPED_PIPE.sub(" ", row[0]), text)
        text = _LONE_PIPE.sub(" ", text)
    if "===" in text:
        text = _UNDERLINE.sub("", text)
    return _LINE_MARKS.sub("", text)


_EMPHASIS_MARKS: Final = re.compile(r"\*+|_+|~~+")
_BACKTICKS: Final = re.compile(r"`+")
# pandoc's x^2^ and H~2~O
_SUPER_OR_SUBSCRIPT: Final = re.compile(r"\^([^\s^\[\]]{1,20}+)\^|(?<!~)~([^\s~\[\]]{1,20}+)~(?!~)")


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
    runs = [span for run in _BACKTICKS.finditer(text) if (span := _unescaped(text, run))[0] < span[1]]
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
