"""How numbers are shown: values, intervals, differences and p-values of metrics, and names of systems."""

from __future__ import annotations

from collections.abc import Collection

from jatdae.core.meanings import Meanings
from jatdae.core.messages import Wording, say

NOTHING = "–"


def number(value: float | None, unit: str, why: str = "") -> str:
    """Format a metric value to be shown: a percentage or four digits; N/A with its reason."""
    if value is None:
        return f"N/A ({why})" if why else "N/A"
    return f"{100 * value:z.2f} {unit}" if unit in ("%", "pp") else f"{value:z.4f}"


def span(interval: list[float] | tuple[float, float] | None, unit: str) -> str:
    """Format a confidence interval of a metric to be shown."""
    if interval is None:
        return NOTHING
    low, high = interval
    scale, digits = (100, 2) if unit in ("%", "pp") else (1, 4)
    return f"{scale * low:z.{digits}f} – {scale * high:z.{digits}f}"


def bracketed(interval: tuple[float, float] | None, unit: str) -> str:
    """Format a confidence interval of a metric to be shown after its value: ` [0.18, 1.18]`; nothing without one."""
    return "" if interval is None else f" [{span(interval, unit).replace(' – ', ', ')}]"


def change(delta: float | None, unit: str) -> str:
    """Format a metric's difference between two systems to be shown, with its sign; percentages by points (pp)."""
    if delta is None:
        return NOTHING
    return f"{100 * delta:+z.2f} pp" if unit in ("%", "pp") else f"{delta:+z.4f}"


def p_value(p: float | None) -> str:
    """Format a p-value to be shown: `.007`, `< .001`."""
    return NOTHING if p is None else "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


def p_equals(p: float) -> str:
    """Format a p-value to be shown in a sentence: `p = .007`, `p < .001`."""
    text = p_value(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def p_at_most(values: Collection[float]) -> str:
    """Format the largest of p-values to be shown in a sentence: `p ≤ .003`, `p < .001`; `p = .003` if it is one."""
    text = p_equals(max(values)) if values else ""
    return text.replace("=", "≤") if len(values) > 1 else text


def kind_label(kind: str, meanings: Meanings, said: str = "") -> str:
    """A kind of unit, or a label of units, as it is shown: the evaluator's word `kind.NAME` for it, else its name."""
    return meanings.of("words", f"kind.{kind}", said) or kind


def system_label(name: str, told: Wording = say) -> str:
    """Name of a system where it is shown; a lone system without a name is called "all"."""
    return name or told("all_samples")
