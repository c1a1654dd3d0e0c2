"""Version of the jatdae package, also where the package is not installed."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0"
