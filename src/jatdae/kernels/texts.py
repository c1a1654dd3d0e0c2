"""A first look at a text, and the similarity of texts by edit distance.

Many readers look at one text, and most of them cannot apply: one for boxes needs a bracket, one for labels a colon. A
look tells which sorts of characters a text has, so that a reader is entered only where its own are there.

    look("No. 12") & FIGURE                                      # 1
    look("No. 12") & (COLON | BRACKET)                           # 0

Similarities are those of each text with each, added to a matrix:

    1 − Levenshtein(a, b) / max(|a|, |b|);   1 where both are empty

    total = np.zeros((2, 1))
    add_similarities(total, [0, 1], ["ab", "cd"], ["ab"])        # [[1.0], [0.0]]

rapidfuzz compares many texts at once and is the faster one for large tables. Most tables are small, and then it takes
longer to set it up than to compare: these are the native loop's, unless a text has more than 64 characters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jatdae.kernels import native, texts_twin

_loop: Any = native("texts") or texts_twin

FIGURE: Final = 1
"""0 to 9."""
LETTER: Final = 2
"""What a pattern calls a word character, but for the figures of all scripts and the low line."""
COLON: Final = 4
BRACKET: Final = 8
"""Round or square."""
COMMA: Final = 16
DASH: Final = 32
"""The hyphen of ASCII."""
STROKE: Final = 64
SPACE: Final = 128
"""White space of any kind."""
SIGN: Final = 256
"""Any other character of ASCII."""
FOREIGN: Final = 512
"""Neither ASCII nor a syllable of Korean: what readers know of such characters a look does not tell."""

look: Callable[[str], int] = _loop.look
"""The sorts of characters in a text, native or in Python, added up."""


def add_similarities(
    total: NDArray[np.float64],
    rows: list[int],
    ours: list[str],
    theirs: list[str],
    alike: list[tuple[int, int]] | None = None,
) -> None:
    """Add similarities, native or in Python, to some rows of a matrix: of ours, one a row, with each of theirs.

    `alike` names pairs, by their places, whose similarity is 1 whatever their texts. No row is named twice.
    """
    if not _loop.add(total, rows, ours, theirs, alike or []):
        texts_twin.add(total, rows, ours, theirs, alike or [])
