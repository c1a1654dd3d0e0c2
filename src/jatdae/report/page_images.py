"""Images of the pages of documents for a report: `ID.png` in a folder, or `ID-1.png`, `ID-2.png` and so on.

They become part of the page (data URIs), so that a report stays one file that can be sent and reads nothing from
anywhere. What they may take is bounded; an image that would take more is left out and counted.
"""

from __future__ import annotations

import re
import unicodedata
from base64 import b64encode
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from jatdae.core.errors import UsageError
from jatdae.core.messages import say

MOST_BYTES: Final = 1 << 20
"""Of one image."""
MOST_BYTES_OF_ALL: Final = 12 << 20
MOST_OF_A_DOCUMENT: Final = 20
KINDS: Final = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp", ".gif": "gif"}
_BEGINNINGS: Final = {"png": b"\x89PNG", "jpeg": b"\xff\xd8\xff", "webp": b"RIFF", "gif": b"GIF8"}
_NUMBERED: Final = re.compile(r"(.+?)[-_.](?:p|page)?[-_]?0*([0-9]{1,6})", re.IGNORECASE)


def refuse_no_folder(folder: Path) -> None:
    """Refuse a folder of page images for a report that is not there."""
    if not folder.is_dir():
        raise UsageError(say("pages_no_folder", place=folder))


def read_images(folder: Path, documents: Iterable[str], told: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Read the page images of documents for a report: by document its images, and how many were left out.

    `told` is told of those, with the first of them, and of a folder that has no image of any.
    """
    refuse_no_folder(folder)
    wanted = dict.fromkeys(documents)
    places = _places(folder, wanted)
    found: dict[str, list[str]] = {}
    left_out: list[Path] = []
    total = 0
    for document in wanted:
        for path in places.get(document, ()):
            image = _read(path, MOST_BYTES_OF_ALL - total) if len(found.get(document, ())) < MOST_OF_A_DOCUMENT else ""
            if image:
                found.setdefault(document, []).append(image)
                total += len(image)
            else:
                left_out.append(path)
    if wanted and not places:
        told(say("pages_none", place=folder))
    if left_out:
        told(say("pages_left_out", n=len(left_out), place=left_out[0], most=MOST_BYTES >> 20, many=MOST_OF_A_DOCUMENT))
    return {"of": found, "left_out": len(left_out)}


def _places(folder: Path, documents: Iterable[str]) -> dict[str, list[Path]]:
    """By document the files of its pages, in their order; a document may lie in a folder within."""
    wanted = set(documents)
    found: dict[str, list[tuple[int, Path]]] = {}
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in KINDS or not path.is_file():
            continue
        name = unicodedata.normalize("NFC", path.relative_to(folder).with_suffix("").as_posix())
        numbered = _NUMBERED.fullmatch(name)
        if name in wanted:
            found.setdefault(name, []).append((0, path))
        elif numbered and numbered[1] in wanted:
            found.setdefault(numbered[1], []).append((int(numbered[2]), path))
    return {name: [path for _, path in sorted(pages)] for name, pages in found.items()}


def _read(path: Path, most: int) -> str:
    """An image as a data URI; "" where it is too large, cannot be read, or is no such image."""
    kind = KINDS[path.suffix.lower()]
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError:
        return ""
    if len(content) > MOST_BYTES or not content.startswith(_BEGINNINGS[kind]) or 4 * len(content) > 3 * most:
        return ""
    return f"data:image/{kind};base64,{b64encode(content).decode()}"
