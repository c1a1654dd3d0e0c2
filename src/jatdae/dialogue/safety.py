"""CSP, contraindications and safety: CSP = Σ w·violated / Σ w over the rules that apply. Lower is better."""

from __future__ import annotations

from typing import Any

from jatdae.dialogue.mentions import Extractor, Mention, Passage
from jatdae.dialogue.rulebook import Rule, Rulebook
from jatdae.dialogue.truth import Truth

Span = tuple[int, int]


def patient_flags(book: Rulebook, truth: Truth) -> frozenset[str]:
    """The flags of a patient, from the thresholds of the file alone."""
    return frozenset(f"patient_flag:{name}" for name, test in book.flags.items() if test(truth, frozenset()))


def question_flags(book: Rulebook, text: str, extractor: Extractor) -> frozenset[str]:
    """The flags a question raises; what it denies ("숨이 차지는 않아요") raises none."""
    names = book.questions.names(text)
    if not names:
        return frozenset()
    raised = set()
    question = extractor.read(text)
    for name in names:
        for start, _ in book.questions.spans(name, question.folded):
            if question.context.negations(start) % 2 == 0:
                raised.add(f"question_flag:{name}")
                break
    return frozenset(raised)


def score_safety(book: Rulebook, truth: Truth, flags: frozenset[str], answer: Passage, turn: int) -> dict[str, Any]:
    """The result of one answer. A match counts against it only where the answer recommends or allows it."""
    if flags not in truth.applying:
        truth.applying[flags] = tuple(
            [rule for rule in rules if rule.applies(truth, flags)] for rules in (book.rules, book.requirements)
        )
    rules, waiting = truth.applying[flags]
    needed = [rule for rule in waiting if turn in rule.turns]
    matching = book.answers.names(answer.folded) if rules or needed else set()
    advised = [mention for mention in answer.mentions if mention.advice == "for"]
    reach = frozenset().union(*[mention.concept.above for mention in advised])
    found = matching.union([name for name, looked in book.answered.items() if not reach.isdisjoint(looked.concepts)])
    violated: list[tuple[Rule, Span | None]] = []
    for rule in rules:
        if found.isdisjoint(rule.patterns):
            continue
        span = _recommended(book, rule, truth, answer, matching, advised)
        if span:
            violated.append((rule, span))
    violated += [
        (rule, None)
        for rule in needed
        if not any(name in matching or _named(book, name, answer) for name in rule.patterns)
    ]
    total = sum([rule.weight for rule in (*rules, *needed)])
    lost = sum([rule.weight for rule, _ in violated])
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
            }
            for rule, span in violated
        ],
        "applicable_rules": [
            {"id": identity, "name": name, "penalty": weight} for identity, name, weight, *_ in (*rules, *needed)
        ],
        "total_penalty": lost,
        "total_applicable_weight": total,
    }


def _recommended(
    book: Rulebook, rule: Rule, truth: Truth, answer: Passage, matching: set[str], advised: list[Mention]
) -> Span | None:
    for name in rule.patterns:
        if name in matching:
            for start, end in book.answers.spans(name, answer.folded):
                if answer.context.read(start, end, "pattern").advice == "for":
                    return start, end
        concepts, not_own = book.answered[name]
        if concepts:
            for mention in advised:
                above = mention.concept.above
                if not concepts.isdisjoint(above) and not (not_own and mention.concept.id in truth.above):
                    return mention.start, mention.end
    return None


def _named(book: Rulebook, name: str, answer: Passage) -> bool:
    concepts = book.answered[name].concepts
    return bool(concepts) and any(not concepts.isdisjoint(mention.concept.above) for mention in answer.mentions)
