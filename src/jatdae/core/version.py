"""The version of this package, also where it is not installed."""

from __future__ import annotations

from typing import Final

VERSION: Final = "0.1.0"
