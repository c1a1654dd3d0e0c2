"""Versions: of the jatdae package, also where it is not installed, and of the libraries that can move a score."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

VERSION: Final = "0.1.0"
DECISIVE: Final = ("jatdae", "source", "kernel", "unicode", "libxml2", "regex")
"""What must not differ within a run: parts that were scored otherwise would stand under one signature."""

_SCORED_BY: Final = (".py", ".toml", ".yaml", ".json")
"""Suffixes of the files in the package that can decide a score: code, lexicons, rules."""
_SHOWN_BY: Final = frozenset(("cli", "doors", "report", "samples"))
"""Folders of the package that cannot."""


@cache
def versions() -> dict[str, str]:
    """Versions of jatdae, Python, Unicode and the libraries that can change a score, and a hash of jatdae's source."""
    import platform
    import unicodedata
    from importlib.metadata import version

    from lxml.etree import LIBXML_VERSION

    libraries = {name: version(name) for name in ("numpy", "pyarrow", "orjson", "rapidfuzz", "regex")}
    return {
        "jatdae": VERSION,
        "source": source_of(Path(__file__).parents[1]),
        "python": platform.python_version(),
        "unicode": unicodedata.unidata_version,
        "libxml2": ".".join(map(str, LIBXML_VERSION)),
        **libraries,
    }


def source_of(package: Path) -> str:
    """Short hash of the source version of jatdae in a folder: of its own evaluators and all they are built on."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        name = path.relative_to(package)
        if path.suffix in _SCORED_BY and _SHOWN_BY.isdisjoint(name.parts):
            digest.update(f"{name.as_posix()}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:8]


def version_differences(there: Mapping[str, str], here: Mapping[str, str]) -> list[str]:
    """Versions that differ between two installations, each with both values."""
    from jatdae.core.messages import say

    differing = [name for name in {**there, **here} if there.get(name) != here.get(name)]
    words = {"source": say("own_source")}
    return [f"{words.get(name, name)}: {there.get(name, '–')} ≠ {here.get(name, '–')}" for name in differing]
