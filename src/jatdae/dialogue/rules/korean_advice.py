"""Reads a Korean sentence as a frame: what its clauses together say of a thing X.

Clauses are read from X on; a later one goes on with X unless it has a topic or an object of its own, and the last that
says anything wins. A clause that gives a harm as its reason blocks what is advised behind it.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.rules.korean_clause import IF_STOPPED, SUPPOSED, WARNING, is_stated, read_clause
from jatdae.dialogue.rules.korean_outcome import comes_well, ends, is_good, is_outcome, outcome
from jatdae.dialogue.rules.korean_pieces import (
    MARKS,
    cut_clauses,
    tables,
    without_cancelled,
    word_kinds,
)
from jatdae.dialogue.rules.stances import AGAINST, KEEP, MORE, NONE, STOP, TAKE, UNFIT

_DOING: Final = frozenset(("take", "more", "keep"))
_CONTRASTS: Final = ("지만", "데", "나", "만")
_SUBJECTS: Final = ("은", "는", "이", "가", "도", "서", "들")


def read_korean(frame: str, act: bool) -> str:
    """What a sentence with X says of X; empty if it says nothing of it."""
    known = tables()
    frame = known.idioms.plain(frame)
    if "X" not in frame:
        return NONE  # 먹는 양에 맞춰 건너X: part of a way of saying something else
    place = frame.index("X")
    before, rest = frame[:place], known.shape["raised"].sub("X은", frame[place:], count=1)
    clauses = cut_clauses(rest)
    by_form = _by_form(frame, before, clauses, act)
    if by_form is not None:
        return by_form
    topic = cut_clauses(before)[-1] if before.strip() else ""
    if not act and ("Y은" in topic or "Y는" in topic):
        clauses = clauses[:1]  # what follows is said of that topic
    ordered = known.shape["ordered"].search(frame) is not None or is_good(clauses[-1])
    if act:
        return _act(clauses, ordered)
    if known.shape["label"].search(before) or _is_left_to_expert(clauses):
        return NONE
    event = known.shape["event"].search(rest)
    if event is not None and not known.shape["event_of_other"].search(rest):
        if word_kinds(event[1]) & {"stop", "avoid"} and "keep" in set().union(*map(word_kinds, clauses[0].split())):
            return KEEP  # X을 그대로 드시고, 빼는 일은 없도록 하세요
        verb = event[1] if event.start() < len(clauses[0]) else clauses[0].split()[-1]  # X을 끊고 Y을 드시는 일은 …
        return _never(word_kinds(verb))
    if (not ordered and known.shape["dated"].search(frame)) or known.shape["recorded"].match(before):
        return NONE  # 2021년 부종으로 X 중단, 2022년 재시작
    found = _set_aside(clauses[0]) or _told(clauses, ordered)
    if found in (TAKE, MORE) and not any(_is_direct(each, ordered) for each in clauses) and _warns(before, clauses):
        return NONE
    return found


def _by_form(frame: str, before: str, clauses: list[str], act: bool) -> str | None:
    """What a sentence says of X by its form as a whole; None where its clauses decide."""
    shape = tables().shape
    rest = "".join(clauses)
    if not act and _is_told_as_well(rest):
        return TAKE
    cared = shape["for_patient"].search(frame)
    told = shape["of_then"].sub("", before.replace(cared[1], "") if cared else before)
    reason = tables().ends["reason"].search(clauses[0].strip(" ,")) is not None
    earlier = cut_clauses(told)
    if _is_deferred(told, earlier) or (not reason and _is_bygone(earlier)) or shape["unreal"].search(rest):
        return NONE  # but not 예전에 X이 잘 들으셨다니 …: a reason
    if rest.startswith("X처럼") and ("Y은" in before or "Y는" in before):
        return NONE  # Y은 X처럼 …: only compared
    if (not act and shape["defined"].match(rest)) or shape["befalls"].search(rest):
        return NONE
    stopped = any("stop" in word_kinds(word) for word in clauses[0].split())  # 쉬시고, 아물면 다시 시작하세요
    if (shape["again"].search(frame) and not stopped) or shape["planned"].search(frame):
        return NONE
    if shape["named"].match(rest) or (not act and shape["among"].match(rest)):
        return _named(before)
    performed = not act and shape["performed"].search(frame) and not shape["elsewhere"].search(frame)
    if performed or (shape["noted"].match(rest) and not shape["elsewhere"].search(before)):
        return TAKE
    return None


def _is_told_as_well(rest: str) -> bool:
    """Whether the patient is told to take what others take: 언니도 X 드시고 나았어요. 님도 드셔 보세요."""
    found = tables().shape["as_well"].search(rest)
    if found is None:
        return False
    told = rest[found.end() :]
    return not is_of_another(told) and _told(cut_clauses(f"X {told}"), True) == TAKE


def _never(kinds: frozenset[str]) -> str:
    """What is said of X by what must not happen: 끊는 일은 없도록 하세요."""
    if kinds & {"stop", "avoid"}:
        return KEEP
    return AGAINST if "take" in kinds else NONE


def _is_left_to_expert(clauses: list[str]) -> bool:
    """Whether what follows is to be talked over with an expert: X를 바꾸는 문제는 심장내과와 이야기해 보세요.

    A later sentence for a case takes nothing back: 계속 드시면 됩니다. 다만 토하는 날은 의사와 상의하세요.
    """
    first = next((number for number, clause in enumerate(clauses) if ends(clause)), len(clauses)) + 1
    later = clauses[first:]
    told = clauses if not any(tables().shape["case"].search(clause) for clause in later) else clauses[:first]
    kinds = set().union(*(word_kinds(word) for clause in told for word in clause.split()))
    return {"expert", "consult"} <= kinds


def _is_direct(clause: str, ordered: bool) -> bool:
    """Whether a clause tells the patient outright: 드세요, 드셔도 됩니다, 괜찮습니다, 염려하지 않으셔도 됩니다."""
    words = [word_kinds(word) for word in clause.split()]
    kinds = set().union(*words)
    if "fine" in kinds and without_cancelled(words)[1]:
        return True
    told = tables().ends["order"].search(clause) is not None or (ordered and _goes_along(clause))
    if tables().shape["bare"].match(clause) or tables().shape["towards"].match(clause):
        return True
    return ("take" in kinds and (told or "fine" in kinds)) or ("good" in kinds and not kinds & {"others", "expert"})


def is_told(frame: str) -> bool:
    """Whether a sentence tells the patient outright what to do with X: 드셔도 됩니다; not 몸에 좋은 식품입니다."""
    known = tables()
    clauses = cut_clauses(frame[frame.index("X") :])
    ordered = known.shape["ordered"].search(frame) is not None
    for clause in clauses:
        kinds = set().union(*(word_kinds(word) for word in clause.split()))
        told = known.ends["order"].search(clause) is not None or (ordered and _goes_along(clause))
        if known.shape["bare"].match(clause) or known.shape["towards"].match(clause):
            return True
        if known.shape["advised"].search(clause) and "not" not in kinds:
            return True
        if "fine" in kinds or (told and kinds & {"take", "more", "keep"}):
            return True
    return False


def read_forbidden(heading: str, item: str, said: str) -> str:
    """What an item says under a heading over what must not be done: 하지 말아야 할 것 – 약을 임의로 중단하는 것.

    Only one that names an act; a sentence says for itself what is to be done. Empty if the heading forbids nothing.
    """
    known = tables()
    if not known.shape["act_named"].search(item) or not known.shape["forbids"].search(heading):
        return ""
    return KEEP if said == STOP else NONE if said in (TAKE, MORE) else ""


def turns_back(sentence: str) -> bool:
    """Whether a sentence turns from what holds in general to the patient, with a doubt: 하지만 환자분은 …."""
    shape = tables().shape
    if shape["turns"].match(sentence) is None:
        return False
    if shape["differs"].search(sentence):
        return True
    kinds, okay = without_cancelled([word_kinds(word) for word in sentence.split()])
    every = set().union(*kinds)
    return not okay and "fine" not in every and bool(every & {"harm", "bad", "avoid", "not", "against", "low"})


def _warns(before: str, clauses: list[str]) -> bool:
    """Whether a harm, somebody else or the past is told of: what is not told outright is then doubtful.

    Before X a harm is what X is taken for: 붓는 데는 X이면 됩니다.
    """
    told = before.split()
    for clause in clauses:
        words = clause.split()
        told += words
        if set().union(*without_cancelled([word_kinds(word) for word in words])[0]) & {"harm", "bad"}:
            return True
    past = tables().ends["past"]
    return any(word_kinds(word) & {"others", "expert", "later"} or past.search(word) for word in told)


def _act(clauses: list[str], ordered: bool) -> str:
    """What is said of an act X, which has a verb of its own: 저녁을 거르셔도 됩니다."""
    if len(clauses) > 1 and clauses[0].rstrip().endswith("X서"):
        clauses = [clauses[0] + clauses[1], *clauses[2:]]  # 두 알을 몰아서 드시지 마세요
    said = read_clause(clauses[0], True, ordered)
    if (
        said == TAKE
        and _goes_along(clauses[0])
        and "," not in clauses[0]
        and len(clauses) > 1
        and clauses[1].rstrip(" ,").endswith(("면", "때"))
    ):
        return TAKE if comes_well(clauses[2:]) else NONE  # 식사를 거르고 드시면 저혈당이 옵니다
    if any(tables().shape["reported"].search(clause) for clause in clauses):
        return NONE
    if said == SUPPOSED:
        comes = clauses[1] if len(clauses) > 1 else ""
        fine = without_cancelled([word_kinds(word) for word in comes.split()])[1]
        surely = is_outcome(comes) and read_clause(comes, False, ordered) in ("", TAKE)
        return TAKE if comes and (fine or surely or is_good(comes) or _is_no_matter(clauses)) else NONE
    return NONE if said in (WARNING, IF_STOPPED) else said


def _is_no_matter(clauses: list[str]) -> bool:
    """Whether it is all right even so: 굶으셔도 혈당이 알아서 맞춰지니 안심하세요."""
    kinds = set().union(*(word_kinds(word) for word in clauses[-1].split()))
    even_so = clauses[0].rstrip(" ,").endswith("도") and bool(kinds & {"good", "fine"})
    return even_so and not kinds & {"not", "against", "bad", "harm"}


def _told(clauses: list[str], ordered: bool) -> str:
    """What the clauses from X on say of it together."""
    known = tables()
    found, warned, supposed = "", False, False
    paired = any("together" in word_kinds(word) for word in clauses[0].split())
    for number, clause in enumerate(clauses):
        if supposed and (comes := outcome(clauses[number:])):
            return comes
        if number and is_of_another(clause) and not _is_beside(clause, clauses[number - 1]):
            return NONE if found in (TAKE, MORE) and _is_taken_back(clauses[: number + 1]) else found
        if found in _DOING and ends(clauses[number - 1]) and known.shape["subject"].match(clause):
            return found  # 괜찮아요, 스트레스가 더 나빠요
        said = read_clause(clause, False, ordered)
        if said == "" and (
            (ordered and _is_means(clause, clauses[number + 1 :]))  # 5km를 뛰어서 땀을 내세요
            or (supposed and is_outcome(clause))  # 드시면 … 납니다: what comes of it, and no harm
        ):
            return TAKE
        if said == IF_STOPPED:
            if told := _if_stopped(clause, clauses[number + 1 :]):
                return told
            said = NONE
        if said == NONE and found in _DOING and ends(clauses[number - 1]):
            return found  # 드세요, 그게 기억하기 쉬워요
        if said in (WARNING, SUPPOSED):
            warned, supposed = warned or said == WARNING, said == SUPPOSED
            found = NONE if warned and _is_granted(found, clauses[number - 1]) else found or NONE
        elif said and not (warned and said in (TAKE, MORE)) and not _is_settled(found, said, clauses[number - 1]):
            found, supposed = _refused(paired, clauses[:number]) if said in (AGAINST, UNFIT) else "", False
            found = found or said
        if overruled := _overruled(said, clauses, number):
            return overruled
        if found not in ("", NONE) and _goes_along(clause) and not _stops(clauses[number + 1 :]):
            return NONE if _is_left_open(found, clauses[number + 1 :]) else found
    return found


def _refused(paired: bool, before: list[str]) -> str:
    """What a clause that refuses says of X if not that: with another thing, or to stop X, which the one before names.

    거르는 것은 위험이 있어 금물입니다.
    """
    if paired:
        return NONE
    named = bool(before) and not ends(before[-1]) and tables().shape["nominal"].search(before[-1])
    return KEEP if named else ""


def _if_stopped(clause: str, rest: list[str]) -> str:
    """What is said of stopping X where it is only supposed; empty if nothing.

    By what comes of it (쉬어 주면 몸이 가벼워져요), or with something else of which it is said (빼거나 줄이지 마세요).
    """
    if not clause.rstrip(" ,").endswith("거나"):
        return STOP if comes_well(rest) else ""
    told = next((clause for clause in rest if ends(clause)), "")
    kinds, okay = without_cancelled([word_kinds(word) for word in told.split()])
    every = set().union(*kinds)
    if every & {"not", "against", "bad", "harm"}:
        return KEEP
    return STOP if okay or "fine" in every or tables().ends["order"].search(told) else ""


def _overruled(said: str, clauses: list[str], number: int) -> str:
    """What a clause is overruled by: a fact before it, or what must not be done so behind it; empty if by nothing.

    함께 드시고 계셔서 멍이 잘 드는 겁니다; 끊고 가시면 안 됩니다.
    """
    if said == TAKE and number and is_stated(clauses[0]) and not _is_direct(clauses[number], False):
        return NONE
    rest = clauses[number + 1 :]
    if said != STOP or not rest or not clauses[number].endswith("고 "):
        return ""
    return KEEP if tables().shape["forbidden"].search(rest[0]) else ""


def _is_beside(clause: str, before: str) -> bool:
    """Whether a clause on another thing is only a choice or a side act, so that what follows is of X again.

    X를 드시거나 Y를 드시면 …; X는 Y를 올리면서 계속 드시면 ….
    """
    return before.rstrip(" ,").endswith("거나") or ("Y" in clause and clause.rstrip(" ,").endswith("면서"))


def _is_means(clause: str, rest: list[str]) -> bool:
    """Whether what is done with X in a clause is the means of what is told behind it: 사서 드세요, 뛰어서 태우세요."""
    words = clause.split()
    if not rest or not words[-1].endswith("서") or "take" not in word_kinds(words[-1]):
        return False
    kinds = set().union(*(word_kinds(word) for each in (clause, *rest) for word in each.split()))
    ordered = tables().ends["order"].search(rest[0]) is not None
    return ordered and not kinds & {"not", "against", "avoid", "stop", "harm", "bad", "consult", "expert", "others"}


def _is_taken_back(told: list[str]) -> bool:
    """Whether a contrast offers something else, or takes it back: X가 잘 듣지만 … 타이레놀이 답입니다."""
    turn = next((n for n, clause in enumerate(told) if clause.rstrip(" ,").endswith(_CONTRASTS)), len(told))
    kinds = set().union(*(word_kinds(word) for clause in told[turn + 1 :] for word in clause.split()))
    offered = kinds & {"good", "take"} and not kinds & {"avoid", "not", "harm", "bad", "stop", "against"}
    return bool(offered) or "bad" in kinds or ("harm" in kinds and "Y" not in told[-1])


def _is_left_open(found: str, rest: list[str]) -> bool:
    """Whether what goes along with it is of the past, or may come to pass: 드시고 멍하셨다면, 끊고 … 될 수 있습니다."""
    if not rest:
        return False
    if found == TAKE and tables().ends["past"].search(rest[0]):
        return True
    return tables().shape["at_times"].search(rest[0]) is not None


def _goes_along(clause: str) -> bool:
    """Whether a clause is joined to the next, which then tells of something else: 드시고 쉬세요."""
    return tables().ends["along"].search(clause.strip(" ,")) is not None


def _set_aside(clause: str) -> str:
    """What the clause of X says by its form alone: X is set aside, only named, or asked about."""
    known = tables()
    for stance, pattern in known.aside.items():
        if pattern.match(clause):
            return NONE if is_stated(clause) else stance
    if known.shape["untaken"].match(clause):
        return NONE
    return NONE if known.shape["described"].search(clause) or known.shape["deferred"].search(clause) else ""


def is_of_another(clause: str) -> bool:
    """Whether a later clause speaks of something else."""
    shape = tables().shape
    if shape["beside"].match(clause) and without_cancelled([word_kinds(word) for word in clause.split()])[1]:
        return False  # Y과 부딪치지 않아요
    if shape["taker"].match(clause):
        return False
    if "Y" in clause or shape["instead"].match(clause):
        return True
    other = shape["other"].match(clause)
    if other is None:
        return False
    noun = word_kinds(other[0].split()[-1])  # 효과를 보실 겁니다, 큰 무리는 없습니다: no other thing
    return "good" not in noun and not without_cancelled([word_kinds(word) for word in clause.split()])[1]


def permits(reply: str) -> bool:
    """Whether a sentence of a reply allows or orders: 그러셔도 됩니다, 하세요, 괜찮습니다; not 수치가 좋습니다.

    What is said of something else with a subject of its own, or of the past, allows nothing.
    """
    return any(_permits(sentence) for sentence in _SENTENCES.split(reply) if sentence.strip(MARKS + " "))


_SENTENCES: Final = re.compile(r"(?<=[다요죠])[.!~]+\s*")


_UNDERSTOOD: Final = "그렇군요"
"""What is said of what the patient feels, once its turn of speech is read: 궁금하실 만합니다."""
_ITSELF: Final = frozenset(("것이", "약이", "거가", "편이", "정도가"))


def _permits(sentence: str) -> bool:
    known = tables()
    clause = cut_clauses(sentence)[-1].strip(MARKS + " ")
    words = clause.split()
    if known.idioms.plain(clause).endswith(_UNDERSTOOD):
        return False
    if not words or known.ends["past"].search(words[-1]):
        return False
    if known.ends["order"].search(clause) or "fine" in word_kinds(words[-1]):
        return True
    kinds, okay = without_cancelled([word_kinds(word) for word in words])
    if okay or {"take", "able"} <= set().union(*kinds):
        return True
    of_other = any(len(word) > 1 and word.endswith(("이", "가")) and word not in _ITSELF for word in words[:-1])
    return "good" in word_kinds(words[-1]) and not of_other  # 경과가 좋습니다


def _stops(rest: list[str]) -> bool:
    """Whether the next clause tells to stop something, and not only to rest: 쉬세요."""
    return bool(rest) and any("stop" in word_kinds(word) and not word.startswith("쉬") for word in rest[0].split())


def _is_settled(found: str, said: str, before: str) -> bool:
    """Whether what is advised against stays so: only a contrast takes it back."""
    against = found in (AGAINST, UNFIT, STOP, KEEP)
    return against and said in (TAKE, MORE) and not before.rstrip(" ,").endswith(_CONTRASTS)


def _is_granted(found: str, before: str) -> bool:
    """Whether X is only praised before a warning: 몸에 좋은 과일이지만 … 농도를 높여."""
    return found in (TAKE, MORE) and before.rstrip(" ,").endswith(_CONTRASTS)


def _named(before: str) -> str:
    """What is said of X where it is the predicate: 필요한 항생제는 X입니다, 피해야 할 약이 X입니다."""
    kinds = set().union(*(word_kinds(word) for word in before.split()))
    if re.search(r"Y[은는] \S", before):
        return ""  # Y은 자몽의 영향을 받는 X입니다
    if kinds & {"avoid", "bad", "harm", "not", "stop"}:
        return AGAINST
    return TAKE if kinds & {"good", "need", "take", "fine", "choice"} else ""


def _is_deferred(before: str, clauses: list[str]) -> bool:
    """Whether what stands before X tells of another time or of others: 출산 후에는, 주치의가 허락하면."""
    if tables().shape["deferred"].search(before):
        return True
    kinds = [word_kinds(word) for word in before.split()]
    if any("expert" in word_kinds(word) and word.endswith(("가", "이", "께서")) for word in before.split()):
        return True
    last = set(clauses[-1].split()) if before.strip() else set()
    given = tables().shape["given"].search(before)
    others = before[: given.start()] if given else before
    if any("others" in word_kinds(word) and (word in last or word.endswith(_SUBJECTS)) for word in others.split()):
        return True  # but not 아내분께 잘 들었으니: what befell others is a reason
    return any(
        "expert" in each and any("consult" in other for other in kinds[number:]) for number, each in enumerate(kinds)
    )


def _is_bygone(clauses: list[str]) -> bool:
    """Whether another time is told of; a reason from the past or a concession is none: 예전에 두드러기가 났더라도."""
    granted = tables().ends["granted"]
    told = [clause for clause in clauses if not granted.search(clause.strip(" ,"))]
    return any("later" in word_kinds(word) for clause in told for word in clause.split())
