"""Configuration files of dialogue scores, bundled or the user's: read and checked, errors with line and key."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from jatdae.core.errors import UsageError
from jatdae.core.messages import near
from jatdae.core.yamlfile import KeyPath, YamlFile, read_yaml
from jatdae.dialogue.reading.patterns import find_pattern_problem

CONFIG_FOLDER: Final = Path(__file__).parent / "config"


def read_config(folder: Path | None, name: str) -> ConfigFile:
    """Read a config file for scoring answers: the user's if the folder has it, else the bundled one."""
    path = CONFIG_FOLDER / name
    if folder is not None:
        if not Path(folder).is_dir():
            raise UsageError(f"{folder}: no such configuration folder")
        _refuse_unknown_files(Path(folder))
        if (Path(folder) / name).exists():
            path = Path(folder) / name
    file = read_yaml(path)
    return ConfigFile(file, hashlib.sha256(path.read_bytes()).hexdigest()[:8])


def _refuse_unknown_files(folder: Path) -> None:
    """Refuse other file names: with a misspelt one the bundled file would be used without notice."""
    known = sorted(path.name for path in CONFIG_FOLDER.glob("*.yaml"))
    for path in sorted((*folder.glob("*.yaml"), *folder.glob("*.yml"))):
        if path.name not in known:
            hint = near(path.name, known)
            raise UsageError(f"{path}: not a configuration file.{hint} Known: {', '.join(known)}.")


@dataclass(frozen=True)
class ConfigFile:
    """A configuration file (YAML) of the dialogue scores while its content is being checked."""

    file: YamlFile
    hash: str

    def refuse(self, path: KeyPath, problem: str) -> NoReturn:
        """Raise an error that names the place of a key."""
        raise UsageError(f"{self.file.place(path)}: {problem}")

    def mapping(
        self, value: Any, path: KeyPath, known: Iterable[str] | None = None, need: Iterable[str] = ()
    ) -> dict[str, Any]:
        """The value, if it is a mapping with only known keys and all needed ones."""
        if not isinstance(value, dict):
            self.refuse(path, f"this must be a mapping, not {_kind(value)}")
        if known is not None:
            names = list(known)
            for key in value:
                self.one_of(key, (*path, key), names, "key")
        for key in need:
            if key not in value:
                self.refuse(path, f"{key} is missing")
        return value

    def list(self, value: Any, path: KeyPath) -> list[Any]:
        """The value, if it is a list."""
        if not isinstance(value, list):
            self.refuse(path, f"this must be a list, not {_kind(value)}")
        return value

    def text(self, value: Any, path: KeyPath) -> str:
        """The value, if it is text and not empty."""
        if not isinstance(value, str) or not value.strip():
            self.refuse(path, f"this must be text, not {_kind(value)}")
        return value

    def number(self, value: Any, path: KeyPath) -> float:
        """The value, if it is a finite number."""
        if type(value) not in (int, float):
            self.refuse(path, f"this must be a number, not {_kind(value)}")
        return float(value)

    def one_of(self, value: Any, path: KeyPath, known: Iterable[str], what: str) -> str:
        """The value, if it is one of the known names; the error suggests a near one."""
        names = list(known)
        if value not in names:
            shown = ", ".join(names) if len(names) <= 12 else ""
            listed = f" Known: {shown}." if shown else ""
            hint = near(str(value), names) or near(str(value).lower(), names)
            self.refuse(path, f"no {what} is called {value!r}.{hint}{listed}")
        return str(value)

    def patterns(self, value: Mapping[str, Any], path: KeyPath) -> tuple[str, ...]:
        """The patterns of both languages. One that the engine cannot take is refused here, so nothing hangs later."""
        made = []
        for language in ("patterns_ko", "patterns_en"):
            for number, given in enumerate(self.list(value.get(language, []), (*path, language))):
                at = (*path, language, number)
                pattern = self.text(given, at)
                if reason := find_pattern_problem(pattern):
                    limits = "look-around and back-references are not available"
                    self.refuse(at, f"the pattern {pattern!r} is not supported ({reason}); {limits}")
                made.append(pattern)
        return tuple(made)


def _kind(value: Any) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"
