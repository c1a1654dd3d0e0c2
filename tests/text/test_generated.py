"""Properties that hold for any Markdown, well-formed or not."""

from __future__ import annotations

import unicodedata

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jatdae.core.contract import Sample
from jatdae.text import TextEvaluator, cer, normalise
from jatdae.text.normaliser import STEPS, find_normaliser

WORDS = st.sampled_from(
    """the model a tide Smith et al. 2020 x y1 snake_case 2*x $5 잣대 설태는 测量 é e\u0301 👩\u200d🔬 [sic] (aside)
    a[1] -> ... —""".split()  # noqa: SIM905
)
INLINE = st.one_of(
    WORDS,
    WORDS.map("**{}**".format),
    WORDS.map("*{}*".format),
    WORDS.map("_{}_".format),
    WORDS.map("`{}`".format),
    WORDS.map("~~{}~~".format),
    WORDS.map("[{}](http://example.org)".format),
    WORDS.map("![{}](a.png){{width=50%}}".format),
    WORDS.map("[{}]{{.class}}".format),
    WORDS.map("${}$".format),
    WORDS.map(r"\({}\)".format),
    st.sampled_from(
        r"[@key] [see @a; @b] @key me@example.org [1] [1,2] [1–3] [^1] (Smith,~2020) (see~Smith,~2020) [Page~3] "
        r"\[1\] \* \# <b>x</b> <http://x.org> x^2^ H~2~O {#id} a|b | -- ---".replace("~2~", "\0").split()
    ).map(lambda text: text.replace("~", " ").replace("\0", "~2~")),
)
PARAGRAPH = st.lists(INLINE, min_size=1, max_size=10).map(" ".join)
BLOCK = st.one_of(
    PARAGRAPH,
    st.builds("{} {}".format, st.sampled_from(["#", "##", "-", "*", "+", ">", "> >", "1.", "2)", "•", ":"]), PARAGRAPH),
    st.builds("[^{}]: {}\n    {}".format, st.integers(1, 9), PARAGRAPH, PARAGRAPH),
    st.builds("| {} | {} |\n|---|:-:|\n| {} | {} |".format, INLINE, INLINE, INLINE, INLINE),
    st.builds("```python\n{}\n```".format, PARAGRAPH),
    st.builds("::: {{#{} .name}}\n{}\n:::".format, st.sampled_from(["refs", "tab:1"]), PARAGRAPH),
    st.builds("$$\n{}\n$$".format, WORDS),
    st.sampled_from(
        ["---", "***", "Title\n=====", "# References", "References", "참고문헌", "[Page 2]", "# Appendix", "12"]
    ),
    st.builds("[{}] Smith, J. ({}). {}".format, st.integers(1, 9), st.integers(1990, 2024), PARAGRAPH),
)
MARKDOWN = st.lists(BLOCK, max_size=12).map("\n\n".join)
SIGNS = """[ ] ( ) { } $ * ** _ ` ``` ~ | # - + > : ::: @ @k [@k] [1] [^1] [^1]: ![c](u) [t](u) a b1 Smith 2020 , ; . !
\\ \\[ \\( ^ < = --- === <b> </b> | 1. 한글 \" ' {#i} ]{.c} $x$ [r]: http://x <!-- --> \\begin{equation}"""
PIECES = st.lists(st.sampled_from([*SIGNS.split(), "\n", "\n\n", " ", "    "]), max_size=30).map("".join)

TEXTS = st.one_of(MARKDOWN, PIECES, st.text(max_size=60))
SETTINGS = settings(derandomize=True, max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SETTINGS
@given(TEXTS)
def test_fair_is_idempotent(text: str) -> None:
    text = text.replace("`", "").replace("~", "")  # what was code is not known as such the second time
    once = normalise(text)
    assert normalise(once) == once


@SETTINGS
@given(TEXTS)
def test_a_step_leaves_a_text_without_its_signs_as_it_is(text: str) -> None:
    for step in STEPS.values():
        if step.signs:
            without = "".join(sign for sign in text if sign not in step.signs)
            assert step.apply(without) == without


@SETTINGS
@given(TEXTS)
def test_canonically_equal_texts_are_equal(text: str) -> None:
    assert normalise(unicodedata.normalize("NFD", text)) == normalise(unicodedata.normalize("NFC", text))
    assert normalise(f"\ufeff{text}\u200b") == normalise(text)


@SETTINGS
@given(MARKDOWN)
def test_line_ends_of_windows_make_no_difference(text: str) -> None:
    assert normalise(text.replace("\n", "\r\n")) == normalise(text)


@SETTINGS
@given(TEXTS)
def test_a_text_has_no_error_against_itself(text: str) -> None:
    assert cer(text, text) == 0.0
    values = TextEvaluator().score(Sample("x", text, text)).values
    assert set(values.values()) <= {0.0, None}
    assert values["cer"] == values["body_cer"] == 0.0


@SETTINGS
@given(TEXTS)
def test_scope_accounts_for_every_character_removed(text: str) -> None:
    left, removed = find_normaliser("fair").with_scope(text)
    assert sum(removed.values()) == len(text) - len(left)


@SETTINGS
@given(TEXTS, TEXTS)
def test_counts_agree_with_each_other(prediction: str, reference: str) -> None:
    outcome = TextEvaluator().score(Sample("x", prediction, reference))
    stats = outcome.stats
    for scope in ("cer", "wer", "body_cer", "body_wer"):
        errors = sum(stats[f"{scope}.{kind}"] for kind in ("substitutions", "deletions", "insertions"))
        assert stats[f"{scope}.length"] == sum(stats[f"{scope}.{k}"] for k in ("hits", "substitutions", "deletions"))
        value = outcome.values[scope]
        assert value == (errors / stats[f"{scope}.length"] if stats[f"{scope}.length"] else None if errors else 0.0)
    assert stats["cer.length"] == len(normalise(reference))
    assert stats["order_free.errors"] <= sum(stats[f"wer.{k}"] for k in ("substitutions", "deletions", "insertions"))
    for kind in ("substitutions", "deletions", "insertions"):
        assert sum(outcome.counts.get(f"where.{kind}", {}).values()) == stats[f"cer.{kind}"]
