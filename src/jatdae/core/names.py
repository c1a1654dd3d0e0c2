"""Labels as file names, and the name of standard input."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from jatdae.core.signature import short_hash

STDIN: Final = "<stdin>"
"""What `-` is called on its way through the parser of the command line, which would take it for a flag."""


def file_name(label: str) -> str:
    """A label as a file name: percent-encoded, so that no id can name a place outside the run."""
    encoded = quote(label, safe=" ._-").replace(".", "%2E") if label.startswith(".") else quote(label, safe=" ._-")
    if len(encoded) > 200:
        return f"{encoded[:180]}%{short_hash(label.encode())}"
    return encoded or "%"
