"""The form of token_config.json: words by prefix, patterns, synonyms and weights, and no grammar of its own.

Regions, negation, degree words and the like are those of the bundled tongue lexicon, so that a plain list of words is
read with the same care.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from jatdae.core.yamlfile import KeyPath
from jatdae.terms.format import Number, Text, Texts

_GRAMMAR: Final = ("start", "regions", "words", "characters", "typos")
_HOMES: Final = {"axes": "category_map", "atoms": "token_dicts", "patterns": "pattern_table"}


class TokenConfig(BaseModel):
    """The five keys of token_config.json."""

    model_config = ConfigDict(extra="forbid")

    category_map: dict[Text, Text]
    token_dicts: dict[Text, Texts]
    pattern_table: dict[Text, Texts] = {}
    synonyms: dict[Text, Number | dict[Text, Number]] = {}
    weights: dict[Text, Number]


def is_token_config(value: Mapping[str, Any]) -> bool:
    """Whether a file is of this form."""
    return "token_dicts" in value or "category_map" in value


def to_lexicon(config: TokenConfig, name: str, tongue: Mapping[str, Any]) -> dict[str, Any]:
    """The same lexicon in our form, with the grammar of the tongue."""
    made: dict[str, Any] = {key: tongue[key] for key in _GRAMMAR}
    known = {f"{prefix}_{value}" for prefix, values in config.token_dicts.items() for value in values}
    made["regions"] = {
        region: {key: item for key, item in about.items() if key != "absent" or item in known}
        for region, about in tongue["regions"].items()
    }
    own = {value for values in config.token_dicts.values() for value in values} | config.pattern_table.keys()
    negating = {word for kind in tongue["words"]["negation"].values() for word in kind}
    made["words"] = {
        role: words if isinstance(words, dict) else [word for word in words if word not in own]
        for role, words in tongue["words"].items()
    }
    made |= {
        "name": name,
        "normal": tongue["normal"],
        "weights": config.weights,
        "axes": {
            prefix: {**tongue["axes"].get(prefix, {}), "category": category}
            for prefix, category in config.category_map.items()
        },
        # A bare 无 goes on negating; its atom is reached by the patterns that have it (无苔).
        "atoms": {
            prefix: {value: {"zh": [] if value in negating else [value]} for value in dict.fromkeys(values)}
            for prefix, values in config.token_dicts.items()
        },
        "patterns": config.pattern_table,
        "synonyms": config.synonyms,
    }
    return made


def token_path(config: TokenConfig) -> Callable[[KeyPath], KeyPath]:
    """Where a key of our form stands in token_config.json."""

    def path_of(path: KeyPath) -> KeyPath:
        home = (_HOMES.get(str(path[0]), path[0]), *path[1:2]) if path else ()
        if path[:1] == ("atoms",) and len(path) > 2:
            values = config.token_dicts.get(str(path[1]), [])
            return (*home, values.index(str(path[2]))) if path[2] in values else home
        return home if path[:1] == ("axes",) else (*home, *path[2:])

    return path_of
