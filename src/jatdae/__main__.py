"""`python -m jatdae`."""

import sys

from jatdae.cli import main

sys.exit(main())
