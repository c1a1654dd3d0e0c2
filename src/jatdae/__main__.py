"""Entry point of `python -m jatdae`: runs the command line."""

import sys

from jatdae.cli import main

sys.exit(main())
