"""A parser that writes whole HTML pages is charged for its text, not for what wraps it."""

from __future__ import annotations

import pytest

from jatdae.core.contract import Sample
from jatdae.documents import DocumentEvaluator
from jatdae.documents.html_page import page_body

INNER = "<h1>Title</h1><p>some text</p>"
HEAD = "<head><meta charset='utf-8'><title>other</title><style>p { margin: 0 }</style></head>"


@pytest.mark.parametrize(
    "page",
    [
        f"<html><body>{INNER}</body></html>",
        f'<!DOCTYPE html>\n<html lang="ko">{HEAD}\n<BODY class="a">{INNER}</BODY>\n</html>\n',
        f"<?xml version='1.0'?>\n<html>{HEAD}<body\n>{INNER}",
    ],
)
def test_what_wraps_a_page_costs_nothing(page: str) -> None:
    assert page_body(page) == INNER
    outcome = DocumentEvaluator().score(Sample("1", page, "# Title\n\nsome text\n"))
    assert outcome.values["cer"] == outcome.values["body_cer"] == 0.0
    assert outcome.values["structure_f1"] == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Title\n\nsome <body> of text </body>\n",
        INNER,
        "<html>no body",
        "<html><body never closed",
        "<html><bodywork>",
    ],
)
def test_what_is_no_page_with_a_body_stays_as_it_is(text: str) -> None:
    assert page_body(text) == text


def test_a_page_is_cut_at_its_last_end() -> None:
    assert page_body("<html><body>a</body>b</body></html>") == "a</body>b"
    assert page_body("<html></body><body>a") == "a"
