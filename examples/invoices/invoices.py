"""A model that reads invoices: here two canned answers, in your project a call of yours."""

REFERENCES = [
    {"number": "INV-0501", "date": "2026-03-10", "total": 1500000, "supplier": "한빛의료기"},
    {"number": "INV-0502", "date": "2026-03-12", "total": 82000, "supplier": "서울약품"},
]


def read_invoices() -> list[str]:
    """What the model in use writes, as text."""
    return [
        '{"number": "INV-0501", "date": "2026.03.10", "total": "1,500,000", "supplier": "한빛의료기"}',
        '{"number": "INV-0502", "date": "2026-03-12", "total": 82000, "supplier": "서울약품"}',
    ]


def read_invoices_fast() -> list[str]:
    """What a cheaper model writes."""
    return [
        '{"number": "INV-O501", "date": "2026-03-10", "total": 1500000, "supplier": "한빛의료기"}',
        '{"number": "INV-0502", "date": "2026-03-12", "total": 820000}',
    ]
