"""A run on disk: one plan for any number of workers, the same bytes each time, going on, and refusing what differs."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from xxhash import xxh3_128

from jatdae.core.errors import DataError, EngineError, UsageError
from jatdae.core.evaluator import spec_of
from jatdae.core.messages import choose_language
from jatdae.core.registry import load_class
from jatdae.run import api
from jatdae.run.api import execute
from jatdae.run.input import staging
from jatdae.run.input.model import Inputs, Plan
from jatdae.run.input.plan import make_plan
from jatdae.run.output import folder as store
from jatdae.run.output.folder import RunFolder
from jatdae.run.stats.result import Result
from jatdae.run.work.engine import Engine

ROWS = [
    {"id": f"r{n}", "pred": "가 나 다 " * (n % 7), "gold": "가 나 라 " * (n % 5), "lang": "ko" if n % 3 else "en"}
    for n in range(1500)
]


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Everything that has to be the same again."""
    return {p.name: p.read_bytes() for p in (*sorted((folder / "parts").iterdir()), folder / "summary.json")}


@pytest.fixture
def inputs(write: Any) -> dict[str, Inputs]:
    """The same rows as pairs in a plain file, packed, and joined."""
    pred = write("p.jsonl", [{"id": r["id"], "pred": r["pred"]} for r in ROWS[::-1]])
    ref = write("r.csv", [{k: r[k] for k in ("id", "gold", "lang")} for r in ROWS])
    return {
        "pairs": Inputs(pairs=(("", write("pairs.jsonl", ROWS)),), slices=("lang",)),
        "packed": Inputs(pairs=(("A", write("a.json.gz", ROWS)), ("B", write("b.jsonl.zst", ROWS))), slices=("lang",)),
        "joined": Inputs(reference=ref, predictions=(("A", pred), ("B", pred)), slices=("lang",)),
    }


@pytest.mark.parametrize("form", ["pairs", "packed", "joined"])
def test_the_plan_depends_on_the_input_alone(form: str, inputs: Any, plugin: Any, tmp_path: Path) -> None:
    def plan(jobs: int) -> Plan:
        folder = tmp_path / f"plan-{form}"
        folder.mkdir(exist_ok=True)
        with Engine(jobs) as engine:
            return make_plan(inputs[form], spec_of(plugin("marks:Marks")), folder, engine.map)

    assert plan(1) == plan(3)
    assert len(plan(1).shards) > 5


@pytest.mark.parametrize("form", ["pairs", "packed", "joined"])
def test_one_and_two_workers_write_the_same_bytes(form: str, inputs: Any, plugin: Any, tmp_path: Path) -> None:
    one, two = (
        execute(plugin("marks:Marks"), inputs[form], out=tmp_path / f"run-{jobs}", engine=Engine(jobs))
        for jobs in (1, 2)
    )
    assert bytes_of(one.folder) == bytes_of(two.folder)
    assert len(bytes_of(one.folder)) > 6
    assert not list(tmp_path.glob("run-*/**/.*"))


def test_a_run_goes_on_with_what_is_missing(inputs: Any, plugin: Any, tmp_path: Path) -> None:
    done = execute(plugin("marks:Marks"), inputs["joined"], out=tmp_path / "run")
    before = bytes_of(done.folder)
    parts = sorted((done.folder / "parts").iterdir())
    kept = {p: p.stat().st_mtime_ns for p in parts[2:-1]}
    for lost in (*parts[:2], parts[-1], done.folder / "summary.json"):
        lost.unlink()
    (done.folder / "parts" / ".part-00000.parquet.99999.tmp").write_bytes(b"half")
    (done.folder / ".summary.json.99999.tmp").write_bytes(b"half")
    (done.folder / f".staging-{staging._machine()}-x").mkdir()
    with pytest.raises(UsageError, match="the run is not finished"):
        Result.load(done.folder)
    again = execute(plugin("marks:Marks"), inputs["joined"], out=tmp_path / "run")
    assert again.resumed == len(kept)
    assert bytes_of(again.folder) == before
    assert {p: p.stat().st_mtime_ns for p in kept} == kept
    assert not list((tmp_path / "run").glob(".*"))


def test_a_part_scored_otherwise_is_never_taken_for_ours(inputs: Any, plugin: Any, tmp_path: Path) -> None:
    other = execute(plugin("marks:Marks", casefold=True), inputs["pairs"], out=tmp_path / "other")
    done = execute(plugin("marks:Marks"), inputs["pairs"], out=tmp_path / "run")
    before = bytes_of(done.folder)
    (other.folder / "parts" / "part-00001.parquet").replace(done.folder / "parts" / "part-00001.parquet")
    (done.folder / "parts" / "part-00002.parquet").write_bytes(b"PAR1")
    again = execute(plugin("marks:Marks"), inputs["pairs"], out=tmp_path / "run")
    assert bytes_of(again.folder) == before


def test_a_run_that_is_to_explain_is_scored_anew_and_stays_comparable(tmp_path: Path) -> None:
    from jatdae.run.stats.compare import compare
    from jatdae.run.stats.result import Result
    from jatdae.tables import TableEvaluator

    table = "| a |\\n|---|\\n| 1 |"
    rows = tmp_path / "rows.jsonl"
    rows.write_text(f'{{"id": "1", "prediction": "{table}", "reference": "{table}"}}\n')
    pairs = Inputs(pairs=(("", str(rows)),))
    short = execute(TableEvaluator(), pairs, out=tmp_path / "short")
    long = execute(TableEvaluator(explain=True), pairs, out=tmp_path / "long")
    again = execute(TableEvaluator(explain=True), pairs, out=tmp_path / "short")
    assert again.resumed == 0
    assert bytes_of(again.folder) == bytes_of(long.folder)
    assert compare(Result.load(short.folder), Result.load(long.folder)).differences


def test_other_slices_are_scored_anew_in_the_same_folder(inputs: Any, plugin: Any, tmp_path: Path) -> None:
    from dataclasses import replace

    execute(plugin("marks:Marks"), inputs["pairs"], out=tmp_path / "run")
    again = execute(plugin("marks:Marks"), replace(inputs["pairs"], slices=()), out=tmp_path / "run")
    assert again.resumed == 0
    assert "slices" not in again.summary["systems"][""]


def changed(text: str) -> str:
    return text.replace("가", "거", 1)


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        ({"evaluator": {"casefold": True}}, "casefold:yes"),
        ({"missing": "skip"}, "missing:skip"),
        ({"prediction": changed}, "preds:.*, input"),
        ({"reference": changed}, "refs:.*, input"),
        ({"reference": lambda text: text.replace("}\n", ' , "more": 1}\n', 1)}, "input, plan"),
        ({"reference": lambda text: text.replace("\n", "\n\n", 1)}, "input, plan"),
    ],
)
def test_a_folder_with_another_run_is_refused_with_the_reason(
    change: Any, reasons: str, write: Any, run: Any, plugin: Any, tmp_path: Path
) -> None:
    pred = write("p.jsonl", [{"id": r["id"], "pred": r["pred"]} for r in ROWS[:50]])
    ref = write("r.jsonl", [{"id": r["id"], "gold": r["gold"]} for r in ROWS[:50]])
    first = run(pred, ref, out=tmp_path / "run")
    before = bytes_of(first.folder)
    for side, file in (("prediction", pred), ("reference", ref)):
        if side in change:
            Path(file).write_text(change[side](Path(file).read_text("utf-8")), "utf-8")
    given = {
        "evaluator": plugin("marks:Marks", **change.get("evaluator", {})),
        "missing": change.get("missing", "worst"),
    }
    with pytest.raises(UsageError, match=rf"run contains a different run\. What differs: {reasons}\. .*--overwrite"):
        run(pred, ref, out=tmp_path / "run", **given)
    assert bytes_of(first.folder) == before
    fresh = run(pred, ref, out=tmp_path / "fresh", **given)
    anew = run(pred, ref, out=tmp_path / "run", overwrite=True, **given)
    assert anew.resumed == 0
    assert bytes_of(anew.folder) == bytes_of(fresh.folder)


def test_a_changed_plugin_is_another_run(write: Any, run: Any, tmp_path: Path) -> None:
    from jatdae.core.registry import load_class

    source = (Path(__file__).parents[1] / "plugins" / "marks.py").read_text()
    file = write("p.jsonl", ROWS[:5])
    first, second = (
        load_class(f"{write(f'{n}/marks.py', source + comment)}:Marks")()
        for n, comment in ((1, ""), (2, "# changed\n"))
    )
    run(file, evaluator=first, out=tmp_path / "run")
    with pytest.raises(UsageError, match="What differs: source:"):
        run(file, evaluator=second, out=tmp_path / "run")


@pytest.mark.parametrize("name", ["source", "kernel", "unicode", "libxml2"])
def test_a_run_begun_under_other_decisive_versions_is_refused_with_both(
    name: str, write: Any, run: Any, tmp_path: Path
) -> None:
    file = write("p.jsonl", ROWS[:5])
    folder = run(file, out=tmp_path / "run").folder
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    (manifest if name == "kernel" else manifest["versions"])[name] = "another"
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with pytest.raises(UsageError, match=rf"another build .*{name}: another ≠ .*\. .*--overwrite"):
        run(file, out=folder)
    assert json.loads((folder / "manifest.json").read_text("utf-8")) == manifest
    run(file, out=folder, overwrite=True)
    assert "another" not in (folder / "manifest.json").read_text("utf-8")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "an earlier version of jatdae.*jatdae's own source: –"),
        ("ko", "이전 버전의 jatdae.*자체 소스: –"),
    ],
)
def test_a_run_of_an_earlier_version_is_said_to_be_one(
    language: str, said: str, write: Any, run: Any, tmp_path: Path
) -> None:
    file = write("p.jsonl", ROWS[:5])
    folder = run(file, out=tmp_path / "run").folder
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    del manifest["versions"]["source"]
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    choose_language(language)
    with pytest.raises(UsageError, match=said):
        run(file, out=folder)


def test_a_run_resumed_with_other_libraries_says_so_and_keeps_both(write: Any, run: Any, tmp_path: Path) -> None:
    file = write("p.jsonl", ROWS[:5])
    done = run(file, out=tmp_path / "run")
    assert done.other_versions == ()
    manifest = json.loads((done.folder / "manifest.json").read_text("utf-8"))
    now = dict(manifest["versions"])
    manifest["versions"]["numpy"] = "0.9"
    (done.folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    for _ in range(2):
        again = run(file, out=done.folder)
        assert again.resumed == 1
        assert again.other_versions == (f"numpy: 0.9 ≠ {now['numpy']}",)
        kept = json.loads((done.folder / "manifest.json").read_text("utf-8"))
        assert kept["versions"]["numpy"] == "0.9"
        assert kept["resumed_with"] == [now]


def test_a_part_of_an_altered_jatdae_is_not_taken(
    write: Any, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write("p.jsonl", ROWS[:5])
    altered = {**api.decisive_versions(), "source": "altered"}
    with monkeypatch.context() as patched:
        patched.setattr(api, "decisive_versions", lambda: altered)
        other = run(file, out=tmp_path / "other").folder
    done = run(file, out=tmp_path / "run")
    (other / "parts" / "part-00000.parquet").replace(done.folder / "parts" / "part-00000.parquet")
    assert run(file, out=done.folder).resumed == 0


def test_a_run_goes_on_in_another_language_and_from_another_path(
    write: Any, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write("p.jsonl", json.dumps(ROWS[0]) + "\n[1]\n" + json.dumps(ROWS[1]) + "\n")
    run(file, out=tmp_path / "run", on_bad_row="count")
    choose_language("ko")
    monkeypatch.chdir(tmp_path)
    assert run("p.jsonl", out=Path("run"), on_bad_row="count").resumed == 1


def test_without_a_folder_the_run_is_called_after_its_signature(
    write: Any, plugin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    inputs = Inputs(pairs=(("", write("p.csv", ROWS[:10])),))
    done = execute(plugin("marks:Marks"), inputs)
    assert done.folder == Path("runs") / f"marks-{done.signature.hash}"
    assert execute(plugin("marks:Marks"), inputs).resumed == 1
    assert [p.name for p in Path("runs").iterdir()] == [done.folder.name]


def test_what_is_no_run_is_told_apart(write: Any, run: Any, tmp_path: Path) -> None:
    done = run(write("p.jsonl", ROWS[:500]))
    assert Result.load(done.folder).value("exact") == done.summary["systems"][""]["metrics"]["exact"]["macro"]
    tables = Result.load(done.folder).tables
    assert sum(len(table) for table in tables[:]) == 500
    (done.folder / "parts" / "part-00000.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(EngineError, match=r"part-00000\.parquet: the part is damaged .* Run the `jatdae run` command"):
        Result.load(done.folder)
    (done.folder / "parts" / "part-00001.parquet").unlink()
    with pytest.raises(EngineError, match=r"part-00001\.parquet: the part is missing"):
        Result.load(done.folder)
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "summary.json").write_text("{}")
    for place, said in (
        (tmp_path / "theirs", "not a run folder"),
        (tmp_path / "gone", "gone: no such run folder"),
        (tmp_path, "not a run folder"),
        (tmp_path / "p.jsonl", "not a run folder"),
    ):
        with pytest.raises(UsageError, match=said):
            Result.load(place)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda file: file.write_text(file.read_text("utf-8") + "\n", "utf-8"), "changed while it was being read"),
        (lambda file: os.utime(file, (1, 1)), "changed while it was being read"),
        (lambda file: file.unlink(), "cannot be read"),
    ],
)
@pytest.mark.parametrize("when", ["plan", "score"])
def test_an_input_that_changes_during_a_run_is_an_error(
    when: str, change: Any, said: str, write: Any, plugin: Any, tmp_path: Path
) -> None:
    file = Path(write("p.jsonl", ROWS[:800]))

    def meddle(phase: str, done: int, total: int) -> None:
        if phase == when and done == total and file.exists():
            change(file)

    with pytest.raises(DataError, match=said):
        execute(plugin("marks:Marks"), Inputs(pairs=(("", str(file)),)), out=tmp_path / "run", progress=meddle)
    assert not (tmp_path / "run" / "summary.json").exists()


def test_progress_is_told_in_order(write: Any, plugin: Any, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    inputs = Inputs(pairs=(("", write("p.jsonl", ROWS[:800])),))
    execute(plugin("surveyed:Surveyed"), inputs, out=tmp_path / "run", progress=lambda *step: told.append(step))
    assert list(dict.fromkeys(phase for phase, *_ in told)) == ["plan", "survey", "score"]
    assert told[-1] == ("score", 800, 800)
    assert all(done <= total for _, done, total in told)


def test_two_processes_do_not_write_one_run(write: Any, run: Any, tmp_path: Path) -> None:
    file = write("p.jsonl", [{"pred": "a", "gold": "a"}])
    done = run(file, out=tmp_path / "out")
    with RunFolder(done.folder).held(), pytest.raises(UsageError, match="another process is writing this run"):
        run(file, out=tmp_path / "out")
    assert run(file, out=tmp_path / "out").resumed == 1


def test_what_another_machine_is_planning_is_left_alone(write: Any, run: Any, tmp_path: Path) -> None:
    elsewhere = tmp_path / "out" / ".staging-elsewhere-x"
    elsewhere.mkdir(parents=True)
    run(write("p.jsonl", [{"pred": "a", "gold": "a"}]), out=tmp_path / "out")
    assert elsewhere.is_dir()


def test_a_starting_run_leaves_alone_what_another_container_is_planning(
    write: Any, plugin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ours, theirs = (Inputs(pairs=(("", write(f"{name}.csv", ROWS[:n])),)) for name, n in (("ours", 300), ("theirs", 9)))
    started = []

    def meddle(phase: str, *_: int) -> None:
        if not started:  # while ours is planned, theirs starts, in which no process has our number
            monkeypatch.undo()
            monkeypatch.chdir(tmp_path)
            assert len(list(Path("runs").glob(".staging-*"))) == 1
            started.append(execute(plugin("marks:Marks"), theirs))
            assert len(list(Path("runs").glob(".staging-*"))) == 1

    monkeypatch.setattr(os, "getpid", lambda: 999_999_999)
    done = execute(plugin("marks:Marks"), ours, progress=meddle)
    assert done.summary["systems"][""]["n"] == 300
    assert started[0].summary["systems"][""]["n"] == 9
    assert not list(Path("runs").glob(".staging-*"))


def test_a_start_survives_the_removal_of_the_empty_folder_it_starts_in(
    write: Any, plugin: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    inputs = Inputs(pairs=(("", write("p.csv", ROWS[:10])),))
    make, removed = Path.mkdir, []

    def raced(path: Path, *args: Any, **options: Any) -> None:
        if path.name.startswith(".staging-") and not removed:
            removed.append(path)
            if path.parent.exists():
                path.parent.rmdir()
            raise FileNotFoundError(2, "No such file or directory")
        make(path, *args, **options)

    monkeypatch.setattr(Path, "mkdir", raced)
    assert execute(plugin("marks:Marks"), inputs).summary["systems"][""]["n"] == 10
    assert removed


def test_a_staging_folder_that_is_taken_for_a_dead_one_is_made_again(
    write: Any, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, removed = staging.locked, []

    def raced(folder: Path) -> Any:
        if not removed:
            removed.append(folder)
            folder.rmdir()
        return lock(folder)

    monkeypatch.setattr(staging, "locked", raced)
    assert run(write("p.csv", ROWS[:10]), out=tmp_path / "out").summary["systems"][""]["n"] == 10
    assert removed


def test_a_place_where_no_folder_can_be_made_is_told(write: Any, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(path: Path, *_: Any, **__: Any) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    file = write("p.csv", ROWS[:10])
    monkeypatch.setattr(Path, "mkdir", gone)
    with pytest.raises(DataError, match="cannot be written"):
        run(file)


def test_what_a_run_writes_has_the_mode_of_any_new_file(write: Any, run: Any, tmp_path: Path) -> None:
    rows = write("p.csv", [{"id": "a", "pred": "a", "gold": "a"}])
    before = os.umask(0o027)
    try:
        done = run(rows, out=tmp_path / "out")
    finally:
        os.umask(before)
    modes = {
        path.relative_to(done.folder).as_posix(): stat.S_IMODE(path.stat().st_mode) for path in done.folder.rglob("*")
    }
    assert {"input", "parts"} == {name for name, mode in modes.items() if mode == 0o750}
    assert {mode for name, mode in modes.items() if name not in ("input", "parts")} == {0o640}


def test_each_run_makes_its_evaluator_anew(write: Any, run: Any, tmp_path: Path) -> None:
    source = """from pathlib import Path
from jatdae import Metric, Outcome, evaluator

@evaluator("told", metrics=[Metric("m", "higher", worst=0.0)])
class Told:
    def __post_init__(self):
        object.__setattr__(self, "value", float((Path(__file__).parent / "value.txt").read_text()))

    def score(self, sample):
        return Outcome({"m": self.value})
"""
    plug_in = load_class(f"{write('told.py', source)}:Told")
    file = write("p.jsonl", [{"pred": "a", "gold": "a"}])
    means = []
    for value in ("0.25", "0.5"):
        write("value.txt", value)
        done = run(file, evaluator=plug_in(), out=tmp_path / "out", overwrite=True)
        means.append(done.summary["systems"][""]["metrics"]["m"]["macro"])
    assert means == [0.25, 0.5]


def seal(file: Path) -> None:
    """Write the checksum of a file of a run into the index."""
    index = json.loads((file.parent / "parts.json").read_text("utf-8"))
    index["files"][file.name] = xxh3_128(file.read_bytes()).hexdigest()
    (file.parent / "parts.json").write_text(json.dumps(index), "utf-8")


def test_a_run_names_its_format_and_older_ones_are_read(write: Any, run: Any, tmp_path: Path) -> None:
    folder = run(write("pairs.jsonl", ROWS[:10])).folder
    for name in ("manifest.json", "summary.json"):
        written = json.loads((folder / name).read_text("utf-8"))
        assert written.pop("format") == store.FORMAT
        (folder / name).write_text(json.dumps(written), "utf-8")
        seal(folder / name)
    assert Result.load(folder).systems == [""]


@pytest.mark.parametrize("name", ["manifest.json", "summary.json"])
def test_a_run_of_a_later_format_is_refused_with_both_formats(name: str, write: Any, run: Any, tmp_path: Path) -> None:
    folder = run(write("pairs.jsonl", ROWS[:10])).folder
    written = json.loads((folder / name).read_text("utf-8"))
    (folder / name).write_text(json.dumps({**written, "format": 7}), "utf-8")
    with pytest.raises(UsageError, match=r"format 7.*up to 1"):
        Result.load(folder)
