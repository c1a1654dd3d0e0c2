"""What is wrong in a conversation, in words: broken safety rules, untrue claims, contradictions, what was left out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any, Final

from jatdae.core.messages import shown, word_finder

LONGEST: Final = 120
"""Characters shown of a quotation."""

word = word_finder(__name__)


def say_findings(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Lines on the evidence of one conversation: the gravest faults first, each in the order of the turns."""
    turns = evidence["turns"]
    found = [*_violated(turns), *_hallucinated(turns), *_contradicted(evidence.get("MCS") or {}), *_left_out(turns)]
    yield from found or [word("no_findings")]


def _violated(turns: list[Mapping[str, Any]]) -> Iterator[str]:
    broken = [(turn, rule) for turn in turns for rule in _result(turn, "CSP").get("violated_rules") or ()]
    for turn, rule in sorted(broken, key=lambda each: each[1].get("severity") != "critical"):
        name = word(f"key.{rule['id']}", rule["name"])
        said = f"{word('answer_recommends')} {_quoted(rule['text'])}" if rule.get("text") else word("answer_silent")
        yield f"{_turn(turn)}: {word('count.violated')}: {rule['id']} {name}. {said}"


def _hallucinated(turns: list[Mapping[str, Any]]) -> Iterator[str]:
    for turn in turns:
        for claim in _result(turn, "SFS").get("hallucinated_details") or ():
            answer = unicodedata.normalize("NFC", str(turn["event"].get("answer") or ""))
            said = answer[slice(*claim["span"])] if claim.get("span") else ""
            record = word("record_none")
            if claim.get("truth"):
                lists = "record_says" if claim["why"] == "contradicts_truth" else "record_lists"
                record = f"{word(lists)} {shown(claim['truth'], LONGEST)}"
            yield f"{_turn(turn)}: {word('span_hallucinated')}: {_quoted(said or claim['text'])}. {record}"


def _contradicted(result: Mapping[str, Any]) -> Iterator[str]:
    for pair in result.get("contradictions") or ():
        said = (pair["first"], pair["second"])
        sides = (f"{word('turn_says', n=each['turn'])} {_quoted(each['text'])}" for each in said)
        yield f"{word('span_contradicted')}: {' – '.join(sides)}"


def _left_out(turns: list[Mapping[str, Any]]) -> Iterator[str]:
    for turn in turns:
        used = _result(turn, "CUS_improved").get("used_detail") or {}
        elements = _result(turn, "ASS").get("elements") or {}
        unused = [_named(name) for name, slot in used.items() if slot["confidence"] == 0]
        lacking = [_named(name) for name, element in elements.items() if element["value"] == 0]
        for key, names in (("answer_unused", unused), ("answer_lacks", lacking)):
            if names:
                yield f"{_turn(turn)}: {word(key)} {', '.join(names)}"


def _result(turn: Mapping[str, Any], metric: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = (turn.get("results") or {}).get(metric) or {}
    return found


def _turn(turn: Mapping[str, Any]) -> str:
    return word("turn", n=turn["turn"])


def _named(key: str) -> str:
    return word(f"key.{key}", key.replace("_", " "))


def _quoted(text: str) -> str:
    return f"“{shown(text, LONGEST)}”"
