"""Schemas of extraction benchmarks, whose `evaluation_config` says how each field is judged.

    {"type": "string", "evaluation_config": "string_fuzzy"}
    {"type": "number", "evaluation_config": {"metrics": [{"metric_id": "number_tolerance",
                                                          "params": {"tolerance": 0.01}}]}}

Each name stands for settings that a field may have here; the table is in `benchmark_schemas.yaml`. Nothing here asks a
model what a text means, so a name that would (`string_semantic`, `array_llm`) gets the settings nearest to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

import yaml

from jatdae.core.messages import near, speaker
from jatdae.core.yamlfile import YamlFile

say = speaker(__name__)

KEYWORD: Final = "evaluation_config"
INSIDE: Final = "schema_definition"
"""Key of a file that holds the schema beside its name and description."""


def unwrapped(source: YamlFile) -> YamlFile:
    """The schema that a file of a benchmark holds beside its name; any other file as it is."""
    value = source.value
    if isinstance(value, Mapping) and isinstance(value.get(INSIDE), Mapping) and "type" not in value:
        lines = {path[1:]: line for path, line in source.lines.items() if path[:1] == (INSIDE,)}
        return YamlFile(source.name, value[INSIDE], lines)
    return source


def settings_of(config: Any) -> tuple[dict[str, Any], list[str]]:
    """Settings of a field in the words of this package, for its `evaluation_config`; and what is wrong with it."""
    names: list[tuple[Any, Any]] = [(config, {})]
    if isinstance(config, Mapping):
        metrics = config.get("metrics", [])
        if not isinstance(metrics, list) or not all(isinstance(each, Mapping) for each in metrics):
            return {}, [say("evaluation_config_odd")]
        names = [(each.get("metric_id"), each.get("params") or {}) for each in metrics]
    settings: dict[str, Any] = {}
    problems = []
    for name, params in names:
        known = _policies()
        if not isinstance(name, str) or name not in known:
            listed = ", ".join(known)
            problems.append(say("evaluation_config_unknown", name=name, near=near(str(name), known), known=listed))
            continue
        settings |= known[name]
        if isinstance(params, Mapping) and "tolerance" in params:
            settings["tolerance"] = params["tolerance"]
    return settings, problems


@cache
def _policies() -> dict[str, dict[str, Any]]:
    text = (resources.files("jatdae.structured") / "benchmark_schemas.yaml").read_text("utf-8")
    table: dict[str, dict[str, Any]] = yaml.safe_load(text)
    return table
