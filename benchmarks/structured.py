"""JSON against JSON, rows in any order: jatdae beside stickler-eval, anls-star and deepdiff, on invoices made here.

A small invoice has 40 leaves and 10 rows, a large one 609 leaves and 200 rows. The prediction has its rows shuffled;
one leaf in ten is written another way (1,200 for 1200), one in ten is wrong, one in a hundred is missing. Each gets
plain Python objects, is told which fields are numbers and dates where it can be told, and gives its full report. Nobody
sees a document twice, so that nothing is remembered, and tools take turns. The garbage collector rests, as in a run.

    python benchmarks/structured.py [--rounds 3] [--profile] [--no-peers]
"""

from __future__ import annotations

import argparse
import gc
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

Document = dict[str, Any]
Compare = Callable[[Document, Document], object]

KOREAN = ["아메리카노", "카페라떼", "치즈케이크", "샌드위치", "충수절제술", "전신마취", "초음파", "혈액검사"]
WORDS = [*KOREAN, "Consulting", "Hosting", "Keyboard", "Monitor", "Printer", "Cable", "Desk", "Chair", "Rope", "Gauge"]
SMALL, LARGE = 10, 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-peers", action="store_true", help="only jatdae")
    parser.add_argument("--profile", action="store_true", help="where the time of jatdae goes")
    options = parser.parse_args()
    gc.set_threshold(200_000)
    tools = {"jatdae": jatdae(), "jatdae, ted up to 2,000 nodes": jatdae(ted_nodes=2000)}
    if not options.no_peers:
        tools |= {"stickler-eval": stickler(), "deepdiff": deepdiff(), "anls-star": anls_star()}
    for rows, batches in ((SMALL, (600, 600, 15, 8, 8)), (LARGE, (20, 20, 1, 1, 1))):
        race(rows, tools, dict(zip(tools, batches, strict=False)), options.rounds)
    if options.profile:
        profile(tools["jatdae"])


def race(rows: int, tools: dict[str, Compare], batches: dict[str, int], rounds: int) -> None:
    """Documents a second of each tool, and how many times faster jatdae is in the same round."""
    speed: dict[str, list[float]] = {name: [] for name in tools}
    for number in range(rounds):
        for name, compare in tools.items():
            if rows == LARGE and number and speed[name][0] < 1:
                speed[name].append(speed[name][0])  # a peer that takes many seconds is asked once
                continue
            compare(*pair(random.Random("warm"), SMALL))
            batch = [pair(random.Random(f"{name} {number} {at}"), rows) for at in range(batches[name])]
            start = time.process_time()
            for prediction, reference in batch:
                compare(prediction, reference)
            speed[name].append(len(batch) / (time.process_time() - start))
    leaves = 40 if rows == SMALL else 609
    print(f"{leaves} leaves, {rows} rows; {rounds} rounds, one thread, CPU time\n")
    print(f"{'':34}{'docs/s, best':>14}{'median':>10}{'jatdae is':>14}")
    for name, found in speed.items():
        ratios = [ours / theirs for ours, theirs in zip(speed["jatdae"], found, strict=True)]
        times = "" if name == "jatdae" else f"{statistics.median(ratios):,.1f} ×"
        print(f"{name:34}{max(found):14,.2f}{statistics.median(found):10,.2f}{times:>14}")
    print()


def pair(draw: random.Random, rows: int) -> tuple[Document, Document]:
    """A prediction and its reference."""
    reference = invoice(draw, rows)
    prediction = misread(draw, reference)
    prediction["items"] = [misread(draw, row) for row in reference["items"]]
    draw.shuffle(prediction["items"])
    return prediction, reference


def invoice(draw: random.Random, rows: int) -> Document:
    items = [
        {
            "description": f"{draw.choice(WORDS)} {draw.choice(WORDS)} {draw.randrange(100)}",
            "quantity": draw.randrange(1, 20),
            "amount": 100 * draw.randrange(1, 9000),
        }
        for _ in range(rows)
    ]
    subtotal = sum(row["amount"] for row in items)
    made = {
        "invoice_number": f"INV-{draw.randrange(10**6):06d}",
        "issue_date": f"2024-{draw.randrange(1, 13):02d}-{draw.randrange(1, 29):02d}",
        "supplier": f"{draw.choice(WORDS)} 주식회사",
        "supplier_number": f"{draw.randrange(100, 999)}-{draw.randrange(10, 99)}-{draw.randrange(10**4, 10**5)}",
        "customer": draw.choice(["김철수", "이영희", "박민수", "Jane Doe"]),
        "address": f"서울시 강남구 {draw.randrange(1, 400)}번길 {draw.randrange(1, 50)}",
        "currency": "KRW",
        "subtotal": subtotal,
        "tax": subtotal // 10,
        "total": subtotal + subtotal // 10,
        "items": items,
    }
    if rows == LARGE:
        del made["address"]
    return made


def misread(draw: random.Random, reference: Document) -> Document:
    """A copy with some leaves written another way, some wrong and some missing."""
    made: Document = {}
    for key, value in reference.items():
        chance = draw.random()
        if isinstance(value, list) or chance < 0.79:
            made[key] = value
        elif chance < 0.89:
            made[key] = f"{value:,}" if isinstance(value, int) else value.replace("2024-", "2024.").replace("-", ".", 1)
        elif chance < 0.99:
            at = draw.randrange(len(value)) if isinstance(value, str) else 0
            wrong = value + draw.randrange(1, 90) if isinstance(value, int) else value[:at] + "O" + value[at + 1 :]
            made[key] = wrong
    return made


def jatdae(**config: Any) -> Compare:
    from jatdae.core.contract import Sample
    from jatdae.structured import StructuredEvaluator

    evaluator = StructuredEvaluator(arrays={"items": "set"}, **config)
    return lambda prediction, reference: evaluator.score(Sample("", prediction, reference))


def stickler() -> Compare:
    """Rows are matched by assignment; numbers, dates and codes have comparators of their own."""
    from stickler import ComparableField as Is
    from stickler import DateComparator, ExactComparator, LevenshteinComparator, NumericComparator, StructuredModel

    text, number, exact = LevenshteinComparator(), NumericComparator(), ExactComparator()

    class Item(StructuredModel):
        description: Any = Is(comparator=text, threshold=0.9, default=None)
        quantity: Any = Is(comparator=number, threshold=1.0, default=None)
        amount: Any = Is(comparator=number, threshold=1.0, default=None)

    class Invoice(StructuredModel):
        invoice_number: Any = Is(comparator=exact, threshold=1.0, default=None)
        issue_date: Any = Is(comparator=DateComparator(), threshold=1.0, default=None)
        supplier: Any = Is(comparator=text, threshold=0.9, default=None)
        supplier_number: Any = Is(comparator=exact, threshold=1.0, default=None)
        customer: Any = Is(comparator=text, threshold=0.9, default=None)
        address: Any = Is(comparator=text, threshold=0.9, default=None)
        currency: Any = Is(comparator=exact, threshold=1.0, default=None)
        subtotal: Any = Is(comparator=number, threshold=1.0, default=None)
        tax: Any = Is(comparator=number, threshold=1.0, default=None)
        total: Any = Is(comparator=number, threshold=1.0, default=None)
        items: list[Item] = Is(default=[])

    def compare(prediction: Document, reference: Document) -> object:
        return Invoice(**reference).compare_with(
            Invoice(**prediction), include_confusion_matrix=True, document_field_comparisons=True
        )

    return compare


def deepdiff() -> Compare:
    """What differs and how; knows no kinds of values and gives no scores."""
    from deepdiff import DeepDiff

    return lambda prediction, reference: DeepDiff(reference, prediction, ignore_order=True, verbose_level=2)


def anls_star() -> Compare:
    """One score with a score per key; lists are matched by assignment, all values are texts."""
    from anls_star import anls_score

    return lambda prediction, reference: anls_score(reference, prediction, return_gt=True, return_key_scores=True)


def profile(compare: Compare) -> None:
    import cProfile
    import pstats

    for rows, count in ((SMALL, 500), (LARGE, 10)):
        documents = [pair(random.Random(f"profile {at}"), rows) for at in range(count)]
        with cProfile.Profile() as profiler:
            for prediction, reference in documents:
                compare(prediction, reference)
        pstats.Stats(profiler).sort_stats("tottime").print_stats(20)


if __name__ == "__main__":
    main()
