"""Reads an English answer on a thing X: the clause of X, and what the clauses around it add or take back.

What one clause says is read by `english_clause`. Later clauses go on with X by a pronoun, a dose or a command; those
about another thing, another case or another time say nothing of it.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from jatdae.dialogue.reading.english_verbs import ING, PAST, THIRD
from jatdae.dialogue.rules.english_act import read_act
from jatdae.dialogue.rules.english_clause import is_dosed, is_in, read_clause, without_cancelled
from jatdae.dialogue.rules.english_order import is_direct
from jatdae.dialogue.rules.english_pieces import (
    FINITE,
    VERBS,
    Piece,
    Tag,
    cut_pieces,
    leads,
    leads_with,
    make_piece,
    merge_pieces,
    plain,
    tables,
)
from jatdae.dialogue.rules.stances import AGAINST, KEEP, MORE, NONE, STOP, TAKE, UNFIT

_REVERSED: Final = re.compile(
    r"\W*(?:just not|only not|(?:but|yet|however,?) "
    r"(?:not|never|no|it|it's|that|that's|they|you are|you're|your|the|this|those|"
    r"with|in|i|on|for|at|given|since|because|here))\b"
)
"""How a clause begins that takes back what was said before it."""
_CONTRASTS: Final = re.compile(r"\W*(?:but|yet|however|though|although|which|so|except|unless|that said)\b")
_TURN: Final = re.compile(r"\W*(?:but|yet|however|that said|unfortunately|no|please don't|don't)\b")


def read_english(frame: str, act: bool, drug: bool) -> str:
    """What a sentence with X says of X; empty if it says nothing of it."""
    pieces = cut_pieces(plain(frame))
    at = next(number for number, piece in enumerate(pieces) if "X" in piece.text)
    piece, rest = merge_pieces(pieces, at)
    if not act:
        piece = _with_head(pieces, at, piece)
    if not act and _NOT_MEANT.search(piece.text):
        return NONE
    if not act and any(_HOLDS.search(each.text) for each in pieces[:at]) and not piece.has(*FINITE):
        return NONE
    if any(_LABEL.fullmatch(each.text) for each in pieces[:at]) or _is_of_another_case(pieces[: at + 1]):
        return NONE
    if act:
        said = read_act(piece)
        return TAKE if said == NONE and any(_URGES.match(ahead.text) for ahead in rest) else said
    return _read_on(pieces, at, piece, rest, drug)


def _with_head(pieces: list[Piece], at: int, piece: Piece) -> Piece:
    """The clause of X, with the beginning of the row that it is an item of: "skip cranberries, X and liquorice"."""
    if not _ITEM.match(piece.text) or piece.has(*FINITE, "not", "contrast") or _AMOUNT.search(piece.text):
        return piece
    head = at
    while (
        head and at - head < _ROW and pieces[head - 1].text.rstrip().endswith(",") and len(pieces[head].words) <= _LONG
    ):
        head -= 1
        if pieces[head].has(*FINITE):
            told = _FOR_NOW.sub("", pieces[head].text, count=1)
            return make_piece(f"{told} {piece.text}") if leads_with(make_piece(told)) else piece
    return piece


_FOR_NOW: Final = re.compile(
    r"^\W*(?:(?:so|and|then|but) )*(?:for|from|until|starting|as of) "
    r"(?:now|today|tonight|tomorrow|this week|the weekend|the moment)(?: on)?(?: and (?:today|tonight|tomorrow))?,? "
)
_ROW: Final = 6
"""How many items a row may have."""
_LONG: Final = 8
"""How many words each of them may have."""
_ITEM: Final = re.compile(r"\W*(?:(?:and|or|any|the|your|plain|an?|other|high-dose|oral) )*X\b")
_AMOUNT: Final = re.compile(r"\d|\binstead\b")


@lru_cache(maxsize=4096)
def is_told(frame: str) -> bool:
    """Whether a sentence tells the patient outright what to do with its X, or says that it is fine."""
    pieces = cut_pieces(plain(frame))
    at = next(number for number, piece in enumerate(pieces) if "X" in piece.text)
    piece, rest = merge_pieces(pieces, at)
    if "X" not in piece.words:
        return True
    return is_direct(piece) or any(_tells(later) for later in rest if "Y" not in later.words)


@lru_cache(maxsize=4096)
def is_account(frame: str) -> bool:
    """Whether a sentence only says what its X does, without an amount: "X knocks out the enzyme for a day"."""
    pieces = cut_pieces(plain(frame))
    at = next(number for number, piece in enumerate(pieces) if "X" in piece.text)
    piece = pieces[at]
    if "X" not in piece.words or any(each.has("you", "speaker", "okay") for each in pieces):
        return False
    place = piece.words.index("X")
    behind = [tag for tag in piece.tags if tag.at > place]
    verb = next((tag for tag in behind if FINITE & tag.kinds.keys()), None)
    started = [tag for tag in piece.tags if tag.end <= place and VERBS & tag.kinds.keys()]
    if verb is None or (started and not piece.words[0].endswith("ing")):
        return False
    dosed = any("dose" in tag.kinds for tag in piece.tags if tag.at < verb.at)
    return not dosed and any(form & THIRD for form in verb.kinds.values())


def _read_on(pieces: list[Piece], at: int, piece: Piece, rest: list[Piece], drug: bool) -> str:
    """What the clause of X, and those behind it, say of X."""
    found = read_clause(piece, drug)
    if not found and _is_praised(pieces[:at]):
        found = TAKE
    if found == TAKE and (piece.has("later") or any(_depends_on_expert(each) for each in pieces[:at])):
        return NONE
    if found in ("", NONE) and _BESIDE.match(piece.text):
        return NONE
    apart, told, of_other = False, False, _is_of_other(piece)
    blamed = of_other and piece.has("harm", "danger", "bad", "stop") and not piece.has("help", "good", "contrast")
    ended = piece.text.rstrip().endswith((".", "!"))
    for number, ahead in enumerate(rest):
        later = _pointed(ahead) if not number else ahead
        settled = found not in ("", NONE, TAKE) or (found == TAKE and is_direct(piece))
        if (apart or (ended and _IN_A_CASE.match(later.text))) and settled and not _TURN.match(later.text):
            break  # "You can take X. It must not be taken on an empty stomach."
        apart = apart or later.text.rstrip().endswith((".", "!", "?"))
        unreal = not ended and _is_unreal([piece, later])  # "if X were causing it, we'd reduce it"
        if unreal or _goes_on_with_other(later, of_other, blamed) or _is_of_another_case(rest[: number + 1]):
            continue
        if found in (TAKE, MORE) and _tells_why(later, piece):
            continue
        if later.words[:1] == ("Y",):
            of_other = blamed = True
        if number and "Y" in rest[number - 1].words and _OF_SEVERAL.match(later.text):
            continue  # "…, ask whether Y or Y would do; neither is bothered by it"
        said = _with(found, later, drug)
        if said == NONE and found in (TAKE, MORE) and ended and not later.has(*_SERIOUS) and is_direct(piece):
            continue  # "Step up to X. It reaches the ear well."
        if said == UNFIT and found in (TAKE, MORE, KEEP) and ended and is_direct(piece) and not _judges(later):
            continue  # "Take one X at night. They aren't chalky."
        told = (
            told or (said != found and _tells(later)) or (said == TAKE and _OWN_CHOICE.search(later.text) is not None)
        )
        found = (
            KEEP if said == AGAINST and found == NONE and piece.has("stop") and later.has("not") else said
        )  # "Some stop X. Don't do that."
    if not told and found in (TAKE, MORE) and _is_doubtful(piece, _of_one_sentence(pieces, at)):
        return NONE
    return NONE if found in (TAKE, MORE, KEEP) and _is_up_to_expert(piece) else found


_IN_A_CASE: Final = re.compile(r"\W*(?:if|once|when) (?:you're|you are|you feel|it's|it is|the|your)\b")
"""How a sentence begins that tells what is done in a case to come."""


def _tells_why(later: Piece, piece: Piece) -> bool:
    """Whether a clause behind an order tells what it is for, or why X is taken so: "…, since it can irritate"."""
    if _HOW_IT_IS.match(later.text):
        return is_dosed([tag for tag in piece.tags if tag.at > piece.words.index("X")], piece.words)
    return _PURPOSE.match(later.text) is not None and is_direct(piece)


_OWN_CHOICE: Final = re.compile(
    r"\b(?:where|what|how) (?:i'd|i would|we'd|we would) (?:begin|start|try|do|take|use|go|pick)\b"
)
"""What the one who answers would do: "that's where I'd begin"."""


def _judges(later: Piece) -> bool:
    """Whether a denial is one of the thing itself: "It isn't good for you"; not "They aren't chalky"."""
    return later.has("bad", "danger", "good", "okay", "need", "expert", "modal", "harm", "you") or "your" in later.words


_SERIOUS: Final = ("not", "bad", "avoid", "danger", "expert", "contrast")
"""What takes back an order even in a sentence of its own."""


def _is_up_to_expert(piece: Piece) -> bool:
    """Whether the clause of X makes it depend on an expert: "If a dietitian has cleared you for X, stick to that"."""
    return piece.has("if") and piece.has("expert")


def _is_doubtful(piece: Piece, pieces: list[Piece]) -> bool:
    """Whether X is not told outright, and a clause of its sentence warns."""
    if is_direct(piece):
        return False
    dosed = is_dosed([tag for tag in piece.tags if tag.at > piece.words.index("X")], piece.words)
    return any(_warns(each, dosed) for each in pieces)


def _tells(later: Piece) -> bool:
    """Whether a later clause speaks to the patient: "take 300 mg", "you can add 300 mg", "so can you"."""
    told = leads_with(later) or (later.has("you") and later.has("modal"))
    if told or (not later.has("others") and without_cancelled(later.tags, later.words)[1]):
        return True
    return (_TOO.search(later.text) or _MAY.match(later.text)) is not None


def _of_one_sentence(pieces: list[Piece], at: int) -> list[Piece]:
    """The clauses up to the end of the sentence that the one at a place stands in."""
    ends = (n for n, piece in enumerate(pieces) if n >= at and piece.text.rstrip().endswith((".", "!")))
    return pieces[: next(ends, len(pieces)) + 1]


def _pointed(later: Piece) -> Piece:
    """A relative clause as one of its own: "…, which you can't have" is of X."""
    found = _RELATIVE.match(later.text)
    if found is None:
        return later
    done = _DONE_WITH_IT.match(later.text, found.end())
    if done:  # "…, which you can raise after two weeks"
        return make_piece(f"{done[0]} it {later.text[done.end() :]}")
    return make_piece(f"it {later.text[found.end() :]}")


_RELATIVE: Final = re.compile(
    r"\W*which (?!is why|means|brings|in turn)(?=(?:you|i|we|is|are|has|can|may|must|should|would)\b)"
)


_DONE_WITH_IT: Final = re.compile(
    r"(?:you|i|we) (?:can|could|may|might|should|must|will|would)(?: then| also| always| safely| just)? "
    r"(?!(?:not|never|be|have|even)\b)[a-z]+"
)


def _is_praised(ahead: list[Piece]) -> bool:
    """Whether a label says that what is listed behind it is good: "Great choices for your kidneys: apples, …"."""
    label = next((n for n in reversed(range(len(ahead))) if ahead[n].text.rstrip().endswith(":")), None)
    if label is None or any(FINITE & tag.kinds.keys() for piece in ahead[label + 1 :] for tag in piece.tags):
        return False
    against = ("not", "bad", "danger", "harm", "avoid", "stop", "contrast", "others", "expert")
    praised = ahead[label].has("good") or _IDEAS.search(ahead[label].text) is not None
    supposed = ahead[label].has("if") and not _WHAT_TO_TAKE.match(ahead[label].text)
    return praised and not supposed and not any(piece.has(*against) for piece in ahead[label:])


_WHAT_TO_TAKE: Final = re.compile(
    r"\W*what (?:to (?:buy|take|use|get|try|have|eat|drink|do|pack|order|pick|choose)|you can (?:take|use|have|try|eat|"
    r"drink|do|buy)|(?:i'd|we'd) (?:take|use|buy|get|try|do|pick)|(?:helps|works))\b"
)
"""A label over what is to be taken: "What to buy:"."""
_IDEAS: Final = re.compile(
    rf"\b(?:ideas|suggestions|menus?|recipes|recommendations|favou?rites)\b|^(?:{_WHAT_TO_TAKE.pattern})"
)


def _is_unreal(pieces: list[Piece]) -> bool:
    """Whether the last clause tells what would be done if things were not as they are."""
    words = pieces[-1].words
    would = [number for number, word in enumerate(words) if word in _WOULD or word.endswith("'d")]
    if not would:
        return False
    if any(_SUPPOSED.search(each.text) for each in pieces):
        return True
    done = {tag.at for tag in pieces[-1].tags if any(form & PAST for form in tag.kinds.values())}
    return any(
        words[number + 1] == "have" and (number + 2 in done or words[number + 2] in ("been", "had"))
        for number in would
        if number + 2 < len(words)
    )  # "we would have stopped X"; but not "you would have X"


_WOULD: Final = frozenset(("would", "wouldn't", "might", "could"))
_SUPPOSED: Final = re.compile(
    r"^\W*(?:had|were|should) (?:it|this|that|there|the|your|he|she|they|we|i|you)\b(?!.*\?)"
    r"|\bif (?:[\w']+ ){1,4}?(?:were|weren't|wasn't|had been|hadn't|had not|had \w+ed)\b"
)
"""A condition that does not hold: "had it been worse", "if it were another drug"."""


def _is_of_another_case(pieces: list[Piece]) -> bool:
    """Whether the last clause tells what would be done, or will be if something happens and the patient tells of it."""
    return _is_unreal(pieces) or _is_left_to_us(pieces)


def _is_left_to_us(pieces: list[Piece]) -> bool:
    """Whether the last clause tells what is done once the patient has got in touch: "tell us so we can stop it"."""
    ahead = [piece for piece in pieces[:-1] if piece.words != ("so", "that")]
    if not ahead or ahead[-1].text.rstrip().endswith((".", "!", "?")):
        return False
    return ahead[-1].has("talk") and _WE_THEN.match(pieces[-1].text) is not None


_WE_THEN: Final = re.compile(
    r"\W*(?:so (?:that )?|and |then )*(?:we|i|they|he|she|(?:your|the|our) [a-z]+)"
    r"(?:'ll| can| could| may| will| might)\b"
)


def _is_of_other(piece: Piece) -> bool:
    """Whether the subject of a clause is another thing than X: "Y raises X", "Y does the same as your X does"."""
    if "Y" not in piece.words[:3] or piece.words.index("Y") > piece.words.index("X"):
        return False
    if _COMPARED.search(piece.text):
        return True
    other, place = piece.words.index("Y"), piece.words.index("X")
    verbs = [tag.at for tag in piece.tags if tag.at < place and FINITE & tag.kinds.keys()]
    return bool(verbs) and verbs[0] > other


def _goes_on_with_other(later: Piece, of_other: bool, blamed: bool) -> bool:
    """Whether "it" in a later clause is the other thing.

    As the subject it is so where the other was the subject before (`of_other`), as the object only where that one is
    blamed: "Y adds to the risk of X, so skip it"; but not "Y does what X does, so skip it".
    """
    if of_other and _SUBJECT.match(later.text):
        return True
    return blamed and later.has("stop", "avoid", "keep", "take") and tables().back.search(later.text) is not None


_URGES: Final = re.compile(
    r"\W*(?:(?:so|and|then|why not|just|please|you can|you could|you might|i'd|let's|do) )*"
    r"(?:give (?:that|it|this) (?:a|another) (?:go|try|shot|whirl)|try (?:that|it|this)\b|go for it|"
    r"(?:do|start|begin) (?:that|it|this|with that) (?:from |as of )?(?:today|tonight|tomorrow|now|this week|"
    r"next week)\b)"
)
"""What urges to do what was spoken of: "… is the easiest way, so give that a go"."""
_PURPOSE: Final = re.compile(
    r"\W*so (?:that )?(?!(?:i|we|please|it's|that's)\b)(?:[a-z]+ ){1,3}?(?:don't|won't|doesn't|do not|will not|"
    r"does not|never)\b"
)
"""What is told so that something does not happen: "take X at night so you don't forget it"."""
_HOW_IT_IS: Final = re.compile(r"\W*(?:since|because|as) (?:it|they) (?:can|may|might|could|tends? to|will)\b")
"""A reason for how something is taken."""
_NOT_MEANT: Final = re.compile(
    r"\b(?:stack|pile|layer|heap|add|combin|mix|tak|pair)(?:ed|ing|en) (?:up |in |together )?(?:on top of|onto|"
    r"on|to|with) "
    r"(?:your |the )?X (?:it |this |that |they |these |those )?(?:can|could|may|might|will|means?|raises?|"
    r"makes?|is|are)\b"
    r"|^\W*(?:[^,]*, )?the (?:usual|normal|standard|textbook|obvious|classic|typical|reflex|default|knee-jerk)"
    r"(?: [a-z]+){0,2} would (?:normally |usually )?(?:have been|be) X\W*$"
    r"|\bX (?:people|most|many|others|some|folks) (?:[a-z]+ )?"
    r"(?:reach|use|take|buy|go|keep|swear|get|grab|pick|like|know|pop|rely|turn|have)\b"
)
"""X as what another thing comes on top of, or as what others have: "stacked on X that can mean more bruising"."""
_BESIDE: Final = re.compile(r"\W*(?:together with|along with|alongside|next to|combined with) (?:your |the )?X\b")
"""How a clause begins in which X is only what another thing goes with."""
_COMPARED: Final = re.compile(r"\b(?:as|like|than) (?:your |the )?X (?:does|do|is|are|has|did|will)\b")
_OF_SEVERAL: Final = re.compile(r"\W*(?:and |but |as |since )?(?:neither|both|either)\b")
"""How a clause begins whose subject is the things of the clause before it."""
_SUBJECT: Final = re.compile(
    r"\W*(?:and |so |but |which is why |that's why |therefore,? |hence )?(?:it|it's|that one)\b"
)
"""How a clause begins whose subject is that of the clause before it."""


def _warns(piece: Piece, dosed: bool) -> bool:
    """Whether a clause tells of a harm, of others or an expert: what is not told outright is then doubtful.

    That others have no harm of it is no doubt ("most women feel no side effects"), nor are others where it is told
    how much to take (`dosed`).
    """
    kept, okay = without_cancelled(piece.tags, piece.words)
    doubts = {"danger", "bad", "expert", "was"} if okay or dosed else {"danger", "bad", "others", "expert", "was"}
    return any(doubts & tag.kinds.keys() for tag in kept)


_LABEL: Final = re.compile(
    r"\W*(?:a |the |common |active |past |known |medical )*(?:not (?:so |as |very |that )?(?:good|great|ideal|helpful"
    r"|safe|suitable|wise)|worse|myth|misconception|fiction|false|wrong|ingredients?|"
    r"composition|contains|allerg(?:y|ies)|hx|history|pmh|contraindications?|interactions?|warnings?)"
    r"(?: (?:no |number )?\d+)?\s*:\W*"
)
"""A label before what is only named, or not so: "Myth: …", "Active ingredient: …"."""


def _depends_on_expert(piece: Piece) -> bool:
    return piece.has("later") or (piece.has("expert") and piece.words[:1] != ("your",))


def _with(found: str, later: Piece, drug: bool) -> str:
    """What is said of X so far together with a later clause."""
    if found in (TAKE, MORE) and _is_reversal(later):
        return NONE
    aside = _ASIDE.match(later.text)
    if aside:
        later = make_piece(later.text[aside.end() :])
    if found in (TAKE, MORE) and _HARMS_NOW.match(later.text) and _does_harm(later):
        return NONE  # "…, but lengthens the QT just as Y does"
    after = _AFTER_OTHER.search(later.text)
    if after:
        later = make_piece(later.text[: after.start()])
    if _DOSE_DOES.match(later.text):
        return found
    if found in ("", NONE) and drug and "Y" not in later.words and _BEGINS_AT.match(later.text):
        return TAKE
    if "Y" in later.words and not later.has("if"):
        first = _BEFORE_OTHER.match(later.text) or _DOSE_WITH_OTHER.match(later.text)
        return _joined(found, make_piece(first[1]), drug) if first else found
    return _joined(found, later, drug)


def _does_harm(later: Piece) -> bool:
    verb = next((tag for tag in later.tags if VERBS & tag.kinds.keys()), None)
    return verb is not None and "harm" in verb.kinds and not {"help", "keep"} & verb.kinds.keys()


_HARMS_NOW: Final = re.compile(r"\W*(?:but|yet|though|although) [a-z]+s\b")
_HOLDS: Final = re.compile(
    r"\b(?:has|have|contains?|holds?|packs?|brings?|comes with|adds?|delivers?) (?:[a-z]+ ){0,2}?\d[\d.,]* ?"
    r"(?:mg|milligrams?|g|grams?|calories|kcal|carbs)\b"
)
"""How a clause tells what a food holds, which the next go on with: "a banana has 450 mg, a glass of X as much"."""
_DOSE_DOES: Final = re.compile(
    r"\W*(?:(?:just|only|even|about) )?\d[\d.,]* ?(?:mg|mcg|micrograms?|units?)\b[^,;]*? "
    r"[a-z]+(?<!s)s (?:it|them|that|those|these)\b"
)
"""What an amount does to something else: "7.5 mg at bedtime cuts them by half"."""
_AFTER_OTHER: Final = re.compile(
    r" (?:and another |and one )?(?:after|before|during|following) (?:your |the |an? |each |every )?Y[^Y,]*$"
)
"""When something is done, by another thing: "have a glass after your Y"."""
_ASIDE: Final = re.compile(
    r"\W*(?:and |but |so )?(?:with|given|because of|due to|thanks to) (?:your |an? |the )?[^Y,]{0,20}Y[^Y,]{0,20}?,? "
    r"(?=(?:that|it|they|those)(?:'s|'re)?\b)"
)
"""A reason that names another thing: "with your Y allergy that's out"."""


def _joined(found: str, later: Piece, drug: bool) -> str:
    """The same, where the later clause names no other thing."""
    back = tables().back.search(later.text)
    said = ""
    if back is not None:
        rest = _denied_of_both(back[0], later.text[back.end() :])
        said = read_clause(make_piece(f"{later.text[: back.start()]} X {rest}"), drug)
        if said in (AGAINST, STOP, UNFIT) and _OF_PAIR.search(later.text):
            said = NONE
    kept, okay = without_cancelled(later.tags, later.words)
    kinds = {kind for tag in kept for kind in tag.kinds if kind != "avoid" or tag.kinds[kind] != THIRD}  # "it spares"
    if "if" in kinds:
        unreal = (kinds & {"expert"} or _UNREAL.search(later.text)) and found in (
            TAKE,
            MORE,
        )  # "if you weren't on it", "once your doctor agrees"
        return NONE if unreal else found
    if said in (AGAINST, STOP, UNFIT):
        limits = {"not", "limit"} <= kinds and not kinds & {"bad", "danger", "harm"}
        return found if limits and found in (TAKE, MORE, KEEP) else said  # "Don't use it more than once a day."
    if said in (TAKE, KEEP, MORE) and _TURN.match(later.text):
        return said  # "It may feel useless, but it protects your heart"
    if back is None and "not" not in kinds and _is_left_off(kept, later):
        return STOP
    if said in (TAKE, KEEP, MORE) and (
        found == ""
        or (
            found == NONE
            and (okay or "dose" in kinds or leads_with(later) or _MAY.match(later.text) or _YOU_MAY.search(later.text))
        )
    ):
        return said
    against = bool(kinds & {"not", "bad", "danger", "avoid", "harm", "expert"}) and not okay
    if found in (TAKE, MORE):
        taken_back = _CONTRASTS.match(later.text) is not None if back is None else said == NONE
        return NONE if against and taken_back else found
    if found == NONE and not against and _TOO.search(later.text):
        return TAKE
    if found in ("", NONE) and not against and not {"stop", "talk"} & kinds and _FORM.match(later.text):
        return TAKE
    if found in ("", NONE) and not kinds & {"not", "avoid", "if"} and _STAYS_ON.match(later.text):
        return KEEP
    if found in ("", NONE) and not against and ((okay and not _has_object(later)) or _goes_on(later, kinds)):
        return TAKE
    return found


_BEGINS_AT: Final = re.compile(
    r"\W*(?:(?:so|then|and|just|please|simply|you can|you could|i'd) )*(?:start|begin|take|try|use)(?: with| at| on)? "
    r"(?:(?:a|half a|one|two|three) )?\d[\d.,]* ?(?:mg|mcg|micrograms?)\b(?! of (?!it|that|this|them))"
    r"(?!.*\b(?:if|unless|once|only when|provided|doctor|never|not)\b)"
)
"""How a clause begins that tells a dose of the drug that was named: "Start with 50 mg an hour before"."""
_OF_PAIR: Final = re.compile(r"\b(?:combination|combining|pairing|mixture|mix|mixing|duo)\b")
"""What is said of two things together: "the combination isn't one I can recommend"."""


def _denied_of_both(back: str, rest: str) -> str:
    """What is said behind "neither", with its negation: "neither should be started"."""
    return _NEXT_WORD.sub(r"\1 not", rest, count=1) if back == "neither" else rest


_NEXT_WORD: Final = re.compile(r"^( (?:of (?:them|these|those|the two) )?[a-z]+)")


def _is_left_off(kept: list[Tag], later: Piece) -> bool:
    """Whether a clause tells to stop, but names nothing: "…, and you may stop", "quit without a taper"."""
    stop = next((tag for tag in reversed(kept) if "stop" in tag.kinds), None)
    if stop is None:
        return False
    if stop is kept[-1] and stop.end == len(later.words):
        return True
    told = (later.has("you") and later.has("modal")) or leads(stop, later)
    return told and stop.end < len(later.words) and later.words[stop.end] in _ENDS


_ENDS: Final = frozenset(
    ("without", "altogether", "completely", "entirely", "today", "tonight", "tomorrow", "now", "cold", "straight",
     "right", "whenever", "any", "anytime", "immediately", "safely", "overnight", "abruptly")
)  # fmt: skip
"""How the rest of a clause begins that tells how or when to stop."""


_BEFORE_OTHER: Final = re.compile(
    r"([^Y]*\b(?:it|them|that|this)\b[^Y]*?)"
    r"(?:,| and| then| or| with| alongside| on top of| together with| instead of| rather than| in place of) [^Y]*Y"
)
"""What is done with X before another thing is told: "stop it and take Y"."""
_DOSE_WITH_OTHER: Final = re.compile(
    r"([^Y]*\b\d[^Y]*?) (?:to|with|alongside|beside|on top of|together with) (?:your |the )?Y\b"
)
"""So much of X together with another thing: "you can add 300 mg to your Y"."""


def _is_reversal(later: Piece) -> bool:
    """ "…, but not with methotrexate", "…, but it blunts clopidogrel"; not "…, but only for a day"."""
    if _REVERSED.match(later.text) is None:
        return False
    if _NOT_SO.match(later.text) and not later.has("limit"):
        return True
    return "Y" in later.words or not later.has("okay", "limit", "good", "help", "dose")


_NOT_SO: Final = re.compile(
    r"\W*(?:but|yet|though|just|only) (?:not|never) "
    r"(?:with|for|at|in|when|while|if|on|after|here|today|now|you)\b"
)
"""What holds in general does not hold here: "…, but not with a potassium of 5.4"."""
_LIGHT: Final = frozenset(
    ("with", "for", "at", "and", "a", "the", "of", "or", "then", "so", "just", "only", "up", "to")
)
_UNREAL: Final = re.compile(r"\bif (?:you|it|they|your \w+) (?:weren't|were|didn't|hadn't|wasn't|had not|did not)\b")
"""What is not so: "if you weren't on warfarin"."""
_TOO: Final = re.compile(
    r"\byou (?:can|could|may|should|might|would|will)\b.*\b(?:too|as well)\b|\bso (?:can|could|should|may) you\b"
    r"|\b(?:it|it's|that|that's|they|they're)\b.*\b(?:for|with|in) (?:you|your case)\b(?! to (?:avoid|stop|skip))"
)
"""What holds of others is said of the patient: "your husband takes it; you can take it too", "it is fine for you"."""


_FORM: Final = re.compile(
    r"\W*(?:(?:so|and|then|just|simply) )*"
    r"(?:choose|pick|take|get|buy|have|drink|enjoy|look for|go for|start with|begin with|try|use|order) (?:an?|"
    r"one|the|two|\d[\w.,]*) "
    r"(?:[\w-]+ ){0,4}?(?:extract|tablet|capsule|product|brand|dose|version|strength|form|pill|glass|cup|"
    r"bowl|handful|slice|piece|portion|serving|shot|can|double|single|spoonful)(?:e?s)?\b(?! of (?!it|that|them))"
)
"""How a clause begins that tells which form to take of what was named: "choose a standardised 300 mg extract"."""
_STAYS_ON: Final = re.compile(
    r"\W*(?:(?:so|and|then|just|please|simply|you can|you should|you may|i'd|meanwhile) )*"
    r"(?:stay on|remain on|keep (?:taking|to|with|on with|up)|continue(?: with| on| taking)?|carry on (?:with|taking)|"
    r"stick (?:with|to)|go on (?:with|taking))(?: with)? (?:your|the|that|this) "
    r"(?:\d|(?:usual|current|same|present|normal|regular|daily) (?:\d|dose|tablet|amount|pill)|dose\b|"
    r"tablets?\b|pills?\b)"
)
"""How a clause begins that goes on with a dose of what was named: "so stay on your 10 mg"."""
_YOU_MAY: Final = re.compile(
    r"\byou(?:'d| (?:can|could|may|might|should|would|will|must))\b.*\b(?:it|them|that|one)\b|\bso (?:can|could|may)"
    r" you\b"
    rf"|{_TOO.pattern}"
)
_MAY: Final = re.compile(r"\W*(?:it|they) (?:can|may) (?:safely |also )?be (?:taken|used|combined|added)\b")


def _has_object(later: Piece) -> bool:
    """Whether a command has an object of its own: "have a ginger ale and enjoy the evening"."""
    if not leads_with(later) or "take" not in later.tags[0].kinds:
        return False
    ahead = later.tags[0].end
    return later.words[ahead : ahead + 1] in (("a",), ("an",), ("some",)) and not is_in(ahead + 1, later.tags)


def _goes_on(later: Piece, kinds: set[str]) -> bool:
    """A command or a dose without an object is about what was spoken of: "so take 500 mg", "two tablets will do"."""
    if later.tags and "dose" in later.tags[0].kinds and later.tags[0].at <= 1 and kinds & {"good", "help"}:
        return True
    if any(word not in _LIGHT and not is_in(number, later.tags) for number, word in enumerate(later.words)):
        return False
    told = (
        leads_with(later)
        or {"you", "modal"} <= kinds
        or ("good" in kinds and any(tag.kinds.get("take", 0) & ING for tag in later.tags))
    )
    return "dose" in kinds and "take" in kinds and told
