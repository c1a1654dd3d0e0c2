"""Markdown syntax: heading marks, emphasis, links, lists, quotes, code fences, tables. The text stays."""

from __future__ import annotations

import re
from typing import Final

from jatdae.text.emphasis import unmark

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
    """Drop Markdown's syntax; link texts, code, cells and the numbers of ordered lists stay."""
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
    return unmark(text)


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
