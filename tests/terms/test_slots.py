"""Slots: equal statements share their objects."""

from __future__ import annotations

from jatdae.terms import find_lexicon
from jatdae.terms.parser import parse_text
from jatdae.terms.slots import DescriptionSlots, slots_of


def test_whoever_says_the_same_has_the_same_side_and_axes_are_shared() -> None:
    lexicon = find_lexicon("tongue")

    def side(text: str) -> DescriptionSlots:
        return slots_of(parse_text(text, lexicon).drafts, lexicon)

    assert side("舌质略红，苔黄腻") is side("舌红苔黄腻")
    one, other = side("舌红绛，苔黄"), side("苔白，舌绛红")
    color, coat = list(lexicon.axes).index("COLOR"), list(lexicon.axes).index("COATCOLOR")
    assert one.axes[color][0] is other.axes[color][0]
    assert one.axes[coat][0] is not other.axes[coat][0]
    assert (one.axes[color][1], other.axes[color][1]) == ([0, 1], [1, 2])
