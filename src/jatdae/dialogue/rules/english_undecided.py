"""Whether an English sentence only leaves it open that the patient may come to take its X.

`english_advice` reads what a sentence says; here a second look asks whether it is for later, hangs on a test, or is
for the one who prescribes to decide ("X may be added later", "if your potassium allows"). It allows nothing now.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_GIVEN: Final = (
    r"(?:added|tried|started|begun|introduced|considered|brought in|restarted|resumed|prescribed|offered|used|given"
    r"|discussed|weighed|an option|a (?:possibility|later step|next step)|the next step|next)"
)
_PRESCRIBER: Final = (
    r"(?:they|your (?:own |treating |kidney |heart |eye |family )?(?:doctor|gp|team|clinic|surgeon|dentist"
    r"|prescriber|specialist|nurse|physician|midwife|\w+ologist|psychiatrist|obstetrician|ob)"
    r"|(?:the|a|an) (?:doctor|gp|team|clinic|surgeon|dentist|prescriber|specialist|physician|\w+ologist|psychiatrist"
    r"|obstetrician))"
)
_DECIDES: Final = (
    r"(?:add|try|start|begin|introduce|consider|bring in|restart|resume|prescribe|offer|use|give|discuss|weigh|suggest"
    r"|choose|pick|go for|switch|change|move|swap|propose|recommend|look at|think about)"
)
_TEST: Final = (
    r"(?:potassium|blood tests?|kidneys?|kidney (?:function|tests?|numbers)|egfr|creatinine|labs?|levels?|inr|ecg|ekg"
    r"|ultrasound|scan|culture|swab|results?|tests?)"
)
_IF: Final = r"(?:if|provided|as long as|once|when|after) (?:your|the|an?) (?:\w+ )?"
_LATER: Final = (
    r"(?:later|down the (?:line|road)|in (?:the )?future|next|if your|once (?:your|the|you)|depending"
    r"|should (?:your|the|that|this))"
)
_BORN: Final = (
    r"(?:after (?:the |your )?(?:birth|delivery|pregnancy|baby)|once (?:the baby|you(?:'ve| have) (?:given birth"
    r"|delivered)))"
)
_LEFT_OPEN: Final = re.compile(
    rf"\bX\b[^.;:!?]{{0,30}}? (?:may|might|could|can)(?: also| then| still| perhaps| always| well)? be {_GIVEN}\b"
    rf"[^.;!?]*\b{_LATER}\b"
    rf"|\b(?:we (?:may|might|could)|{_PRESCRIBER} (?:may|might|could|can|will|would))"
    rf"(?: also| then| still| perhaps| well| want to| decide to| have to| need to)* {_DECIDES}\b[^.;:!?]{{0,60}}\bX\b"
    rf"|\bX\b[^.;:!?]{{0,60}}\b{_IF}{_TEST}\b[^.;:!?]{{0,20}}"
    r"\b(?:allows?|permits?|settles?|stays?|is|are|comes?|looks?|shows?|confirms?|turns?)\b"
    rf"|(?:^\W*|[.;:] ){_IF}{_TEST}\b[^.;:!?]{{0,40}}, [^.;:,!?]{{0,20}}"
    rf"\bX (?:can|could|may|might) (?:then |also )?be {_GIVEN}\b"
    r"|\b(?:start|starting|begin|beginning|add|adding) (?:on )?(?:the )?X"
    r" (?:after(?:wards)?|later(?: on)?|down the line)\W*(?:$|[.;,])"
    r"|\bX (?:may|might|could|can) then (?:again )?be\b"
    rf"|(?:^\W*|\bX\b[^.;!?]{{0,60}} )(?:only |again )*{_BORN}\b"
    rf"|\b(?:that|which|whether|if) {_PRESCRIBER} (?:prescribes?|decides?|chooses?|picks?|offers?)\b"
    r"[^.;:!?]{0,40}\bX\b"
)


@lru_cache(maxsize=4096)
def leaves_open(frame: str) -> bool:
    """Whether a sentence only leaves it open that its X may be taken later or by another's decision."""
    return _LEFT_OPEN.search(frame) is not None
