"""What an answer can say of a thing: to take or do it, more of it, to go on with it, to stop it, not to."""

from __future__ import annotations

from typing import Final

TAKE: Final = "take"
MORE: Final = "more"
KEEP: Final = "keep"
STOP: Final = "stop"
AGAINST: Final = "against"
UNFIT: Final = "unfit"
"""Said to be bad or not right, which does not tell the patient to stop it."""
NONE: Final = "none"
"""The answer says neither: a condition, a warning, the past, a question, or something for the prescriber."""
