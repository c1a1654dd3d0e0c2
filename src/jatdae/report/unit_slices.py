"""Means of units by what they are labelled with: the turns of conversations by turn, tables by complexity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Slices = dict[str, dict[str, dict[str, Any]]]
"""value → system → metric → {"macro", "ci", "n", …}"""


def unit_slices(summary: Mapping[str, Any]) -> dict[str, Slices]:
    """Per label of the units its slices, with every system side by side."""
    found: dict[str, Slices] = {}
    for system, described in summary["systems"].items():
        for units in described["units"].values():
            for key, slices in units["slices"].items():
                for value, inside in slices.items():
                    known = {name: entry for name, entry in inside["metrics"].items() if entry["n"]}
                    found.setdefault(key, {}).setdefault(value, {})[system] = known
    return found
