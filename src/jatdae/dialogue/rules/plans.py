"""Lines of a plan, where a thing X stands under a day, a week or a meal: "Wed: X with slow walking", 아침: X 한 알."""

from __future__ import annotations

import re
from typing import Final

_DAYS: Final = (
    r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:days?)?|weekdays?|weekends?|days? \d+|weeks? \d+)"
)
_MEALS: Final = (
    r"(?:(?:for )?(?:tonight|today)|mornings?|noon|midday|lunch|afternoons?|evenings?|nights?|breakfast|dinner|supper|"
    r"snacks?|bedtime|am|pm)"
)
PLANNED: Final = re.compile(
    rf"[-*•|\d.) ]*(?:{_DAYS}(?:(?: ?[/,&·–-] ?| and | to ){_DAYS})*|{_MEALS}(?: snack)?)\W*?[:|,–-][^.?!]*X"
    r"|[-*•|\d.) ]*(?:[월화수목금토일](?:[·,/~∙ -]{0,2}[월화수목금토일])*(?:요일)?|"
    r"아침|점심|저녁|간식|오전|오후|평일|주말|\d+ ?[주일](?:차|째)?|\d단계|"
    r"목표|재료|메뉴|식단|처방|용법|종목|구성|유산소|근력|"
    r"(?:끼니|식사)마다|매 끼니?|식[전후]|공복|(?:취침|자기) 전|기상 (?:직후|후)|운동 [전후])"
    r"(?:에| 식사| 간식| 운동| \d{1,2}시(?: \d+분| 반)?)?(?: ?\([^()]{0,16}\))?\W*?[:|–-][^.?!]*X"
    r"|[-*•|\d.) ]*(?:(?:끼니|식사)마다|매 끼니?|"
    r"(?:오전|오후|아침|점심|저녁|취침|자기|운동|식사)(?:[과와,·] ?(?:취침|저녁|오후))?(?: [전후])?에?) "
    r"(?:[가-힣]+ )?X(?:\S{0,2} (?:\S+ )?(?:\d|한|두|세|네|반|크게)[^.?!]*|)$"
)
"""A line of a plan, by what it begins with: a day, a week, a meal."""
HOW: Final = re.compile(
    r"[a-z]{0,3}(?:[ ,(–-]*(?:[×x@]|with|at|for|in|on|by|then|plus|followed by|\d)[^a-z][^.?!]*)?$|[ ,(–-]*$"
)
"""What may follow a thing in the line of a plan: with what, at which pace, how long."""
