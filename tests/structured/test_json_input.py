"""Model output that is not clean JSON: what is taken, what is refused, and under which reason it is counted."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from types import MappingProxyType
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from pydantic import BaseModel, Field

from jatdae.core.contract import Sample
from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import speaking
from jatdae.run.api import evaluate
from jatdae.structured import StructuredEvaluator, compare, json_input
from jatdae.structured.issue_codes import _REASONS, DocumentError, say
from jatdae.structured.json_input import Limits, as_schema, read_document
from jatdae.structured.survey import survey

LIMITS = Limits()
DOCUMENT = '{"total": 60.000, "rows": [{"n": 1}]}'
VALUE = {"total": Decimal("60.000"), "rows": [{"n": 1}]}


def read(text: Any, **options: Any) -> tuple[Any, list[str]]:
    document = read_document(text, "prediction", LIMITS, **options)
    return document.value, [issue.code for issue in document.issues]


def refused(text: Any, **options: Any) -> DocumentError:
    with pytest.raises(DocumentError) as error:
        read(text, **options)
    return error.value


@pytest.mark.parametrize("text", [DOCUMENT, f"  {DOCUMENT}\n", f"\ufeff{DOCUMENT}"])
def test_clean_text_is_read_as_it_is(text: str) -> None:
    assert read(text) == (VALUE, [])


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{DOCUMENT}\n```",
        f"```\n{DOCUMENT}\n```",
        f"~~~\n{DOCUMENT}\n~~~",
        f"Here you are:\n\n```json\n{DOCUMENT}\n```\nAnything else?",
        f"```json\n{DOCUMENT}\n",  # the fence is never closed
        f"Sure! {DOCUMENT}",
        f"{DOCUMENT} Let me know if you need more.",
        f"See [1] and [2, 3]: {DOCUMENT}",
        f"The field {{name}} is empty. {DOCUMENT}",
        f"```python\nprint('x')\n```\n```json\n{DOCUMENT}\n```",
    ],
)
def test_json_among_other_text_is_taken_and_said_so(text: str) -> None:
    assert read(text) == (VALUE, ["json_extracted"])


def test_an_array_among_other_text_is_taken_too() -> None:
    assert read('The rows: [{"n": 1}, {"n": 2}].') == ([{"n": 1}, {"n": 2}], ["json_extracted"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1, column 1"),
        ("I cannot read this document.", "line 1, column 1: Expecting value"),
        ('{"total": 60.000, "rows": [{"n": 1}', "the text ends there"),
        ('{"total": 1,\n "rows": [1, 2', "line 2, column 15"),
        ('{"a": {"x": 1}, "b": tru', "column 22"),  # a part is not taken for the whole
        ('{"a": [1, 2], "b": "cut', "Unterminated string"),
        ("{'a': [1, 2]}", "double quotes"),
        ('{"a": 1} {"b": 2}', "2 JSON values"),
        ('```json\n{"a": 1}\n```\n```json\n{"b": 2}\n```', "2 JSON values"),
        ('{"a": 1,}', "column"),
        ('{"a": 1e99999999999999999999}', "exponent"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_position(text: str, said: str) -> None:
    error = refused(text)
    assert error.code == "invalid_json"
    assert said in str(error)


def test_an_unreadable_prediction_has_every_leaf_missing_and_no_valid_schema() -> None:
    reference = {"a": 1, "b": [2, 3]}
    report = compare("{broken", reference, schema={"a": {"type": "number"}})
    assert {result.outcome for result in report.field_results} == {"missing"}
    assert len(report.field_results) == 3
    assert report.schema_valid is False
    assert (report.exact_accuracy, report.f1, report.structural_accuracy) == (0.0, 0.0, 0.0)
    assert report.issues[0].code == "invalid_json"


@pytest.mark.parametrize(
    ("text", "issue"),
    [
        ('{"a": 1, "b": 2, "a": 3}', "duplicate_keys"),
        ('{"a": NaN}', "nan"),
        ('{"a": [Infinity, -Infinity]}', "nan"),
        ('{"a": "\\ud800"}', "lone_surrogate"),
        ('{"\\udc00": 1}', "lone_surrogate"),
    ],
)
def test_what_is_off_but_readable_is_counted_by_reason(text: str, issue: str) -> None:
    assert read(text)[1] == [issue]


def test_of_duplicate_keys_the_last_counts_and_the_message_names_them() -> None:
    document = read_document('{"a": 1, "x": {"b": 2, "b": 3}, "a": 4}', "prediction", LIMITS)
    assert document.value == {"a": 4, "x": {"b": 3}}
    assert document.issues[0].message == "the prediction writes 'a', 'b' more than once; the last one counts"


def test_duplicate_keys_a_row_remembers_are_seen() -> None:
    class Remembered(dict[str, Any]):
        duplicates = ("total",)

    assert read(Remembered(total=1))[1] == ["duplicate_keys"]


def test_nan_is_compared_as_text_and_a_half_character_is_replaced() -> None:
    report = compare('{"x": NaN, "y": "a\\ud800"}', '{"x": NaN, "y": "a\\ud800"}')
    assert report.exact_accuracy == 1.0
    assert report.field_results[1].gold_value == "a\ufffd"


def test_integers_beyond_what_python_converts_are_read() -> None:
    digits = "9" * 5000
    assert compare(f'{{"x": {digits}}}', f'{{"x": {digits}}}').exact_accuracy == 1.0
    assert compare(f'{{"x": {digits}}}', f'{{"x": {digits[:-1]}8}}').exact_accuracy == 0.0


@pytest.mark.parametrize("text", ["1e99999999999999999999", f"[{'1' * 5000}, 1e99999999999999999999]"])
def test_an_exponent_that_no_decimal_has_is_invalid_json(text: str) -> None:
    error = refused(text)
    assert (error.code, str(error)) == (
        "invalid_json",
        "the prediction is not JSON: an exponent is too large to be read",
    )


@pytest.mark.parametrize(
    ("text", "korean"),
    [
        ('{"a" 1}', "예측: 올바른 JSON이 아닙니다. 1행 6열: 콜론(:)이 있어야 합니다"),
        ("[1,", "예측: 올바른 JSON이 아닙니다. 1행 4열: 값이 있어야 합니다 (텍스트가 여기서 끝납니다)"),
        ({1: 2}, "예측: 텍스트가 아닌 키가 있습니다. JSON의 키는 텍스트여야 합니다"),
    ],
)
def test_a_person_reads_the_reason_in_korean_and_a_run_keeps_it_in_english(text: Any, korean: str) -> None:
    with speaking("ko"):
        error = refused(text)
        assert str(error) == korean
        assert error.issue.message.isascii()
        told = StructuredEvaluator().score(Sample("1", {"a": 1}, text)).issues
        assert all(issue.message.isascii() for issue in told)


def test_every_reason_of_the_reader_says_the_same_in_english() -> None:
    for reason, key in _REASONS.items():
        assert say(key) == reason


@pytest.mark.parametrize("value", [object(), {"a": {1, 2}}, {"a": b"x"}, {"a": 1j}, {1: 2}, {"a": {None: 1}}])
def test_python_objects_that_no_json_has_are_refused(value: Any) -> None:
    assert refused(value).code == "not_json"


def test_a_reference_that_cannot_be_read_is_an_error_in_python_and_leaves_the_sample_out_of_a_run() -> None:
    with pytest.raises(DataError, match="the reference is not JSON"):
        compare({"a": 1}, "{broken")
    outcome = StructuredEvaluator().score(Sample("1", {"a": 1}, "{broken"))
    assert set(outcome.values.values()) == {None}
    assert not outcome.stats
    assert [issue.code for issue in outcome.issues] == ["bad_reference"]


class TestRepair:
    @pytest.fixture(autouse=True)
    def _installed(self) -> None:
        pytest.importorskip("json_repair", reason="the optional package json-repair is not installed")

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("{'a': 1, 'b': [1, 2]}", {"a": 1, "b": [1, 2]}),
            ('{"a": 1, "b": [1, 2', {"a": 1, "b": [1, 2]}),
            ('```json\n{"a": 1, "b": [1, 2,]}\n```', {"a": 1, "b": [1, 2]}),
        ],
    )
    def test_broken_json_is_mended_on_request_only(self, text: str, value: Any) -> None:
        assert refused(text).code == "invalid_json"
        assert read(text, repair=True) == (value, ["json_repaired"])

    @pytest.mark.parametrize("text", ["", "no json at all", "[" * 5000])
    def test_what_has_nothing_to_mend_stays_refused(self, text: str) -> None:
        assert refused(text, repair=True).code in ("invalid_json", "too_deep")

    def test_clean_text_is_not_touched(self) -> None:
        assert read(DOCUMENT, repair=True) == (VALUE, [])

    def test_the_signature_names_the_version(self) -> None:
        assert StructuredEvaluator(repair=True).signature_parts()["repair"].startswith("json-repair@")

    @pytest.mark.parametrize("text", ['["a "b" ' * 2000, '[a"b ' * 3000, '[{"a":"x' * 2000, '{"a":"' + '\\"' * 8000])
    def test_a_repair_that_looks_ahead_again_and_again_is_refused_by_its_steps(
        self, text: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        few = 1000  # how many a repair takes differs from release to release
        monkeypatch.setattr(json_input, "MAX_REPAIR_STEPS", few)
        error = refused(text, repair=True)
        assert error.code == "too_large"
        assert "is not JSON: line 1" in str(error)
        assert "repair takes more than 1,000 steps" in str(error)
        with speaking("ko"):
            assert str(error).endswith(". 복구하려면 1,000단계를 넘습니다")
            assert "repair takes more than" in error.issue.message

    def test_counting_the_steps_of_a_repair_changes_nothing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        rows = [
            {"name": f"항목 {n}", "note": 'a "quoted" \\ text\nin two lines', "tags": ["a", None, 1.5]}
            for n in range(40)
        ]
        whole = json.dumps({"rows": rows}, ensure_ascii=False)
        broken = [
            whole[:-2],
            whole[:-9],
            repr(rows),
            whole.replace('\\"', '"'),
            whole.replace('"name"', "name"),
        ]
        counted = [read(text, repair=True) for text in broken]
        monkeypatch.setattr(json_input, "REPAIRED_FREELY", len(whole) + 100)
        assert [read(text, repair=True) for text in broken] == counted
        assert all(issues == ["json_repaired"] for _, issues in counted)

    def test_a_text_too_long_to_be_repaired_is_told_so(self) -> None:
        error = refused('{"a": "' + "x" * 64_000, repair=True)
        assert error.code == "invalid_json"
        assert "longer than the 64,000 characters that are repaired" in str(error)


def test_repair_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "json_repair", None)
    with pytest.raises(UsageError, match=r"jatdae\[repair\]"):
        StructuredEvaluator(repair=True)


class OwnObject(dict[str, Any]):
    """An object of a type of its own."""


class TestSurvey:
    @pytest.mark.parametrize(
        ("value", "values", "characters"),
        [
            (None, 1, 0),
            ("잣대", 1, 2),
            ({}, 1, 0),
            ({"a": [1, "xy", True, None], "bc": {}}, 7, 5),
            ([[], [[]], "😀"], 5, 1),
        ],
    )
    def test_values_and_characters_are_counted(self, value: Any, values: int, characters: int) -> None:
        found = survey(value, 10, 100)
        assert found[:6] == (values, characters, False, True, False, [])
        assert not found.others

    def test_depth_is_that_of_containers_in_containers(self) -> None:
        nested = [[["deep"]]]
        assert not survey(nested, 3, 100).deeper
        assert survey(nested, 2, 100).deeper
        assert not survey("deep", 0, 100).deeper

    def test_a_value_too_deep_or_too_large_is_not_seen_to_its_end(self) -> None:
        assert survey([["deep", 1.5]], 1, 100)[:3] == (2, 0, True)
        assert survey([["wide", 1.5], []], 9, 2)[:3] == (3, 0, False)
        endless: list[Any] = []
        endless.append(endless)
        assert survey(endless, 200, 1000).deeper

    def test_too_deep_goes_before_too_large(self) -> None:
        assert survey([[1]], 0, 0).deeper

    def test_what_needs_a_closer_look_is_told(self) -> None:
        own, price = OwnObject(a=1), Decimal("1.50")
        found = survey({"own": own, "price": price, 1: ["half \ud800", 1.5]}, 9, 99)
        assert found == (7, 15, False, False, True, [own], ["half \ud800"], [price, 1.5])
        assert found.special[0] is own

    def test_a_whole_character_beyond_the_basic_plane_is_no_half(self) -> None:
        assert not survey("😀\ud7ff\ue000", 9, 99).halves
        assert survey("😀\udfff", 9, 99).halves

    def test_a_limit_may_be_as_large_as_one_likes(self) -> None:
        assert survey([1], 10**30, 10**30).values == 2


class TestReasoning:
    def test_the_reasoning_of_a_model_is_dropped_with_an_issue(self) -> None:
        for text in (
            '<think>{"a": 2} or {"a": 3}?</think>\n{"a": 1}',
            'so {"a": 2}? no</think>{"a": 1}',
            '<thinking>x</thinking> ```json\n{"a": 1}\n```',
        ):
            document = read_document(text, "prediction", Limits())
            assert document.value == {"a": 1}
            assert document.issues[0].code == "think_dropped"

    def test_a_tag_inside_a_value_is_part_of_it(self) -> None:
        document = read_document('{"a": "<think>b</think>"}', "prediction", Limits())
        assert (document.value, document.issues) == ({"a": "<think>b</think>"}, ())

    def test_reasoning_that_never_ends_is_no_json(self) -> None:
        with pytest.raises(DocumentError):
            read_document("<think>let me see", "prediction", Limits())

    def test_many_tags_are_dropped_without_a_deep_stack(self) -> None:
        document = read_document("<think>a</think>" * 5000 + '{"a": 1}', "prediction", Limits())
        assert document.value == {"a": 1}

    def test_only_the_first_of_many_closing_tags_ends_the_reasoning(self) -> None:
        with pytest.raises(DocumentError, match="not JSON"):
            read_document("</think>" * 200_000 + '"', "prediction", Limits())

    def test_json_encoded_twice_is_decoded_with_an_issue(self) -> None:
        document = read_document(json.dumps(json.dumps({"a": 1})), "prediction", Limits())
        assert document.value == {"a": 1}
        assert [issue.code for issue in document.issues] == ["json_twice"]


class Colour(Enum):
    RED = "red"


class Shout(str):
    def __str__(self) -> str:
        return self.upper()


class Level(int):
    pass


class Invoice(BaseModel):
    total: int
    day: date = Field(alias="issued")


@dataclass
class Line:
    code: str
    at: datetime


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"a": (1, (2,))}, {"a": [1, [2]]}),
        ({"a": date(2024, 3, 1), "b": time(10, 30)}, {"a": "2024-03-01", "b": "10:30:00"}),
        ({"a": np.int64(5), "b": np.float32(0.5), "c": np.bool_(True)}, {"a": 5, "b": 0.5, "c": True}),
        ({"a": np.array([[1, 2]])}, {"a": [[1, 2]]}),
        ({"a": np.str_("x"), "b": np.datetime64("2024-03-01")}, {"a": "x", "b": "2024-03-01"}),
        ({"a": Shout("x"), "b": Level(2)}, {"a": "x", "b": 2}),
        (Invoice(total=3, issued=date(2024, 3, 1)), {"total": 3, "issued": "2024-03-01"}),
        ([Line("A", datetime(2024, 3, 1, 10))], [{"code": "A", "at": "2024-03-01T10:00:00"}]),
        ({"a": Colour.RED, "b": UUID(int=1)}, {"a": "red", "b": str(UUID(int=1))}),
        ({"a": MappingProxyType({"b": 1})}, {"a": {"b": 1}}),
    ],
)
def test_python_objects_with_a_place_in_json_are_taken(given: Any, read: Any) -> None:
    assert read_document(given, "prediction", Limits()).value == read


def test_a_missing_value_of_pandas_is_null() -> None:
    pandas = pytest.importorskip("pandas")
    given = {"a": pandas.NaT, "b": pandas.NA, "c": pandas.Timestamp("2024-03-01")}
    assert read_document(given, "prediction", Limits()).value == {"a": None, "b": None, "c": "2024-03-01T00:00:00"}


@pytest.mark.parametrize("given", [np.str_("x"), Shout("x")])
def test_text_of_another_type_is_text(given: Any) -> None:
    assert compare({"a": given}, {"a": "x"}).exact_accuracy == compare({"a": "x"}, {"a": given}).exact_accuracy == 1.0


def test_python_objects_that_hold_themselves_are_too_deep() -> None:
    given: list[Any] = [()]
    given[0] = (given,)
    with pytest.raises(DocumentError, match="deep"):
        read_document(given, "prediction", Limits())


def test_a_model_is_a_schema() -> None:
    report = compare({"total": "x"}, {"total": 3}, schema=Invoice)
    assert sorted(error.path for error in report.schema_errors) == ["issued", "total"]
    assert as_schema({"type": "object"}) == {"type": "object"}


def test_models_are_rows_of_an_evaluation() -> None:
    row = {
        "id": "1",
        "prediction": Invoice(total=3, issued=date(2024, 3, 1)),
        "reference": {"total": 3, "issued": "1.3.2024"},
    }
    assert evaluate([row], "structured", schema=Invoice, arrays="set").value("exact_accuracy") == 1.0
