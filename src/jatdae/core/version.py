"""Versions: of the jatdae package, also where it is not installed, and of the libraries that can move a score."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0"


def versions() -> dict[str, str]:
    """Versions of jatdae, Python, Unicode and the libraries that can change a score."""
    import platform
    import unicodedata
    from importlib.metadata import version

    libraries = {name: version(name) for name in ("numpy", "pyarrow", "orjson", "rapidfuzz")}
    return {
        "jatdae": VERSION,
        "python": platform.python_version(),
        "unicode": unicodedata.unidata_version,
        **libraries,
    }
