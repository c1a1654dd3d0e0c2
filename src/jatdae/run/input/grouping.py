"""Rows that belong together: the rows of a sample side by side, in one shard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from jatdae.run.input.files import RowFile
from jatdae.run.input.scan import Scan


def regroup(file: RowFile, scans: Sequence[Scan], target: Path) -> RowFile | None:
    """Write a copy of the input with the rows of each sample together; None where they already are."""
    hashes = np.concatenate([part.hashes for part in scans])
    runs = 1 + np.count_nonzero(hashes[1:] != hashes[:-1]) if len(hashes) else 0
    _, first, member = np.unique(hashes, return_index=True, return_inverse=True)
    if runs == len(first):
        return None
    order = np.argsort(first[member], kind="stable")
    offsets = np.concatenate([part.positions() for part in scans])[order]
    starts = np.cumsum([0] + [part.lines for part in scans])
    counted = zip(scans, starts, strict=False)
    numbers = np.concatenate([part.numbers.astype(np.int64) + start + 1 for part, start in counted])[order]
    if file.lines:
        numbers = np.load(file.lines)[numbers - 1]
    with Path(file.path).open("rb") as rows, target.open("wb") as out:
        for offset in offsets.tolist():
            rows.seek(offset)
            out.write(rows.readline().rstrip(b"\r\n") + b"\n")
    lines = target.with_suffix(".lines.npy")
    np.save(lines, numbers)
    file.refuse_changed()
    return replace(file, path=str(target), size=target.stat().st_size, lines=str(lines), modified=0)


def first_rows(scans: Sequence[Scan]) -> list[Scan]:
    """Keep of grouped input rows only the first of each sample, whose id has to be unique in a run."""
    kept: list[Scan] = []
    last: np.uint64 | None = None
    for part in scans:
        if not len(part.hashes):
            kept.append(part)
            continue
        new = np.concatenate([[part.hashes[0] != last], part.hashes[1:] != part.hashes[:-1]])
        kept.append(replace(part, hashes=part.hashes[new], offsets=part.offsets[new], numbers=part.numbers[new]))
        last = part.hashes[-1]
    return kept


def whole_samples(scans: Sequence[Scan]) -> list[Scan]:
    """Move the borders of byte ranges so that all rows of a sample are in one range, the earliest."""
    whole: list[Scan] = []
    home, last = -1, None  # the range with the last good row, and whose row that is
    for part in scans:
        if home >= 0 and len(part.hashes) and part.hashes[0] == last:
            head, part = _split(part, last)  # noqa: PLW2901
            moved = [*whole[home + 1 :], head]
            lines, rows = sum(m.lines for m in moved), sum(m.rows for m in moved)
            before = whole[home]
            whole[home:] = [replace(before, end=head.end, lines=before.lines + lines, rows=before.rows + rows)]
        if part.start < part.end:
            whole.append(part)
            home, last = (len(whole) - 1, part.hashes[-1]) if len(part.hashes) else (home, last)
    return whole


def _split(part: Scan, last: np.uint64 | None) -> tuple[Scan, Scan]:
    """The rows of a range up to the first that is of another sample than `last`, and those from there on."""
    others = np.flatnonzero(part.hashes != last)
    if not len(others):
        return part, replace(part, start=part.end)
    at = int(others[0])
    end, lines = part.base + int(part.offsets[at]), int(part.numbers[at])
    tail = replace(
        part, start=end, lines=part.lines - lines, rows=part.rows - at,
        hashes=part.hashes[at:], offsets=part.offsets[at:], numbers=part.numbers[at:] - lines,
    )  # fmt: skip
    return replace(part, end=end, lines=lines, rows=at), tail
