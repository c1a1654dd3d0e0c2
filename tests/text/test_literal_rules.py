"""The first wording, kept: same matches as the patterns it was given in, without their quadratic time."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jatdae.text.bibliography import cut, find_bibliographies
from jatdae.text.literal_rules import heading_split
from jatdae.text.normaliser import PRESETS, STEPS, normalise

GIVEN = {
    "seed_citation_numbers": r"\[\d+(?:\s*[,;-]\s*\d+)*\]",
    "seed_horizontal_rules": r"^\s*[-*_]{3,}\s*$",
    "seed_citation_authors": r"\([A-Z][a-z]+(?:\s+(?:et\s+al\.|&\s+[A-Z][a-z]+))?(?:,?\s*\d{4}[a-z]?)\)",
    "seed_footnote_definitions": r"^\[\^\w+\]:.*$",
}
GIVEN_HEADING = re.compile(r"^(?:#{0,3}\s*)?(?:References|Bibliography|REFERENCES)\s*$", re.MULTILINE)

PIECES = st.sampled_from(
    [*"[](),;-*_#^: \n\tAa1", "\n", "\n\n", "---", "[1, 2]", "[^1]: x", "(Smith et al., 2020)", "(Lee & Kim 2021)"]
)
LINES = st.sampled_from(
    [
        "References",
        "REFERENCES ",
        "# Bibliography",
        "#### References",
        "##",
        "",
        " ",
        "a",
        "a References",
        "References x",
    ]
)
SETTINGS = settings(derandomize=True, max_examples=500, deadline=None)


@pytest.mark.parametrize("name", GIVEN)
@SETTINGS
@given(pieces=st.lists(PIECES, max_size=12))
def test_step_leaves_what_the_given_pattern_leaves(name: str, pieces: list[str]) -> None:
    text = "".join(pieces)
    expected = re.sub(GIVEN[name], "", text, flags=re.MULTILINE)
    assert STEPS[name].apply(text).split() == expected.split()


@SETTINGS
@given(st.lists(LINES, max_size=8).map("\n".join))
def test_heading_split_ends_the_body_where_the_given_pattern_does(text: str) -> None:
    found = GIVEN_HEADING.search(text)
    at = heading_split(text)
    assert (at is None) == (found is None)
    if found:
        assert text[:at] == text[: found.start()].rstrip()


def test_order_is_the_given_one_so_definitions_survive_without_their_mark() -> None:
    steps = PRESETS["seed"].steps
    assert steps.index("seed_footnote_references") < steps.index("seed_footnote_definitions")
    assert normalise("a[^1]\n[^1]: note", "seed") == "a : note"
    assert normalise("a[^1]\n[^1]: note", "fair") == "a"


def test_heading_rule_knows_no_other_titles_and_no_end() -> None:
    assert find_bibliographies("a\n\nLITERATURE CITED\n\n[1] B", "heading") == []
    text = "a\n\n# References\n\n[1] B\n\n# Appendix\n\nc"
    assert cut(text, find_bibliographies(text, "heading")) == "a"
