"""What the words ahead tell of a word."""

from __future__ import annotations

from typing import Any

from jatdae.terms import find_lexicon
from jatdae.terms.lookahead import region_after


def test_a_head_is_looked_for_nearby_alone() -> None:
    class Guarded(list[Any]):
        def __iter__(self) -> Any:
            raise AssertionError("the whole text is gone through for each word")

    words = find_lexicon("tongue").vocabulary.scan("红" * 40 + "的舌下络脉")
    assert region_after(Guarded(words), 38) == "sublingual"
    assert region_after(Guarded(words), 5) == ""
