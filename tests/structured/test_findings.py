"""What is wrong in a document, in words."""

from __future__ import annotations

from jatdae import StructuredEvaluator
from jatdae.core.contract import Sample
from jatdae.core.messages import speaking


def lines(prediction: object, reference: object, **config: object) -> list[str]:
    evidence = StructuredEvaluator(**config).score(Sample("1", prediction, reference)).evidence  # type: ignore[arg-type]
    return list(StructuredEvaluator.findings(evidence))


def test_a_line_per_value_that_differs_and_none_for_equal_ones() -> None:
    reference = {"total": 82000, "supplier": "서울약품", "note": "a", "date": "2026-03-12"}
    prediction = {"total": 820000, "note": None, "date": "2026-03-12", "city": "Busan"}
    assert lines(prediction, reference) == [
        "4 of 5 values differ.",
        "total: different value: 82000 → 820000",
        "supplier: missing: 서울약품",
        "note: null instead of a value: a → null",
        "city: invented: not in the reference: Busan",
    ]


def test_a_part_that_is_missing_as_a_whole_is_one_line() -> None:
    assert lines({}, {"seller": {"name": "a", "vat": "b"}})[1:] == ["seller: missing (2)"]


def test_equal_documents_are_told_in_one_line_in_the_language_of_the_reader() -> None:
    with speaking("ko"):
        assert lines({"a": 1}, {"a": 1}) == ["값 1개가 모두 일치합니다."]
