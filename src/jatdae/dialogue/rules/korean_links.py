"""Korean sentences that go on with the thing of the one before without naming it: 하루 세 번 식후에 드세요.

Korean leaves out what is known. Such a sentence has a verb of taking or stopping, or a dose, and no object of its own.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.dialogue.reading.words import any_in
from jatdae.dialogue.rules.korean_advice import is_of_another, read_korean
from jatdae.dialogue.rules.korean_pieces import cut_clauses, word_kinds
from jatdae.dialogue.rules.stances import KEEP, MORE, STOP, TAKE

MARKS: Final = (
    "드시",
    "드세",
    "드셔",
    "드실",
    "복용",
    "투여",
    "맞으",
    "쓰시",
    "쓰세",
    "쓰셔",
    "넣으",
    "넣어",
    "마시",
    "이어",
    "유지",
    "mg",
    "섭취",
    "바르",
)
"""What such a sentence has at least one of."""
_MEAL: Final = re.compile(r"(?:아침|점심|저녁|식사|끼니|밥|물|간식)(?:식사)?[은는을를도만] ")
_OF_OTHER: Final = re.compile(r"(?:^|[\s,])\S*[가-힣](?<![시하먹쓰]기)(?<!것)(?<!용량)(?<!처방)[을를] (?=\S)")
_OWN: Final = re.compile(
    r"(?:큰 |별 )?(?:변화|차이|무리|문제|지장)[은는이가도] "
    r"|(?:지금 |현재 |같은 |평소 )?(?:용량|처방|복용량|횟수|간격|복용|주사|약)(?:[은는을를]|대로) "
)
"""Words of a sentence that are no other object: 지금 용량을, 큰 변화는."""
_CASE: Final = re.compile(r"[가-힣](?:면|[는은을한할될] (?:날|때|경우|분)\S{0,2}),? ")
_ASKS: Final = re.compile(r"\?\W*$")


def read_next(sentence: str) -> str:
    """What a sentence that names nothing says of the thing of the one before; empty if it is not about that."""
    if not any_in(MARKS, sentence) or _MEAL.search(sentence) or _ASKS.search(sentence):
        return ""
    clauses = cut_clauses(sentence)
    if not clauses or _is_of_other(clauses[0]):
        return ""
    said = read_korean(f"X은 {sentence}", False)
    if said in (TAKE, KEEP, MORE):
        return said
    return STOP if said == STOP and not _is_for_a_case(clauses) else ""


def _is_of_other(clause: str) -> bool:
    """Whether a clause has an object of its own; 용량을, 처방을 and 횟수를 are of the thing itself."""
    bare = _OWN.sub("", clause)
    return bool(is_of_another(bare) or _OF_OTHER.search(bare))


def _is_for_a_case(clauses: list[str]) -> bool:
    """Whether a sentence tells what to do in a case: 어지러우면 쉬세요; but not 드시면 …, which is about the thing."""
    return any(_CASE.search(clause) and "take" not in word_kinds(clause.split()[-1]) for clause in clauses)
