"""Korean users read Korean: no message is an English literal, and no way to an error shows an English sentence."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import jatdae
from jatdae.cli import main

PACKAGE = Path(jatdae.__file__).resolve().parent
PRINTING = {"complain": 1, "print_line": 0, "tell": 0}
"""Functions one of whose arguments a person reads, and which."""
SENTENCE = re.compile(r"[A-Za-z]{2,},? [a-z]+")
"""Two English words in a row."""


@cache
def errors() -> set[str]:
    """Names of the error classes whose text a person reads: those of core, and what derives from them."""
    known = {"JatdaeError", "BadRow"}
    trees = [ast.parse(path.read_text("utf-8")) for path in PACKAGE.rglob("*.py")]
    bases = {
        node.name: {ast.unparse(base) for base in node.bases}
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }
    while more := {name for name, above in bases.items() if above & known} - known:
        known |= more
    return known


def literals(node: ast.AST) -> Iterator[str]:
    """Texts written out in an expression, but for what is given to another call: that may look a message up."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield " ".join(part.value for part in node.values if isinstance(part, ast.Constant))
    elif not isinstance(node, ast.Call) or getattr(node.func, "attr", "") in ("join", "format"):
        for inside in ast.iter_child_nodes(node):
            yield from literals(inside)


def english_in(source: str, raised: set[str]) -> list[str]:
    """English sentences that a module raises or prints, with their lines."""
    tree = ast.parse(source)
    validating = {"ValueError", "AssertionError"} if "pydantic import" in source else set()
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = []
            if name in raised | validating:
                given = [*node.args, *(word.value for word in node.keywords)]
            elif name in PRINTING:
                given = node.args[PRINTING[name] : PRINTING[name] + 1]
            found += [f"{node.lineno}: {text}" for each in given for text in literals(each) if SENTENCE.search(text)]
    return found


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_message_is_written_in_the_code(path: Path) -> None:
    assert english_in(path.read_text("utf-8"), errors()) == []


def test_a_message_that_is_written_in_the_code_is_found() -> None:
    wrong = (
        'raise UsageError("not a number")',
        'raise UsageError(f"{name} is not a number")',
        'raise UsageError("; ".join(["not a number"]))',
        'raise UsageError("not a" + " number")',
        'file.complain(path, "not a number")',
        'from pydantic import X\nraise ValueError("not a number")',
    )
    right = ('raise UsageError(say("not_a_number", value="not a number"))', 'raise TableError("too_large", "key")')
    assert [bool(english_in(source, errors())) for source in (*wrong, *right)] == [True] * len(wrong) + [False, False]


# What a person does wrong, through the command line
ROWS = '{"id": "1", "prediction": "a", "reference": "a"}\n'
SUITE = "name: s\ndatasets: {d: {pairs: {x: rows.jsonl}}}\nevaluators:\n  text:\n"
FILES: dict[str, str | bytes] = {
    "rows.jsonl": ROWS,
    "broken.jsonl": '{"id": "1", "prediction": \n',
    "array.jsonl": "[1, 2]\n",
    "bytes.jsonl": b'{"id": "\xff"}\n',
    "nul.jsonl": b'{"id": "1\x00"}\n',
    "twice.jsonl": ROWS * 2,
    "fields.jsonl": '{"id": "1", "was": "a", "soll": "a"}\n',
    "either.jsonl": '{"question": "q", "answer": "a"}\n',
    "several.jsonl": '{"response": "a", "completion": "a", "gold": "a"}\n',
    "latin.csv": b"id,prediction,reference\n1,caf\xe9,a\n",
    "cut.csv": "id,prediction,reference\n1,a,a\n".encode("utf-16")[:-1],
    "sheet.xlsx": b"PK\x03\x04",
    "sheet.csv": b"PK\x03\x04",
    "paper.pdf": b"%PDF-1.7",
    "paper.md": "x",
    "documents/a.md": b"caf\xe9",
    "pictures/a.png": b"\x89PNG",
    "ids.jsonl": '{"id": "01.md", "prediction": "a"}\n{"id": "x", "prediction": "a"}\n',
    "words.jsonl": '{"id": "kim", "prediction": "a"}\n',
    "bool.jsonl": '{"id": true, "prediction": "a", "reference": "a"}\n',
    "nan.jsonl": '{"id": "1", "prediction": NaN, "reference": "a"}\n',
    "digits.jsonl": '{"id": "1", "prediction": ' + "9" * 5000 + ', "reference": 1}\n',
    "empty.jsonl": "",
    "broken.csv": 'id,prediction,reference\n1,"a\n',
    "cells.csv": "id,prediction,reference\n1,a\n",
    "columns.csv": "id,id,prediction,reference\n1,1,a,b\n",
    "broken.json": "[{]",
    "number.json": "3",
    "broken.parquet": "PAR1",
    "broken.jsonl.gz": "no gzip",
    "broken.yaml": "a: [1\nb: 2",
    "list.yaml": "- 1\n",
    "unknown.yaml": "zzz: 1\n",
    "bytes.yaml": b"a: \xff",
    "empty.yaml": "",
    "alias.yaml": "a: &x 1\nb: *x",
    "suite.yaml": SUITE,
    "s-key.yaml": SUITE.replace("name:", "nam:"),
    "s-evaluator.yaml": SUITE.replace("text:", "txet:"),
    "s-dataset.yaml": SUITE.replace("text:", "text: {datasets: [x]}"),
    "s-setting.yaml": SUITE.replace("text:", "text: {config: {unit: word, nomraliser: x}}"),
    "s-gate.yaml": SUITE.replace("text:", "text: {fail_over: {cer: 5%, wer: .nan}}"),
    "s-metric.yaml": SUITE.replace("text:", "text: {fail_over: {crr: 1, cer: -1}}"),
    "s-name.yaml": SUITE.replace("name: s", "name: ../s"),
    "s-label.yaml": SUITE.replace("x: rows", '"a\\tb": rows'),
    "s-inputs.yaml": SUITE.replace("{pairs: {x: rows.jsonl}}", "{reference: rows.jsonl}"),
    "s-plugin.yaml": SUITE + "plugins: {own: own.py:Own}\n",
    "s-file.yaml": SUITE.replace("rows.jsonl", "none.jsonl"),
    "syntax.py": "x = (",
    "raises.py": "raise ValueError('in its own words, which are English')",
    "plain.py": "class Own: pass\n",
    "own.py": (
        "from jatdae import Metric, Outcome, evaluator\n"
        "@evaluator('own', metrics=[Metric('m', 'higher', worst=0.0)])\n"
        "class Own:\n"
        "    size: int = 1\n"
        "    def score(self, sample):\n"
        "        raise ValueError('in its own words, which are English')\n"
    ),
    "bad.py": (
        "from jatdae import Metric, evaluator\n"
        "@evaluator('bad', metrics=[Metric('m', 'up', worst=0.0)])\nclass Own: pass\n"
    ),
    "texts/own.py": "from jatdae import Metric, Outcome, evaluator\n"
    "@evaluator('own', metrics=[Metric('m', 'higher', worst=0.0)])\n"
    "class Own:\n    def score(self, sample): return Outcome({'m': 1.0})\n",
    "texts/messages.ko.toml": "[metrics\n",
    "lexicon-key.yaml": "name: mine\nzzz: 1\natoms: 3\n",
    "lexicon.json": '{"a": 1, "a": 2}',
    "fields-type.yaml": "total: {type: nubmer, wieght: 2}\nname: 3\n",
    "fields-path.yaml": "a..b: number\n",
    "schema.json": '{"type": "objcet"}',
    "schema-ref.json": '{"$ref": "https://example.org/x.json"}',
    "gold.tables.json": '{"document": 3, "tables": [{"html": 1}], "zzz": 1}',
    "broken.tables.json": "{",
    "rules/safety_rules.yaml": "rules:\n- {id: 3, wehn: x}\nzzz: 1\n",
    "slots/required_slots_by_turn.yaml": "turns: 3\nzzz: 1\n",
    "scoring/scoring.yaml": "weights: {SFS: heavy}\nzzz: 1\n",
    "events.jsonl": '{"patient_id": 3}\n',
    "run/summary.json": "[]",
    "run/manifest.json": "{",
}

CALLS: dict[str, str] = {
    "no such command": "reprot",
    "no such flag": "run text rows.jsonl --zzz",
    "no value": "run text rows.jsonl --out",
    "flag twice": "run text rows.jsonl --jobs 1 --jobs 2",
    "left over": "schema suite more",
    "nothing to parse": "parse --command cp --out x",
    "parse without a place": "parse rows.jsonl --command cp --out x",
    "gold of no source": "gold from-latex --out x",
    "gold of no LaTeX": "gold from-latex . --out x",
    "gold of no document": "gold from-latex rows.jsonl --out x",
    "tests of nothing": "checks draft none --out x.yaml",
    "tests of no document": "checks draft rows.jsonl --out x.yaml",
    "too few tests": "checks draft rows.jsonl --out x.yaml --most 0",
    "tests that are there": "checks draft rows.jsonl --out rows.jsonl",
    "scripts of nothing": "scripts from-fhir none",
    "scripts of no FHIR": "scripts from-fhir rows.jsonl",
    "chat with nobody": "chat rows.jsonl --out x",
    "chat in no arm": "chat rows.jsonl --out x --arm lmm",
    "experiment without a place": "experiment rows.jsonl",
    "experiment that is none": "experiment .",
    "experiment by nothing": "experiment . --difference 0",
    "judge that is nobody": "judge .",
    "judge of nothing": "judge . --model m --base-url http://127.0.0.1:9/v1 --metrics faith",
    "scripts on no day": "scripts from-fhir rows.jsonl --on soon",
    "missing argument": "report",
    "no such choice": "run text rows.jsonl --missing never",
    "no integer": "run text rows.jsonl --jobs x",
    "no jobs": "run text rows.jsonl --jobs 0",
    "no language": "list --lang xx",
    "no evaluator": "run txet rows.jsonl",
    "no evaluator to describe": "list txet",
    "a file for an evaluator": "run rows.jsonl",
    "no such file": "run text none.jsonl",
    "no input": "run text",
    "two inputs": "run text rows.jsonl --pred rows.jsonl",
    "only predictions": "run text --pred rows.jsonl",
    "a folder for a file": "run text --pred . --ref rows.jsonl",
    "out is here": "run text rows.jsonl --out .",
    "name without value": "run text --ref rows.jsonl --system x",
    "same file twice": "run text rows.jsonl rows.jsonl",
    "no such system": "run text rows.jsonl twice.jsonl --only zzz",
    "no such slice": "run text rows.jsonl --slice zzz",
    "no such field": "run text rows.jsonl --id-field zzz",
    "no scheduler": "run text rows.jsonl --engine dask",
    "half of TLS": "run text rows.jsonl --tls-ca x",
    "gate without number": "run text rows.jsonl --fail-over cer=low",
    "gate in the wrong scale": "run text rows.jsonl --fail-over cer=5",
    "gate in the wrong direction": "run text rows.jsonl --fail-under cer=5%",
    "gate that cannot fail": "run structured rows.jsonl --fail-under f1=0",
    "gate of another direction": "run structured rows.jsonl --fail-over f1=5%",
    "gate of an unknown field": "run structured rows.jsonl --fail-under field:none=5%",
    "metrics to show": "run text rows.jsonl --metrics crr",
    "gate of nothing": "run text rows.jsonl --fail-over crr=1",
    "gate without limit": "run text rows.jsonl --fail-over cer",
    "gate beyond its range": "run text rows.jsonl --fail-over cer=-1",
    "unknown schema": "schema txet",
    "no run": "report none",
    "a file for a run": "report rows.jsonl",
    "no summary": "report .",
    "a broken run": "report run",
    "a report of samples": "report done --samples x -f html",
    "a report in no format": "report done -o x.zzz",
    "a gate of a report": "report done -f junit --fail-over crr=1",
    "one run to compare": "compare done",
    "a run compared with itself": "compare done done",
    "a margin out of its range": "compare done done --fail-on-regression --margin 5",
    "metrics to report": "report done --metrics crr",
    "one of systems without names": "paper done --only x",
    "the same run twice": "compare done none",
    "no such system to compare": "compare done --systems a b",
    "a paper without a layout": "paper none",
    "a setting out of its range": "run text rows.jsonl --max-chars 0",
    "no such step": "run text rows.jsonl --normaliser zzz",
    "no such bibliography": "run text rows.jsonl --bibliography zzz",
    "no such profile": "run tables rows.jsonl --profile zzz",
    "tau out of its range": "run structured rows.jsonl --tau 7",
    "no such type": "run structured rows.jsonl --types total=nubmer",
    "no such path": "run structured rows.jsonl --types a..b=number",
    "no weight": "run structured rows.jsonl --weights a=x",
    "no such lexicon": "run terms rows.jsonl --lexicon zzz",
    "no terms": "terms parse",
    "lint of nothing": "terms lint zzz",
    "lint of no corpus": "terms lint tongue --corpus none.jsonl",
    "check of nothing": "dialogue check",
    "check of no file": "dialogue check none.jsonl",
    "gold of nothing": "gold check",
    "gold of no file": "gold check none.tables.json",
    "no tables": "gold new doc --tables 0",
    "plug-in without class": "run text rows.jsonl --plugin own.py",
    "no plug-in": "doctor --plugin none.py:Own",
    "doctor of a plug-in": "doctor --plugin own.py:Own",
    "a plug-in that fails": "run own rows.jsonl --plugin own.py:Own --jobs 1",
    "setting of a plug-in": "run own rows.jsonl --plugin own.py:Own --size x",
    "broken texts": "run own rows.jsonl --plugin texts/own.py:Own",
    **{f"plug-in {name}": f"list --plugin {name}.py:Own" for name in ("syntax", "raises", "plain", "bad")},
    **{f"rows {name}": f"run text {name}" for name in
       ("broken.jsonl", "array.jsonl", "bytes.jsonl", "nul.jsonl", "twice.jsonl", "fields.jsonl", "bool.jsonl",
        "empty.jsonl", "broken.csv", "cells.csv", "columns.csv", "broken.json", "number.json", "broken.parquet",
        "broken.jsonl.gz")},
    **{f"rows {name}": f"run text {name}" for name in
       ("either.jsonl", "several.jsonl", "latin.csv", "cut.csv", "sheet.xlsx", "sheet.csv")},
    "all fields": "run text fields.jsonl --id-field key",
    "a document that is no text": "run text --pred paper.pdf --ref paper.md",
    "a folder of no text": "run text --pred documents --ref documents",
    "a folder of pictures": "run text --pred pictures --ref pictures",
    "ids apart": "run text --pred ids.jsonl --ref rows.jsonl",
    "ids of another kind": "run text --pred words.jsonl --ref rows.jsonl",
    "rows of another evaluator": "run dialogue rows.jsonl",
    "exact rows, NaN": "run structured nan.jsonl",
    "exact rows, digits": "run structured digits.jsonl",
    **{f"suite {name}": f"run {name}" for name in FILES if name.endswith(".yaml") and name.startswith("s-")},
    **{f"suite {name}": f"run {name}.yaml" for name in
       ("broken", "list", "unknown", "bytes", "empty", "alias", "none")},
    **{f"lexicon {name}": f"run terms rows.jsonl --lexicon {name}" for name in
       ("lexicon-key.yaml", "lexicon.json", "broken.yaml", "list.yaml", "unknown.yaml", "bytes.yaml", "none.yaml")},
    **{f"concepts {name}": f"run dialogue events.jsonl --lexicon {name}" for name in
       ("broken.yaml", "list.yaml", "unknown.yaml", "bytes.yaml", "none.yaml")},
    **{f"dialogue {name}": f"run dialogue events.jsonl --config {name}" for name in
       ("rules", "slots", "scoring", "none")},
    **{f"fields {name}": f"run structured rows.jsonl --fields {name}" for name in
       ("fields-type.yaml", "fields-path.yaml", "broken.yaml", "list.yaml", "bytes.yaml", "none.yaml")},
    **{f"schema {name}": f"run structured rows.jsonl --schema {name}" for name in
       ("schema.json", "schema-ref.json", "broken.json", "broken.yaml", "none.json")},
    "events": "dialogue check events.jsonl",
    "events of a run": "run dialogue events.jsonl",
    "gold": "gold check gold.tables.json",
    "broken gold": "gold check broken.tables.json",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all the files that calls name, and a finished run."""
    made = tmp_path_factory.mktemp("wrong")
    for name, content in FILES.items():
        path = made / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert main(["run", "text", str(made / "rows.jsonl"), "--out", str(made / "done"), "--jobs", "1"]) == 0
    return made


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_what_goes_wrong_is_told_in_korean(
    call: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    monkeypatch.setenv("COLUMNS", "1000")
    capsys.readouterr()
    status = main(call.split())
    out, err = capsys.readouterr()
    assert status in (1, 2, 3), out + err
    told = err or out
    assert re.search("[가-힣]", told), told
    assert english_runs(told) == [], told


def english_runs(text: str) -> list[str]:
    """Four or more English words in a row that are not quoted, in parentheses or a name."""
    text = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`\n]*`", "…", text)
    while (shorter := re.sub(r"\([^()]*\)", "…", text)) != text:
        text = shorter
    return re.findall(r"(?<![\w./-])[A-Za-z]+(?: [A-Za-z]+){3,}(?![\w./-])", text)


def test_an_english_sentence_is_told_from_names() -> None:
    assert english_runs("파일: the file is not there") != []
    assert english_runs("평가기: dialogue, documents, structured, tables") == []
    assert english_runs("읽을 수 없습니다 (the file (or folder) is not there). 'it is not there'도") == []


def test_every_command_that_a_package_mounts_is_tried() -> None:
    """A new command of a room needs its wrong calls here."""
    mounted = {entry.name for entry in entry_points(group="jatdae.commands") if entry.module.startswith("jatdae.")}
    assert mounted <= {call.split()[0] for call in CALLS.values()}


PYTHON: dict[str, Callable[[], Any]] = {
    "unknown evaluator": lambda: jatdae.evaluate([], "txet"),
    "no samples": lambda: jatdae.evaluate([{"id": 1.5, "prediction": "a", "reference": "a"}], "text"),
    "unknown setting": lambda: jatdae.evaluate([], "text", nomraliser="x"),
    "unusable row": lambda: jatdae.evaluate([{"zzz": 1}], "text"),
    "no run": lambda: jatdae.Result.load(Path("none")),
}


@pytest.mark.parametrize("call", PYTHON.values(), ids=PYTHON)
def test_what_goes_wrong_in_python_is_told_in_korean(call: Callable[[], Any]) -> None:
    from jatdae.core.errors import JatdaeError
    from jatdae.core.messages import speaking

    with speaking("ko"), pytest.raises(JatdaeError) as error:
        call()
    with speaking("ko"):
        assert re.search("[가-힣]", str(error.value))
        assert english_runs(str(error.value)) == []
