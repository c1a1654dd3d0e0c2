"""Whether a sentence asks, and which clauses of one that does only tell."""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.clause import Clause

_ASKING: Final = re.compile(
    r"\W*(?:and |but |so |or |then |also |if so,? )*(?:what|why|how|when|where|which|who|whose|is|are|am|do|does|did|"
    r"don't|can|could|"
    r"should|would|will|may|might|was|were|any|shall|isn't|aren't|can't|shouldn't|has|have you)\b"
)
"""How a clause that asks begins."""
_REASON: Final = re.compile(r"\W*(?:since|because|as|given|now that|you|your|although|though)\b")
_TAGS: Final = ("지요?", "죠?", "잖아요?", "군요?", "네요?")
"""How a Korean sentence ends that only seems to ask: "드시고 계시지요?"."""
_CHECKS: Final = (
    "맞으시죠?",
    "맞으시지요?",
    "맞죠?",
    "맞지요?",
    "아니죠?",
    "아니지요?",
    "아니시죠?",
    "겠죠?",
    "겠지요?",
)


def asks(text: str) -> bool:
    """Whether a sentence asks, and does not only look for assent: "드시고 계시지요?"."""
    return text.endswith("?") and (text.endswith(_CHECKS) or not text.endswith(_TAGS))


def mark_telling(text: str, clauses: list[Clause], hangul: bool) -> None:
    """Mark the clauses of a question that do not ask: "당뇨가 있는데 먹어도 되나요?", "I have asthma, can I run?"."""
    if hangul:
        for clause in clauses[:-1]:
            clause.tells = True
        return
    asking = False
    for clause in clauses:
        asking = bool(_ASKING.match(text, clause.start)) or (asking and not _REASON.match(text, clause.start))
        clause.tells = not asking
