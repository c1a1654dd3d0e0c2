"""The one reader of configuration files: YAML or JSON, checked by a pydantic model, all errors at once with places.

    class Weights(Part):
        overall: dict[str, float]
        "Weight of each metric."

    weights = read_config("weights.yaml", Weights).content

The same model gives the JSON Schema for editors (`schema_of`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field, Strict, TypeAdapter, ValidationError

from jatdae.core.errors import UsageError
from jatdae.core.evaluator import attribute_docs
from jatdae.core.jsonfile import parse_json
from jatdae.core.messages import near, say
from jatdae.core.problems import FILLED, problems_of
from jatdae.core.yamlfile import KeyPath, YamlFile, parse_yaml, read_whole

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
MOST_SHOWN: Final = 20
"""Errors of a file that are listed; the rest is counted."""

M = TypeVar("M")

Text = Annotated[str, Field(pattern=FILLED)]
"""A string that is not blank."""
Number = Annotated[float, Strict()]
"""An integer or a float, but neither true nor "1"."""


class Part(BaseModel):
    """Base of the models of configuration files: unknown keys are refused, docstrings describe the keys.

    A model is built when it is first used, and its docstrings are read only for a schema: an evaluator with many
    models starts as fast as one without.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True, defer_build=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> Any:
        """Schema with the docstrings of the fields as descriptions."""
        made = handler(schema)
        described = handler.resolve_ref_schema(made).get("properties", {})
        for name, text in attribute_docs(cls).items():
            if field := cls.model_fields.get(name):
                described[field.alias or name].setdefault("description", text)
        return made


@dataclass(frozen=True)
class ConfigFile(Generic[M]):
    """A configuration file that was read: its content, and the places of its keys for further checks."""

    content: M
    source: YamlFile
    sha256: str
    problems: list[tuple[KeyPath, str]] = field(default_factory=list)

    def place(self, path: KeyPath = ()) -> str:
        """`file:line (key.path)` of a key."""
        return self.source.place(path)

    def complain(self, path: KeyPath, problem: str) -> None:
        """Note a problem of a key; `finish` reports all of them together."""
        self.problems.append((path, problem))

    def one_of(self, path: KeyPath, value: str, known: Iterable[str], key: str = "config_unknown_name") -> bool:
        """Whether a value is one of the known names; if not, complain and suggest a near one."""
        names = list(known)
        if value in names:
            return True
        listed = ", ".join(names[:12]) + (", …" if len(names) > 12 else "")
        self.complain(path, say(key, value=value, near=near(value, names), known=listed or "–"))
        return False

    def finish(self, most: int = MOST_SHOWN) -> None:
        """Raise a UsageError with the problems noted so far, if there are any."""
        if self.problems:
            raise refusal(self.source, self.problems, most)


def read_config(path: str | Path, model: type[M], prepare: Callable[[Any], Any] | None = None) -> ConfigFile[M]:
    """Read a configuration file (YAML or JSON) into a pydantic model or any type that pydantic knows.

    `prepare` may change the plain content before it is validated. What does not fit raises one UsageError that names
    every place. An empty file is an empty mapping.
    """
    return parse_config(read_bytes(path), str(path), model, prepare)


def read_source(path: str | Path) -> YamlFile:
    """Read a YAML or JSON file to plain values with the line of every key, without validating them."""
    return parse_source(read_bytes(path), str(path))


def read_bytes(path: str | Path) -> bytes:
    """Read the bytes of a configuration file; a device, a pipe or one beyond the limit is refused before it is read."""
    return read_whole(path)


def parse_config(data: bytes, name: str, model: type[M], prepare: Callable[[Any], Any] | None = None) -> ConfigFile[M]:
    """Parse the bytes of a configuration file called `name`, as `read_config` does."""
    source = parse_source(data, name)
    given = {} if source.value is None else source.value
    content = validated(model, prepare(given) if prepare else given, source)
    return ConfigFile(content, source, hashlib.sha256(data).hexdigest())


def parse_source(data: bytes, name: str) -> YamlFile:
    """Parse the bytes of a YAML or JSON file to plain values with the line of every key, without validating them.

    The suffix tells which; without one, a file that begins with a bracket is JSON. (YAML may begin with one too.)
    """
    suffix, begin = Path(name).suffix.lower(), data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
    if suffix == ".json" or (suffix not in (".yaml", ".yml") and begin in (b"{", b"[")):
        return parse_json(data, name)
    return parse_yaml(data, name)


def validated(model: type[M], value: Any, source: YamlFile) -> M:
    """Validate plain content of a configuration file; a UsageError names every place that does not fit."""
    try:
        if isinstance(model, type) and issubclass(model, BaseModel):
            return model.model_validate(value)
        return TypeAdapter(model).validate_python(value)
    except ValidationError as error:
        raise refusal(source, problems_of(error, model, value)) from None


def refusal(source: YamlFile, problems: Sequence[tuple[KeyPath, str]], most: int = MOST_SHOWN) -> UsageError:
    """The error for all problems of a configuration file, in the order of their lines; `most` are listed."""
    ordered = sorted(dict.fromkeys(problems), key=lambda each: source.line(each[0]))
    lines = [f"{source.place(path)}: {problem}" for path, problem in ordered[:most]]
    if len(ordered) > most:
        lines.append(say("config_more", n=len(ordered) - most))
    return UsageError("\n".join(lines))


def schema_of(model: Any) -> dict[str, Any]:
    """JSON Schema of a configuration file, for editors: of a model, or what a function gives."""
    if isinstance(model, type) or not callable(model):
        return {"$schema": DIALECT, **TypeAdapter(model).json_schema(by_alias=True)}
    return dict(model())
