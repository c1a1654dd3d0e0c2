"""One Korean predicate while it is read: how a verb, its helping verbs and their moods add up.

드시지 않아도 (not) + 됩니다 (allow) leaves it free: two moods together give a third. The noun that takes a predicate up
(때, 동안) tells how its clause continues.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jatdae.dialogue.reading.korean_verbs import Form

_TURNED: Final[Mapping[tuple[str, str], str]] = {
    ("not", "order"): "forbid",
    ("not", "fine"): "forbid",
    ("fine", "not"): "forbid",
    ("not", "allow"): "free",
    ("not", "forbid"): "order",
    ("not", "not"): "state",
    ("not", "can"): "free",
    ("order", "not"): "free",
    ("can", "not"): "cannot",
    ("forbid", "not"): "order",
    ("not", "going"): "not",
    ("order", "can"): "guess",
    ("guess", "not"): "guess",
    ("guess", "can"): "guess",
    ("guess", "order"): "guess",
}
"""The mood that two moods together give: 드시지 않아도 됩니다 (`not`, `allow`) is `free`."""
NEGATED: Final[Mapping[str, str]] = {
    "state": "not", "going": "not", "on": "not",
    "order": "forbid", "fine": "forbid", "allow": "forbid", "can": "cannot",
}  # fmt: skip
TOLD: Final = frozenset(("order", "fine", "forbid", "allow", "free"))
"""Moods of advice."""
_WORSE: Final = frozenset(("degree", "plenty", "value", "bad"))
"""Kinds of verbs that -게 하다 makes one of causing: 높게 하다, 심하게 하다."""
_UNWILLED: Final = frozenset(("", "unlike", "happen", "value", "have", "degree", "come", "plenty", "look"))
"""Kinds of verbs of what nobody does: 생기지 않게 하다, unlike 드시지 않게 하다."""


class Predicate:
    """A predicate that is being read."""

    def __init__(self, form: Form, start: int, end: int) -> None:
        self.lead = ""
        """The ending it had before a noun followed."""
        self.gap = 0
        self.still = False
        self.rashly = False
        self.loose = False
        """Whether no subject stands before it: 필요할 때, but not 수술이 필요할 때."""
        self.attributive = False
        """Whether what stands before it is no subject."""
        self.parted = False
        """Whether a comma follows it."""
        self.bidding = False
        """Whether it is a request as somebody else speaks it: 드시라고, unlike 드신다고."""
        self.dosed = False
        """Whether it is done to the dose, and not to the drug: 용량을 바꾸지 않겠습니다."""
        self.describes = False
        """Whether a mention follows it at once: 심한 두통."""
        self.sort, self.ending, self.past, self.honoured, at = form
        self.start, self.end = start + at, end
        self.mood = "order" if self.ending in ("order", "proviso") else "state"


def ending_with(head: str, held: Predicate) -> str:
    """How a predicate continues with the noun that takes it up."""
    if head == "while" and held.sort in ("take", "change") and not held.honoured:
        return "if"  # 약을 먹는 동안: by anybody
    ending = "cause" if head in ("one", "while") else head
    return "so" if ending == "cause" and held.ending == "future" else ending  # 경험할 만큼 흔합니다: how much, not why


def _is_kept_from(held: Predicate) -> bool:
    """Whether a predicate names what is not to happen: 막히지 않게, 생기지 않도록."""
    turned = held.mood == "not" or held.sort == "unlike"
    return turned and held.ending in ("way", "so") and held.sort in _UNWILLED


def take_up(held: Predicate, form: Form, mood: str, to: int) -> None:
    """Add a helping verb to the predicate before it."""
    if mood == "on" and _is_kept_from(held):
        held.sort, held.mood = "prevent", "state"  # 막히지 않게 하는 약: what it does
    mood = held.mood if mood == "on" else composed(held.mood, mood)
    if mood == "told" and held.bidding:
        mood = "order"  # 서두르시라고 말씀드립니다
    told = form.ending == "order" and mood not in ("going", "can")  # 드시고 계세요 states, 있겠습니다 supposes
    held.mood = composed(mood, "order") if told else mood
    if held.ending == "way" and held.sort in _WORSE and form.sort == "do":
        held.sort = "cause"  # 떨림을 심하게 하므로: made so, by something
    if held.ending == "way" and form.sort == "become":
        held.sort = "come"  # 복용하게 되니: it comes to that, and is not said of the patient
    held.ending, held.end, held.gap = form.ending, to, 0
    held.past |= form.past
    held.honoured |= form.honoured or form.ending == "order"


def composed(first: str, second: str) -> str:
    """The mood that two moods together give; what is forbidden stays forbidden in a request."""
    turned = _TURNED.get((first, second))
    if turned is None:
        return first if second in ("order", "fine", "guess") and first in TOLD else second
    return turned
