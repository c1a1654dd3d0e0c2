"""Hashes of input rows: of their ids for joining, of their content for the signature."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any, Final

import numpy as np
import orjson
from xxhash import xxh3_64_intdigest, xxh3_128_digest, xxh3_128_intdigest

from jatdae.core.evaluator import GroupBy

BITS: Final = 128
"""Of a digest; sums of digests are kept within as many."""


def id_hash(system: str, name: str) -> int:
    """Digest of the system and id of an input row: a 64-bit hash.

    A clash is only a suspicion: whoever finds one compares the ids themselves.
    """
    return xxh3_64_intdigest((f"{system}\0{name}" if system else name).encode())


def content_sum(pairs: Iterable[tuple[str, Any]]) -> int:
    """Sum of the content digests of (id, value) pairs; it identifies a set of rows in any order or file format."""
    digests = b"".join(
        [
            xxh3_128_digest(
                f"{name}\0{value}".encode() if type(value) is str else b"%b\0%b" % (name.encode(), written(value))
            )
            for name, value in pairs
        ]
    )
    words = np.frombuffer(digests, ">u4").reshape(-1, 4).sum(axis=0, dtype=np.uint64)
    return sum(int(word) << shift for word, shift in zip(words, (96, 64, 32, 0), strict=True)) % (1 << BITS)


def content_digest(name: str, value: Any) -> int:
    """128-bit content digest of one (id, value) pair of the input."""
    return xxh3_128_intdigest(b"%b\0%b" % (name.encode(), written(value)))


def row_digest(name: str, row: Mapping[str, Any], group_by: GroupBy) -> int:
    """Content digest of one row of a grouped sample: of its id and its reference fields."""
    return content_digest(name, [row.get(key) for key in group_by.reference])


def refs_hash(sums: Iterable[int]) -> str:
    """Digest of the references of a run: of the sums of content digests of its systems."""
    return sha256(repr(sorted(set(sums))).encode()).hexdigest()


def unlike_references(sums: Mapping[str, int]) -> dict[str, str]:
    """The digest of each system's references, as a signature would have it, where they differ; else nothing."""
    return {system: refs_hash([each])[:8] for system, each in sums.items()} if len(set(sums.values())) > 1 else {}


def written(value: Any) -> bytes:
    """Encode an input value as bytes for a digest: text as UTF-8, anything else as canonical JSON after 0xFF."""
    if type(value) is str:
        return value.encode(errors="surrogatepass")
    try:
        return b"\xff" + orjson.dumps(value, default=_tagged, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # whole numbers of more than 64 bits, lone surrogates
        return b"\xff" + json.dumps(value, default=_tagged, sort_keys=True).encode()


def _tagged(value: Any) -> Any:
    """A Decimal, or whatever a caller put into a sample: written out, yet no text."""
    return {type(value).__name__: str(value)}
