"""Reads a clause of an English answer as a frame: what it says is done with a thing X, how, and by whom.

Every word that `english_advice.yaml` knows gets its kinds (stop, avoid, take, harm, good, not, if …). What stands
before X tells what is done with it, what stands behind X tells what is said of it. A negation turns the verb round, so
that "don't stop X" keeps it. Anything that speaks against X (a negation, a harm, a condition, somebody else, an expert)
outweighs anything for it; without anything for it, nothing is advised.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from jatdae.dialogue.reading.english_verbs import BASE, ING, PAST, THIRD
from jatdae.dialogue.rules.english_pieces import FINITE, VERBS, Piece, Tag, is_command, leads, tables
from jatdae.dialogue.rules.stances import AGAINST, KEEP, MORE, NONE, STOP, TAKE, UNFIT

_HARMS: Final = {"harm", "danger", "bad"}
_NEAR: Final = 5
"""How many words may stand between a verb or "instead of" and the thing."""
_ITS_PARTNER: Final = frozenset(("it", "them", "that", "this", "these", "those", "one", "either", "both"))
"""What stands for another thing that is put together with X."""
_PARTNERS: Final = frozenset(("on", "with", "alongside", "plus", "to", "beside", "besides", "and", "combined"))


def read_clause(piece: Piece, drug: bool) -> str:
    """What one clause says of its X."""
    place = piece.words.index("X")
    tags, okay = without_cancelled(piece.tags, piece.words)
    before = [tag for tag in tags if tag.end <= place]
    behind = [tag for tag in tags if tag.at > place]
    if _NOT_THE_CAUSE.search(piece.text) or _ONLY_IF.search(piece.text) or piece.words[0] in ("without", "unlike"):
        return NONE  # "Without X your readings would climb"
    if _is_contrasted(before, piece.words, place):
        if "without" not in piece.words[:place] or not any("not" in tag.kinds for tag in before[:-1]):
            return AGAINST
        told = any({"you", "speaker", "modal"} & tag.kinds.keys() for tag in before)
        return KEEP if told else NONE  # "you don't want to be without X"; not "rarely begins without X"
    if "?" in piece.text:
        return TAKE if okay and _PROPOSES.match(piece.text) else NONE
    if _is_of_others(before, behind, piece.words):
        return NONE
    swapped = _swapped(before, piece.words, place)
    if swapped:
        return swapped
    if _is_spoken_of(piece, before, place, okay):
        return NONE
    return _done(before, behind, okay, piece, drug)


_SWAPS: Final = frozenset(("swap", "trade", "replace", "exchange", "switch", "substitute", "change", "move", "go"))
_PROPOSES: Final = re.compile(
    r"\W*(?:so |then |and |well |okay |ok )*"
    r"(?:why not|how about|what about|have you (?:considered|thought (?:about|of)))\b"
)
"""How a question begins that is a proposal."""


def _swapped(before: list[Tag], words: tuple[str, ...], place: int) -> str:
    """ "Swap Y for X" takes X, "swap X for Y" and "from X to Y" leave it."""
    near = words[max(0, place - 4) : place]
    told = any(
        {"modal", "speaker"} & tag.kinds.keys() or words[tag.at] in _SWAPS or words[tag.at] == "try" for tag in before
    )
    if "from" in near[-2:] and "to" in words[place:]:
        return STOP if told else NONE  # "switching from X to Y is possible": nobody is told
    if not any("swap" in tag.kinds for tag in before):
        return ""
    turned = any("not" in tag.kinds for tag in before)
    swap = next(tag for tag in before if "swap" in tag.kinds)
    if swap.at and (_DOES.fullmatch(words[swap.at - 1]) or words[swap.at].endswith("s")):
        return NONE  # "Such products replace Y with X": how a thing is made
    taken = any(word in ("for", "with", "to") for word in words[swap.end : place])
    if turned:
        return AGAINST if taken and not any({"need", "okay"} & tag.kinds.keys() for tag in before) else ""
    return TAKE if taken else AGAINST


_DOES: Final = re.compile(
    r"(?:products?|brands?|substitutes?|versions?|makers?|manufacturers?|types?|kinds?|mixtures?|recipes?|salts?|most"
    r"|they|"
    r"these|those|which|that|it|companies)"
)
"""What does something of its own before a verb: "such products swap Y for X"."""
_ONLY_IF: Final = re.compile(r"\bX (?:can|may|should|must) only be \w+ .*\b(?:after|once|when|if|by|under)\b")
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
    if words[last.at].startswith("beat") and words[last.at - 1] in _UNBEATEN:
        return False
    if words[last.at] == "than" and any("danger" in tag.kinds for tag in before[-3:]):
        return False  # "a seizure is riskier than X"
    between = words[last.end : place]
    return len(between) < _NEAR and not {"Y", *_PARTNERS} & set(between)


_UNBEATEN: Final = frozenset(("nothing", "little", "few", "can't", "to"))
"""Words before "beats X" that praise X."""


def _is_of_others(before: list[Tag], behind: list[Tag], words: tuple[str, ...]) -> bool:
    """Whether X is spoken of in a condition, of others, or as something for an expert."""
    kinds = {kind for tag in before for kind in tag.kinds}
    if "others" in kinds and is_dosed(behind, words) and words[words.index("X") - 1] in ("is", "a", "be"):
        kinds.discard("others")  # "what most people take is X 60 mg once a day"
    return bool(kinds & {"others", "if", "expert"}) or any("expert" in tag.kinds for tag in behind)


def _is_spoken_of(piece: Piece, before: list[Tag], place: int, okay: bool) -> bool:
    """Whether X is only spoken of: beside another thing, as a reason, as what the patient does, in talking of it."""
    kinds = {kind for tag in before for kind in tag.kinds}
    if _is_partner(piece, before, place) or piece.words[0] in _SUBORDINATE:
        return True
    if not okay and "stop" not in kinds and "you've" in piece.words[:place] and _REACHED.search(piece.text):
        return True
    verbs = [tag for tag in before if VERBS & tag.kinds.keys()]
    if (
        verbs
        and "you" in kinds
        and not kinds & {"modal", "okay", "need"}
        and verbs[-1].kinds.get("stop") != 0
        and not leads(verbs[0], piece)
    ):
        you = next(tag for tag in before if "you" in tag.kinds)
        return you.at < verbs[0].at  # "you take X", "you told me X"
    return not okay and bool(verbs) and "talk" in verbs[-1].kinds and len(verbs[-1].kinds) == 1


_REACHED: Final = re.compile(
    r"\byou've (?:already |now |just )?(?:[a-z]+ed|come|gone|cut|been|had|gotten|done|quit|kept|brought|taken|"
    r"given up)\b[^.;]*\bX\b"
)
"""What the patient has done so far: "you've come down to two X a day"."""
_SUBORDINATE: Final = frozenset(("since", "because", "as", "given", "although", "though", "while", "whereas"))


def _is_partner(piece: Piece, before: list[Tag], place: int) -> bool:
    """Whether X is only what something else is taken with: "Avoid grapefruit with X", "On X, no Y"."""
    near = piece.words[max(0, place - 3) : place]
    partner = next((word for word in reversed(near) if word in _PARTNERS), "")
    if not partner:
        return False
    if partner in ("on", "with") and place <= 2 and "Y" not in piece.words[:place]:
        return not any(VERBS & tag.kinds.keys() for tag in before)  # "On X, no Y"; but not "begin with X"
    at = place - 1 - list(reversed(near)).index(partner)
    verb = next((tag for tag in reversed(before) if VERBS & tag.kinds.keys()), None)
    against = any(
        {"avoid", "stop", "not", "bad", "danger", "harm", "contrast"} & tag.kinds.keys() for tag in piece.tags
    )
    if partner == "and" and verb is not None and verb.at > at:
        return False  # "take Y and leave the X off"
    if "Y" in piece.words[:place] and (against or partner in ("to", "on")):
        return True
    if against and partner != "and" and verb is not None and _ITS_PARTNER.issuperset(piece.words[verb.end : at]):
        return verb.end < at  # "don't add it to an X"
    return (
        against
        and any({"avoid", "not", "bad", "danger", "harm"} & tag.kinds.keys() for tag in before)
        and partner != "to"
        and (verb is None or verb.end < at)
    )


def _done(before: list[Tag], behind: list[Tag], okay: bool, piece: Piece, drug: bool) -> str:
    """What is done with X by the verb before it, and else what is said of it behind it."""
    turns = sum("not" in tag.kinds for tag in before) % 2
    verb = verb_of(before, piece.words)
    if _is_bygone(verb, before, piece):
        return NONE
    if verb is not None and "stop" in verb.kinds:
        return _stopped(verb, before, behind, turns, piece.words, okay)
    left = _left(verb, piece)
    if left == KEEP:
        return KEEP
    if verb is not None and "avoid" in verb.kinds:
        return TAKE if turns else _unless_effect(verb, before, piece.words, AGAINST)
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
    follows = [tag for tag in behind if is_command(tag) and VERBS & tag.kinds.keys()]
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


_LEAVING: Final = frozenset(("keeping", "leaving", "putting", "leave", "keep", "put", "take", "throw", "toss", "chuck"))
_AWAY: Final = frozenset(
    (
        "out",
        "behind",
        "alone",
        "away",
        "off",
        "back",
        "aside",
        "home",
        "shelf",
        "drawer",
        "cupboard",
        "cabinet",
        "rack",
        "hold",
        "ice",
        "reserve",
    )
)
_AS_IT_IS: Final = re.compile(r"X\b.{0,20}\b(?:as (?:it|they) (?:is|are)|as is|unchanged|the same)\b")


def _left(verb: Tag | None, piece: Piece) -> str:
    """What becomes of an X that is left or put somewhere: "leave X as it is", "put the X back"."""
    if verb is None or piece.words[verb.at] not in _LEAVING:
        return ""
    if piece.words[verb.at] == "take" and "home" in piece.words:
        return ""  # "take the first X at home"
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


def verb_of(before: list[Tag], words: tuple[str, ...]) -> Tag | None:
    """The verb that X hangs on; of "stop taking X" and "discourage you from taking X" the first."""
    verbs = [tag for tag in before if VERBS & tag.kinds.keys()]
    while len(verbs) > 1 and verbs[-1].kinds.get("take", 0) & ING:
        if not {"you", "from", "yourself"}.issuperset(words[verbs[-2].end : verbs[-1].at]):
            break
        verbs.pop()
    return verbs[-1] if verbs else None


def _unless_effect(verb: Tag, before: list[Tag], words: tuple[str, ...], stance: str) -> str:
    """A verb of another's doing tells of an effect: "Y spares X", "both hold X back"."""
    forms = verb.kinds.get("avoid", 0) | verb.kinds.get("stop", 0)
    if any({"modal", "speaker", "you"} & tag.kinds.keys() for tag in before):
        return stance
    of_others = forms == THIRD or (verb.at > 0 and words[verb.at - 1] in _DOERS and forms & BASE)
    return NONE if of_others else stance


_DOERS: Final = frozenset(("both", "they", "all", "these", "those", "which", "that", "drugs", "tablets", "Y"))
"""Words right before a verb that are its subject."""
_WHOLLY: Final = frozenset(("forever", "completely", "altogether", "entirely", "totally"))


def _stopped(verb: Tag, before: list[Tag], behind: list[Tag], turns: int, words: tuple[str, ...], okay: bool) -> str:
    turned = turns + any("avoid" in tag.kinds and tag is not verb for tag in before)
    form = verb.kinds["stop"]
    if turned % 2:
        return NONE if _WHOLLY & set(words) else KEEP  # "you don't have to quit X altogether"
    if form == PAST and not any({"you", "speaker", "modal", "be"} & tag.kinds.keys() for tag in before):
        return NONE  # "a missed X"
    if any("bad" in tag.kinds for tag in before):
        return KEEP
    harmed = any({"harm", "danger"} & tag.kinds.keys() and not {"stop", "take"} & tag.kinds.keys() for tag in before)
    if harmed and not any("okay" in tag.kinds for tag in before):
        return NONE
    if form & ING and not any(
        {"take", "good", "modal", "okay"} & tag.kinds.keys() for tag in before if tag is not verb
    ):
        kinds = {kind for tag in behind for kind in tag.kinds}
        if (okay or kinds & {"good", "help"}) and not kinds & {"bad", "danger", "not"}:
            return STOP  # "Stopping X is fine"
        return KEEP if kinds & {"bad", "harm", "danger", "not", "can"} else NONE
    return _unless_effect(verb, before, words, STOP)


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
    if turned and "need" in kinds and "harm" not in kinds:
        return STOP  # "X is no longer needed"
    if any(tag.kinds.get("stop") == 0 for tag in behind) and not turned:
        return STOP  # "X can go in the bin"
    if turned:
        return NONE if not _TOGETHER.isdisjoint(ahead) else AGAINST if "modal" in kinds else UNFIT
    if any("others" in tag.kinds and words[tag.at - 2 : tag.at] in _THEIR for tag in behind):
        return NONE  # "no problem for your husband"
    if okay:
        return ""
    if "bad" in kinds:
        return UNFIT
    if _is_harm(behind, words):
        return NONE
    first = next((tag for tag in behind if VERBS & tag.kinds.keys()), None)
    stays = first is not None and "keep" in first.kinds and not words[first.at].startswith(("keep", "kept"))
    return KEEP if stays and first is not None and not _ABIDES.match(" ".join(words[first.end :])) else ""


_THEIR: Final = (("for", "your"), ("with", "your"), ("by", "your"))
_ABIDES: Final = re.compile(
    r"(?:active|working|effective|strong|high|around|longer|long|present|detectable|behind|out|away|off|shut|closed|"
    r"in (?:your|the|its|a|our) |on (?:the|your) (?:shelf|rack)|inside|dangerous|risky|popular|common|"
    r"the (?:same|one)\b)"
)
"""How a thing stays that is not gone on with: "stays active for 36 hours", "stays in the cupboard"."""


def _is_past(behind: list[Tag]) -> bool:
    """Whether what X did is told of the past: "X gave you hives"."""
    first = next((tag for tag in behind if FINITE & tag.kinds.keys()), None)
    forms = [form for kind, form in first.kinds.items() if kind in VERBS] if first is not None else []
    return bool(forms) and all(form == PAST for form in forms)


def _is_state(behind: list[Tag]) -> bool:
    """ "X has to be out of your system": what X must be, and nothing that is done with it."""
    if len(behind) < 2 or "modal" not in behind[0].kinds or "be" not in behind[1].kinds:
        return False
    return not any({*VERBS, "good", "okay", "bad", "danger", "not"} & tag.kinds.keys() for tag in behind[2:])


def _is_harm(behind: list[Tag], words: tuple[str, ...]) -> bool:
    """Whether a harm of X is told, or what others do with it; what comes after a help is what it helps against."""
    possible = any("can" in tag.kinds for tag in behind)
    told = is_dosed(behind, words)
    for number, tag in enumerate(behind):
        if "help" in tag.kinds:
            rest = behind[number:]
            then = any("danger" in each.kinds and "and" in words[tag.end : each.at] for each in rest)
            return then or (not told and any({"others", "sort"} & each.kinds.keys() for each in rest))
        harms = "harm" in tag.kinds and not _helps(tag, behind[:number], words)
        if (told and "others" in tag.kinds) or ("more" in tag.kinds and words[tag.at - 1] in ("and", "then")):
            continue  # "begin X at 100 mg and raise it monthly"
        if harms or {"danger", "others", "sort"} & tag.kinds.keys() or ("stop" in tag.kinds and possible):
            return True
    return False


def is_dosed(behind: list[Tag], words: tuple[str, ...]) -> bool:
    """Whether a prescription begins with X: "X 200 mg three times a day brings most people back into rhythm"."""
    place = words.index("X")
    return len(behind) > 2 and behind[0].at <= place + 2 and all("dose" in tag.kinds for tag in behind[:3])


def _is_told_off(tag: Tag, behind: list[Tag], words: tuple[str, ...]) -> bool:
    """ "should be avoided", "is one to avoid", "has to stop", "… and call it quits"; not "take X to reduce …"."""
    forms = tag.kinds.get("stop", 0) | tag.kinds.get("avoid", 0)
    before = words[tag.at - 1]
    if before in ("has", "have", "had") and "once" in words[: tag.at]:
        return False  # "once the pain has passed"
    if forms & BASE and before in _OWN_WILL and _HOW_LONG.issuperset(words[tag.end :]):
        return True  # "the X i'd pass on"
    if forms & PAST and not forms & BASE:
        return True
    if forms & PAST and before in ("be", "been", "being"):
        return True  # "can be put away"
    if not forms & BASE or before not in ("to", "must", "should", "and", "then"):
        return False
    if before in ("must", "should") and _OBJECTS.issuperset(words[tag.end : tag.end + 1]) and tag.end < len(words):
        return False  # "X should control the palpitations"
    if before == "to":
        return bool({"be", "need"} & behind[0].kinds.keys())
    return before in ("must", "should") or words[tag.end :] in ((), ("it",), ("them",))


_OWN_WILL: Final = frozenset(("i'd", "we'd", "i'll", "we'll", "i", "we"))
_HOW_LONG: Final = frozenset(
    ("for", "now", "today", "tonight", "altogether", "completely", "this", "time", "the", "moment")
)
_OBJECTS: Final = frozenset(("the", "your", "those", "these", "most", "any"))
"""Words with which the object of a verb begins."""
_TOGETHER: Final = frozenset(("combined", "mixed", "together", "mix", "combine", "pair", "paired"))
"""Words with which a negation denies a pair, not each of the two."""
_WELL: Final = frozenset(("nicely", "well", "gently", "beautifully", "effectively", "comfortably", "safely"))
"""Words with which an effect is a wanted one."""


def _helps(tag: Tag, before: list[Tag], words: tuple[str, ...]) -> bool:
    """ "will slow it", "would slow your heart nicely": what the patient complains of, and no harm."""
    will = any("modal" in each.kinds and "can" not in each.kinds for each in before)
    if will and not _WELL.isdisjoint(words[tag.end :]):
        return True
    return will and words[tag.end : tag.end + 1] in (("it",), ("that",), ("them",), ("those",), ("things",), ("this",))


def _is_advised(before: list[Tag], behind: list[Tag], verb: Tag | None, piece: Piece, okay: bool, drug: bool) -> bool:
    """Whether anything in the clause advises or allows X."""
    ahead = {kind for tag in before for kind in tag.kinds}
    after = {kind for tag in behind for kind in tag.kinds}
    if okay or after & {"good", "help"} or "good" in ahead:
        return True
    free = "modal" in ahead and ("can" not in ahead or "you" in ahead)
    if verb is not None and (free or "speaker" in ahead or leads(verb, piece)):
        return True
    if tables().command.match(piece.text) or free:
        return True
    if "help" in ahead and not {"with", "by"}.isdisjoint(piece.words[: piece.words.index("X")]):
        return True
    taken = any(tag.kinds.get("take", 0) & PAST for tag in behind)
    if "modal" in after and (taken or (not {"can", "would"} & after and not _is_deed(behind, piece.words))):
        return True
    if {"need", "you"} <= ahead or {"need", "you"} <= after or is_prescribed(behind):
        return True
    if _is_set(behind, piece.words):
        return True
    dosed = "dose" in ahead or "dose" in after
    if not verb and _IS_EFFECT.search(piece.text):
        return False
    return dosed and (drug or verb is not None or not {"be", "modal", *VERBS} & (ahead | after))


def _is_set(behind: list[Tag], words: tuple[str, ...]) -> bool:
    """Whether a prescription begins with X and tells how many: "then X 5 × 5 at about 85 %"."""
    place = words.index("X")
    light = all(tables().light.fullmatch(word) for word in words[:place])
    return light and bool(behind) and behind[0].at == place + 1 and words[place + 1][0].isdigit()


_IS_EFFECT: Final = re.compile(
    r"\bX (?:(?:[a-z]+|Y) ){0,4}?(?:can|could|may|might) (?:also |even |easily |still |quickly |well )?"
    r"(?!be\b|do\b)[a-z]+ "
)
"""What X can do: "even a few days of X could push you into the 400s"."""


def _is_deed(behind: list[Tag], words: tuple[str, ...]) -> bool:
    """Whether X itself does something that no table knows: "X will survive without you"."""
    modal = next(tag for tag in behind if "modal" in tag.kinds)
    return words[modal.at] == "will" and modal.end < len(words) and not is_in(modal.end, tuple(behind))


def is_prescribed(behind: list[Tag]) -> bool:
    """Whether X is told to be taken in the passive: "X can be started", "X should be added", "X gets added"."""
    first = next((n for n, tag in enumerate(behind) if tag.kinds.get("take", 0) & PAST), None)
    return first is not None and any({"modal", "get"} & tag.kinds.keys() for tag in behind[:first])


def is_in(number: int, tags: tuple[Tag, ...]) -> bool:
    """Whether a word, by its number, is in a tag."""
    return any(tag.at <= number < tag.end for tag in tags)


def without_cancelled(tags: tuple[Tag, ...], words: tuple[str, ...]) -> tuple[list[Tag], bool]:
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
            okay, ends = True, _end_of_harm(tags, denied)
        elif "good" in tag.kinds and kept and "seem" in kept[-1].kinds and tag.at - kept[-1].end < 2:
            continue  # "looks healthy", "is sold as natural"
        elif (
            not (_HARMS & tag.kinds.keys() or words[tag.at] == "control")
            or "for" not in words[max(0, tag.at - 2) : tag.at]
        ):
            okay = okay or "okay" in tag.kinds
            kept.append(tag)
    return kept, okay


_FORBIDS: Final = frozenset(("don't", "never", "do"))
"""How an order not to do something begins."""
_BODY: Final = frozenset(
    ("blood", "heart", "kidneys", "kidney", "liver", "body", "lungs", "system", "gut", "brain", "bones")
)
"""What cannot do something that it should."""
_GIVEN: Final = frozenset(("the", "this", "that", "your"))


def _end_of_harm(tags: tuple[Tag, ...], denied: Tag) -> int:
    """Where a denied harm ends, with the harm that is its object: "doesn't cause lows"."""
    return next(
        (tag.end for tag in tags if denied.end <= tag.at <= denied.end + 1 and _HARMS & tag.kinds.keys()), denied.end
    )


def _denied_harm(tags: tuple[Tag, ...], number: int, words: tuple[str, ...]) -> Tag | None:
    """The harm that a negation denies: "won't do you any harm", "isn't going to matter"; not "I wouldn't touch"."""
    if any({"you", "speaker"} & tag.kinds.keys() for tag in tags[max(0, number - 2) : number]):
        return None
    if words[tags[number].at] in _FORBIDS and all(tables().light.fullmatch(word) for word in words[: tags[number].at]):
        return None  # "please don't touch the X"
    if words[max(0, tags[number].at - 1)] in _BODY:
        return None  # "your blood can't carry enough oxygen"
    for ahead in tags[number + 1 :]:
        if ahead.at - tags[number].end > _NEAR or {"stop", "avoid", "not"} & ahead.kinds.keys():
            return None
        if (
            words[ahead.at - 1] in _GIVEN
            and ahead.at - 1 > tags[number].end
            and ahead.kinds.keys() <= {"danger", "bad"}
        ):
            return None  # "isn't a way round the problem"
        if ahead.kinds.keys() & {*_HARMS, "limit"} or ("help" in ahead.kinds and words[tags[number].at] == "nothing"):
            return ahead  # "nothing beats X"
        if not {"modal", "be", "you", "take", "help", "can"} & ahead.kinds.keys():
            return None
    return None
