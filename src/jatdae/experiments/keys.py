"""The key of an endpoint: read from the environment, checked, and hidden in whatever a server says.

A key that is sent can come back: in an error, in an answer, in the arguments of a tool. In errors it is hidden wherever
it stands. In answers, which are scored, a long key is as well; a short one may be a word of the answer ("none"), and is
hidden where it stands as a key: after "Bearer", "key=" and the like.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Final

from jatdae.core.errors import UsageError
from jatdae.core.messages import speaker

MASK: Final = "***"
SHORTEST_KEY: Final = 4
"""No service gives out shorter ones, and errors could not be read without their letters."""
LONGEST_WORD: Final = 7
"""Keys up to here may be words of an answer, such as what servers without keys are given (EMPTY, none)."""

say = speaker(__name__)


def read_key(variable: str) -> Key:
    """The key in an environment variable, without blanks around it; one that cannot be sent or hidden is refused."""
    given = os.environ.get(variable, "").strip()
    if given and len(given) < SHORTEST_KEY:
        raise UsageError(say("key_too_short", variable=variable, least=SHORTEST_KEY))
    if not re.fullmatch("[!-~]*", given):
        raise UsageError(say("key_not_sendable", variable=variable))
    return Key(given)


@dataclass(frozen=True, repr=False)
class Key:
    """A key that shows itself to nobody but the endpoint; "" is none."""

    secret: str = ""

    def __repr__(self) -> str:
        """Nothing of the key: a traceback may show it."""
        return f"Key({MASK if self.secret else ''})"

    @property
    def headers(self) -> dict[str, str]:
        """What is sent."""
        return {"Authorization": f"Bearer {self.secret}"} if self.secret else {}

    def hide(self, text: str) -> str:
        """A text of an error without the key."""
        return re.sub(self._written, MASK, text) if self.secret else text

    def hide_in_answer(self, text: str) -> str:
        """An answer without the key, where a short key is hidden only if it stands as one."""
        if len(self.secret) > LONGEST_WORD or not self.secret:
            return self.hide(text)
        return re.sub(rf"({_BEFORE_KEYS}){self._written}(?![\w-])", rf"\1{MASK}", text)

    @property
    def _written(self) -> str:
        """Pattern of the key as it is, and as JSON may write it, with any of its characters escaped."""
        return "".join(rf"(?:\\?{re.escape(each)}|\\u(?i:{ord(each):04x}))" for each in self.secret)


_BEFORE_KEYS: Final = r"""(?i:bearer|key|token|authorization)\\?["']?\s*[:=]?\s*\\?["']?"""
