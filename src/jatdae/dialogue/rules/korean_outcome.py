"""What a Korean sentence tells of the outcome of taking something: 드시면 두통이 금방 가라앉습니다.

A good outcome of taking a thing advises it, a harm warns of it. A complaint that lessens is good, the loss of what the
body needs is a harm.
"""

from __future__ import annotations

from typing import Final

from jatdae.dialogue.rules.korean_pieces import kinds_of, tables, without_cancelled, word_kinds
from jatdae.dialogue.rules.stances import NONE, TAKE

_BUT: Final = ("하지만", "그러나", "그렇지만", "그런데")
_AGAINST: Final = frozenset(("harm", "bad", "not", "against", "consult", "others", "expert"))
_FOR: Final = frozenset(("good", "eases", "gains"))
_COMPLAINTS: Final = frozenset(("harm", "complaint"))
_WILL: Final = ("거예요", "겁니다", "것입니다")
_NEAR: Final = 4
"""How many eojeols may stand between a complaint and what becomes of it."""


def outcome(clauses: list[str]) -> str:
    """What is said of X by what comes of taking it: 두통은 금방 잡힙니다 advises it, 편해지겠지만 … does not."""
    return TAKE if comes_well(clauses) else NONE if _is_conceded(clauses[0]) else ""


def comes_well(clauses: list[str]) -> bool:
    """Whether the clauses up to the end of the sentence tell a good outcome: 불안이 가라앉고 잠이 옵니다.

    What stands behind it with 하지만 must not take it back.
    """
    end = next((number for number, clause in enumerate(clauses) if ends(clause)), None)
    if end is None or not is_good(" ".join(clauses[: end + 1])):
        return False
    then = clauses[end + 1 :]
    if not then or not then[0].startswith(_BUT):
        return True
    kinds, _ = without_cancelled([word_kinds(word) for clause in then for word in clause.split()])
    return not set().union(*kinds) & {"harm", "bad", "avoid", "not", "against", "expert"}


def is_outcome(clause: str) -> bool:
    """Whether a clause tells what surely comes of something: 쥐가 덜 납니다, but not 부정맥이 생길 수 있습니다."""
    return clause.rstrip(" .!").endswith(("니다", "요", "죠")) and not any(
        "able" in word_kinds(w) for w in clause.split()
    )


def is_good(told: str) -> bool:
    """Whether a sentence tells a good outcome and nothing else, and tells nobody to do anything.

    A harm or complaint that eases is good (붓기가 빠집니다), the loss of what the body needs is not (소변이 줍니다).
    """
    known = tables()
    shape = known.shape
    if (
        not ends(told)
        or known.ends["must"].search(told)
        or shape["sharp"].search(told)
        or shape["lessening"].search(told)
    ):
        return False
    if known.ends["order"].search(told) and not told.rstrip(" .!~").endswith(_WILL):
        return False
    kinds: list[frozenset[str]] = []
    kept, good = without_cancelled(kinds_of(told.split()))
    for each in kept:
        back = _complaint(kinds) if each & {"eases", "lessens"} else None
        if back is not None:
            del kinds[back:]
            good = True
        else:
            kinds.append(each)
    every = frozenset().union(*kinds)
    return (good or bool(every & _FOR)) and not every & _AGAINST


def ends(clause: str) -> bool:
    """Whether a clause has the ending of a sentence: 괜찮아요, 드세요."""
    return clause.rstrip(" ,.!~").endswith(("요", "니다", "죠"))


def _complaint(kinds: list[frozenset[str]]) -> int | None:
    """Where the harm or complaint stands that lessens."""
    first = max(-1, len(kinds) - 1 - _NEAR)
    return next((n for n in range(len(kinds) - 1, first, -1) if kinds[n] & _COMPLAINTS), None)


def _is_conceded(clause: str) -> bool:
    """Whether a good outcome is only granted: 통증은 줄겠지만 …."""
    kinds = frozenset().union(*kinds_of(clause.split()))
    granted = bool(kinds & {"good", "eases", "lessens"}) and not kinds & {"harm", "bad"}
    return granted and clause.rstrip(" ,").endswith("지만")
