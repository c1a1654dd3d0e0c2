"""The similarity of two atoms."""

from __future__ import annotations

from jatdae.terms import find_lexicon
from jatdae.terms.atom_similarity import ONE, Similarities


def test_similarities_are_symmetric_and_exact() -> None:
    alike = Similarities(find_lexicon("tongue"))
    assert alike("COLOR_红", "COLOR_绛") == alike("COLOR_绛", "COLOR_红") == int(0.75 * ONE)
    assert alike("COLOR_红", "COLOR_红") == ONE
    assert alike("COLOR_红", "SUBLINGUAL_红") == 0
