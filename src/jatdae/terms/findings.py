"""What became of the terms of a description, in words: what is wrong first, then what was not recognised."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from jatdae.core.messages import language, say, shown, word_finder

WRONG: Final = ("missed", "extra", "negated", "confused", "place")
"""Findings that cost something, in the order in which they are told."""
SIDES: Final = ("reference", "prediction")

word = word_finder(__name__)
Term = Mapping[str, Any]


def say_findings(evidence: Mapping[str, Any]) -> Iterator[str]:
    """Lines on the evidence of one sample; where both sides have a term, the reference stands before the arrow."""
    meant, said = (evidence[side]["terms"] for side in SIDES)
    for kind in WRONG:
        for outcome, predicted, expected, similarity in evidence["findings"]:
            if outcome == kind:
                yield f"{word(f'outcome_{kind}')}: {_wrong(kind, expected, predicted, similarity, meant, said)}"
    right = [_named(meant[expected], meant) for kind, _, expected, _ in evidence["findings"] if kind == "right"]
    if right:
        yield f"{word('outcome_right')}: {' · '.join(dict.fromkeys(right))}"
    for side in SIDES:
        for gap in evidence[side].get("not_understood") or ():
            yield f"{word('outcome_unread')} ({say(f'page_{side}')}): {shown(gap['text'])}"


def _wrong(
    kind: str,
    expected: int | None,
    predicted: int | None,
    similarity: float,
    meant: Sequence[Term],
    said: Sequence[Term],
) -> str:
    if expected is None:
        return _alone(said[predicted or 0], said)
    wanted = meant[expected]
    if predicted is None:
        return _alone(wanted, meant)
    given = said[predicted]
    if kind == "negated":
        told = f"{_named(wanted, meant)}: {_polarity(wanted)} → {_polarity(given)}"
    elif kind == "place":
        told = f"{_named(wanted, meant)}: {_places(wanted, meant)} → {_places(given, said)}"
    else:
        told = f"{_named(wanted, meant)} → {_named(given, said)}"
    near = f" · {word('similarity')} {similarity:.2f}" if kind == "confused" else ""
    return told + _axis(wanted) + near


def _alone(term: Term, terms: Sequence[Term]) -> str:
    denied = f", {word('denied')}" if term.get("negated") else ""
    return _named(term, terms) + denied + _axis(term)


def _named(term: Term, terms: Sequence[Term]) -> str:
    """A term as it was written, with its meaning; where one piece of text states several, each by its own name."""
    shared = any(each["atom"] != term["atom"] and each["start"] == term["start"] for each in terms)
    value = term["atom"].partition("_")[2]
    name = shown(value if shared else term["text"])
    glosses = term.get("gloss") or {}
    gloss = glosses.get(language()) or next(iter(glosses.values()), "")
    gloss = value if gloss == name else gloss
    return f"{name} ({gloss})" if gloss and gloss != name else name


def _axis(term: Term) -> str:
    told = word(f"axis_{term['atom'].partition('_')[0]}", "")
    return f" · {told}" if told else ""


def _polarity(term: Term) -> str:
    return word("denied" if term.get("negated") else "stated")


def _places(term: Term, terms: Sequence[Term]) -> str:
    """Where a finding is: at the places of all its mentions."""
    mentions = [
        each
        for each in terms
        if each["atom"] == term["atom"] and bool(each.get("negated")) == bool(term.get("negated"))
    ]
    atoms = dict.fromkeys(place for each in mentions for place in each.get("places") or ())
    found = [_named(place, terms) for atom in atoms for place in terms if place["atom"] == atom]
    placeless = [word("no_place")] if any(not each.get("places") for each in mentions) else []
    return ", ".join([*dict.fromkeys(found), *placeless])
