"""Answers in code fences."""

from __future__ import annotations

import pytest

from jatdae.core.fences import read_fences, unfenced

TABLE = "| a |\n|---|\n"


@pytest.mark.parametrize(
    "text",
    [
        f"```markdown\n{TABLE}```",
        f"~~~~HTML\n{TABLE}~~~~\n",
        f"Here it is:\n\n```md\n{TABLE}```\nI hope this helps!",
        f"다음은 표입니다.\n```\n{TABLE}```",
        f"```latex\n{TABLE}",
    ],
)
def test_what_stands_in_the_fence_is_the_answer_on_its_lines(text: str) -> None:
    inside = unfenced(text)
    assert inside.strip() == TABLE.strip()
    assert inside[: inside.index("|")].count("\n") == text[: text.index("|")].count("\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no fence",
        "`code`",
        f"```python\n{TABLE}```",
        f"# A page\n\n```markdown\n{TABLE}```",
        f"{TABLE}\n```markdown\n{TABLE}```",
        f"It costs $x$.\n```latex\n{TABLE}```",
        f"{'Many words. ' * 60}\n```markdown\n{TABLE}```",
    ],
)
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert unfenced(text) is text


def test_several_fences_and_one_in_another() -> None:
    fenced = read_fences("a\n```\nb\n```\nc\n```tex\nd\n```\ne")
    assert fenced is not None
    assert (fenced.inside.split(), fenced.around.split(), fenced.is_answer) == (["b", "d"], ["a", "c", "e"], True)
    assert unfenced("````md\n```\nb\n```\n````").strip() == "```\nb\n```"


@pytest.mark.parametrize("text", ["`" * 100_000, "```\n" * 25_000, "```a`\n" * 16_000, "~~~ " * 25_000])
def test_hostile_texts_are_read_in_linear_time(text: str) -> None:
    read_fences(text)
