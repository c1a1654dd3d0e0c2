"""The command line of jatdae: one module for each command; the scoring itself is done elsewhere."""

from __future__ import annotations

import sys
from typing import Final

INTERRUPTED: Final = 130
FAILED: Final = 3


def main(argv: list[str] | None = None) -> int:
    """Run the jatdae command line and return its exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments == ["--version"]:  # answered before anything heavy is imported
        from jatdae.core.version import VERSION

        print(f"jatdae {VERSION}")
        return 0
    try:
        from jatdae.cli.app import run

        return run(arguments)
    except KeyboardInterrupt:  # while something was still being imported
        return INTERRUPTED
    except Exception as error:  # likewise
        from jatdae.core.errors import lack_of
        from jatdae.core.messages import choose_language, say

        if not (lack := lack_of(error)):
            raise
        choose_language(None)
        print(f"{say('error')}: {say(lack)}", file=sys.stderr)
        return FAILED
