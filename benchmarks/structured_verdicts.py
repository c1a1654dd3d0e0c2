"""Values judged by people and by tools: the share of verdicts on which jatdae and its peers agree with a person.

Each pair of values in tests/structured/cases has a verdict: same, close or different. jatdae says all three (an exact
match, a fuzzy one, neither). The others say whether two values match, so a close pair may be either for them. Plain
equality compares the trimmed texts as they are written, in the manner of KIEval and of most scripts.

    python benchmarks/structured_verdicts.py
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

CASES = Path(__file__).parents[1] / "tests" / "structured" / "cases"
FROZEN = ("first", "specification")
"""Sets that were fixed before the code was changed. The others were written later, each to be judged once."""
GUARDS = "near_misses.jsonl"
"""Pairs that must stay different; they were chosen while the readers of values were mended, and measure nothing."""

Case = dict[str, Any]
Judge = Callable[[Case], str]


def main() -> None:
    sets = read_sets()
    groups = {
        "frozen": [case for name in FROZEN for case in sets[name]],
        "later": [case for name, cases in sets.items() if name not in FROZEN for case in cases],
        "all": [case for cases in sets.values() for case in cases],
    }
    judges = list(tools())
    for group, cases in groups.items():
        print(f"\n{group}: {len(cases)} pairs\n{'':16}{'agree':>8}{'false match':>13}{'false mismatch':>16}")
        for name, judge in judges:
            print(
                f"{name:16}"
                + "".join(
                    f"{share:{width}.3f}" for share, width in zip(shares(name, judge, cases), (8, 13, 16), strict=True)
                )
            )
    by_kind: dict[str, list[Case]] = {}
    for case in groups["all"]:
        by_kind.setdefault(case["kind"], []).append(case)
    for title, parts in (("set", sets), ("kind", by_kind)):
        print(f"\njatdae by {title}\n{'':16}{'pairs':>8}{'agree':>8}{'false match':>13}")
        for name, cases in parts.items():
            agree, matched, _ = shares("jatdae", judges[0][1], cases)
            print(f"{name:16}{len(cases):8}{agree:8.3f}{matched:13.3f}")


def read_sets() -> dict[str, list[Case]]:
    """The pairs by set, without those whose reader was not sure."""
    sets: dict[str, list[Case]] = {}
    for path in sorted(CASES.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines() if path.name != GUARDS else ():
            case = json.loads(line)
            if case.get("sure", True):
                sets.setdefault(case["set"], []).append(case)
    return sets


def shares(name: str, judge: Judge, cases: list[Case]) -> tuple[float, float, float]:
    """Shares of pairs on which a tool agrees with people, matches what is different, and misses what is the same."""
    pairs = [(case["verdict"], judge(case)) for case in cases]
    agree = sum(
        said == wanted or (said != "close" and wanted == "close" and name != "jatdae") for wanted, said in pairs
    )
    matched = sum(wanted == "different" and said != "different" for wanted, said in pairs)
    missed = sum(wanted == "same" and said == "different" for wanted, said in pairs)
    return agree / len(pairs), matched / len(pairs), missed / len(pairs)


def tools() -> Iterator[tuple[str, Judge]]:
    yield "jatdae", jatdae()
    for name, make in (("stickler-eval", stickler), ("anls-star", anls_star), ("plain equality", lambda: equality)):
        try:
            yield name, make()
        except ImportError:
            print(f"{name}: not installed")


def jatdae() -> Judge:
    from jatdae.structured import StructuredEvaluator

    evaluator = StructuredEvaluator()

    def judge(case: Case) -> str:
        context = case.get("context", {})
        report = evaluator.compare({"x": case["prediction"], **context}, {"x": case["reference"], **context})
        results = [result for result in report.field_results if result.field_name.startswith("x")]
        if report.extra_results or not all(result.fuzzy_match for result in results):
            return "different"
        return "same" if all(result.exact_match for result in results) else "close"

    return judge


def stickler() -> Judge:
    """The comparator that its documentation gives for the kind of value; a match is a score at the threshold."""
    from stickler import DateComparator, ExactComparator, LevenshteinComparator, NumericComparator

    text, number, exact, day = LevenshteinComparator(), NumericComparator(), ExactComparator(), DateComparator()
    exactly = dict.fromkeys(("identifier", "phone", "bizno", "bool", "null"), exact)
    by_kind: dict[str, Any] = {"number": number, "money": number, "date": day, "datetime": day} | exactly

    def judge(case: Case) -> str:
        comparator = by_kind.get(case["kind"], text)
        threshold = 0.9 if comparator is text else 1.0
        try:
            score = comparator.compare(case["reference"], case["prediction"])
        except (TypeError, ValueError):
            score = 0.0
        return "same" if score >= threshold else "different"

    return judge


def anls_star() -> Judge:
    """A match is a score of 0.9 and more, which allows as many edits as the fuzzy match of jatdae."""
    from anls_star import anls_score

    def judge(case: Case) -> str:
        try:
            score = anls_score({"x": case["reference"]}, {"x": case["prediction"]})
        except (TypeError, ValueError):
            score = 0.0
        return "same" if score >= 0.9 else "different"

    return judge


def equality(case: Case) -> str:
    def written(value: Any) -> str:
        return value.strip() if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

    return "same" if written(case["reference"]) == written(case["prediction"]) else "different"


if __name__ == "__main__":
    main()
