"""Addresses of the web and of mail."""

from __future__ import annotations

import pytest

from jatdae.structured.links import compare_links


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ("https://Example.com/", "https://example.com", (True, True)),
        ("example.com", "https://www.example.com/", (True, True)),
        ("http://example.com", "https://example.com", (False, True)),
        ("www.bäckerei.de", "https://www.bäckerei.de/", (True, True)),
        ("<jane@a.com>", "Jane@a.com", (True, True)),
        ("https://example.com/A", "https://example.com/a", (False, False)),
        ("Jane@Example.com", "mailto:jane@example.com", (True, True)),
        ("jane@a.com", "jane@b.com", (False, False)),
        ("3.5", "3.5", None),
        ("e.g. this", "e.g. that", None),
    ],
)
def test_addresses_of_the_web_and_of_mail(a: str, b: str, found: tuple[bool, bool] | None) -> None:
    assert compare_links(a, b) == found
