"""Where two texts differ, in words: passages that are lost, moved or added, errors by part of the page, confusions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from jatdae.core.messages import say as say_common
from jatdae.core.messages import shown, speaker, word_finder

LONGEST: Final = 80
"""Characters shown of a passage."""
MOST_CONFUSIONS: Final = 6
SORTS: Final = ("substitutions", "deletions", "insertions")

say = speaker(__name__)
word = word_finder(__name__)


def say_findings(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Lines on the evidence of one text; the aligned texts themselves are shown beside them."""
    for passage in evidence.get("passages") or ():
        if "from" in passage:
            continue  # the other end of a text that moved
        sides = [shown(passage[side], LONGEST) for side in ("reference", "prediction") if passage.get(side)]
        text = "” → “".join(sides if passage["kind"] == "replaced" else sides[:1])
        about = f"{_part(passage['where'])}, {word('characters')} {passage['characters']}"
        yield f"{word('key.' + passage['kind'])} ({about}): “{text}”{_moved(passage.get('after'))}"
    where = sorted((evidence.get("where") or {}).items(), key=lambda found: -sum(found[1].values()))
    for part, found in where:
        counts = ", ".join(f"{word(sort)} {found[sort]}" for sort in SORTS if found.get(sort))
        yield f"{_part(part)}: {counts}"
    if confusions := evidence.get("confusions"):
        listed = ", ".join(_confusion(pair) + (f" ×{n}" if n > 1 else "") for pair, n in confusions[:MOST_CONFUSIONS])
        more = " …" if len(confusions) > MOST_CONFUSIONS else ""
        yield f"{word('confusions')}: {listed}{more}"
    if all(run["kind"] == "equal" for run in evidence["runs"]):
        yield say("texts_agree")


def _moved(after: Sequence[str] | None) -> str:
    """Where a text that moved stands in the reference, and where in the prediction."""
    if not after:
        return ""
    places = [f"{word('after')} “{shown(text)}”" if text else word("at_beginning") for text in after]
    sides = zip((say_common("page_reference"), say_common("page_prediction")), places, strict=True)
    return f"; {' → '.join(f'{side}: {place}' for side, place in sides)}"


def _confusion(pair: str) -> str:
    """`a→b` with spaces that can be seen, and a sign where one side has nothing; an arrow may be misread too."""
    at = pair.find("→", 1) if "→" in pair[1:] else 0
    return "→".join(shown(side.replace(" ", "␣")) or "∅" for side in (pair[:at], pair[at + 1 :]))


def _part(name: str) -> str:
    return word(f"key.{name}", name)
