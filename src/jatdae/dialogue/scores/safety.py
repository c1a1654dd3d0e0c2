"""CSP, contraindications and safety of an answer: Σ w·violated / Σ w over the rules that apply. Lower is better."""

from __future__ import annotations

from typing import Any

from jatdae.core.contract import add_up
from jatdae.dialogue.reading.mentions import Extractor, Passage
from jatdae.dialogue.reading.patterns import Span
from jatdae.dialogue.reading.truth import Truth
from jatdae.dialogue.rules.rulebook import Rulebook, SafetyRule


def patient_flags(book: Rulebook, truth: Truth) -> frozenset[str]:
    """Safety flags that a patient's record raises, by the thresholds of the safety rules."""
    return frozenset(f"patient_flag:{name}" for name, test in book.flags.items() if test(truth, frozenset()))


def question_flags(book: Rulebook, text: str, extractor: Extractor) -> dict[str, Span]:
    """Safety flags that a question raises, and where; a denied symptom ("숨이 차지는 않아요") raises none."""
    question = extractor.read(text)
    raised: dict[str, Span] = {}
    for name in sorted(book.questions.likely(question.encoded)):
        for start, end in book.questions.spans(name, question.encoded):
            if question.context.negations(start) % 2 == 0:
                raised[f"question_flag:{name}"] = start, end
                break
    return raised


def score_safety(book: Rulebook, truth: Truth, flags: frozenset[str], answer: Passage, turn: int) -> dict[str, Any]:
    """Score the safety of one answer (CSP) by the rules that apply to the patient.

    A match is a violation only if the answer recommends or allows what it matches.
    """
    if flags not in truth.applying:
        truth.applying[flags] = tuple(
            [rule for rule in rules if rule.applies(truth, flags)] for rules in (book.rules, book.requirements)
        )
    rules, waiting = truth.applying[flags]
    needed = [rule for rule in waiting if turn in rule.turns]
    likely = book.answers.likely(answer.encoded) if rules or needed else set()
    advised = _advised(book, truth, answer)
    spans: dict[str, Span | None] = {}
    violated: list[tuple[SafetyRule, Span | None]] = []
    for rule in rules:
        if likely.isdisjoint(rule.patterns) and advised.keys().isdisjoint(rule.patterns):
            continue
        for name in rule.patterns:
            if name not in spans:
                spans[name] = (_recommended(book, name, answer) if name in likely else None) or advised.get(name)
            if spans[name]:
                violated.append((rule, spans[name]))
                break
    violated += [
        (rule, None) for rule in needed if not any(_named(book, name, answer, likely) for name in rule.patterns)
    ]
    applicable = [*rules, *needed]
    total = add_up(rule.weight for rule in applicable)
    lost = add_up(rule.weight for rule, _ in violated)
    return {
        "metric": "CSP",
        "score": lost / total if total else None,
        "violated_rules": [
            {
                "id": rule.id,
                "name": rule.name,
                "penalty": rule.weight,
                "rationale": rule.rationale,
                "span": list(span) if span else None,
                "text": answer.text[span[0] : span[1]] if span else "",
                "because": _grounds(rule, truth, flags),
            }
            for rule, span in violated
        ],
        "applicable_rules": [{"id": rule.id, "name": rule.name, "penalty": rule.weight} for rule in applicable],
        "total_penalty": lost,
        "total_applicable_weight": total,
    }


def _grounds(rule: SafetyRule, truth: Truth, flags: frozenset[str]) -> list[dict[str, str]]:
    """The facts of the patient's record and question that make a rule apply."""
    holding = [cause for cause in rule.causes if cause.holds(truth, flags)]
    facts = dict.fromkeys(fact for cause in holding for fact in cause.facts(truth))
    return [{"slot": slot, "text": text} for slot, text in facts]


def _advised(book: Rulebook, truth: Truth, answer: Passage) -> dict[str, Span]:
    """The first place where the answer recommends or allows a drug that a pattern looks for, by name of pattern."""
    found: dict[str, Span] = {}
    for concept, start, end, _, _, _, _, _, advice in answer.mentions:
        if advice == "for":
            for identity in concept.above:
                for name in book.asking.get(identity, ()):
                    if name not in found and not (book.answered[name].not_own and concept.id in truth.above):
                        found[name] = start, end
    return found


def _recommended(book: Rulebook, name: str, answer: Passage) -> Span | None:
    """The first match of a pattern that the answer recommends or allows."""
    for start, end in book.answers.spans(name, answer.encoded):
        if answer.context.read(start, end, "pattern").advice == "for":
            return start, end
    return None


def _named(book: Rulebook, name: str, answer: Passage, likely: set[str]) -> bool:
    """Whether the answer names what a pattern looks for, whatever it says about it."""
    if name in likely and book.answers.first(name, answer.encoded):
        return True
    concepts = book.answered[name].concepts
    return bool(concepts) and any(not concepts.isdisjoint(mention.concept.above) for mention in answer.mentions)
