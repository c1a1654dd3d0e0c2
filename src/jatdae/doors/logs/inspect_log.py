"""Logs of Inspect AI: `.eval`, a zip archive with a JSON file per sample, or one `.json` file with all of them.

A score is a number, one of the letters C, P, I and N, which Inspect counts as 1, 0.5, 0 and 0, or a map of those by
name. A sample that was asked in several epochs is a cluster of as many.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from jatdae.core.contract import Direction
from jatdae.core.errors import DataError
from jatdae.core.messages import speaker
from jatdae.doors.logs.scores import Log, LoggedSample, number, parsed, text
from jatdae.run.input.memory import LONGEST_LABEL

say = speaker(__name__)

SUFFIXES: Final = (".eval", ".json")
LETTERS: Final = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partly correct, incorrect and no answer, as Inspect counts them."""
WORDS: Final = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
ZSTANDARD: Final = 93
"""Method of compression of newer archives, which Python's `zipfile` does not know yet."""
LOCAL_HEADER: Final = 30
"""Bytes before the name of a file in an archive; the lengths of name and extra field are their last four."""
MOST_BYTES: Final = 1 << 28
"""Of one file in an archive; a sample of more is no transcript but a trap."""


def read_inspect(path: Path) -> Log | None:
    """The log in a file; None if it is none of Inspect's."""
    found = _archive(path) if path.suffix == ".eval" else _whole(path)
    if found is None:
        return None
    about, samples = found
    logged: list[LoggedSample] = []
    better: dict[str, Direction] = {}
    for each in samples:
        logged.append(_sample(each))
        better |= dict(_directions(each.get("scores") or {}))
    return Log("inspect", str(about.get("task", "")), str(about.get("model", "")), logged, better)


def _whole(path: Path) -> tuple[Mapping[str, Any], Iterator[Any]] | None:
    given = parsed(path.read_bytes(), path)
    if not isinstance(given, dict) or not isinstance(given.get("eval"), dict) or "samples" not in given:
        return None
    return given["eval"], iter(given["samples"] or ())


def _archive(path: Path) -> tuple[Mapping[str, Any], Iterator[Any]]:
    try:
        with zipfile.ZipFile(path) as archive:
            files = {each.filename: each for each in archive.infolist()}
    except zipfile.BadZipFile:
        raise DataError(say("log_no_archive", place=path)) from None
    head = next((files[name] for name in ("header.json", "_journal/start.json") if name in files), None)
    if head is None:
        raise DataError(say("log_no_archive", place=path))
    about = parsed(_unpacked(path, head), path)
    names = [name for name in files if name.startswith("samples/") and name.endswith(".json")]
    return about.get("eval") or {}, (parsed(_unpacked(path, files[name]), f"{path}/{name}") for name in names)


def _unpacked(path: Path, file: zipfile.ZipInfo) -> bytes:
    """What a file of an archive holds."""
    if file.file_size > MOST_BYTES:
        raise DataError(say("log_too_large", place=path, name=file.filename, most=MOST_BYTES))
    if file.compress_type != ZSTANDARD:
        with zipfile.ZipFile(path) as archive, archive.open(file) as stream:
            return stream.read(MOST_BYTES)
    with path.open("rb") as raw:
        raw.seek(file.header_offset)
        header = raw.read(LOCAL_HEADER)
        raw.seek(int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little"), 1)
        packed = raw.read(file.compress_size)
    with pa.input_stream(pa.py_buffer(packed), compression="zstd") as unpacked:
        return bytes(unpacked.read(MOST_BYTES))


def _sample(given: Mapping[str, Any]) -> LoggedSample:
    scores = given.get("scores") or {}
    epoch = given.get("epoch") or 1
    name = str(given["id"])
    return LoggedSample(
        name if epoch == 1 else f"{name}#{epoch}",
        _messages(given.get("input")),
        text(given.get("target")),
        _answer(given, scores),
        dict(_values(scores)),
        "\n".join(text(each["explanation"]) for each in scores.values() if each.get("explanation")),
        {key: each for key, each in (given.get("metadata") or {}).items() if _is_label(each)},
        name,
    )


def _values(scores: Mapping[str, Any]) -> Iterator[tuple[str, float | None]]:
    """Each metric with its value: a scorer, or a key of what it gave."""
    for scorer, score in scores.items():
        value = score.get("value")
        if isinstance(value, dict):
            yield from ((f"{scorer}/{key}".replace(" ", "_"), _value(inner)) for key, inner in value.items())
        else:
            yield _own(score).get("metric", scorer).replace(" ", "_"), _value(value)


def _directions(scores: Mapping[str, Any]) -> Iterator[tuple[str, Direction]]:
    """Which end of a metric is good, where the scorer was one of ours."""
    for own in map(_own, scores.values()):
        if own.get("better") in ("higher", "lower"):
            yield own["metric"], own["better"]


def _own(score: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the scorer of `inspect_scorer` leaves in a log: its metric, and which end is good."""
    told = (score.get("metadata") or {}).get("yardstick")
    return told if isinstance(told, dict) and isinstance(told.get("metric"), str) else {}


def _value(given: Any) -> float | None:
    if not isinstance(given, str):
        return number(given)
    known = LETTERS.get(given, WORDS.get(given.lower()))
    if known is not None:
        return known
    try:
        return number(float(given))
    except ValueError:
        return None


def _answer(given: Mapping[str, Any], scores: Mapping[str, Any]) -> str:
    output = given.get("output") or {}
    choices = output.get("choices") or [{}]
    return text(output.get("completion") or _content((choices[0].get("message") or {}).get("content"))) or next(
        (text(each.get("answer")) for each in scores.values() if each.get("answer")), ""
    )


def _messages(given: Any) -> str:
    """The question of a sample: a text, or the messages of a conversation."""
    if isinstance(given, list):
        return "\n".join(_content(each.get("content")) for each in given if isinstance(each, dict))
    return text(given)


def _content(given: Any) -> str:
    """The text of a message, which may come in pieces."""
    if isinstance(given, list):
        return "\n".join(text(each.get("text")) for each in given if isinstance(each, dict) and each.get("text"))
    return text(given)


def _is_label(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LONGEST_LABEL
