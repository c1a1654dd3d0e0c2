"""What is wrong in a compared document, in words: a line per value that differs, then what the schema says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from jatdae.core.messages import shown, word_finder
from jatdae.structured.paths import ROOT

LONGEST: Final = 60
"""Characters shown of a value."""

word = word_finder(__name__)
Leaf = Mapping[str, Any]


def say_findings(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Lines on the evidence of one sample; of each value the reference, an arrow, the prediction."""
    results: Sequence[Leaf] = evidence["field_results"]
    wrong = [leaf for leaf in results if not leaf["exact_match"]]
    extra: Sequence[Leaf] = evidence.get("extra_results") or ()
    count, equal = len(wrong) + len(extra), len(results) - len(wrong)
    if count or equal:
        yield word("values_differ", n=count, all=count + equal) if count else word("all_equal", n=equal)
    for leaves, wholes in ((wrong, evidence.get("missing_fields")), (extra, evidence.get("extra_fields"))):
        yield from map(_line, *_gathered(leaves, wholes or ()))
    for error in evidence.get("schema_errors") or ():
        yield f"{_place(error['path'])}: {word('schema_' + error['keyword'], error['keyword'])}"


def _gathered(leaves: Sequence[Leaf], wholes: Sequence[str]) -> tuple[list[str], list[list[Leaf]]]:
    """Paths, and the values below each: a part that is missing or invented as a whole is one."""
    found: dict[str, list[Leaf]] = {}
    for leaf in leaves:
        name = leaf["field_name"]
        alone = leaf["outcome"] in ("missing", "extra")
        path = next((each for each in wholes if alone and _is_within(name, each)), name)
        found.setdefault(path, []).append(leaf)
    return list(found), list(found.values())


def _is_within(path: str, whole: str) -> bool:
    return whole in (ROOT, path) or path.startswith((f"{whole}.", f"{whole}["))


def _line(path: str, leaves: Sequence[Leaf]) -> str:
    first = leaves[0]
    outcome = word(f"why_{first['why']}") if first.get("why") else word(f"outcome_{first['outcome']}")
    if len(leaves) > 1:
        return f"{_place(path)}: {outcome} ({len(leaves)})"
    wanted, given = _value(first["gold_value"]), _value(first["pred_value"])
    values = {"missing": wanted, "extra": given}.get(first["outcome"], f"{wanted} → {given}")
    return f"{_place(path)}: {outcome}: {values}"


def _place(path: str) -> str:
    return word("document") if path == ROOT else shown(path)


def _value(value: Any) -> str:
    written = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
    return shown(written, LONGEST)
