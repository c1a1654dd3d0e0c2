"""The fields kernel without a compiler; its similarities are rapidfuzz's, all pairs of a column in one call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import chain
from operator import sub
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

_PLAIN: Final = frozenset({int, bool, type(None)})


def survey(value: Any, most_depth: int, most_values: int) -> tuple[int, int, bool, bool, bool, list[Any], list[Any]]:
    """Values, characters, deeper, named, halves, special, others."""
    texts: list[Any] = []
    special: list[Any] = []
    others: list[Any] = []
    values = depth = 0
    deeper = False
    level: list[Any] = [[value]]
    while level and values <= most_values and not deeper:
        below: list[Any] = []
        for container in level:
            items = container
            if isinstance(container, dict):
                texts += container
                items = container.values()
            values += len(items)
            for item in items:
                kind = type(item)
                if kind is str:
                    texts.append(item)
                elif kind in _PLAIN:
                    continue
                elif isinstance(item, (dict, list)):
                    below.append(item)
                    if kind is not dict and kind is not list:
                        special.append(item)
                else:
                    others.append(item)
        level = below
        depth += 1
        deeper = depth > most_depth and bool(level)
    keys_and_texts = [text for text in texts if isinstance(text, str)]
    text = "".join(keys_and_texts)
    return values, len(text), deeper, len(keys_and_texts) == len(texts), _has_halves(text), special, others


def add_similarities(
    total: NDArray[np.float64], rows: list[int], ours: Sequence[Any], theirs: Sequence[Any], most: int
) -> int:
    """What `fields.add_similarities` promises."""
    n = len(ours)
    cells = [_readings(cell) for cell in chain(ours, theirs)]
    texts = [readings[0] for readings in cells]
    characters = len("".join(texts[:n])) * len("".join(texts[n:]))
    if characters <= most:
        similar = cdist(texts[:n], texts[n:], scorer=Levenshtein.normalized_similarity, dtype=np.float64)
        for row, columns in _agreeing(cells, n):
            similar[row, columns] = 1.0
        total[slice(None) if rows == [*range(len(total))] else rows] += similar
    return characters


def tally(
    rows: Sequence[tuple[Any, ...]],
) -> tuple[dict[str, tuple[int, int, int, float]], dict[int, tuple[int, int]], dict[str, dict[str, int]]]:
    """Fields, depths, outcomes."""
    fields: dict[str, tuple[int, int, int]] = {}
    lacks: dict[str, list[float]] = {}
    depths: dict[int, tuple[int, int]] = {}
    outcomes: dict[str, dict[str, int]] = {}
    for row in rows:
        exact, fuzzy, similarity, depth, outcome, pattern = row[-6:]
        leaves, right, near = fields.get(pattern, (0, 0, 0))
        fields[pattern] = leaves + 1, right + exact, near + fuzzy
        lacks.setdefault(pattern, []).append(1.0 - similarity)
        leaves, right = depths.get(depth, (0, 0))
        depths[depth] = leaves + 1, right + exact
        table = outcomes.setdefault(outcome, {})
        table[pattern] = table.get(pattern, 0) + 1
    scores = {pattern: (*score, reduce(sub, lacks[pattern], float(score[0]))) for pattern, score in fields.items()}
    return scores, depths, outcomes


def _has_halves(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _readings(cell: Any) -> tuple[str, ...]:
    return cell if type(cell) is tuple else (str(cell),)


def _agreeing(cells: list[tuple[str, ...]], n: int) -> Iterator[tuple[int, list[int]]]:
    """Cells of the first n that share a reading, not the likeliest of both, with some of the others."""
    further = set(chain.from_iterable([readings[1:] for readings in cells if len(readings) > 1]))
    where: dict[str, list[int]] = {}
    for at, readings in enumerate(cells[n:] if further else ()):
        for text in further.intersection(readings):
            where.setdefault(text, []).append(at)
    for at, readings in enumerate(cells[:n] if where else ()):
        for text in readings:
            if text in where:
                yield at, where[text]
