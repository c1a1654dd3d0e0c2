"""Reads a clause of an English answer as a frame: what it says is done with a thing X, how, and by whom.

Every word that `english_advice.yaml` knows gets its kinds (stop, avoid, take, harm, good, not, if …). What stands
before X tells what is done with it, what stands behind X tells what is said of it. A negation turns the verb round, so
that "don't stop X" keeps it. Anything that speaks against X (a negation, a harm, a condition, somebody else, an expert)
outweighs anything for it; without anything for it, nothing is advised.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from jatdae.core.yamlfile import read_yaml
from jatdae.dialogue.reading.english_verbs import BASE, ING, PAST, THIRD, verb_forms
from jatdae.dialogue.reading.words import expand
from jatdae.dialogue.rules.stances import AGAINST, KEEP, MORE, NONE, STOP, TAKE, UNFIT

TABLE: Final = Path(__file__).parent / "english_advice.yaml"
_WORD: Final = re.compile(r"[XY]|[a-z]+(?:['-][a-z]+)*|\d+(?:[.,]\d+)*")
_VERBS: Final = frozenset(("stop", "avoid", "keep", "more", "take", "talk", "harm", "help"))
_FINITE: Final = frozenset((*_VERBS, "be", "modal", "speaker"))
_HARMS: Final = frozenset(("harm", "danger", "bad"))
_NEAR: Final = 5
"""How many words may stand between a verb or "instead of" and the thing."""
_PARTNERS: Final = frozenset(("on", "with", "alongside", "plus", "to", "beside", "besides", "and", "combined"))
_REVERSED: Final = re.compile(
    r"\W*(?:but|yet|however,?) (?:not|never|no|it|it's|that|that's|they|you are|you're|your|the|this|those|with|in|i)\b"
)
"""How a clause begins that takes back what was said before it."""
_TURN: Final = re.compile(r"\W*(?:but|yet|however|that said|unfortunately|no|please don't|don't)\b")
_BUT: Final = re.compile(r"\W*(?:but|yet|however|though|although|which|so|except|unless|and|that said)\b")


class Tag(NamedTuple):
    """A word or phrase that a table knows."""

    kinds: Mapping[str, int]
    """What it can be; for verbs with its forms, else 0."""
    at: int
    """Number of its first word in the clause."""
    end: int


class Tables(NamedTuple):
    """Tables of words by first word, and patterns on how clauses hang together."""

    entries: Mapping[str, tuple[tuple[tuple[str, ...], Mapping[str, int]], ...]]
    """The rest of each entry and its kinds, longest first."""
    cut: re.Pattern[str]
    back: re.Pattern[str]
    command: re.Pattern[str]
    light: re.Pattern[str]


def read_english(frame: str, act: bool, drug: bool) -> str:
    """What a sentence with X says of X; empty if it says nothing of it."""
    pieces = _pieces(_IN_YOUR_PLACE.sub("", frame.replace("X-containing", "X")))
    at = next(number for number, piece in enumerate(pieces) if "X" in piece.text)
    piece, rest = _merged(pieces, at)
    if any(_LABEL.fullmatch(each.text) for each in pieces[:at]):
        return NONE
    if _is_unreal(pieces[: at + 1]):
        return NONE
    if act:
        return _act(piece)
    found = _judged(piece, drug)
    if found == TAKE and (piece.has("later") or any(_depends_on_expert(each) for each in pieces[:at])):
        return NONE
    apart, told, of_other = False, False, _is_of_other(piece)
    for number, later in enumerate(rest):
        if apart and found not in ("", NONE) and not _TURN.match(later.text):
            break  # "You can take X. It must not be taken on an empty stomach."
        apart = apart or later.text.rstrip().endswith((".", "!", "?"))
        if (of_other and _SUBJECT.match(later.text)) or _is_unreal(rest[: number + 1]):
            continue
        of_other = of_other or later.words[:1] == ("Y",)
        said = _with(found, later, drug)
        told = told or (said != found and (_leads_with(later) or _TOO.search(later.text) is not None))
        found = (
            KEEP if said == AGAINST and found == NONE and piece.has("stop") else said
        )  # "Some stop X. Don't do that."
    if found in (TAKE, MORE, KEEP) and piece.has("if") and piece.has("expert"):
        return NONE  # "If a dietitian has cleared you for X, stick to that"
    if found in (TAKE, MORE) and not told and not _is_direct(piece) and any(_warns(each) for each in pieces):
        return NONE
    return found


_IN_YOUR_PLACE: Final = re.compile(r"\bif (?:i were you|i were in your \w+|it were (?:me|my \w+)),? ")
"""A condition that only says that the rest is advice: "if I were you"."""


def _is_unreal(pieces: list[Piece]) -> bool:
    """Whether the last clause tells what would be done if things were not as they are."""
    words = pieces[-1].words
    would = [number for number, word in enumerate(words) if word in ("would", "wouldn't") or word.endswith("'d")]
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


_SUPPOSED: Final = re.compile(
    r"^\W*(?:had|were|should) (?:it|this|that|there|the|your|he|she|they|we|i|you)\b(?!.*\?)"
    r"|\bif (?:[\w']+ ){1,4}?(?:were|weren't|wasn't|had been|hadn't|had not|had \w+ed)\b"
)
"""A condition that does not hold: "had it been worse", "if it were another drug"."""


def _is_of_other(piece: Piece) -> bool:
    """Whether the subject of a clause is another thing than X: "Y raises X", "Y does the same as your X does"."""
    if "Y" not in piece.words[:3] or piece.words.index("Y") > piece.words.index("X"):
        return False
    if _COMPARED.search(piece.text):
        return True
    other, place = piece.words.index("Y"), piece.words.index("X")
    verbs = [tag.at for tag in piece.tags if tag.at < place and _FINITE & tag.kinds.keys()]
    return bool(verbs) and verbs[0] > other


_COMPARED: Final = re.compile(r"\b(?:as|like|than) (?:your |the )?X (?:does|do|is|are|has|did|will)\b")
_SUBJECT: Final = re.compile(
    r"\W*(?:and |so |but |which is why |that's why |therefore,? |hence )?(?:it|it's|that one)\b"
)
"""How a clause begins whose subject is that of the clause before it."""


def _is_direct(piece: Piece) -> bool:
    """Whether a clause tells the patient outright: "take X", "you can have X", "I suggest X", "X is fine"."""
    place = piece.words.index("X")
    before = [tag for tag in piece.tags if tag.end <= place]
    behind = [tag for tag in piece.tags if tag.at > place]
    kinds = {kind for tag in before for kind in tag.kinds}
    verb = _verb_of(before, piece.words)
    if "okay" in kinds or "speaker" in kinds or {"you", "modal"} <= kinds or (verb is not None and _leads(verb, piece)):
        return True
    return any("good" in tag.kinds for tag in (*before, *behind)) and piece.has("be")


def _warns(piece: Piece) -> bool:
    """Whether a clause tells of a harm, of others or an expert: what is not told outright is then doubtful."""
    kept, _ = _without_cancelled(piece.tags, piece.words)
    return any({"danger", "bad", "others", "expert", "was"} & tag.kinds.keys() for tag in kept)


_LABEL: Final = re.compile(
    r"\W*(?:a |the |common |active |past |known |medical )*(?:myth|misconception|fiction|false|wrong|ingredients?|"
    r"composition|contains|allerg(?:y|ies)|hx|history|pmh|contraindications?|interactions?|warnings?)"
    r"(?: (?:no |number )?\d+)?\s*:\W*"
)
"""A label before what is only named, or not so: "Myth: …", "Active ingredient: …"."""


class Piece(NamedTuple):
    """A clause: its text, words and tags."""

    text: str
    words: tuple[str, ...]
    tags: tuple[Tag, ...]

    def has(self, *kinds: str) -> bool:
        """Whether a word of such a kind is in it."""
        return any(kind in tag.kinds for tag in self.tags for kind in kinds)


def _pieces(frame: str) -> list[Piece]:
    ends = [found.end() for found in _tables().cut.finditer(frame)]
    texts = [frame[start:end] for start, end in zip([0, *ends], [*ends, len(frame)], strict=True)]
    return [_piece(part) for text in texts for part in _SINCE.split(text, maxsplit=1) if part.strip()]


_SINCE: Final = re.compile(
    r"(?<=\w)(?<!since)(?<!because)(?<!if)(?<!when)(?<!that) (?=you (?:don't need|do not need|no longer need)\b)"
)
"""Where the main clause begins behind a reason without a comma: "Since it is over you don't need X"."""


def _piece(text: str) -> Piece:
    words = tuple(_WORD.findall(text))
    return Piece(text, words, tuple(_tags(words)))


def _tags(words: tuple[str, ...]) -> list[Tag]:
    known, found, number = _tables().entries, [], 0
    while number < len(words):
        word = words[number]
        for rest, kinds in known.get(word, ()):
            end = number + 1 + len(rest)
            if not rest or words[number + 1 : end] == rest:
                found.append(Tag(kinds, number, end))
                number = end
                break
        else:
            if word.endswith("n't"):
                found.append(Tag(_NOT, number, number + 1))
            elif word.endswith(("year-old", "year-olds")):
                found.append(Tag(_SORT, number, number + 1))
            elif word[0].isdigit():
                found.append(Tag(_DOSE, number, number + 1))
            elif word.endswith(("'ll", "'d")):
                found.append(Tag(_MODAL, number, number + 1))
            number += 1
    return found


_NOT: Final = {"not": 0}
_DOSE: Final = {"dose": 0}
_SORT: Final = {"sort": 0}
_MODAL: Final = {"modal": 0}


def _merged(pieces: list[Piece], at: int) -> tuple[Piece, list[Piece]]:
    """The clause of X with the pieces behind it that have no subject or no verb of their own, and the rest."""
    piece, number = pieces[at], at + 1
    while number < len(pieces):
        ahead = pieces[number]
        if (
            piece.text.rstrip().endswith((".", "!", "?"))
            or "Y" in ahead.words
            or _BUT.match(ahead.text)
            or _tables().command.match(ahead.text)
        ):
            break
        starts = bool(ahead.tags) and ahead.tags[0].at == 0 and not {"you", "speaker"} & ahead.tags[0].kinds.keys()
        verb = next((tag for tag in ahead.tags if _FINITE & tag.kinds.keys()), None)
        goes_on = verb is None or (starts and verb is ahead.tags[0] and _needs_subject(verb))
        if not goes_on or (ahead.words and _tables().back.match(ahead.text.strip())):
            break
        piece = _piece(f"{piece.text} {ahead.text}")
        number += 1
    return piece, pieces[number:]


def _needs_subject(tag: Tag) -> bool:
    return bool({"be", "modal"} & tag.kinds.keys()) or any(form & THIRD for form in tag.kinds.values())


def _is_command(tag: Tag) -> bool:
    return any(form & BASE for form in tag.kinds.values()) and not any(form & THIRD for form in tag.kinds.values())


def _depends_on_expert(piece: Piece) -> bool:
    return piece.has("later") or (piece.has("expert") and piece.words[:1] != ("your",))


def _with(found: str, later: Piece, drug: bool) -> str:
    """What is said of X so far together with a later clause."""
    if found in (TAKE, MORE) and _is_reversal(later):
        return NONE
    if "Y" in later.words and not later.has("if"):
        return found
    back = _tables().back.search(later.text)
    said = ""
    if back is not None:
        said = _judged(_piece(later.text[: back.start()] + " X " + later.text[back.end() :]), drug)
    kept, okay = _without_cancelled(later.tags, later.words)
    kinds = {kind for tag in kept for kind in tag.kinds}
    if "if" in kinds:
        unreal = (kinds & {"expert"} or _UNREAL.search(later.text)) and found in (
            TAKE,
            MORE,
        )  # "if you weren't on it", "once your doctor agrees"
        return NONE if unreal else found
    if said in (AGAINST, STOP, UNFIT):
        return said
    if said in (TAKE, KEEP, MORE) and _TURN.match(later.text):
        return said  # "It may feel useless, but it protects your heart"
    if back is None and kept and "stop" in kept[-1].kinds and kept[-1].end == len(later.words) and "not" not in kinds:
        return STOP  # "…, and you may stop"
    if said in (TAKE, KEEP, MORE) and (
        found == "" or (found == NONE and (okay or "dose" in kinds or _leads_with(later) or _TOO.search(later.text)))
    ):
        return said
    against = kinds & {"not", "bad", "danger", "avoid", "harm", "expert"} and not okay
    if found in (TAKE, MORE) and against and back is None:
        return NONE if _BUT.match(later.text) else found
    if found in (TAKE, MORE) and said == NONE and against:
        return NONE
    if found in ("", NONE) and not against and (okay or _goes_on(later, kinds)):
        return TAKE
    return found


def _is_reversal(later: Piece) -> bool:
    """ "…, but not with methotrexate", "…, but it blunts clopidogrel"; not "…, but only for a day"."""
    if _REVERSED.match(later.text) is None:
        return False
    return "Y" in later.words or not later.has("okay", "limit", "good", "help", "dose")


_LIGHT: Final = frozenset(
    ("with", "for", "at", "and", "a", "the", "of", "or", "then", "so", "just", "only", "up", "to")
)


def _is_in(number: int, tags: tuple[Tag, ...]) -> bool:
    return any(tag.at <= number < tag.end for tag in tags)


_UNREAL: Final = re.compile(r"\bif (?:you|it|they|your \w+) (?:weren't|were|didn't|hadn't|wasn't|had not|did not)\b")
"""What is not so: "if you weren't on warfarin"."""


_TOO: Final = re.compile(r"\byou (?:can|could|may|should|might) .*\b(?:too|as well)\b")
"""What holds of others is said of the patient: "your husband takes it; you can take it too"."""


def _leads_with(later: Piece) -> bool:
    return bool(later.tags) and _leads(later.tags[0], later)


def _goes_on(later: Piece, kinds: set[str]) -> bool:
    """A command without an object is about what was spoken of: "…, so take 500 mg"."""
    if any(word not in _LIGHT and not _is_in(number, later.tags) for number, word in enumerate(later.words)):
        return False
    told = _leads_with(later) or ("good" in kinds and any(tag.kinds.get("take", 0) & ING for tag in later.tags))
    return "dose" in kinds and "take" in kinds and told


def _without_cancelled(tags: tuple[Tag, ...], words: tuple[str, ...]) -> tuple[list[Tag], bool]:
    """The tags without a negation and the harm that it denies, and whether something says that there is none.

    What a thing is taken for is no harm of it: "for the rash".
    """
    kept: list[Tag] = []
    okay = False
    ends = 0
    for number, tag in enumerate(tags):
        if tag.at < ends:
            continue
        denied = _denied_harm(tags, number, words) if "not" in tag.kinds else None
        if denied is not None:
            okay, ends = True, denied.end
        elif "good" in tag.kinds and kept and "seem" in kept[-1].kinds and tag.at - kept[-1].end < 2:
            continue  # "looks healthy", "is sold as natural"
        elif not (_HARMS & tag.kinds.keys() and "for" in words[max(0, tag.at - 2) : tag.at]):
            okay = okay or "okay" in tag.kinds
            kept.append(tag)
    return kept, okay


def _denied_harm(tags: tuple[Tag, ...], number: int, words: tuple[str, ...]) -> Tag | None:
    """The harm that a negation denies: "won't do you any harm", "isn't going to matter"; not "I wouldn't touch"."""
    if any({"you", "speaker"} & tag.kinds.keys() for tag in tags[max(0, number - 2) : number]):
        return None
    for ahead in tags[number + 1 :]:
        if ahead.at - tags[number].end > _NEAR or {"stop", "avoid", "not"} & ahead.kinds.keys():
            return None
        if ahead.kinds.keys() & {*_HARMS, "limit"} or ("help" in ahead.kinds and words[tags[number].at] == "nothing"):
            return ahead  # "nothing beats X"
        if not {"modal", "be", "you", "take", "help", "can"} & ahead.kinds.keys():
            return None
    return None


def _judged(piece: Piece, drug: bool) -> str:
    """What one clause says of its X."""
    place = piece.words.index("X")
    tags, okay = _without_cancelled(piece.tags, piece.words)
    before = [tag for tag in tags if tag.end <= place]
    behind = [tag for tag in tags if tag.at > place]
    if _NOT_THE_CAUSE.search(piece.text) or piece.words[0] in ("without", "unlike"):
        return NONE  # "Without X your readings would climb"
    if _is_contrasted(before, piece.words, place):
        return AGAINST
    if "?" in piece.text:
        return TAKE if okay and _PROPOSES.match(piece.text) else NONE
    if _is_of_others(before, behind):
        return NONE
    swapped = _swapped(before, piece.words, place)
    if swapped:
        return swapped
    if _is_spoken_of(piece, before, place, okay):
        return NONE
    return _done(before, behind, okay, piece, drug)


_SWAPS: Final = frozenset(("swap", "trade", "replace", "exchange", "switch", "substitute", "change", "move", "go"))
_PROPOSES: Final = re.compile(r"\W*(?:so |then |and |well |okay |ok )*(?:why not|how about)\b")
"""How a question begins that is a proposal."""


def _swapped(before: list[Tag], words: tuple[str, ...], place: int) -> str:
    """ "Swap Y for X" takes X, "swap X for Y" and "from X to Y" leave it."""
    near = words[max(0, place - 4) : place]
    told = any({"modal", "speaker"} & tag.kinds.keys() or words[tag.at] in _SWAPS for tag in before)
    if "from" in near[-2:] and "to" in words[place:]:
        return STOP if told else NONE  # "switching from X to Y is possible": nobody is told
    if not any("swap" in tag.kinds for tag in before):
        return ""
    turned = any("not" in tag.kinds for tag in before)
    taken = any(word in ("for", "with", "to") for word in near)
    return "" if turned else TAKE if taken else AGAINST


_NOT_THE_CAUSE: Final = re.compile(
    r"\b(?:it|this|that|cause|culprit|reason)(?:'s| is| was)?(?:n't| not) "
    r"(?:because of |from |due to )?(?:the |your )?X"
)
"""What something is not: "it isn't the X"."""


def _is_contrasted(before: list[Tag], words: tuple[str, ...], place: int) -> bool:
    last = next((tag for tag in reversed(before) if "dose" not in tag.kinds), None)
    if last is None or "contrast" not in last.kinds or (words[last.at] == "but" and not last.at):
        return False
    if any("modal" in tag.kinds and tag.end == last.at for tag in before):
        return False  # "Y will not dull X"
    between = words[last.end : place]
    return len(between) < _NEAR and not {"Y", *_PARTNERS} & set(between)


def _is_of_others(before: list[Tag], behind: list[Tag]) -> bool:
    """Whether X is spoken of in a condition, of others, or as something for an expert."""
    kinds = {kind for tag in before for kind in tag.kinds}
    return bool(kinds & {"others", "if", "expert"}) or any("expert" in tag.kinds for tag in behind)


def _is_spoken_of(piece: Piece, before: list[Tag], place: int, okay: bool) -> bool:
    """Whether X is only spoken of: beside another thing, as a reason, as what the patient does, in talking of it."""
    kinds = {kind for tag in before for kind in tag.kinds}
    if _is_partner(piece, before, place) or piece.words[0] in _SUBORDINATE:
        return True
    verbs = [tag for tag in before if _VERBS & tag.kinds.keys()]
    if (
        verbs
        and "you" in kinds
        and not kinds & {"modal", "okay", "need"}
        and verbs[-1].kinds.get("stop") != 0
        and not _leads(verbs[0], piece)
    ):
        you = next(tag for tag in before if "you" in tag.kinds)
        return you.at < verbs[0].at  # "you take X", "you told me X"
    return not okay and bool(verbs) and "talk" in verbs[-1].kinds and len(verbs[-1].kinds) == 1


_SUBORDINATE: Final = frozenset(("since", "because", "as", "given", "although", "though", "while", "whereas"))


def _is_partner(piece: Piece, before: list[Tag], place: int) -> bool:
    """Whether X is only what something else is taken with: "Avoid grapefruit with X", "On X, no Y"."""
    near = piece.words[max(0, place - 3) : place]
    partner = next((word for word in reversed(near) if word in _PARTNERS), "")
    if not partner:
        return False
    if partner in ("on", "with") and place <= 2:
        return not any(_VERBS & tag.kinds.keys() for tag in before)  # "On X, no Y"; but not "begin with X"
    at = place - 1 - list(reversed(near)).index(partner)
    verb = next((tag for tag in reversed(before) if _VERBS & tag.kinds.keys()), None)
    against = any(
        {"avoid", "stop", "not", "bad", "danger", "harm", "contrast"} & tag.kinds.keys() for tag in piece.tags
    )
    if "Y" in piece.words[:place] and (against or partner in ("to", "on")):
        return True
    return (
        against
        and any({"avoid", "not", "bad", "danger", "harm"} & tag.kinds.keys() for tag in before)
        and partner != "to"
        and (verb is None or verb.end < at)
    )


def _leads(tag: Tag, piece: Piece) -> bool:
    """Whether a verb is a command: nothing but light words stands before it."""
    if _tables().command.match(piece.text):
        return True
    return _is_command(tag) and all(_tables().light.fullmatch(word) for word in piece.words[: tag.at])


def _done(before: list[Tag], behind: list[Tag], okay: bool, piece: Piece, drug: bool) -> str:
    """What is done with X by the verb before it, and else what is said of it behind it."""
    turns = sum("not" in tag.kinds for tag in before) % 2
    verb = _verb_of(before, piece.words)
    if _is_bygone(verb, before, piece):
        return NONE
    if verb is not None and "stop" in verb.kinds:
        return _stopped(verb, before, behind, turns, piece.words)
    left = _left(verb, piece)
    if left == KEEP:
        return KEEP
    if verb is not None and "avoid" in verb.kinds:
        return TAKE if turns else _unless_effect(verb, before, AGAINST)
    if turns:
        denied = _denied(verb, before, behind, okay, piece)
        if denied:
            return denied
    if left or _rests(piece.words):
        return left or STOP
    said = _said_of(behind, piece.words, okay, verb is not None and any("modal" in tag.kinds for tag in before))
    if said:
        return said
    if any({"danger", "bad"} & tag.kinds.keys() for tag in before) or (
        verb is not None and verb.kinds.keys() == {"harm"}
    ):
        return NONE
    if verb is not None and "more" in verb.kinds:
        return MORE
    if verb is not None and "keep" in verb.kinds:
        return KEEP if verb.kinds["keep"] != PAST else NONE
    return TAKE if _is_advised(before, behind, verb, piece, okay, drug) else ""


def _denied(verb: Tag | None, before: list[Tag], behind: list[Tag], okay: bool, piece: Piece) -> str:
    """What a negation before X says of it; empty if it denies a harm."""
    if any("need" in tag.kinds for tag in before):
        return KEEP if verb is not None and piece.words[verb.at] in _CHANGES else STOP
    if verb is not None and ("more" in verb.kinds or _is_sequence(verb, behind, piece.words)):
        return NONE  # "do not double it"
    if okay:
        return ""
    others = verb is None and "Y" in piece.words[: piece.words.index("X")]  # "Y will not dull X"
    return NONE if others or _is_only_described(verb, before) else AGAINST


_CHANGES: Final = frozenset(("change", "alter", "adjust", "switch", "swap", "replace", "touch", "reduce", "interrupt"))
"""Who need not do this with X goes on with it."""


def _is_sequence(verb: Tag, behind: list[Tag], words: tuple[str, ...]) -> bool:
    """Whether a negation denies that one thing is done after another: "never take X and then skip lunch"."""
    place = words.index("X")
    if "take" not in verb.kinds or "instead" in words[place:]:
        return False
    if any(pair == ("and", "then") for pair in pairwise(words[place:])):
        return True
    follows = [tag for tag in behind if _is_command(tag) and _VERBS & tag.kinds.keys()]
    return "Y" not in words[place:] and any(words[tag.at - 1] == "and" for tag in follows)


def _is_bygone(verb: Tag | None, before: list[Tag], piece: Piece) -> bool:
    """Whether the past is told, as in notes: "Took X for 10 days in May", "anaphylaxis to X in 1998"."""
    if any({"modal", "speaker", "okay"} & tag.kinds.keys() for tag in before):
        return False
    forms = [form for kind, form in verb.kinds.items() if kind in ("take", "stop")] if verb is not None else []
    return bool(forms and all(form == PAST for form in forms)) or _DATED.search(piece.text) is not None


_DATED: Final = re.compile(
    r"\b(?:in|since|of) (?:19|20)\d\d\b"
    r"|\bsince (?:january|february|march|april|may|june|july|august|september|october|november|december)\b"
)


def _is_only_described(verb: Tag | None, before: list[Tag]) -> bool:
    """ "her plan relies on not taking X": what is not done, and nobody is told."""
    if verb is None or not verb.kinds.get("take", 0) & ING:
        return False
    return bool(before[0].at) and not any(
        {"modal", "speaker", "good", "okay", "need", "you"} & tag.kinds.keys() for tag in before
    )


_LEAVING: Final = frozenset(("leave", "keep", "put", "take", "throw", "toss", "chuck"))
_AWAY: Final = frozenset(
    ("out", "alone", "away", "off", "back", "aside", "home", "shelf", "drawer", "cupboard", "cabinet", "rack")
)


_AS_IT_IS: Final = re.compile(r"X\b.{0,20}\b(?:as (?:it|they) (?:is|are)|as is|unchanged|the same)\b")


def _left(verb: Tag | None, piece: Piece) -> str:
    """What becomes of an X that is left or put somewhere: "leave X as it is", "put the X back"."""
    if verb is None or piece.words[verb.at] not in _LEAVING:
        return ""
    return KEEP if _AS_IT_IS.search(piece.text) else AGAINST if _goes_away(piece.words) else ""


def _goes_away(words: tuple[str, ...]) -> bool:
    """ "keep X out of the house", "put the X back", "leave X on the shelf"."""
    place = words.index("X")
    return not _AWAY.isdisjoint(words[place + 1 : place + 5])


def _rests(words: tuple[str, ...]) -> bool:
    """ "give X a rest"."""
    place = words.index("X")
    return words[place + 1 : place + 2] == ("a",) and not _RESTS.isdisjoint(words[place + 2 : place + 4])


_RESTS: Final = frozenset(("rest", "break", "miss", "pause", "holiday"))


def _verb_of(before: list[Tag], words: tuple[str, ...]) -> Tag | None:
    """The verb that X hangs on; of "stop taking X" and "discourage you from taking X" the first."""
    verbs = [tag for tag in before if _VERBS & tag.kinds.keys()]
    while len(verbs) > 1 and verbs[-1].kinds.get("take", 0) & ING:
        if not {"you", "from", "yourself"}.issuperset(words[verbs[-2].end : verbs[-1].at]):
            break
        verbs.pop()
    return verbs[-1] if verbs else None


def _unless_effect(verb: Tag, before: list[Tag], stance: str) -> str:
    """A verb of another's doing tells of an effect: "Y spares X"."""
    forms = verb.kinds.get("avoid", 0) | verb.kinds.get("stop", 0)
    free = any({"modal", "speaker", "you"} & tag.kinds.keys() for tag in before)
    return NONE if forms == THIRD and not free else stance


_WHOLLY: Final = frozenset(("forever", "completely", "altogether", "entirely", "totally"))


def _stopped(verb: Tag, before: list[Tag], behind: list[Tag], turns: int, words: tuple[str, ...]) -> str:
    turned = turns + any("avoid" in tag.kinds and tag is not verb for tag in before)
    form = verb.kinds["stop"]
    if turned % 2:
        return NONE if _WHOLLY & set(words) else KEEP  # "you don't have to quit X altogether"
    if form == PAST and not any({"you", "speaker", "modal", "be"} & tag.kinds.keys() for tag in before):
        return NONE  # "a missed X"
    if any("bad" in tag.kinds for tag in before):
        return KEEP
    if any({"harm", "danger"} & tag.kinds.keys() and not {"stop", "take"} & tag.kinds.keys() for tag in before):
        return NONE
    if form & ING and not any(
        {"take", "good", "modal", "okay"} & tag.kinds.keys() for tag in before if tag is not verb
    ):
        kinds = {kind for tag in behind for kind in tag.kinds}
        if kinds & {"good", "help", "okay"} and not kinds & {"bad", "danger", "not"}:
            return STOP  # "Stopping X is fine"
        return KEEP if kinds & {"bad", "harm", "danger", "not", "can"} else NONE
    return _unless_effect(verb, before, STOP)


def _said_of(behind: list[Tag], words: tuple[str, ...], okay: bool, led: bool) -> str:
    """What is said behind X that speaks against it, or keeps it; empty if nothing does.

    Where X is the object of a verb with a modal (`led`), a participle behind it describes it: "try X blended with Y".
    """
    kinds = {kind for tag in behind for kind in tag.kinds}
    ahead = words[words.index("X") + 1 :]
    if ahead[:1] == ("free",) or (behind and "was" in behind[0].kinds):
        return NONE
    if "can" in kinds and ahead[:1] in (("plus",), ("with",), ("and",)) and "Y" in ahead:
        return NONE
    if (_is_past(behind) and not led) or _is_state(behind):
        return NONE
    turned = "not" in kinds
    told = next((tag for tag in behind if _is_told_off(tag, behind, words)), None)
    if told is not None:
        return (KEEP if turned else STOP) if "stop" in told.kinds else (TAKE if turned else AGAINST)
    if turned:
        return NONE if not _TOGETHER.isdisjoint(ahead) else AGAINST if "modal" in kinds else UNFIT
    if okay:
        return ""
    if "bad" in kinds:
        return UNFIT
    if _is_harm(behind, words):
        return NONE
    first = next((tag for tag in behind if _VERBS & tag.kinds.keys()), None)
    stays = first is not None and "keep" in first.kinds and not words[first.at].startswith(("keep", "kept"))
    return KEEP if stays else ""


def _is_past(behind: list[Tag]) -> bool:
    """Whether what X did is told of the past: "X gave you hives"."""
    first = next((tag for tag in behind if _FINITE & tag.kinds.keys()), None)
    forms = [form for kind, form in first.kinds.items() if kind in _VERBS] if first is not None else []
    return bool(forms) and all(form == PAST for form in forms)


def _is_state(behind: list[Tag]) -> bool:
    """ "X has to be out of your system": what X must be, and nothing that is done with it."""
    if len(behind) < 2 or "modal" not in behind[0].kinds or "be" not in behind[1].kinds:
        return False
    return not any({*_VERBS, "good", "okay", "bad", "danger", "not"} & tag.kinds.keys() for tag in behind[2:])


def _is_harm(behind: list[Tag], words: tuple[str, ...]) -> bool:
    """Whether a harm of X is told, or what others do with it; what comes after a help is what it helps against."""
    possible = any("can" in tag.kinds for tag in behind)
    for number, tag in enumerate(behind):
        if "help" in tag.kinds:
            return any({"others", "sort"} & each.kinds.keys() for each in behind[number:])
        harms = "harm" in tag.kinds and not _helps(tag, behind[:number], words)
        if harms or {"danger", "others", "sort"} & tag.kinds.keys() or ("stop" in tag.kinds and possible):
            return True
    return False


def _is_told_off(tag: Tag, behind: list[Tag], words: tuple[str, ...]) -> bool:
    """ "should be avoided", "is one to avoid", "has to stop", "… and call it quits"; not "take X to reduce …"."""
    forms = tag.kinds.get("stop", 0) | tag.kinds.get("avoid", 0)
    if forms & PAST and not forms & BASE:
        return True
    before = words[tag.at - 1]
    if not forms & BASE or before not in ("to", "must", "should", "and", "then"):
        return False
    if before == "to":
        return bool({"be", "need"} & behind[0].kinds.keys())
    return before in ("must", "should") or words[tag.end :] in ((), ("it",), ("them",))


_TOGETHER: Final = frozenset(("combined", "mixed", "together", "mix", "combine", "pair", "paired"))
"""Words with which a negation denies a pair, not each of the two."""


def _helps(tag: Tag, before: list[Tag], words: tuple[str, ...]) -> bool:
    """ "will slow it": what the patient complains of, and no harm."""
    will = any("modal" in each.kinds and "can" not in each.kinds for each in before)
    return will and words[tag.end : tag.end + 1] in (("it",), ("that",), ("them",), ("those",), ("things",), ("this",))


def _is_advised(before: list[Tag], behind: list[Tag], verb: Tag | None, piece: Piece, okay: bool, drug: bool) -> bool:
    """Whether anything in the clause advises or allows X."""
    ahead = {kind for tag in before for kind in tag.kinds}
    after = {kind for tag in behind for kind in tag.kinds}
    if okay or after & {"good", "help"} or "good" in ahead:
        return True
    free = "modal" in ahead and ("can" not in ahead or "you" in ahead)
    if verb is not None and (free or "speaker" in ahead or _leads(verb, piece)):
        return True
    if _tables().command.match(piece.text) or free:
        return True
    if "help" in ahead and not {"with", "by"}.isdisjoint(piece.words[: piece.words.index("X")]):
        return True
    if "modal" in after and (not {"can", "would"} & after or any(tag.kinds.get("take", 0) & PAST for tag in behind)):
        return True
    if {"need", "you"} <= ahead or {"need", "you"} <= after:
        return True
    dosed = "dose" in ahead or "dose" in after
    return dosed and (drug or verb is not None or not {"be", "modal", *_VERBS} & (ahead | after))


def _act(piece: Piece) -> str:
    """What a clause says of an act X, which has a verb of its own: "you can skip dinner"."""
    place = piece.words.index("X")
    tags, okay = _without_cancelled(piece.tags, piece.words)
    before = [tag for tag in tags if tag.end <= place]
    behind = [tag for tag in tags if tag.at > place]
    kinds = {kind for tag in before for kind in tag.kinds}
    after = {kind for tag in behind for kind in tag.kinds}
    if "?" in piece.text:
        return NONE
    turning = [tag for tag in before if {"not", "avoid", "stop", "contrast"} & tag.kinds.keys()]
    if sum(piece.words[tag.end] not in ("or", "and") for tag in turning) % 2:
        return AGAINST
    if (
        kinds & {"others", "if", "expert", "danger", "was"}
        or "expert" in after
        or (kinds & {"you"} and not kinds & {"modal"})
    ):
        return NONE
    if okay:
        return TAKE
    if after & {"bad", "not"}:
        return AGAINST
    finite = next((tag for tag in behind if _FINITE & tag.kinds.keys()), None)
    subject = place == 0 and finite is not None and _PRONOUNS.isdisjoint(piece.words[: finite.at])
    if subject and finite is not None and _needs_subject(finite) and not after & {"good", "help"}:
        return NONE  # "Skipping lunch is how people end up here"
    if (
        after & {"danger"}
        or ("harm" in after and "help" not in after)
        or (behind and "modal" in behind[0].kinds and "good" not in after)
    ):
        return NONE
    return TAKE


_PRONOUNS: Final = frozenset(("it", "that", "this", "they", "you", "i", "we", "your"))


@lru_cache(maxsize=1)
def _tables() -> Tables:
    content: dict[str, Any] = read_yaml(TABLE).value
    kinds: dict[tuple[str, ...], dict[str, int]] = {}
    for kind, given in content["verbs"].items():
        for entry in (form for text in given for form in expand(text)):
            for form, text in verb_forms(entry):
                known = kinds.setdefault(tuple(text.split()), {})
                known[kind] = known.get(kind, 0) | form
    for kind, given in content["words"].items():
        for entry in (form for text in given for form in expand(text)):
            kinds.setdefault(tuple(entry.split()), {}).setdefault(kind, 0)
    entries: dict[str, list[tuple[tuple[str, ...], Mapping[str, int]]]] = {}
    for words, each in sorted(kinds.items(), key=lambda item: -len(item[0])):
        entries.setdefault(words[0], []).append((words[1:], each))
    for words, each in kinds.items():
        if len(words) == 1 and words[0].endswith("n't"):
            each.setdefault("not", 0)
    command = rf"\W*(?:{content['light']}\W+)*(?!{content['closed']}\b)[a-z]+ {content['object']}\b"
    return Tables(
        {word: tuple(rows) for word, rows in entries.items()},
        re.compile(content["cut"]),
        re.compile(content["back"]),
        re.compile(command),
        re.compile(content["light"]),
    )
