"""Reads a clause of a Korean answer as a frame: what it says is done with a thing X, how, and whether it is denied.

Every eojeol whose beginning `korean_advice.yaml` knows gets its kinds (take, stop, avoid, harm, good, not …). The
predicate of a Korean clause comes last and decides: 드시지 마세요 is "take" turned round, 끊지 마세요 "stop".
Clauses are read from X on; a later one goes on with X unless it has a topic or an object of its own, and the last that
says anything wins. A clause that gives a harm as its reason blocks what is advised behind it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from jatdae.core.compiled import beside
from jatdae.core.yamlfile import read_yaml
from jatdae.dialogue.reading.patterns import PatternSet, without_conditions
from jatdae.dialogue.reading.words import WORDS, BoundedCache, compile_any, expand
from jatdae.dialogue.rules.stances import AGAINST, KEEP, MORE, NONE, STOP, TAKE, UNFIT

TABLE: Final = beside(__name__, "korean_advice.yaml")
_LONGEST: Final = 6
_SUPPOSED: Final = "supposed"
"""It is supposed to be taken: what comes of it may be told behind it."""
_IF_STOPPED: Final = "if stopped"
"""It is supposed to be stopped: what comes of it may be told behind it."""
_WARNING: Final = "warning"
"""A harm is told; what follows from it may be told behind it."""
_HARMS: Final = frozenset(("harm", "bad"))
_DOING: Final = frozenset(("take", "more", "keep"))
_ACTS: Final = _DOING | {"avoid", "stop", "good"}
_CONTRASTS: Final = ("지만", "데", "나", "만")
_CONNECTIVES: Final = ("고", "며", "서", "니", "면", "데", "만", "도")
_SUBJECTS: Final = ("은", "는", "이", "가", "도", "서", "들")
_NOTED: Final = ("함", "됨", "했음", "었음", "았음", "먹음", "받음", "맞음", "였음")
_MARKS: Final = ".,!?;:…\"')(~*"


class Tables(NamedTuple):
    """Beginnings of eojeols by kind, and patterns on clauses."""

    begins: Mapping[str, frozenset[str]]
    exact: Mapping[str, frozenset[str]]
    ends: Mapping[str, re.Pattern[str]]
    shape: Mapping[str, re.Pattern[str]]
    aside: Mapping[str, re.Pattern[str]]
    idioms: tuple[tuple[re.Pattern[str], str], ...]
    idiomatic: re.Pattern[str]
    """Any of the idioms."""
    maybe: PatternSet
    """The idioms without what must stand around them: found in one pass, which is much faster."""


def read_korean(frame: str, act: bool) -> str:
    """What a sentence with X says of X; empty if it says nothing of it."""
    known = _tables()
    if known.maybe.likely(frame.encode()) and known.idiomatic.search(frame):
        for idiom, meant in known.idioms:
            frame = idiom.sub(meant, frame)
    place = frame.index("X")
    before, rest = frame[:place], known.shape["raised"].sub("X은", frame[place:], count=1)
    clauses = _clauses(rest)
    by_form = _by_form(frame, before, clauses, act)
    if by_form is not None:
        return by_form
    if not act and ("Y은" in before or "Y는" in before):
        clauses = clauses[:1]  # what follows is said of that topic
    ordered = known.shape["ordered"].search(frame) is not None
    if act:
        return _act(clauses, ordered)
    if known.shape["label"].search(before) or _is_left_to_expert(clauses):
        return NONE
    event = known.shape["event"].search(rest)
    if event is not None:
        return _never(_kinds(event[1]))
    if (not ordered and known.shape["dated"].search(frame)) or known.shape["recorded"].match(before):
        return NONE  # 2021년 부종으로 X 중단, 2022년 재시작
    found = _set_aside(clauses[0]) or _told(clauses, ordered)
    if found in (TAKE, MORE) and not any(_is_direct(each, ordered) for each in clauses) and _warns(before, clauses):
        return NONE
    return found


def _by_form(frame: str, before: str, clauses: list[str], act: bool) -> str | None:
    """What a sentence says of X by its form as a whole; None where its clauses decide."""
    shape = _tables().shape
    rest = "".join(clauses)
    if not act and _is_told_as_well(rest):
        return TAKE
    cared = shape["for_patient"].search(frame)
    told = before.replace(cared[1], "") if cared else before
    reason = _tables().ends["reason"].search(clauses[0].strip(" ,")) is not None
    earlier = _clauses(told)
    if _is_deferred(told, earlier) or (not reason and _is_bygone(earlier)) or shape["unreal"].search(rest):
        return NONE  # but not 예전에 X이 잘 들으셨다니 …: a reason
    if rest.startswith("X처럼") and ("Y은" in before or "Y는" in before):
        return NONE  # Y은 X처럼 …: only compared
    if shape["named"].match(rest) or (not act and shape["among"].match(rest)):
        return _named(before)
    performed = not act and shape["performed"].search(frame) and not shape["elsewhere"].search(frame)
    if performed or (shape["noted"].match(rest) and not shape["elsewhere"].search(before)):
        return TAKE
    return None


def _is_told_as_well(rest: str) -> bool:
    """Whether the patient is told to take what others take: 언니도 X 드시고 나았어요. 님도 드셔 보세요."""
    found = _tables().shape["as_well"].search(rest)
    if found is None:
        return False
    told = rest[found.end() :]
    return not is_of_another(told) and _told(_clauses(f"X {told}"), True) == TAKE


def _never(kinds: frozenset[str]) -> str:
    """What is said of X by what must not happen: 끊는 일은 없도록 하세요."""
    if kinds & {"stop", "avoid"}:
        return KEEP
    return AGAINST if "take" in kinds else NONE


def _is_left_to_expert(clauses: list[str]) -> bool:
    """Whether what follows is to be talked over with an expert: X를 바꾸는 문제는 심장내과와 이야기해 보세요."""
    kinds = set().union(*(_kinds(word) for clause in clauses for word in clause.split()))
    return {"expert", "consult"} <= kinds


def _is_direct(clause: str, ordered: bool) -> bool:
    """Whether a clause tells the patient outright: 드세요, 드셔도 됩니다, 괜찮습니다, 드시고 쉬세요."""
    kinds = set().union(*(_kinds(word) for word in clause.split()))
    told = _tables().ends["order"].search(clause) is not None or (ordered and _goes_along(clause))
    if _tables().shape["bare"].match(clause) or _tables().shape["towards"].match(clause):
        return True
    return ("take" in kinds and (told or "fine" in kinds)) or ("good" in kinds and not kinds & {"others", "expert"})


def _warns(before: str, clauses: list[str]) -> bool:
    """Whether a harm, somebody else or the past is told of: what is not told outright is then doubtful.

    Before X a harm is what X is taken for: 붓는 데는 X이면 됩니다.
    """
    told = before.split()
    for clause in clauses:
        words = clause.split()
        told += words
        if set().union(*_without_cancelled([_kinds(word) for word in words])[0]) & {"harm", "bad"}:
            return True
    past = _tables().ends["past"]
    return any(_kinds(word) & {"others", "expert", "later"} or past.search(word) for word in told)


def _act(clauses: list[str], ordered: bool) -> str:
    """What is said of an act X, which has a verb of its own: 저녁을 거르셔도 됩니다."""
    said = _judged(clauses[0], True, ordered)
    if said == TAKE and _goes_along(clauses[0]) and len(clauses) > 1 and clauses[1].rstrip(" ,").endswith(("면", "때")):
        return TAKE if _comes_well(clauses[2:]) else NONE  # 식사를 거르고 드시면 저혈당이 옵니다
    if any(_tables().shape["reported"].search(clause) for clause in clauses):
        return NONE
    if said == _SUPPOSED:
        comes = clauses[1] if len(clauses) > 1 else ""
        fine = _without_cancelled([_kinds(word) for word in comes.split()])[1]
        surely = _is_outcome(comes) and _judged(comes, False, ordered) in ("", TAKE)
        return TAKE if comes and (fine or surely or _is_good(comes)) else NONE
    return NONE if said in (_WARNING, _IF_STOPPED) else said


def _told(clauses: list[str], ordered: bool) -> str:
    """What the clauses from X on say of it together."""
    known = _tables()
    found, warned, supposed = "", False, False
    paired = any("together" in _kinds(word) for word in clauses[0].split())
    for number, clause in enumerate(clauses):
        if supposed and (comes := _outcome(clauses[number:])):
            return comes
        if number and is_of_another(clause):
            return NONE if found in (TAKE, MORE) and _is_taken_back(clauses[: number + 1]) else found
        if found in _DOING and _ends(clauses[number - 1]) and known.shape["subject"].match(clause):
            return found  # 괜찮아요, 스트레스가 더 나빠요
        said = _judged(clause, False, ordered)
        if said == "" and (
            (ordered and _is_means(clause, clauses[number + 1 :]))  # 5km를 뛰어서 땀을 내세요
            or (supposed and _is_outcome(clause))  # 드시면 … 납니다: what comes of it, and no harm
        ):
            return TAKE
        if said == _IF_STOPPED:
            if _comes_well(clauses[number + 1 :]):
                return STOP  # 쉬어 주면 몸이 가벼워져요
            said = NONE
        if said == NONE and found in _DOING and _ends(clauses[number - 1]):
            return found  # 드세요, 그게 기억하기 쉬워요
        if said in (_WARNING, _SUPPOSED):
            warned, supposed = warned or said == _WARNING, said == _SUPPOSED
            found = NONE if warned and _is_granted(found, clauses[number - 1]) else found or NONE
        elif said and not (warned and said in (TAKE, MORE)) and not _is_settled(found, said, clauses[number - 1]):
            found, supposed = NONE if paired and said in (AGAINST, UNFIT) else said, False
        if found not in ("", NONE) and _goes_along(clause) and not _stops(clauses[number + 1 :]):
            return NONE if found == TAKE and _is_past(clauses[number + 1 :]) else found
    return found


def _is_means(clause: str, rest: list[str]) -> bool:
    """Whether what is done with X in a clause is the means of what is told behind it: 사서 드세요, 뛰어서 태우세요."""
    words = clause.split()
    if not rest or not words[-1].endswith("서") or "take" not in _kinds(words[-1]):
        return False
    kinds = set().union(*(_kinds(word) for each in (clause, *rest) for word in each.split()))
    ordered = _tables().ends["order"].search(rest[0]) is not None
    return ordered and not kinds & {"not", "against", "avoid", "stop", "harm", "bad", "consult", "expert", "others"}


def _is_taken_back(told: list[str]) -> bool:
    """Whether a contrast offers something else, or takes it back: X가 잘 듣지만 … 타이레놀이 답입니다."""
    turn = next((n for n, clause in enumerate(told) if clause.rstrip(" ,").endswith(_CONTRASTS)), len(told))
    kinds = set().union(*(_kinds(word) for clause in told[turn + 1 :] for word in clause.split()))
    offered = kinds & {"good", "take"} and not kinds & {"avoid", "not", "harm", "bad", "stop", "against"}
    return bool(offered) or "bad" in kinds


def _ends(clause: str) -> bool:
    """Whether a clause has the ending of a sentence: 괜찮아요, 드세요."""
    return clause.rstrip(" ,.!~").endswith(("요", "니다", "죠"))


def _is_past(rest: list[str]) -> bool:
    """Whether what goes along with taking X is of the past: 드시고 멍하셨다면."""
    return bool(rest) and _tables().ends["past"].search(rest[0]) is not None


def _goes_along(clause: str) -> bool:
    """Whether a clause is joined to the next, which then tells of something else: 드시고 쉬세요."""
    return _tables().ends["along"].search(clause.strip(" ,")) is not None


def _set_aside(clause: str) -> str:
    """What the clause of X says by its form alone: X is set aside, only named, or asked about."""
    known = _tables()
    for stance, pattern in known.aside.items():
        if pattern.match(clause):
            return stance
    return NONE if known.shape["described"].search(clause) or known.shape["deferred"].search(clause) else ""


def is_of_another(clause: str) -> bool:
    """Whether a later clause speaks of something else."""
    shape = _tables().shape
    if shape["beside"].match(clause) and _without_cancelled([_kinds(word) for word in clause.split()])[1]:
        return False  # Y과 부딪치지 않아요
    if "Y" in clause or shape["instead"].match(clause):
        return True
    other = shape["other"].match(clause)
    if other is None:
        return False
    noun = _kinds(other[0].split()[-1])  # 효과를 보실 겁니다, 큰 무리는 없습니다: no other thing
    return "good" not in noun and not _without_cancelled([_kinds(word) for word in clause.split()])[1]


def permits(reply: str) -> bool:
    """Whether a sentence of a reply allows or orders: 그러셔도 됩니다, 하세요, 괜찮습니다; not 수치가 좋습니다.

    What is said of something else with a subject of its own, or of the past, allows nothing.
    """
    return any(_permits(sentence) for sentence in _SENTENCES.split(reply) if sentence.strip(_MARKS + " "))


_SENTENCES: Final = re.compile(r"(?<=[다요죠])[.!~]+\s*")


_ITSELF: Final = frozenset(("것이", "약이", "거가", "편이", "정도가"))


def _permits(sentence: str) -> bool:
    known = _tables()
    clause = _clauses(sentence)[-1].strip(_MARKS + " ")
    words = clause.split()
    if not words or known.ends["past"].search(words[-1]):
        return False
    if known.ends["order"].search(clause) or "fine" in _kinds(words[-1]):
        return True
    kinds, okay = _without_cancelled([_kinds(word) for word in words])
    if okay or {"take", "able"} <= set().union(*kinds):
        return True
    of_other = any(len(word) > 1 and word.endswith(("이", "가")) and word not in _ITSELF for word in words[:-1])
    return "good" in _kinds(words[-1]) and not of_other  # 경과가 좋습니다


def _is_outcome(clause: str) -> bool:
    """Whether a clause tells what surely comes of something: 쥐가 덜 납니다, but not 부정맥이 생길 수 있습니다."""
    return clause.rstrip(" .!").endswith(("니다", "요", "죠")) and not any("able" in _kinds(w) for w in clause.split())


def _outcome(clauses: list[str]) -> str:
    """What is said of X by what comes of taking it: 두통은 금방 잡힙니다 advises it, 편해지겠지만 … does not."""
    return TAKE if _comes_well(clauses) else NONE if _is_conceded(clauses[0]) else ""


def _comes_well(clauses: list[str]) -> bool:
    """Whether the clauses up to the end of the sentence tell a good outcome: 불안이 가라앉고 잠이 옵니다.

    What stands behind it with 하지만 must not take it back.
    """
    end = next((number for number, clause in enumerate(clauses) if _ends(clause)), None)
    if end is None or not _is_good(" ".join(clauses[: end + 1])):
        return False
    then = clauses[end + 1 :]
    if not then or not then[0].startswith(_BUT):
        return True
    kinds, _ = _without_cancelled([_kinds(word) for clause in then for word in clause.split()])
    return not set().union(*kinds) & {"harm", "bad", "avoid", "not", "against", "expert"}


_BUT: Final = ("하지만", "그러나", "그렇지만", "그런데")


def _is_conceded(clause: str) -> bool:
    """Whether a good outcome is only granted: 통증은 줄겠지만 …."""
    kinds = frozenset().union(*_kinds_of(clause.split()))
    granted = bool(kinds & {"good", "eases", "lessens"}) and not kinds & {"harm", "bad"}
    return granted and clause.rstrip(" ,").endswith("지만")


def _is_good(told: str) -> bool:
    """Whether a sentence tells a good outcome and nothing else.

    A harm that eases is good (붓기가 빠집니다), the loss of what the body needs is not (소변이 줄어듭니다).
    """
    kinds: list[frozenset[str]] = []
    for each in _without_cancelled(_kinds_of(told.split()))[0]:
        back = next((n for n in range(len(kinds) - 1, max(-1, len(kinds) - 4), -1) if "harm" in kinds[n]), None)
        if each & {"eases", "lessens"} and back is not None:
            del kinds[back:]
        kinds.append(each)
    every = frozenset().union(*kinds)
    against = every & {"harm", "bad", "not", "against", "take", "avoid", "stop", "consult", "others", "expert"}
    return _ends(told) and bool(every & {"good", "eases", "lessens"}) and not against


def _stops(rest: list[str]) -> bool:
    """Whether the next clause tells to stop something, and not only to rest: 쉬세요."""
    return bool(rest) and any("stop" in _kinds(word) and not word.startswith("쉬") for word in rest[0].split())


def _is_settled(found: str, said: str, before: str) -> bool:
    """Whether what is advised against stays so: only a contrast takes it back."""
    against = found in (AGAINST, UNFIT, STOP, KEEP)
    return against and said in (TAKE, MORE) and not before.rstrip(" ,").endswith(_CONTRASTS)


def _is_granted(found: str, before: str) -> bool:
    """Whether X is only praised before a warning: 몸에 좋은 과일이지만 … 농도를 높여."""
    return found in (TAKE, MORE) and before.rstrip(" ,").endswith(_CONTRASTS)


def _named(before: str) -> str:
    """What is said of X where it is the predicate: 필요한 항생제는 X입니다, 피해야 할 약이 X입니다."""
    kinds = set().union(*(_kinds(word) for word in before.split()))
    if kinds & {"avoid", "bad", "harm", "not", "stop"}:
        return AGAINST
    return TAKE if kinds & {"good", "need", "take", "fine"} else ""


def _is_deferred(before: str, clauses: list[str]) -> bool:
    """Whether what stands before X tells of another time or of others: 출산 후에는, 주치의가 허락하면."""
    if _tables().shape["deferred"].search(before):
        return True
    kinds = [_kinds(word) for word in before.split()]
    if any("expert" in _kinds(word) and word.endswith(("가", "이", "께서")) for word in before.split()):
        return True
    last = set(clauses[-1].split()) if before.strip() else set()
    given = _tables().shape["given"].search(before)
    others = before[: given.start()] if given else before
    if any("others" in _kinds(word) and (word in last or word.endswith(_SUBJECTS)) for word in others.split()):
        return True  # but not 아내분께 잘 들었으니: what befell others is a reason
    return any(
        "expert" in each and any("consult" in other for other in kinds[number:]) for number, each in enumerate(kinds)
    )


def _is_bygone(clauses: list[str]) -> bool:
    """Whether another time is told of; a reason from the past is none: 예전에 두드러기 난 건 흔한 일이니."""
    reason = _tables().ends["reason"]
    told = [clause for clause in clauses if not reason.search(clause.strip(" ,"))]
    return any("later" in _kinds(word) for clause in told for word in clause.split())


def _clauses(text: str) -> list[str]:
    ends = [found.end() for found in _tables().shape["cut"].finditer(text)]
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True) if text[start:end]]


def _judged(clause: str, act: bool, ordered: bool) -> str:
    """What one clause says of X."""
    known = _tables()
    if known.ends["ask"].search(clause):
        return NONE
    words = clause.split()
    kinds = _kinds_of(words)
    if words[:2] == ["X", "없이"]:
        kinds[1] = frozenset(("stop",))
    if act:
        kinds[0] = kinds[0] | {"act"}
    every = frozenset().union(*kinds)
    if every & {"consult", "later", "others"} or ("expert" in every and "take" not in every):
        return NONE
    if any(known.ends["past"].search(word) and _ACTS & kind for word, kind in zip(words, kinds, strict=True)):
        return NONE
    last = words[-1].strip(_MARKS) if words else ""
    if last.endswith(_NOTED):
        return NONE  # what was done, as notes have it: 중단함, 안 먹음
    if last in ("때문에", "탓에"):
        return _WARNING
    if any(known.ends["quote"].search(word.strip(_MARKS)) for word in words) or (last == "말고" and "avoid" in every):
        return ""
    for shape, says in _BY_SHAPE:
        if known.shape[shape].match(clause):
            return says
    said = _predicate(kinds, clause, last, ordered)
    if said in (STOP, AGAINST) and "gradual" in every:
        return NONE  # 몇 주에 걸쳐 줄입니다
    return NONE if "together" in every and said in (STOP, AGAINST, UNFIT, _WARNING) else said


_BY_SHAPE: Final = (("towards", TAKE), ("needed", TAKE), ("enough", _SUPPOSED), ("rash", _WARNING))
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
    _row(_IF_STOPPED, "stop supposed"), _row(NONE, "stop reason", "fine"),
    _row(STOP, "stop"),
    # an act of its own: 저녁을 거르지 마세요
    _row(AGAINST, "act turned"), _row(AGAINST, "act avoid"), _row(AGAINST, "act bad"), _row(NONE, "act harm"),
    _row(_SUPPOSED, "act supposed"), _row(TAKE, "act"),
    # 안 드시면 …, 드시면 …
    _row(NONE, "supposed take turned", "avoid bad harm"), _row(_SUPPOSED, "supposed take", "avoid bad harm"),
    # 피하지 마세요, 양수를 줄일 수 있어, 피하세요
    _row(TAKE, "avoid turned"), _row(_WARNING, "avoid able", "told"), _row(AGAINST, "avoid"),
    # 필요 없습니다, 안 드셔도 됩니다, 드시지 마세요, 좋지 않습니다
    _row("", "turned reason", "good take need bad harm avoid fine okay"),
    _row(STOP, "need turned"), _row(STOP, "turned take free"), _row(AGAINST, "turned take"), _row(UNFIT, "turned"),
    # 부담이 없습니다; 위험합니다; 올려 보세요; 혈압을 올립니다
    _row(TAKE, "okay"), _row(UNFIT, "bad"), _row(MORE, "more told"), _row(_WARNING, "harm"), _row("", "supposed"),
    _row(KEEP, "keep told"), _row(KEEP, "keep take"),
    # 드세요, 드실 수 있습니다, 씁니다, 드시고 … 쉬세요; 좋습니다; 하루 두 번
    _row(TAKE, "take able"), _row(TAKE, "take stated"), _row(TAKE, "take along ordered"),
    _row(TAKE, "good"), _row(TAKE, "told"), _row(TAKE, "bare"),
)  # fmt: skip
"""The first row that fits decides."""


def _predicate(kinds: list[frozenset[str]], clause: str, last: str, ordered: bool) -> str:
    """What the predicate of a clause says, by the marks of the clause."""
    ends, shape = _tables().ends, _tables().shape
    kinds, okay = _without_cancelled(kinds)
    marks = set().union(*kinds)
    if _comes_first(kinds, "avoid", "stop"):
        marks -= {"avoid"}  # 멀리 떼어 놓으세요: only what follows 끊기 turns it round
    marks |= {
        name
        for name, holds in (
            ("turned", sum(bool({"not", "against"} & each) for each in kinds) % 2),
            ("free", _is_free(kinds)),
            ("unable", last.startswith("못") and not ends["order"].search(clause)),  # 치우지 못해요
            ("okay", okay),
            ("nominal", shape["nominal"].search(clause)),
            ("supposed", last.endswith(("면", "때", "도", "거나"))),
            ("told", ends["order"].search(clause) or {"fine", "good"} & marks),
            ("reason", ends["reason"].search(last)),
            ("along", ends["along"].search(last)),
            ("stated", last.endswith(("니다", "어요", "아요", "해요", "야"))),
            ("ordered", ordered),
            ("bare", not _is_connected(clause, last) and shape["bare"].match(clause)),
        )
        if holds
    }
    return next((row.says for row in _ROWS if row.has <= marks and not row.lacks & marks), "")


def _is_connected(clause: str, last: str) -> bool:
    """Whether a clause goes on with a connective ending, and is no note of its own: 퇴원하면서, but not 1일 2회,."""
    return clause[-1:].isspace() and (not clause.rstrip().endswith(",") or last.endswith(_CONNECTIVES))


def _kinds_of(words: list[str]) -> list[frozenset[str]]:
    """The kinds of each eojeol; the loss of what the body needs is a harm: 효과가 사라집니다."""
    found: list[frozenset[str]] = []
    for word in words:
        kinds = _kinds(word)
        lost = next((n for n in range(len(found) - 1, max(-1, len(found) - 3), -1) if "wanted" in found[n]), None)
        if "lessens" in kinds and lost is not None:
            found[lost], kinds = frozenset(), frozenset(("harm",))
        found.append(kinds)
    return found


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


def _without_cancelled(kinds: list[frozenset[str]]) -> tuple[list[frozenset[str]], bool]:
    """The eojeols without a harm that is denied and its negation: 부담이 없습니다, 나쁘지 않습니다."""
    kept: list[frozenset[str]] = []
    okay = False
    for each in kinds:
        back = next((n for n in range(len(kept) - 1, max(-1, len(kept) - 4), -1) if _HARMS & kept[n]), None)
        denies = each & {"not", "lacking"} or (
            "against" in each and back == len(kept) - 1
        )  # 부담이 없어요, 영향 안 줘요
        if denies and back is not None and not any({"take", "stop", "avoid"} & k for k in kept[back + 1 :]):
            del kept[back:]
            okay = True
        else:
            kept.append(each)
    return kept, okay


def _read_kinds(word: str) -> frozenset[str]:
    known = _tables()
    bare = word.strip(_MARKS)
    if bare in known.exact:
        return known.exact[bare]
    for size in range(min(_LONGEST, len(bare)), 0, -1):
        kinds = known.begins.get(bare[:size])
        if kinds is not None:
            return kinds
    return frozenset()


_cached: Final = BoundedCache(_read_kinds, WORDS)


def _kinds(word: str) -> frozenset[str]:
    return _cached[word]


@lru_cache(maxsize=1)
def _tables() -> Tables:
    content: dict[str, Any] = read_yaml(TABLE).value
    shape = {
        name: re.compile(content[name])
        for name in (
            "cut",
            "other",
            "instead",
            "described",
            "towards",
            "bare",
            "ordered",
            "deferred",
            "named",
            "enough",
            "raised",
            "label",
            "dated",
            "event",
            "rash",
            "unreal",
            "noted",
            "elsewhere",
            "as_well",
            "given",
            "subject",
            "needed",
            "nominal",
            "reported",
            "for_patient",
            "performed",
            "among",
            "beside",
            "recorded",
        )
    }
    return Tables(
        _by_word(content["begins"]),
        _by_word(content["exact"]),
        {name: re.compile(pattern) for name, pattern in content["ends"].items()},
        shape,
        {name: re.compile(pattern) for name, pattern in content["aside"].items()},
        tuple((re.compile(pattern), meant) for pattern, meant in content["idioms"]),
        compile_any(pattern for pattern, _ in content["idioms"]),
        PatternSet([("idiom", without_conditions(pattern)) for pattern, _ in content["idioms"]]),
    )


def _by_word(table: Mapping[str, list[str]]) -> dict[str, frozenset[str]]:
    """The kinds of each word of a table of words by kind."""
    kinds: dict[str, set[str]] = {}
    for kind, given in table.items():
        for word in (form for text in given for form in expand(text)):
            kinds.setdefault(word, set()).add(kind)
    return {word: frozenset(each) for word, each in kinds.items()}
