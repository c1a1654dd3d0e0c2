"""Charts as PDF and PNG, set by Typst (the extra `figures`): fonts are embedded, the same chart is the same bytes."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any, Final

FORMATS: Final = ("pdf", "png")
PIXELS_PER_INCH: Final = 300
_PAGE: Final = b"""
#set document(title: sys.inputs.title, date: none)
#set page(width: auto, height: auto, margin: 2pt, fill: white)
#image(bytes(sys.inputs.chart), format: "svg", width: 9cm, alt: sys.inputs.title)
"""
"""A chart of 360 units is as wide as a column of a paper. Its texts are values, so nothing can be Typst's markup."""


def can_typeset() -> bool:
    """Whether figures can be written as PDF and PNG."""
    return _typst() is not None


def typeset(drawn: str, title: str, format: str) -> bytes:
    """Set a chart, a stand-alone SVG, as a PDF or PNG figure."""
    typst: Any = _typst()
    values = {"chart": drawn, "title": title}
    ppi = PIXELS_PER_INCH if format == "png" else None
    return bytes(typst.compile(_PAGE, format=format, ppi=ppi, sys_inputs=values, font_paths=_fonts()))


@cache
def _fonts() -> Any:
    """Fonts of this machine, looked for once."""
    typst: Any = _typst()
    return typst.Fonts()


def _typst() -> ModuleType | None:
    try:
        return import_module("typst")
    except ImportError:
        return None
