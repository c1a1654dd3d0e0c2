"""The tests that can be asked of a page, one model a type; the models check the files and give the editor schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, Strict, StringConstraints, TypeAdapter, ValidationError, field_validator, model_validator

from jatdae.checks.patterns import find_pattern_problem
from jatdae.core.configfile import Part, Text
from jatdae.core.messages import speaker
from jatdae.core.problems import problems_of

MAX_TEXT: Final = 5_000
"""Characters of one text that is looked for."""
MAX_TESTS: Final = 10_000
"""Tests of one document."""

say = speaker(__name__)

Wanted = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEXT, pattern=r"\S")]
Beside = Annotated[str, StringConstraints(max_length=MAX_TEXT)]
Whole = Annotated[int, Strict(), Field(ge=0, le=10_000_000)]
Positive = Annotated[int, Strict(), Field(ge=1, le=10_000_000)]
Alphabet = Literal[
    "han", "kana", "hangul", "arabic", "cyrillic", "devanagari", "emoji", "greek", "hebrew", "latin", "thai"
]


class _Test(Part):
    id: Text | None = None
    """Name of the test, unique in its document (default: its type and number)."""
    checked: Literal["verified", "rejected"] | None = None
    """What a person said of the test; a rejected one is left out."""
    note: str = ""
    """Why the test is there, for its readers."""


class _FuzzyTest(_Test):
    max_diffs: Whole = 0
    """Characters that may differ (edit distance); at most half of the text."""


class PresentTest(_FuzzyTest):
    """A text that the page must have, or must not have."""

    type: Literal["present", "absent"]
    """present: the text is there; absent: it is not, and the page is not empty."""
    text: Wanted
    """The text, without markup."""
    case_sensitive: bool = True
    """Whether upper and lower case differ."""
    first_n: Positive | None = None
    """Look only at the first characters of the page."""
    last_n: Positive | None = None
    """Look only at the last characters of the page."""


class CountTest(_FuzzyTest):
    """A text that the page must have so many times."""

    type: Literal["count"]
    text: Wanted
    """The text, without markup."""
    case_sensitive: bool = True
    """Whether upper and lower case differ."""
    count: Whole | None = None
    """How often exactly."""
    at_least: Whole | None = None
    """How often at least."""
    at_most: Whole | None = None
    """How often at most."""

    @model_validator(mode="after")
    def _asks_something(self) -> CountTest:
        if self.count is None and self.at_least is None and self.at_most is None:
            raise ValueError(say("count_asks_nothing"))
        return self


class OrderTest(_FuzzyTest):
    """Two texts, the one before the other."""

    type: Literal["order"]
    before: Wanted
    """The text that comes first."""
    after: Wanted
    """The text that comes later."""


class TableTest(_FuzzyTest):
    """A cell of a table, with what stands beside it and what heads it."""

    type: Literal["table"]
    cell: Beside
    """Text of the cell."""
    up: Beside | None = None
    """Text of the cell above."""
    down: Beside | None = None
    """Text of the cell below."""
    left: Beside | None = None
    """Text of the cell to the left."""
    right: Beside | None = None
    """Text of the cell to the right."""
    top_heading: Beside | None = None
    """Text of a heading of its column."""
    left_heading: Beside | None = None
    """Text of a heading of its row."""
    ignore_markdown_tables: bool = False
    """Look only at HTML tables."""


class MathTest(_Test):
    """A formula that the page must have, compared by what it prints."""

    type: Literal["math"]
    math: Wanted
    """The formula in LaTeX, without dollar signs."""
    max_diffs: Whole = 0
    """Not used: a formula is the same or not."""
    ignore_dollar_delimited: bool = False
    """Look only at formulas in `\\\\(…\\\\)` and `\\\\[…\\\\]`."""


class BaselineTest(_Test):
    """What every page must be: not empty, not one thing over and over, in no strange alphabet."""

    type: Literal["baseline"]
    max_diffs: Whole = 0
    """Not used."""
    min_length: Whole = 1
    """Letters and digits that the page must have at least."""
    max_length: Whole | None = None
    """For a blank page: letters and digits that it may have at most. Nothing else is looked at then."""
    max_length_skips_image_alt_tags: bool = False
    """With max_length: texts of Markdown images do not count."""
    max_repeats: Whole = 30
    """How often the page may end with the same one to five characters."""
    check_disallowed_characters: bool = True
    """Whether letters of a strange alphabet are an error."""
    alphabets: tuple[Alphabet, ...] = ()
    """Alphabets that the page may have beside those of its other tests."""


class RegexTest(_Test):
    """A regular expression that must be found on the page, or must not. It takes linear time (RE2)."""

    type: Literal["regex"]
    pattern: Wanted
    """The expression, in the syntax of RE2; `.` matches no line end unless it begins with `(?s)`."""
    found: bool = True
    """Whether it must be found (true) or must not (false)."""
    case_sensitive: bool = True
    """Whether upper and lower case differ."""

    @field_validator("pattern")
    @classmethod
    def _linear(cls, pattern: str) -> str:
        if problem := find_pattern_problem(pattern):
            raise ValueError(problem)
        return pattern


class UnsupportedTest(_Test):
    """A test of a benchmark that is not known here: it is counted and not scored."""

    type: Literal["unsupported"]
    named: Text
    """What the benchmark calls it."""


KnownTest: TypeAlias = PresentTest | CountTest | OrderTest | TableTest | MathTest | BaselineTest | RegexTest
PageTest: TypeAlias = KnownTest | UnsupportedTest
WrittenTest = Annotated[KnownTest, Field(discriminator="type")]
"""A test as a person may write it."""
TYPES: Final = ("present", "absent", "order", "table", "math", "baseline", "count", "regex")


class PageTestsFile(Part):
    """Tests by document: the file that a person writes."""

    documents: dict[Text, Annotated[list[WrittenTest], Field(max_length=MAX_TESTS)]]
    """By document: the name of its file without suffix, relative to the folder of predictions."""


@cache
def _adapter() -> TypeAdapter[KnownTest]:
    return TypeAdapter(WrittenTest)


def read_test(given: Mapping[str, Any]) -> PageTest:
    """Read one test; what does not fit raises pydantic's ValidationError."""
    if given.get("type") == "unsupported":
        return UnsupportedTest.model_validate(dict(given))
    return _adapter().validate_python(dict(given))


def problem_of(error: ValidationError, given: Mapping[str, Any]) -> str:
    """The first thing that does not fit in a test, with its key, in the chosen language."""
    path, problem = problems_of(error, WrittenTest, given)[0]
    return f"{'.'.join(map(str, path))}: {problem}" if path else problem


def named(tests: Iterable[PageTest]) -> Iterator[tuple[str, PageTest]]:
    """Tests with their ids; one without is called by its type and number, and of two equal ids the later gets one."""
    seen: set[str] = set()
    for number, test in enumerate(tests, 1):
        name = test.id or f"{test.type}_{number}"
        if name in seen:
            name = f"{name}#{number}"
        seen.add(name)
        yield name, test
