"""Compiled modules: those that pyproject.toml lists are turned into C by mypyc when jatdae is built.

The source is the twin of its compiled form: both are one text, and the same tests hold for both. It is imported instead
where nothing was built, where `JATDAE_KERNEL` asks for it (`python`: nothing compiled at all; `loops`: the C++ loops
alone, which is how coverage is measured), and in an editable installation where a source is newer than what was built,
so that an edit takes effect at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).parents[1]
LIBRARIES: Final = "*/_compiled__mypyc.*"
"""The compiled modules of a room, in its folder; each module beside is an extension that only points there."""


class SourceFinder(MetaPathFinder):
    """Finds the source of every module of jatdae that has one."""

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Where the source is; None for packages, which are never compiled, and for C++ loops."""
        package, _, name = fullname.partition(".")
        source = ROOT.joinpath(*name.split(".")).with_suffix(".py") if package == "jatdae" and name else ROOT
        return spec_from_file_location(fullname, source) if source.is_file() else None


def choose_sources() -> None:
    """Import sources where they have to serve. To be called before any other module of jatdae is imported."""
    if os.environ.get("JATDAE_KERNEL") in ("python", "loops") or is_outdated(_folders()):
        sys.meta_path.insert(0, SourceFinder())


def are_compiled() -> bool:
    """Whether compiled modules were built and are in use."""
    from_source = any(isinstance(finder, SourceFinder) for finder in sys.meta_path)
    return not from_source and any(any(folder.glob(LIBRARIES)) for folder in _folders())


def beside(module: str, name: str) -> Path:
    """A data file of a module: `beside(__name__, "words.yaml")`."""
    return source_folder(sys.modules[module]) / name


def source_folder(module: ModuleType) -> Path:
    """The folder of a module's source and data: that of its package, because a compiled module may lie elsewhere."""
    package = sys.modules.get(module.__package__ or "", module)
    file = getattr(package, "__file__", None) or getattr(module, "__file__", None)
    return Path(file).resolve().parent if file else Path()


def is_outdated(folders: Iterable[Path], sources: Path = ROOT) -> bool:
    """Whether a source was written after the build. Only an editable installation has the two in different folders."""
    built = [file.stat().st_mtime for folder in folders if folder != sources for file in folder.glob(LIBRARIES)]
    return bool(built) and any(source.stat().st_mtime > min(built) for source in sources.rglob("*.py"))


def _folders() -> list[Path]:
    return [Path(folder) for folder in sys.modules["jatdae"].__path__]
