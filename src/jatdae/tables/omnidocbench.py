"""How OmniDocBench rewrites the source of a table before it compares it, in its versions 1.5 and 1.6.

The order of the steps matters: entities are decoded once before the source is parsed, so `a&lt;b&gt;` becomes a tag,
and a tag with attributes that are not taken away stays where the bare tag would go. Line ends vanish; they are no
space. Version 1.6 also rewrites each text: symbols, formulas that are one whole text, a dash that stands alone.
"""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from typing import Final

_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*)>")
_ATTRIBUTE: Final = re.compile(r"""([^\s"'=/<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?""")
_ANY_TAG: Final = re.compile(r"(</?[a-zA-Z!][^<>]*>)")
_SPACE: Final = re.compile(r"\s+")
_LOOKS: Final = re.compile(r' (?:style|height|width|align|class)="[^"]*"')
_BARE: Final = re.compile("</?(?:tbody|sup|sub|span|div|p)>")
_ALWAYS_GONE: Final = frozenset({"thead", "tbody", "span"})

_COMMANDS: Final = {
    **{f"\\{name}": "√" for name in ("checkmark", "checked", "surd")},
    **{f"\\{name}": "×" for name in ("times", "xmark", "crossmark")},
    "\\pm": "±", "\\mp": "∓", "\\alpha": "α", "\\beta": "β", "\\gamma": "γ", "\\gama": "γ", "\\mu": "μ",
    "\\lambda": "λ", "\\theta": "θ", "\\eta": "η", "\\pi": "π", "\\rho": "ρ", "\\sigma": "σ", "\\omega": "ω",
    "\\delta": "δ", "\\Delta": "Δ", "\\epsilon": "ε", "\\varepsilon": "ε", "\\phi": "φ", "\\varphi": "φ", "\\tau": "τ",
    "\\partial": "∂", "\\varnothing": "∅", "\\emptyset": "∅", "\\sim": "～",
    **dict.fromkeys("✓✔☑✅🗸", "√"), **dict.fromkeys("✗✘✕✖☒❌╳⨯", "×"), "Ø": "∅", "∼": "～", "〜": "～",
    "\\%": "%", "\\#": "#", "\\&": "&", "\\_": "_",
}  # fmt: skip
"""Replaced one after the other, wherever they stand: `\\pi` in `\\pitch` too."""
_WRAPPERS: Final = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))
_LONGEST_FORMULA: Final = 128
_DASHES: Final = frozenset("-–−－—")


def rewrite_1_5(html: str) -> str:
    """Source of a table as OmniDocBench 1.5 compares it."""
    return _bare(unescape(_plain_tags(html)).replace("\n", ""))


def rewrite_1_6(html: str) -> str:
    """Source of a table as OmniDocBench 1.6 compares it."""
    parts = _ANY_TAG.split(_plain_tags(html))
    parts[::2] = [_rewrite_text(text) for text in parts[::2]]
    return _bare("".join(parts))


def _plain_tags(html: str) -> str:
    """Tags in small letters with their attributes quoted, header cells as cells, formulas as their LaTeX."""
    return _TAG.sub(_plain_tag, _without_mathml(html))


def _plain_tag(tag: re.Match[str]) -> str:
    closing, name, rest = tag[1], tag[2].lower(), tag[3]
    if name in _ALWAYS_GONE:
        return ""
    name = "td" if name == "th" else name
    if closing or not rest.strip():
        return f"<{closing}{name}>"
    attributes = {found[1].lower(): found[2] or found[3] or found[4] or "" for found in _ATTRIBUTE.finditer(rest)}
    written = "".join(f' {key}="{value}"' for key, value in attributes.items())
    return f"<{name}{written}>"


def _without_mathml(html: str) -> str:
    if "<math" not in html:
        return html
    made: list[str] = []
    at = 0
    while (begin := html.find("<math", at)) >= 0 and (end := html.find("</math>", begin)) >= 0:
        told = _TAG.match(html, begin)
        attributes = {found[1]: found[2] or found[3] or "" for found in _ATTRIBUTE.finditer(told[3])} if told else {}
        made += html[at:begin], f"${attributes.get('alttext', '')}$"
        at = end + len("</math>")
    return "".join([*made, html[at:]])


def _bare(source: str) -> str:
    """Compatibility form, white space collapsed, without looks and without tags that are bare after that."""
    source = _SPACE.sub(" ", _LOOKS.sub("", unicodedata.normalize("NFKC", source)))
    return _without("<colgroup>", "</colgroup>", _BARE.sub("", source))


def _without(begin: str, end: str, source: str) -> str:
    """The source without what stands from each `begin` to the next `end`."""
    first, *rest = source.split(begin)
    return first + "".join(part.partition(end)[2] if end in part else begin + part for part in rest)


def _rewrite_text(text: str) -> str:
    if not text.strip():
        return ""
    text = unicodedata.normalize("NFKC", unescape(text)).replace("\u200b", "")
    text = _replace_symbols(_unwrap_formula(_replace_symbols(text)))
    return "—" if text.strip() in _DASHES else _SPACE.sub(" ", text).strip()


def _replace_symbols(text: str) -> str:
    if text.isascii() and "\\" not in text:
        return text
    for written, symbol in _COMMANDS.items():
        text = text.replace(written, symbol)
    return text


def _unwrap_formula(text: str) -> str:
    """A text that is one formula as a whole without its delimiters."""
    text = text.strip()
    while True:
        for left, right in _WRAPPERS:
            inner = text[len(left) : -len(right)].strip()
            whole = text.startswith(left) and text.endswith(right) and len(text) >= len(left) + len(right)
            if whole and inner and len(inner) <= _LONGEST_FORMULA and not set("<>$") & set(inner):
                text = inner
                break
        else:
            return text
