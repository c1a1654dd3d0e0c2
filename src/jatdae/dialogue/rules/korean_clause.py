"""Reads one Korean clause: what it says is done with a thing X, how, and whether it is denied.

The predicate of a Korean clause comes last and decides: 드시지 마세요 is "take" turned round, 끊지 마세요 "stop".
"""

from __future__ import annotations

from typing import Final, NamedTuple

from jatdae.dialogue.rules.korean_pieces import MARKS, kinds_of, tables, without_cancelled
from jatdae.dialogue.rules.stances import AGAINST, KEEP, MORE, NONE, STOP, TAKE, UNFIT

SUPPOSED: Final = "supposed"
"""It is supposed to be taken: what comes of it may be told behind it."""
IF_STOPPED: Final = "if stopped"
"""It is supposed to be stopped: what comes of it may be told behind it."""
WARNING: Final = "warning"
"""A harm is told; what follows from it may be told behind it."""
_ACTS: Final = frozenset(("take", "more", "keep", "avoid", "stop", "good"))
_CONNECTIVES: Final = ("고", "며", "서", "니", "면", "데", "만", "도")
_NOTED: Final = ("함", "됨", "했음", "었음", "았음", "먹음", "받음", "맞음", "였음")
_BY_SHAPE: Final = (("towards", TAKE), ("needed", TAKE), ("enough", SUPPOSED), ("rash", WARNING))
"""What a clause of each shape says of X, whatever its predicate."""


class Row(NamedTuple):
    """A row of the table of what a Korean predicate says of X: the marks it has, and those it lacks."""

    says: str
    has: frozenset[str] = frozenset()
    lacks: frozenset[str] = frozenset()


def _row(says: str, has: str = "", lacks: str = "") -> Row:
    return Row(says, frozenset(has.split()), frozenset(lacks.split()))


_ROWS: Final = (
    # 끊지 마세요, 끊으면 안 됩니다, 끊으시면 위험합니다
    _row(NONE, "stop unable"), _row(NONE, "stop turned wholly"), _row(KEEP, "stop turned"), _row(KEEP, "stop avoid"),
    _row(KEEP, "stop bad"), _row(KEEP, "stop harm"), _row(NONE, "stop nominal", "good fine told need"),
    _row(IF_STOPPED, "stop supposed"), _row(NONE, "stop reason", "fine"),
    _row(STOP, "stop"),
    # an act of its own: 저녁을 거르지 마세요
    _row(AGAINST, "act turned"), _row(AGAINST, "act avoid"), _row(AGAINST, "act bad"), _row(NONE, "act harm"),
    _row(SUPPOSED, "act supposed"), _row(TAKE, "act"),
    # 안 드시면 …, 드시면 …
    _row(NONE, "supposed take turned", "avoid bad harm"), _row(SUPPOSED, "supposed take", "avoid bad harm"),
    # 피하지 마세요, 양수를 줄일 수 있어, 피하세요
    _row(TAKE, "avoid turned"), _row(WARNING, "avoid able", "told"), _row(UNFIT, "careful"),
    _row(AGAINST, "avoid"),
    # 필요 없습니다, 안 드셔도 됩니다, 드시지 마세요, 좋지 않습니다
    _row("", "turned reason", "good take need bad harm avoid fine okay"),
    _row(NONE, "change turned"), _row(STOP, "need turned"), _row(STOP, "turned take free"),
    _row(AGAINST, "turned take"), _row(UNFIT, "turned"),
    # 부담이 없습니다; 위험합니다; 올려 보세요; 혈압을 올립니다
    _row(TAKE, "okay"), _row(UNFIT, "bad"), _row(MORE, "more told"), _row(WARNING, "harm"), _row("", "supposed"),
    _row(KEEP, "keep told"), _row(KEEP, "keep take"),
    # 드세요, 드실 수 있습니다, 씁니다, 드시고 … 쉬세요; 좋습니다; 하루 두 번
    _row(TAKE, "take able"), _row(TAKE, "take stated"), _row(TAKE, "take along ordered"),
    _row(TAKE, "good"), _row(TAKE, "told"), _row(TAKE, "bare"),
)  # fmt: skip
"""The first row that fits decides."""


def read_clause(clause: str, act: bool, ordered: bool) -> str:
    """What one clause says of X."""
    known = tables()
    if known.ends["ask"].search(clause):
        return NONE
    words = clause.split()
    kinds = kinds_of(words)
    if words[:1] == ["X"] and words[1:2] in (["없이"], ["없이도"]):
        kinds[1] = frozenset(("stop",))
    if act:
        kinds[0] = kinds[0] | {"act"}
    every = frozenset().union(*kinds)
    if every & {"consult", "later", "others"} or ("expert" in every and "take" not in every):
        return NONE
    if any(known.ends["past"].search(word) and _ACTS & kind for word, kind in zip(words, kinds, strict=True)):
        return NONE
    if not act and is_stated(clause):
        return NONE
    last = words[-1].strip(MARKS) if words else ""
    if last.endswith(_NOTED):
        return NONE  # what was done, as notes have it: 중단함, 안 먹음
    if last in ("때문에", "탓에"):
        return WARNING
    if any(known.ends["quote"].search(word.strip(MARKS)) for word in words) or (last == "말고" and "avoid" in every):
        return ""
    for shape, says in _BY_SHAPE:
        if known.shape[shape].match(clause) and not (says == TAKE and _is_turned(without_cancelled(kinds)[0])):
            return says
    said = _predicate(kinds, clause, last, ordered)
    if said in (STOP, AGAINST) and _is_of_degree(said, every, clause):
        return NONE
    stopped = said == STOP and known.shape["stopped_together"].search(clause)
    return NONE if "together" in every and said in (STOP, AGAINST, UNFIT, WARNING) and not stopped else said


def _is_of_degree(said: str, every: frozenset[str], clause: str) -> bool:
    """Whether it is to be lessened slowly, or only no more is to be taken: 걸쳐 줄입니다, 추가로 드시지 마세요."""
    if "gradual" in every:
        return True
    return said == AGAINST and ("extra" in every or tables().shape["many"].match(clause) is not None)


def is_stated(clause: str) -> bool:
    """Whether a clause says what is so, or is done at times, and orders nothing: 드시고 계셔서, 쉬기도 합니다."""
    shape = tables().shape
    return shape["stated"].search(clause) is not None or shape["at_times"].search(clause) is not None


def _predicate(kinds: list[frozenset[str]], clause: str, last: str, ordered: bool) -> str:
    """What the predicate of a clause says, by the marks of the clause."""
    ends, shape = tables().ends, tables().shape
    kinds, okay = without_cancelled(kinds)
    marks = set().union(*kinds)
    if _comes_first(kinds, "avoid", "stop"):
        marks -= {"avoid"}  # 멀리 떼어 놓으세요: only what follows 끊기 turns it round
    marks |= {
        name
        for name, holds in (
            ("turned", _is_turned(kinds)),
            ("free", _is_free(kinds)),
            ("unable", last.startswith("못") and not ends["order"].search(clause)),  # 치우지 못해요
            ("okay", okay),
            ("nominal", shape["nominal"].search(clause)),
            ("supposed", last.endswith(("면", "때", "도", "거나")) or _is_labelled_stop(marks, clause)),
            ("told", ends["order"].search(clause) or {"fine", "good"} & marks),
            ("reason", ends["reason"].search(last)),
            ("along", ends["along"].search(last)),
            ("stated", last.endswith(("니다", "어요", "아요", "해요", "려요", "야"))),
            ("ordered", ordered),
            ("bare", not _is_connected(clause, last) and shape["bare"].match(clause)),
        )
        if holds
    }
    return next((row.says for row in _ROWS if row.has <= marks and not row.lacks & marks), "")


def _is_turned(kinds: list[frozenset[str]]) -> bool:
    """Whether a clause is denied: 드시지 마세요; but not 안 드시면 안 됩니다."""
    return sum(bool({"not", "against"} & each) for each in kinds) % 2 == 1


def _is_labelled_stop(marks: set[str], clause: str) -> bool:
    """Whether to stop X is a label, and what is said of that stands behind its colon: 하루 빼는 것: …"""
    return "stop" in marks and tables().shape["act_labelled"].search(clause) is not None


def _is_connected(clause: str, last: str) -> bool:
    """Whether a clause goes on with a connective ending, and is no note of its own: 퇴원하면서, but not 1일 2회,."""
    return clause[-1:].isspace() and (not clause.rstrip().endswith(",") or last.endswith(_CONNECTIVES))


def _comes_first(kinds: list[frozenset[str]], one: str, other: str) -> bool:
    """Whether every eojeol of one kind stands before the last of the other."""
    last = max((number for number, each in enumerate(kinds) if other in each), default=-1)
    return last >= 0 and not any(one in each for each in kinds[last:])


def _is_free(kinds: list[frozenset[str]]) -> bool:
    """Whether one may also not: 안 드셔도 됩니다, 드시지 않아도 됩니다; but not 드시면 안 됩니다."""
    turned = [number for number, each in enumerate(kinds) if {"not", "against"} & each]
    if not turned or not any("fine" in each for each in kinds):
        return False
    number = turned[-1]
    if "against" in kinds[number]:
        return any("take" in each for each in kinds[number:])
    return any("fine" in each for each in kinds[number + 1 :])
