"""Two checks of a model that reads invoices: the first passes, the second shows what a failure looks like."""

from typing import Any

from invoices import REFERENCES, read_invoices, read_invoices_fast


def test_the_model_in_use_reads_invoices(yardstick: Any) -> None:
    yardstick.check(read_invoices(), REFERENCES, "structured", fail_under={"exact_accuracy": 0.9})


def test_the_fast_model_reads_invoices(yardstick: Any) -> None:
    yardstick.check(read_invoices_fast(), REFERENCES, "structured", fail_under={"exact_accuracy": 0.9})
