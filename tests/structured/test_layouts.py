"""What the other values of a document say of its grouping separator and the order of its dates."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.structured.dates import ORDERS
from jatdae.structured.layouts import MOST_READ, Layout


@pytest.mark.parametrize(
    ("texts", "group"),
    [
        ((), ""),
        (("1.234",), ""),
        (("1.234.567",), "."),
        (("1,234,567",), ","),
        (("12,50",), "."),
        (("12.50",), ","),
        (("1.234,56",), "."),
        (("Rp 91.000",), "."),
        (("12,50", "12.50"), ""),
        (("see 1.234.567 of 2",), ""),
    ],
)
def test_a_number_that_can_be_read_in_one_way_forces_the_separator(texts: tuple[str, ...], group: str) -> None:
    assert (Layout(texts).group or "") == group


@pytest.mark.parametrize(
    ("texts", "gone"),
    [(("25/04/2024",), "mdy"), (("04/25/2024",), "dmy"), (("2024-04-25", "plain"), "")],
)
def test_a_date_that_can_be_read_in_one_way_rules_orders_out(texts: tuple[str, ...], gone: str) -> None:
    orders = Layout(texts).orders
    assert set(orders) <= set(ORDERS)
    assert (gone not in orders) if gone else set(orders) == set(ORDERS)


def test_a_long_document_is_looked_through_only_so_far() -> None:
    assert not Layout(("." * (MOST_READ + 1), "1.234.567")).group


@settings(derandomize=True, deadline=None, max_examples=80)
@given(st.lists(st.text(max_size=12), max_size=6))
def test_any_document_has_a_layout(texts: list[str]) -> None:
    layout = Layout(texts)
    assert (layout.group or "") in ("", ".", ",")
    assert layout.orders
