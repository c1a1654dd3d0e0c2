"""Input files as users have them: what the command says of each, and how it ends."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from jatdae.core.messages import speaking

PAIRS = '{"id": "1", "prediction": "두통", "reference": "두통"}\n'
TABLE = "id,prediction,reference\n1,두통,두통\n2,열,기침\n"
PREDS = '{"id": "1", "output": "a"}\n{"id": "2", "output": "b"}\n'
REFS = '{"id": "1", "gold": "a"}\n{"id": "2", "gold": "b"}\n'
TURNS = str(Path(__file__).parents[1] / "plugins" / "turns.py") + ":NumberedTurns"


class Case(NamedTuple):
    """Files, the command over them, its exit status, and what stands on standard error, in order."""

    files: dict[str, str | bytes]
    command: str
    status: int
    said: tuple[str, ...] = ()
    korean: str = ""


def one(name: str, content: str | bytes, status: int, *said: str, more: str = "", korean: str = "") -> Case:
    return Case({name: content}, f"run marks {name} {more}", status, said, korean)


def joined(pred: str, ref: str, status: int, *said: str, more: str = "", korean: str = "") -> Case:
    return Case({"p.jsonl": pred, "r.jsonl": ref}, f"run marks -p p.jsonl -r r.jsonl {more}", status, said, korean)


def rows(**fields: str) -> str:
    return "{" + ", ".join(f'"{name}": "{value}"' for name, value in fields.items()) + "}\n"


CASES: dict[str, Case] = {
    # Separators
    "commas": one("t.csv", TABLE, 0),
    "tabs": one("t.tsv", TABLE.replace(",", "\t"), 0),
    "semicolons": one("t.csv", TABLE.replace(",", ";"), 0, "t.csv: read as cells separated by ';'.",
                      korean="t.csv: 구분자 ';'(으)로 읽었습니다."),
    "tabs in a CSV": one("t.csv", TABLE.replace(",", "\t"), 0, r"t.csv: read as cells separated by '\t'."),
    "Excel's first line": one("t.csv", "sep=;\r\n" + TABLE.replace(",", ";"), 0, "cells separated by ';'."),
    "decimal commas": one("t.csv", "id;pred;gold\n1;3,5;3,5\n2;0,1;0,2\n", 0, "cells separated by ';'."),
    "a table without a separator": one("t.csv", TABLE.replace(",", "|"), 2, "t.csv: no field is called prediction |",
                                       "Fields: id|prediction|reference."),
    # Encodings
    "a byte order mark": one("t.csv", TABLE.encode("utf-8-sig"), 0, "t.csv: read as UTF-8 (BOM)."),
    "UTF-16 of Excel": one("t.csv", TABLE.replace(",", "\t").encode("utf-16"), 0,
                           r"t.csv: read as UTF-16LE, cells separated by '\t'."),
    "UTF-16 without a mark": one("t.jsonl", PAIRS.encode("utf-16-be"), 0, "t.jsonl: read as UTF-16BE."),
    "CP949 of Excel": one("t.csv", TABLE.encode("cp949"), 0, "t.csv: read as CP949.",
                          korean="t.csv: CP949(으)로 읽었습니다."),
    "CP949 and semicolons": one("t.csv", TABLE.replace(",", ";").encode("cp949"), 0, "CP949, cells separated by ';'."),
    "CP949, JSONL": one("t.jsonl", PAIRS.encode("cp949"), 0, "t.jsonl: read as CP949."),
    "CP949, compressed": one("t.csv.gz", gzip.compress(TABLE.encode("cp949")), 0, "t.csv.gz: read as CP949."),
    "CP949, an array": one("t.json", f"[{PAIRS}]".encode("cp949"), 0, "t.json: read as CP949."),
    "Latin-1": one("t.csv", "id,pred,gold\n1,café,a\n".encode("latin-1"), 2, "t.csv:2: column 'pred': not valid UTF-8.",
                   "neither UTF-8 nor CP949: the first bad byte is at t.csv:2:6. Save it as UTF-8.",
                   korean="첫 번째 잘못된 바이트: t.csv:2:6. UTF-8로 저장하세요."),
    "Latin-1 that could be Korean": one("t.csv", "id,pred,gold\n1,5 µg,36 °C\n".encode("latin-1"), 2, "at t.csv:2:5."),
    "Latin-1, counted": one("t.jsonl", PAIRS.encode() + b'{"id": "\xe9"}\n', 0, more="--on-bad-row count"),
    "cut UTF-16": one("t.csv", TABLE.encode("utf-16")[:-1], 2, "t.csv:3:13: not valid UTF-16LE", "Save it as UTF-8."),
    # No text
    "a spreadsheet": one("t.xlsx", b"PK\x03\x04", 2, "t.xlsx: a spreadsheet; export it as CSV (UTF-8) and give that",
                         korean="t.xlsx: 스프레드시트입니다. CSV(UTF-8)로 내보낸 파일을 지정하세요."),
    "an old spreadsheet": one("t.xls", b"\xd0\xcf\x11\xe0", 2, "t.xls: a spreadsheet; export it as CSV (UTF-8)"),
    "a spreadsheet called CSV": one("t.csv", b"PK\x03\x04", 2, "t.csv: an Office or ZIP file, not text; export"),
    "a PDF": Case({"p.pdf": b"%PDF-1.7", "r.md": "x"}, "run marks -p p.pdf -r r.md", 2,
                  ("p.pdf: a document (PDF, Word, HWP …), not text; run your parser on it first (jatdae parse runs",),
                  "p.pdf: 텍스트가 아니라 문서 파일(PDF, Word, 한글 등)입니다."),
    "a PDF called Markdown": Case({"p.md": b"%PDF-1.7", "r.md": "x"}, "run marks -p p.md -r r.md", 2,
                                  ("p.md: a document (PDF",)),
    "Word, HWP": Case({"pred/a.docx": b"PK\x03\x04", "pred/b.hwp": b"\xd0\xcf\x11\xe0", "ref/a.md": "x"},
                      "run marks -p pred -r ref", 2, ("pred/a.docx: a document", "(and 1 more)", "--on-bad-row count")),
    "HWPX": Case({"pred/a.md": "x", "ref/a.hwpx": b"PK\x03\x04"}, "run marks -p pred -r ref", 2,
                 ("ref/a.hwpx: a document (PDF, Word, HWP …), not text; run your parser",)),
    "a picture": Case({"pred/a.md": "x", "pred/b.png": b"\x89PNG\r\n", "ref/a.md": "x"}, "run marks -p pred -r ref", 2,
                      ("pred/b.png: an image, not text; run your parser (OCR) on it first",)),
    "a picture, counted": Case({"pred/a.md": "x", "pred/b.png": b"\x89PNG\r\n", "ref/a.md": "x"},
                               "run marks -p pred -r ref --on-bad-row count", 0),
    "documents in CP949": Case({"pred/a.md": "두통".encode("cp949"), "ref/a.txt": "두통"},
                               "run marks -p pred -r ref", 0, ("pred: read as CP949 (1 files).",)),
    "a document in Latin-1": Case({"pred/a.md": "a\ncafé".encode("latin-1"), "ref/a.txt": "x"},
                                  "run marks -p pred -r ref", 2,
                                  ("pred/a.md:2:4: neither UTF-8 nor CP949; save the file as UTF-8",)),
    # Fields
    "other names": one("t.csv", "예측,정답지\n두통,두통\n", 0),
    "a name of either side": one("t.jsonl", rows(question="q", response="a", answer="a"), 0),
    "a name of either side, alone": one(
        "t.jsonl", rows(question="q", answer="a"), 2, "(name it with --prediction-field)", "with --reference-field).",
        "answer may be the prediction or the reference: name it with --prediction-field or --reference-field.",
        "Fields: question, answer.", korean="answer은(는) 예측일 수도 정답일 수도 있습니다."),
    "several names": one("t.jsonl", rows(response="a", completion="b", gold="c"), 2,
                         "it could be response, completion (choose with --prediction-field)."),
    "all that is missing": one(
        "t.csv", "nr,was,soll\n1,a,b\n", 2, "t.csv: no field is called 'key' (--id-field); no field is called predic",
        "(name it with --prediction-field); no field is called reference | label", "(name it with --reference-field).",
        "Fields: nr, was, soll.", more="--id-field key",
        korean="필드가 없습니다(--reference-field로 지정하세요). 있는 필드: nr"),
    "a slip of the pen": one("t.jsonl", rows(id="1", prediktion="a", gold="b"), 2, "Did you mean 'prediktion'?"),
    "rows of another evaluator": Case(
        {"t.jsonl": PAIRS}, f"run numbered-turns t.jsonl --plugin {TURNS}", 2,
        ("t.jsonl: no field is called 'talk', 'model'. Rows for numbered-turns look like this: "
         '{"talk": "…", "model": "…", "turn": "…"} Fields: id, prediction, reference.',),
        "numbered-turns의 행은 다음과 같습니다: {"),
    # Ids
    "no ids match": joined(PREDS.replace('"1"', '"x"').replace('"2"', '"y"'), REFS, 2,
                           "p.jsonl: none of its 2 ", "Ids of predictions: 'x', 'y'; of references: '1', '2'."),
    "ids with a suffix": joined(PREDS.replace('"1"', '"1.md"').replace('"2"', '"2.md"'), REFS, 2,
                                "They differ by a file suffix. Ids of predictions: '1.md', '2.md'; of references: '1',",
                                korean="서로 다른 점: 파일 확장자. 예측의 id: '1.md', '2.md', 정답의 id: '1', '2'."),
    "hardly any ids match": joined("".join(f'{{"id": "{n:0>2}", "output": "a"}}\n' for n in (*range(7, 13), 1)),
                                   "".join(f'{{"id": {n}, "gold": "a"}}\n' for n in (*range(1, 10), 12)), 0,
                                   "p.jsonl: only 1 of its 7 predictions have an id that is in r.jsonl. They differ by",
                                   "leading zeros", "predictions: '07', '08', '09' …; references: '1', '2', '3' …."),
}  # fmt: skip


@pytest.fixture
def ended(jatdae: Any, write: Any) -> Callable[..., Any]:
    def run(case: Case, language: str) -> Any:
        for name, content in case.files.items():
            write(name, content)
        return jatdae(*case.command.split(), "--jobs", "1", "--out", "out", "--lang", language)

    return run


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_input_is_read_or_refused_with_what_to_do(case: Case, ended: Any) -> None:
    done = ended(case, "en")
    assert done.status == case.status, done.err
    rest = done.err
    for part in case.said:
        before, found, rest = rest.partition(part)
        assert found, f"{part!r} is not in {before!r}"
    assert done.err == "" or case.said
    assert case.status == 0 or len(done.err.splitlines()) == 1


@pytest.mark.parametrize("case", [case for case in CASES.values() if case.korean], ids=lambda case: case.korean[:20])
def test_the_same_is_said_in_korean(case: Case, ended: Any) -> None:
    with speaking("ko"):
        done = ended(case, "ko")
    assert done.status == case.status
    assert case.korean in done.err


def test_what_was_recognised_stands_in_the_json_and_not_on_standard_output(jatdae: Any, write: Any) -> None:
    import json

    write("t.csv", TABLE.replace(",", ";").encode("cp949"))
    done = jatdae("run", "marks", "t.csv", "--json", "--jobs", "1")
    assert json.loads(done.out)["input"]["recognised"] == {"t.csv": {"encoding": "CP949", "delimiter": ";"}}
    assert done.err.count("\n") == 1
