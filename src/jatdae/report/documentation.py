"""Where readers of a page have the documentation of jatdae: on the web, or in a folder that `make docs` wrote."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from jatdae.core.errors import UsageError
from jatdae.core.messages import say, shown

VARIABLE: Final = "JATDAE_DOCS"
"""Environment variable that says where the documentation is, unless `--docs` does."""
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""How an address begins; a single letter is a drive."""
_NEVER: Final = re.compile(r"[\s\"<>\\^`{|}]")
"""Characters that no address has as they are."""


def documentation_site(given: str | None = None) -> str:
    """Address of the documentation that the names of a page link to: as given, else by JATDAE_DOCS; "" if by neither.

    An http, https or file address, without a slash at its end. A folder becomes its file address.
    """
    place, said = ("--docs", given) if given is not None else (VARIABLE, os.environ.get(VARIABLE, ""))
    if not said:
        return ""
    if not _ADDRESS.match(said):
        return _folder(place, Path(said))
    if not _is_site(said):
        raise UsageError(say("docs_bad_address", place=place))  # without what was given: it may hold a password
    scheme, colon, rest = said.partition(":")
    return scheme.lower() + colon + re.sub(r"/+(index\.html)?$", "", rest)


def _folder(place: str, folder: Path) -> str:
    if next(folder.glob("names/*/index.html"), None) is None:
        raise UsageError(say("docs_no_folder", place=place, folder=shown(str(folder))))
    return folder.resolve().as_uri()


def _is_site(address: str) -> bool:
    """Whether a path can be added to an address, and whoever follows it is led nowhere but there."""
    if _NEVER.search(address) or not address.isprintable():
        return False
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    if parts.username or parts.password or "?" in address or "#" in address:
        return False
    if parts.scheme == "file":
        return parts.path.startswith("/")
    return parts.scheme in ("http", "https") and bool(parts.hostname)
