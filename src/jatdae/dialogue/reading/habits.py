"""What an answer says of whether the patient smokes or drinks: "you never smoke", "매일 술을 드시니"."""

from __future__ import annotations

import re
from typing import Final

_NEVER: Final = (
    r"\byou(?:'ve| have)? (?:also )?(?:never|don't|do not|didn't|did not|haven't|have not|no longer|stopped|quit|gave"
    r" up) "
    r"(?:\w+ )?"
)
_NOT_A: Final = r"\byou(?:'re| are)(?:n't| not| never| no) (?:a |an |currently |much of a )*"
_IS: Final = r"\byou(?:'re| are) (?:an? )?(?!(?:not|no|never|non)\b)(?:(?!not\b|non\b|no\b|former\b|ex\b)[\w-]+ ){0,2}"
_DO: Final = r"\b(?:you|who) (?:still |currently |do |also |already |continue to |keep |regularly |often |sometimes )*"
_STATES: Final = r"(?:시는 (?:중|만큼|데|편|상황|분)|시니|시고|십니|신다|시므로|시네|시며|고 계|기 때문|시기 때문)"
_DENIES: Final = r"(?:은|는|을|를|도)? ?(?:전혀 |한 번도 |평생 |원래 |지금은 |현재 |따로 )*"
_SMOKES_NOT: Final = re.compile(
    rf"{_NEVER}smok|{_NOT_A}smok(?:er|ing)|\b(?:non-?smoker|non-?smoking|never[- ]smoker|never smoked)\b|비흡연"
    rf"|(?:흡연|담배){_DENIES}(?:하지 ?않|안 하[시신]|피우지 ?않|안 피우|하신 적|피우신 적|피워 ?본 적|없으[시십])"
)
_SMOKES: Final = re.compile(
    rf"{_DO}smoke\b(?! ?(?:alarm|detector))|{_IS}smok(?:er|ing)\b|\bas a (?:current |heavy )?smoker\b"
    r"|\byour (?:smoking|cigarettes|pack a day|smoking habit)\b"
    rf"|담배를? (?:\S+ ){{0,3}}?피우{_STATES}|흡연(?:을|도)? ?(?:하{_STATES}|중이|자이[시신])|현재 흡연(?:자|하)"
)
_DRINK: Final = (
    r"(?:drink(?:ing)?|touch|use|consume)(?: (?:any |much )?(?:alcohol|beer|wine|liquor)| at all|(?=[.,;!]))"
)
_DRINKS_NOT: Final = re.compile(
    rf"{_NEVER}{_DRINK}|{_NOT_A}drink(?:er|ing (?:alcohol|beer|wine))|\b(?:non-?drinker|teetotal\w*|abstainer)\b|비음주"
    rf"|(?:음주|술|알코올){_DENIES}(?:하지 ?않|안 하[시신]|드시지 ?않|안 드시|마시지 ?않|안 마시|드신 적|마신 적|입에"
    rf" 대지|없으[시십])"
)
_DRINKS: Final = re.compile(
    rf"{_DO}drink (?:alcohol|beer|wine|liquor|soju|heavily|every (?:day|night)|daily|socially|(?:\w+ ){{1,3}}(?:drinks"
    rf"|beers|glass(?:es)?|bottles?|units)\b)|{_IS}(?:drinker\b|drinking (?:alcohol|beer|wine|heavily))"
    r"|\byour (?:drinking|alcohol (?:use|intake|consumption)|nightly (?:wine|beer))\b"
    rf"|(?:술|소주|맥주|와인|막걸리)(?:을|를|도)? (?:\S+ ){{0,3}}?(?:드|마|즐기){_STATES}|음주(?:를|도)?"
    rf" ?(?:하{_STATES}|중이)"
)
_LOOSE: Final = re.compile(
    r"\b(?:if|when|whether|unless|should|in case|do|did|can|could|may|avoid|people|someone)\b[^.,;!?]{0,24}$"
)
"""What before a statement makes it none."""
_READ: Final = {"smoking": (_SMOKES_NOT, _SMOKES), "alcohol": (_DRINKS_NOT, _DRINKS)}
_LEAD: Final = 32


def find_habit(text: str, habit: str) -> frozenset[bool]:
    """What a folded answer says of a habit of the patient: that it is there, that it is not, both or nothing."""
    said = set()
    denied = [found.span() for found in _READ[habit][0].finditer(text)]
    if any(not _LOOSE.search(text, max(0, start - _LEAD), start) for start, _ in denied):
        said.add(False)
    for found in _READ[habit][1].finditer(text):
        within = any(start <= found.start() < end or found.start() <= start < found.end() for start, end in denied)
        if not within and not _LOOSE.search(text, max(0, found.start() - _LEAD), found.start()):
            said.add(True)
    return frozenset(said)
