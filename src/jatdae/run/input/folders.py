"""Input folders: the id of each document, its file, and the sidecar files that belong to it."""

from __future__ import annotations

import hashlib
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import orjson

from jatdae.core.errors import DataError
from jatdae.core.evaluator import Sidecar
from jatdae.core.messages import os_problem, say, shown
from jatdae.run.input.descriptions import RECORDS, find_front_matter
from jatdae.run.input.encodings import Undecodable, decode, no_text
from jatdae.run.input.rows import MAX_ROW_BYTES, BadRow, parse

MAX_NAME: Final = 4096
MAX_FRONT_MATTER: Final = 1 << 16
MARKDOWN: Final = frozenset((".md", ".markdown"))
"""Documents that may begin with front matter."""

Sidecars = tuple[Sidecar, ...]


def find_documents(folder: Path, sidecars: Sidecars, repeated: str = "") -> list[tuple[str, list[Path]]]:
    """Find the documents of an input folder, by relative path without suffix, each with its file.

    A sidecar without its document is an error. With `repeated`, what it matches at the end of a name is left out, and
    documents of one name then are one with several files, in the order of their numbers.
    """
    found: dict[str, Path] = {}
    beside: list[tuple[str, Path]] = []
    for path in _walk(folder):
        if path.name in RECORDS:
            continue
        place = path.relative_to(folder)
        if ending := next((e for each in sidecars for e in each.endings if path.name.endswith(e)), ""):
            beside.append((_key(place.as_posix().removesuffix(ending)), path))
            continue
        key = _key(place.with_suffix("").as_posix())
        if key in found:
            raise _two_files(key, found[key], path)
        found[key] = path
    for key, path in beside:
        if key not in found:
            raise DataError(say("sidecar_alone", place=path_text(path), key=shown(key)))
    if not repeated:
        return [(key, [path]) for key, path in sorted(found.items())]
    number = re.compile(rf"(?:{repeated})\Z")
    together: dict[str, list[Path]] = {}
    for key in sorted(found, key=lambda key: (len(key), key)):
        together.setdefault(number.sub("", key), []).append(found[key])
    return sorted(together.items())


def _key(name: str) -> str:
    """File systems write one name in two ways (한글 composed or not); documents of one name belong together."""
    return unicodedata.normalize("NFC", name)


def list_documents(
    items: Sequence[tuple[str, Sequence[Path]]],
    sidecars: Sidecars,
    out: BinaryIO,
    told: Mapping[str, Mapping[str, str]] | None = None,
    missing: Collection[str] = (),
) -> str:
    """Write an input row for each document of a folder; return one hash of all contents, sidecars included.

    `told` are slice keys of documents; those in the front matter of a gold document join them. A document that is
    `missing` has a row with what is told of it, and no file.
    """
    whole = hashlib.sha256()
    for key in sorted(missing):
        meta = dict((told or {})[key])
        out.write(orjson.dumps({"id": key, "file": None, "size": 0, "meta": meta}) + b"\n")
        whole.update(f"{key}\0{sorted(meta.items())}\n".encode())
    for key, (path, *more) in items:
        place = path_text(path)
        try:
            row: dict[str, Any] = {"id": key, **_listed(path)}
            if more:
                row["more"] = [_listed(each) for each in more]
            if sidecars:
                row["beside"] = {each.key: _sidecar(key, path, each, whole) for each in sidecars}
            if meta := {**_front_matter(row, path, sidecars), **(told or {}).get(key, {})}:
                row["meta"] = meta
                whole.update(f"{key}\0{sorted(meta.items())}\n".encode())
            out.write(orjson.dumps(row) + b"\n")
        except OSError as error:
            raise DataError(say("cannot_read", place=place, problem=os_problem(error))) from None
        except TypeError:
            raise DataError(say("name_not_utf8", place=place)) from None
        for each in (row, *row.get("more", ())):
            whole.update(f"{key}\0{each['sha256']}\n".encode())
    return whole.hexdigest()


def _listed(path: Path) -> dict[str, Any]:
    """A file as it is listed: where it lies, its size and its hash."""
    if not path.is_file() and path.exists():
        raise DataError(say("not_a_file", place=path_text(path)))
    with path.open("rb") as stream:
        return {"file": str(path.resolve()), "sha256": sha256(stream), "size": stream.tell()}


def read_listed(row: Mapping[str, Any], encodings: Counter[str] | None = None) -> Any:
    """Read a document of an input folder: its text, or with sidecars `{"text": …, KEY: JSON or None}`.

    Of several files it is the list of their texts; None of a document that is missing.

    `encodings` counts how the files that are read are encoded.
    """
    seen: Counter[str] = Counter() if encodings is None else encodings
    if row["file"] is None:
        return None
    if "more" in row:
        return [_read_text(each, seen) for each in (row, *row["more"])]
    text = _read_text(row, seen)[row.get("begins", 0) :]
    if "beside" not in row:
        return text
    return {"text": text, **{key: beside and _read_json(beside, seen) for key, beside in row["beside"].items()}}


def _front_matter(row: dict[str, Any], path: Path, sidecars: Sidecars) -> dict[str, str]:
    """Slice keys that a gold document begins with; its row then says where its text begins."""
    if not sidecars or path.suffix.lower() not in MARKDOWN:
        return {}
    with path.open("rb") as stream:
        head = stream.read(MAX_FRONT_MATTER)
    text = head.decode("utf-8-sig", "ignore").replace("\r\n", "\n").replace("\r", "\n")
    meta, length = find_front_matter(text)
    if length:
        row["begins"] = length
    return meta


def path_text(path: Path) -> str:
    """Write the path of an input file or folder as messages and the manifest show it."""
    return shown(str(path), MAX_NAME)


def sha256(stream: BinaryIO) -> str:
    """sha256 of the rest of an input stream, such as a file of a folder."""
    return hashlib.file_digest(cast("io.BufferedReader", stream), "sha256").hexdigest()


def _sidecar(key: str, document: Path, sidecar: Sidecar, whole: Any) -> dict[str, Any] | None:
    """The sidecar of a document, whose content enters the hash of the whole; None where there is none."""
    names = (document.with_name(document.stem + ending) for ending in sidecar.endings)
    found = [path for path in names if path.is_file()]
    if len(found) > 1:
        raise _two_files(f"{key} · {sidecar.key}", *found[:2])
    for path in found:
        listed = _listed(path)
        whole.update(f"{key}\0{sidecar.key}\0{listed['sha256']}\n".encode())
        return listed
    return None


def _two_files(key: str, first: Path, second: Path) -> DataError:
    return DataError(say("two_files_one_key", key=shown(key), first=path_text(first), second=path_text(second)))


def _read_text(listed: Mapping[str, Any], encodings: Counter[str]) -> str:
    """A document's text, any line ends as \\n. What cannot be read is a bad row.

    The file must hold what it held when it was listed, perhaps on another machine.
    """
    path = listed["file"]
    if listed["size"] > MAX_ROW_BYTES:
        raise BadRow(say("document_too_long", file=path, most=MAX_ROW_BYTES >> 20))
    try:
        with Path(path).open("rb") as file:
            data = file.read(listed["size"] + 1)
    except OSError as error:
        raise DataError(say("cannot_read", place=path, problem=os_problem(error))) from None
    if hashlib.sha256(data).hexdigest() != listed["sha256"]:
        raise DataError(say("other_content", place=path))
    if key := no_text(Path(path).suffix, data):
        raise BadRow(say(key, file=path))
    try:
        text, encoding = decode(data)
    except Undecodable as bad:
        raise BadRow(say("document_not_utf8", place=f"{path}:{bad.place}")) from None
    encodings[encoding] += 1
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _read_json(listed: Mapping[str, Any], encodings: Counter[str]) -> dict[str, Any]:
    """The object a sidecar holds; a bad one makes the row of its document bad, and is named with its line."""
    data = _read_text(listed, encodings).encode()
    try:
        return parse(data)
    except BadRow as bad:
        line = 1 + data.count(b"\n", 0, bad.column - 1)
        raise BadRow(f"{listed['file']}:{line}: {bad.problem}") from None


def _walk(folder: Path, above: tuple[tuple[int, int], ...] = ()) -> Iterator[Path]:
    """Files in a folder in a fixed order; hidden ones are left out, a link back to a folder above is an error."""
    try:
        status = folder.stat()
        here = (status.st_dev, status.st_ino)
        if here in above:
            raise DataError(say("symlink_loop", place=path_text(folder)))
        inner = sorted(folder.iterdir())
    except OSError as error:
        raise DataError(say("cannot_read", place=path_text(folder), problem=os_problem(error))) from None
    for path in inner:
        if path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _walk(path, (*above, here))
        else:
            yield path
