"""A lexicon as it was written: found, read, and laid out in one form whatever form it came in."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from jatdae.core.errors import UsageError
from jatdae.core.messages import near
from jatdae.core.yamlfile import KeyPath, YamlFile, parse_yaml
from jatdae.terms.format import KEYS, LexiconFile
from jatdae.terms.tokens import TokenConfig, is_token_config, to_lexicon, token_path

Form = TypeVar("Form", bound=BaseModel)

_BUNDLED: Final = resources.files("jatdae.terms") / "lexicons"


@dataclass(frozen=True)
class Source:
    """What a lexicon file says, and where it says it."""

    content: LexiconFile
    file: YamlFile
    label: str
    """Name and version or content hash, as it stands in the signature."""
    path_of: Callable[[KeyPath], KeyPath] = lambda path: path
    """Where a key of the common form stands in the file's own form."""

    def refuse(self, path: KeyPath, problem: str) -> NoReturn:
        """An error with the place of `path`."""
        raise UsageError(f"{self.file.place(self.path_of(path))}: {problem}")


def bundled() -> list[str]:
    """Names of the lexicons that come with jatdae."""
    return sorted(entry.name.removesuffix(".yaml") for entry in _BUNDLED.iterdir() if entry.name.endswith(".yaml"))


def read_source(name: str | Path) -> Source:
    """A bundled lexicon by its name, or one from a file: our YAML form, or the form of token_config.json."""
    if str(name) in bundled():
        file = _bundled_file(str(name))
        content = _checked(LexiconFile, file.value, file)
        return Source(content, file, f"{content.name}@{content.version}")
    data = _bytes(Path(name))
    label = f"{Path(name).name}@{hashlib.sha256(data).hexdigest()[:8]}"
    text = data.replace(b"\t", b" ") if data.lstrip()[:1] == b"{" else data  # JSON indents with tabs, YAML never
    file = parse_yaml(text, str(name))
    if not isinstance(file.value, dict):
        raise UsageError(f"{file.place(())}: a lexicon is a mapping of names to values; see the guide on lexicons")
    if is_token_config(file.value):
        config = _checked(TokenConfig, file.value, file)
        made = to_lexicon(config, Path(name).stem, _bundled_file("tongue").value)
        return Source(LexiconFile.model_validate(made), file, label, token_path(config))
    value, base = file.value, file.value.get("extends")
    if base:
        if base not in bundled():
            raise UsageError(f"{file.place(('extends',))}: {_unknown(str(base))}")
        value = _merged(_bundled_file(base).value, {key: item for key, item in value.items() if key != "extends"})
        label = f"{label}+{base}@{_bundled_file(base).value['version']}"
    return Source(_checked(LexiconFile, value, file), file, label)


@cache
def _bundled_file(name: str) -> YamlFile:
    return parse_yaml((_BUNDLED / f"{name}.yaml").read_bytes(), f"{name}.yaml")


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        if isinstance(error, FileNotFoundError) and path.suffix not in (".yaml", ".yml", ".json"):
            raise UsageError(_unknown(str(path))) from None
        raise UsageError(
            f"{path}: cannot be read ({error.strerror or error}); give the path of a lexicon file"
        ) from None


def _unknown(name: str) -> str:
    known = bundled()
    return f"no lexicon is called {name!r}.{near(name, known)} Known: {', '.join(known)}, or give the path of a file"


def _merged(base: Any, more: Any) -> Any:
    """`more` on top of `base`: mappings are joined, lists are added to, anything else is replaced."""
    if isinstance(base, dict) and isinstance(more, dict):
        return {**base, **{key: _merged(base[key], item) if key in base else item for key, item in more.items()}}
    if isinstance(base, list) and isinstance(more, list):
        return [*base, *more]
    return more


def _checked(form: type[Form], value: Any, file: YamlFile) -> Form:
    try:
        return form.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        path: KeyPath = first["loc"]
        key, problem = str(path[-1]) if path else "", first["msg"]
        while path not in file.lines:  # pydantic adds what it tried; what is missing is nowhere
            path = path[:-1]
        if first["type"] == "extra_forbidden":
            problem = f"no key {key!r} is known here.{near(key, KEYS)}"
        elif first["type"] == "missing":
            problem = f"the key {key!r} is missing"
        raise UsageError(f"{file.place(path)}: {problem}") from None
