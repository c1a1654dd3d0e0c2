"""Save a run that was scored in memory as a run folder, as if it had been scored there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa

from jatdae.core.errors import UsageError
from jatdae.core.messages import say
from jatdae.core.signature import short_hash
from jatdae.run.output.folder import RunFolder, not_written
from jatdae.run.output.part import read_part, write_part


def save_run(
    place: Path, origin: Mapping[str, Any], summary: Mapping[str, Any], tables: Iterable[pa.Table], *, overwrite: bool
) -> Path:
    """Save a run to the folder `place`: its manifest from `origin`, its tables as parts, then its summary.

    A folder that holds another run is refused, unless it is to be overwritten.
    """
    if "signature_hash" not in origin:
        raise UsageError(say("not_saveable"))
    folder = RunFolder(place)
    folder.refuse_foreign()
    earlier = folder.manifest()
    if earlier and earlier.get("signature_hash") != origin["signature_hash"] and not overwrite:
        raise UsageError(say("run_to_overwrite", place=place))
    found = [table.replace_schema_metadata(None) for table in tables]  # read before this very folder may be cleared
    try:
        place.mkdir(parents=True, exist_ok=True)
        with folder.held(), TemporaryDirectory(dir=place, prefix=".input-") as staging:
            folder.clear()
            (empty := Path(staging, "input")).mkdir()
            folder.begin(_manifest(origin, summary, found), empty)
            stamp = short_hash(f"saved {origin['signature_hash']}".encode())
            for number, table in enumerate(found):
                write_part(table, folder.part(number), number, stamp)
            folder.finish([read_part(folder.part(number)) for number in range(len(found))], summary)
    except OSError as error:
        raise not_written(place, error) from None
    return place


def _manifest(origin: Mapping[str, Any], summary: Mapping[str, Any], tables: list[pa.Table]) -> dict[str, Any]:
    """Manifest with one shard for each table; their byte ranges are of no file."""
    firsts = chain((0,), _running(len(table) for table in tables))
    shards = [[0, -1, 0, 0, 1, 1 + first, len(table)] for first, table in zip(firsts, tables, strict=False)]
    return {"on_bad_row": "error", "input": [], **origin, "plan": {**summary["input"], "shards": shards}}


def _running(sizes: Iterable[int]) -> Iterable[int]:
    total = 0
    for size in sizes:
        total += size
        yield total
