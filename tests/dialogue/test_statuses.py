"""The table that decides how a mention is meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jatdae.dialogue.reading.cues import AFFIRM, BITS, CONDITION, EXAMPLE, FAMILY, HEDGE, PERSONAL, RECOMMEND, STRONG
from jatdae.dialogue.reading.statuses import FACT, KINDS, STATUSES, TABLE, decide

CATEGORIES = [*KINDS, "condition", "symptom", "hint"]


@given(
    st.sets(st.sampled_from(sorted(BITS.values()))),
    st.integers(0, 3),
    st.sampled_from(CATEGORIES),
    st.booleans(),
    st.booleans(),
)
def test_every_mention_has_exactly_one_meaning(roles, negations, category, valued, asked):
    row = decide(sum(roles), negations, category, valued, asked)
    assert row in TABLE and row.then.status in STATUSES
    assert row == decide(sum(roles), negations + 2, category, valued, asked)  # two negations affirm


@given(st.sets(st.sampled_from(sorted(BITS.values()))), st.integers(0, 1))
def test_a_disease_is_never_advised(roles, negations):
    assert decide(sum(roles), negations, "condition", False, False).then.advice == ""


@pytest.mark.parametrize(
    ("roles", "category", "status"),
    [
        (AFFIRM, "condition", "general"),
        (AFFIRM | PERSONAL, "condition", FACT),
        (STRONG, "drug", FACT),
        (EXAMPLE, "drug", "example"),
        (EXAMPLE | RECOMMEND, "drug", "recommended"),
        (HEDGE | AFFIRM | PERSONAL, "condition", "hedged"),
        (CONDITION | AFFIRM | PERSONAL, "condition", "conditional"),
        (FAMILY | AFFIRM | PERSONAL, "condition", "family"),
    ],
)
def test_what_the_roles_together_mean(roles, category, status):
    assert decide(roles, 0, category, False, False).then.status == status
