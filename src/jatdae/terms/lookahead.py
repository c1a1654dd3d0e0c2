"""What the words ahead tell of a word: the region of the head it describes, whether a comma goes on with a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jatdae.terms.scanner import LexiconWord, Token, has_letters, is_hangul

HEAD_REACH: Final = 12
"""How many words ahead a closing head is looked for."""
COMMAS: Final = (",", "，")
SENTENCE_ENDS: Final = (".", "。", "!", "！", "?", "？", ";", "；", "\n")
CONTRASTS: Final = (
    *("而", "但", "不过", "然而", "可是"),
    *("however", "although", "yet", "but", "while"),
    *("지만", "이지만", "하지만", "하나", "으나", "이나", "나"),
)
"""Words after which a general statement gives way to what is so here."""
NOW_ALONE: Final = "现"
"""A word for "now" where it begins a clause."""
LABEL_REACH: Final = 96
"""How many words ahead the label is looked for that ends what a label of an earlier time begins."""
_WITH: Final = ("与", "和", "跟")
"""Words for "and" that also mark what something is compared with."""
_LISTED: Final = ("atom", "pattern", "headed", "endings", "join", "degree", "glue")
"""Roles of the words in a list of what was so."""


def region_after(tokens: Sequence[Token], number: int) -> str:
    """Region of a head word that closes a run of words (紫暗的舌下络脉), for the parser of clinical terms.

    "" if a head leads the next run.
    """
    for at, (word, _, _) in enumerate(tokens[number + 1 : number + 1 + HEAD_REACH], number + 1):
        if word.role == "stop":
            break
        if word.head and "" not in word.readings:
            closes = at + 1 == len(tokens) or tokens[at + 1][0].role == "stop"
            return word.head if closes else ""
    return ""


def region_described(tokens: Sequence[Token], number: int, led: bool = False) -> str:
    """Region of the head that a word in Latin letters stands before, with only atoms between: thin red tongue.

    Where a head leads the clause, a comma ends its description: coat thin, red tongue.
    """
    before = tokens[number][0]
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.head and not word.readings:
            return "" if before.role == "join" or before.text == "," else word.head
        if word.role not in ("atom", "pattern", "join", "degree") and (led or word.text != ","):
            return ""
        before = word
    return ""


def is_denied_list(tokens: Sequence[Token], comma: int) -> bool:
    """Whether a comma joins Hangul atoms of one axis that are denied together: 어반, 어점, 열문은 보이지 않음."""
    word, _, end = tokens[comma - 1]
    if end != tokens[comma][1]:
        return False
    axes = {atom.prefix for atom in word.stated}
    listed = False
    for ahead, _, _ in tokens[comma + 1 : comma + 1 + HEAD_REACH]:
        if ahead.role == "not_back":
            return listed and is_hangul(ahead.text[0])
        if ahead.role == "atom":
            listed = True
            if axes.isdisjoint(atom.prefix for atom in ahead.stated):
                return False
        elif ahead.role not in ("endings", "either", "join", "glue", "degree") and ahead.text != ",":
            return False
    return False


def is_denied(tokens: Sequence[Token], number: int) -> bool:
    """Whether only Hangul atoms and endings stand between a word and a negation after them: 희거나 두껍지 않다."""
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.role == "not_back":
            return is_hangul(word.text[0])
        if word.role not in ("atom", "pattern", "endings", "either", "join", "degree", "break", "glue"):
            return False
    return False


def is_former_list(tokens: Sequence[Token], comma: int, begun: bool) -> bool:
    """Whether a comma stands in a list of what was so before a change, or of what is so after it.

    from thick, yellow and greasy to thin; in Korean the words for "from" and "to" stand after their lists:
    백색, 후니에서 황색, 박으로 변함. `begun`: "from" stands before the comma.
    """
    for word, _, _ in tokens[comma + 1 : comma + 1 + HEAD_REACH]:
        if word.role == "to":
            return begun
        if word.role == "from" and is_hangul(word.text[0]):
            begun = True
        elif word.role not in _LISTED and word.text not in COMMAS:
            return False
    return False


def is_joined_list(tokens: Sequence[Token], comma: int) -> bool:
    """Whether a comma stands in a list of atoms in Latin letters after a verb that "and" ends: is thick, dry and white.

    Without a verb a comma parts findings: tip red, swollen and pale.
    """
    lead = tokens[comma - 2][0] if comma > 1 else None
    if lead is None or (lead.role not in ("glue", "degree", "break") and lead.text != ","):
        return False
    joined = False
    for word, _, _ in tokens[comma + 1 : comma + 1 + HEAD_REACH]:
        if word.role == "join":
            joined = True
        elif word.role == "stop" and (joined or word.text != ","):
            return joined
        elif word.role not in ("atom", "pattern", "degree", "stop") or word.head or "" in word.readings:
            return False
    return joined


def is_gloss(tokens: Sequence[Token], bracket: int) -> bool:
    """Whether a bracket says in another script what stands before it: ecchymoses (瘀斑), 설첨(舌尖).

    A location in a bracket after an atom is no gloss: 치흔(兩側).
    """
    if not bracket or not tokens[bracket - 1][0].is_content:
        return False
    before = tokens[bracket - 1][0]
    stated = False
    for word, _, _ in tokens[bracket + 1 : bracket + 1 + HEAD_REACH]:
        if word.text == ")":
            return stated
        if word.role == "stop" or _script(word) == _script(before):
            return False
        if word.is_content and ("" in word.readings) != ("" in before.readings):
            return False
        stated = stated or word.is_content
    return False


def _script(word: LexiconWord) -> str:
    """The script of a word: Latin, Hangul or other."""
    if word.latin:
        return "latin"
    return "hangul" if is_hangul(word.text[0]) else ""


def is_maxim(tokens: Sequence[Token], number: int) -> bool:
    """Whether the first clause after a word interprets: 一般来说，黄苔主热."""
    begun = False
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.role in ("aside", "general"):
            return True
        if word.role == "stop" and (begun or word.text not in COMMAS):
            return False
        begun = begun or word.is_content
    return False


def names_next(tokens: Sequence[Token], number: int, *, place: bool) -> bool:
    """Whether the next word that is more than glue is a location, or an atom that is none."""
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.role not in ("glue", "degree", "break"):
            return word.is_content and bool(word.readings or word.only) and ("" in word.readings) == place
    return False


def is_blended(tokens: Sequence[Token], number: int) -> bool:
    """Whether 中 stands between two values of one axis, the second with a degree: 白中微黄."""
    if not number or number + 2 >= len(tokens):
        return False
    before, degree, after = tokens[number - 1], tokens[number + 1], tokens[number + 2]
    if before[2] != tokens[number][1] or degree[0].role != "degree" or not before[0].stated:
        return False
    return before[0].stated[0].prefix in [atom.prefix for atom in after[0].stated]


def closing_bracket(tokens: Sequence[Token], opening: int) -> int:
    """Number of the word that closes a bracket in its sentence; -1 if none does, or if it tells what is so now."""
    for number in range(opening + 1, min(len(tokens), opening + 1 + 2 * HEAD_REACH)):
        word = tokens[number][0]
        if word.text == ")":
            return number
        if word.role == "now" or word.text == "现" or (word.role == "stop" and word.text not in COMMAS):
            return -1
    return -1


def is_asked_in_form(tokens: Sequence[Token], number: int) -> bool:
    """Whether a colon follows a word in its clause: 有无裂纹：无."""
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.role in ("colon", "stop"):
            return word.role == "colon"
    return False


def describes_subject(text: str, tokens: Sequence[Token], number: int, outside: frozenset[str]) -> bool:
    """Whether adjectives in Latin letters and their head follow a word directly: suggests a pale, swollen tongue."""
    at = tokens[number][2]
    described = False
    for word, start, end in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if has_letters(text[at:start]):
            return False
        if word.head and not word.readings:
            return described and word.head not in outside
        if word.role not in ("atom", "pattern", "degree", "break", "join") and word.text != ",":
            return False
        described = described or word.role in ("atom", "pattern")
        at = end
    return False


def is_gone(tokens: Sequence[Token], number: int) -> bool:
    """Whether the clause says after a word that something is gone: 原来的瘀斑已消失."""
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.role in ("not_back", "stop"):
            return word.role == "not_back"
    return False


def names_now(tokens: Sequence[Token], number: int, reach: int = 2 * HEAD_REACH) -> bool:
    """Whether a word for "now" follows in this sentence or the next: dry last week; today moist.

    With a longer `reach`, in any sentence.
    """
    ends = 0
    for at in range(_after_remark(tokens, number), min(len(tokens), number + 1 + reach)):
        if tells_now(tokens, at):
            return True
        word = tokens[at][0]
        ends += word.role == "stop" and word.text not in COMMAS
        if ends > 1 and reach < LABEL_REACH:
            return False
    return False


def tells_now(tokens: Sequence[Token], number: int) -> bool:
    """Whether a word means "now": 今日, and 现 at the start of a clause."""
    word = tokens[number][0]
    if word.text == NOW_ALONE:
        return not number or tokens[number - 1][0].role == "stop"
    return word.role == "now"


def is_label(tokens: Sequence[Token], number: int) -> bool:
    """Whether a word is a label on its own, with a colon, in brackets or on its line: 治疗前：, 【治疗前】."""
    if number and tokens[number - 1][0].role != "stop":
        return False
    if tokens[number][0].text[-1] == ":" or number + 1 == len(tokens):
        return True
    if (at := _after_remark(tokens, number)) == len(tokens):
        return False
    after = tokens[at][0]
    return after.role == "colon" or after.text in (")", "]", "】", "\n")


def _after_remark(tokens: Sequence[Token], number: int) -> int:
    """Number of the word after this one, and after a bracket between them that states nothing: 首诊(5月3日)舌红."""
    at = number + 1
    if at < len(tokens) and tokens[at][0].text == "(":
        while at < min(len(tokens), number + HEAD_REACH) and not tokens[at][0].is_content:
            if tokens[at][0].text == ")":
                return at + 1
            at += 1
    return number + 1


def states_next(tokens: Sequence[Token], number: int) -> bool:
    """Whether an atom stands after a word in its clause."""
    number = _after_remark(tokens, number) - 1
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.role == "stop":
            return False
        if word.is_content and (word.readings or word.only):
            return True
    return False


def gives_way(tokens: Sequence[Token], number: int) -> bool:
    """Whether a contrast with this case ends the clause of a word: usually suggests heat, but in this patient …."""
    for at in range(number + 1, min(len(tokens), number + 1 + 2 * HEAD_REACH)):
        word, before = tokens[at][0], tokens[at - 1][0]
        if word.role == "now":
            return before.role == "stop" or before.text in CONTRASTS
        ended = before.text in SENTENCE_ENDS and at - 1 > number
        if ended and word.text not in CONTRASTS:
            return False
    return False


def comparison_start(tokens: Sequence[Token], number: int) -> int:
    """Where 与 begins what a word at the end of a comparison tells apart: 与湿热舌(舌红，苔黄)不同; -1 if nowhere.

    After an atom 与 only joins: 裂纹与齿痕深浅不同.
    """
    at, least = number - 1, max(0, number - 2 * HEAD_REACH)
    while at >= least:
        word, start, _ = tokens[at]
        if word.text == ")":
            while at > least and tokens[at][0].text != "(":
                at -= 1
        elif word.role == "stop":
            return -1
        elif word.text in _WITH:
            before = tokens[at - 1] if at else None
            joins = before is not None and before[2] == start and before[0].role in ("atom", "pattern", "headed")
            return -1 if joins else start
        at -= 1
    return -1


def names_head(tokens: Sequence[Token], number: int) -> bool:
    """Whether a head follows a word in its clause: with a thin, white coat."""
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.role == "stop" and word.text != ",":
            return False
        if word.head and "" not in word.readings:
            return True
    return False


def shares_axis(tokens: Sequence[Token], number: int, prefix: str) -> bool:
    """Whether the next atom after a word is of this axis: 치흔이나 열문."""
    for word, _, _ in tokens[number + 1 : number + 1 + HEAD_REACH]:
        if word.is_content:
            return any(atom.prefix == prefix for atom in word.only or word.stated)
    return False


def describes_other(text: str, tokens: Sequence[Token], comma: int) -> bool:
    """Whether the atoms after a comma describe an unknown noun: avoid spicy, dry, and greasy foods."""
    at = tokens[comma][2]
    for word, start, end in tokens[comma + 1 : comma + 1 + HEAD_REACH]:
        if has_letters(text[at:start]):
            return True
        if not word.latin and word.text != ",":
            return False
        if word.role not in ("atom", "pattern", "join", "or", "degree", "stop"):
            return False
        at = end
    return has_letters(text[at : at + 2])
