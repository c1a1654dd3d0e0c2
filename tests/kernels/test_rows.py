"""What columns of plain rows promise: what a JSON reader gives, or nothing."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from jatdae.kernels import native, rows, rows_twin

FIELDS = ("id", "pred", "gold")
REFUSED = ("system", "meta")

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
texts = st.text() | st.text('"\\\\/\b\f\n\r\t\0\x1f\x7f가😀\u2028')
plain = st.fixed_dictionaries({"id": texts, "pred": texts, "gold": texts}, optional={"page": scalars, "쪽": scalars})
odd = st.dictionaries(st.sampled_from([*FIELDS, *REFUSED, "page"]), scalars | st.lists(texts) | st.just({}))
any_rows = plain | odd


@pytest.fixture(scope="module")
def loop() -> Any:
    if (found := native("rows")) is None:
        pytest.skip("the native rows kernel is not built, or JATDAE_KERNEL=python")
    return found


def read(lines: bytes) -> tuple[list[str], ...] | None:
    """What has to come out, by the letter of the contract."""
    columns: list[list[str]] = []
    for line in lines.split(b"\n"):
        try:
            row = orjson.loads(line)
        except ValueError:
            return None
        flat = isinstance(row, dict) and not any(isinstance(value, (dict, list)) for value in row.values())
        if not flat or any(name in row for name in REFUSED):
            return None
        columns.append([row.get(name) for name in FIELDS])
    return tuple(map(list, zip(*columns, strict=True))) if all(isinstance(t, str) for r in columns for t in r) else None


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.lists(any_rows, min_size=1, max_size=4), st.booleans(), st.sampled_from(["\n", "\r\n"]))
def test_what_is_given_is_what_a_json_reader_gives(
    loop: Any, given_rows: list[Any], ascii_only: bool, end: str
) -> None:
    lines = end.join(json.dumps(row, ensure_ascii=ascii_only) for row in given_rows).encode(errors="surrogatepass")
    assert loop.columns(lines, FIELDS, (), REFUSED) in (read(lines), None)


@settings(derandomize=True, max_examples=1500, deadline=None)
@given(
    st.builds(
        lambda row, cuts: _spoilt(json.dumps(row, ensure_ascii=False).encode(), cuts), plain,
        st.lists(st.tuples(st.integers(0, 400), st.integers(0, 3), st.binary(max_size=3)), min_size=1, max_size=3),
    )
)  # fmt: skip
@example(b'{"id": "a", "pred": "\xed\xa0\x80", "gold": "c"}')
@example(b'{"id": "a", "pred": "b", "gold": "c", "\xc0\x80": 1}')
@example(b'{"id": "a", "pred": "b", "gold": "c", "x": "\xf4\x90\x80\x80"}')
def test_what_a_json_reader_refuses_is_never_given(loop: Any, line: bytes) -> None:
    assert loop.columns(line, FIELDS, (), REFUSED) in (read(line), None)


def _spoilt(line: bytes, cuts: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, new in cuts:
        line = line[: at % (len(line) + 1)] + new + line[at % (len(line) + 1) + length :]
    return line


@pytest.mark.parametrize(
    "rest",
    [
        "", ', "page": 3', ', "x": -0.25, "y": 0', ', "x": null, "y": true, "z": false', ', "쪽": "가\\ud83d\\ude00"',
        ' , "x" : "a\\"b\\\\" ', ', "x": 12345678901234567',
    ],
)  # fmt: skip
def test_usual_rows_are_plain(loop: Any, rest: str) -> None:
    escaped = json.dumps('줄\n\t"가" 😀/\\')
    lines = f'{{"id": "a", "pred": {escaped}, "gold": ""{rest}}}\r\n\t{{"gold":"g","id":"b","pred":"p"{rest}}}'.encode()
    assert loop.columns(lines, FIELDS, (), REFUSED) == (["a", "b"], ['줄\n\t"가" 😀/\\', "p"], ["", "g"])


@pytest.mark.parametrize(
    "line",
    [
        b"", b" ", b"{}", b"[]", b"7", b"{", b'{"id": "a"}', b'{"id": "a", "pred": null, "gold": "c"}',
        b'{"id": 1, "pred": "b", "gold": "c"}', b'{"id": "a", "pred": "b", "gold": "c", "system": "s"}',
        b'{"id": "a", "pred": "b", "gold": "c", "meta": null}', b'{"id": "a", "pred": "b", "gold": "c", "x": []}',
        b'{"id": "a", "pred": "b", "gold": "c"},', b'{"id": "a", "pred": "b", "gold": "c",}',
        b'{"id": "a", "pred": "b", "gold": "c", "x": 01}', b'{"id": "a", "pred": "b", "gold": "c", "x": NaN}',
        b'{"id": "a", "pred": "b", "gold": "c", "x": 1e999}', b'{"id": "a", "pred": "b", "gold": "\\ud800"}',
        b'{"id": "a", "pred": "b", "gold": "\\u12"}', b'{"id": "a", "pred": "b", "gold": "\\x"}',
        b'{"id": "a", "pred": "b", "gold": "\xff"}', b'{"id": "a", "pred": "b", "gold": "a\tb"}',
        b'{"id": "a", "pred": "b", "gold": "\0"}', b'\0?{"id": "a", "pred": "b", "gold": "c"}',
        b'{"id": "a", "pred": "b", "gold": "c", "x": "\\',
    ],
)  # fmt: skip
def test_other_rows_are_not(loop: Any, line: bytes) -> None:
    good = b'{"id": "a", "pred": "b", "gold": "c"}'
    assert loop.columns(line, FIELDS, (), REFUSED) is None
    assert loop.columns(good + b"\n" + line, FIELDS, (), REFUSED) is None


def test_a_checked_field_has_to_be_there_as_text(loop: Any) -> None:
    assert loop.columns(b'{"id": "a", "pred": "b"}', ("id",), ("pred",), ()) == (["a"],)
    assert loop.columns(b'{"id": "a", "pred": 1}', ("id",), ("pred",), ()) is None
    assert loop.columns(b'{"id": "a"}', ("id",), ("pred",), ()) is None


def test_a_refused_field_is_refused_where_it_is_wanted_too(loop: Any) -> None:
    assert loop.columns(b'{"id": "a", "system": "b"}', ("id", "system"), (), ("system",)) is None
    assert loop.columns(b'{"id": "a", "system": "b"}', ("id",), ("system",), ("system",)) is None


def test_without_a_compiler_no_row_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "_loop", rows_twin)
    assert rows.columns(b'{"id": "a"}', ("id",)) is None
