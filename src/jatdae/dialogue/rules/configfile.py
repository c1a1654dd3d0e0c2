"""The configuration folder of the dialogue scores: the user's files or the bundled ones, and the patterns in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator

from jatdae.core.configfile import ConfigFile, Part, Text, read_config
from jatdae.core.errors import UsageError
from jatdae.core.messages import near, speaker
from jatdae.dialogue.reading.patterns import find_pattern_problem

CONFIG_FOLDER: Final = Path(__file__).parent / "config"

M = TypeVar("M")
say = speaker(__name__)


def read_config_of(folder: Path | None, name: str, model: type[M]) -> ConfigFile[M]:
    """Read a config file for scoring answers: the user's if the folder has it, else the bundled one."""
    path = CONFIG_FOLDER / name
    if folder is not None:
        if not Path(folder).is_dir():
            raise UsageError(say("no_config_folder", folder=folder, known=", ".join(_known_files())))
        _refuse_unknown_files(Path(folder))
        if not any((Path(folder) / known).exists() for known in _known_files()):
            raise UsageError(say("empty_config_folder", folder=folder, known=", ".join(_known_files())))
        if (Path(folder) / name).exists():
            path = Path(folder) / name
    return read_config(path, model, _without_empty_parts)


def _known_files() -> list[str]:
    return sorted(path.name for path in CONFIG_FOLDER.glob("*.yaml"))


def _refuse_unknown_files(folder: Path) -> None:
    """Refuse other file names: with a misspelt one, or JSON, the bundled file would be used without notice."""
    known = _known_files()
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in (".yaml", ".yml", ".json") and (path.name not in known or path.is_dir()):
            raise UsageError(say("unknown_config_file", file=path, near=near(path.name, known), known=", ".join(known)))


def _without_empty_parts(given: Any) -> Any:
    """A part of the file may be left empty: `question_flags:` without anything below it."""
    return {key: value for key, value in given.items() if value is not None} if isinstance(given, dict) else given


def _checked_pattern(pattern: str) -> str:
    """The pattern. One that the engine cannot take is refused here, so nothing hangs later."""
    if problem := find_pattern_problem(pattern):
        raise ValueError(say("bad_pattern", pattern=pattern, problem=problem))
    return pattern


class Patterns(Part):
    """Regular expressions in both languages; both are always searched."""

    patterns_ko: tuple[Annotated[Text, AfterValidator(_checked_pattern)], ...] = ()
    """Regular expressions (RE2) for Korean text."""
    patterns_en: tuple[Annotated[Text, AfterValidator(_checked_pattern)], ...] = ()
    """Regular expressions (RE2) for English text."""

    def both(self) -> Iterator[str]:
        """The patterns of both languages, Korean first."""
        yield from self.patterns_ko
        yield from self.patterns_en
