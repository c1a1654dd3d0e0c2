"""Where evaluators come from: files, installed packages, and descriptions that find them again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from email.message import Message
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace

import pytest

from jatdae.core import registry
from jatdae.core.contract import Metric, Outcome, Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import evaluator, options_of, spec_of
from jatdae.core.registry import (
    GROUP,
    available,
    describe,
    documentation_of,
    find,
    find_meanings,
    known_names,
    lend,
    load_class,
    source_hash,
    views_of,
    working,
)

SOURCE = '''
from jatdae import Metric, Outcome, evaluator

@evaluator("own", metrics=[Metric("score", "higher", worst=0.0)])
class Own:
    """An evaluator of one's own."""
    size: int = 1
    """How large."""
    def score(self, sample):
        return Outcome({"score": VALUE})

class Plain:
    pass

class Outer:
    Inner = Own
'''


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A plug-in file that scores 1."""
    path = tmp_path / "own.py"
    path.write_text(SOURCE.replace("VALUE", "1.0"))
    return path


def scored(cls: type) -> float:
    return float(cls().score(Sample("1", "", "")).values["score"])


def test_a_file_holds_an_evaluator(own: Path) -> None:
    cls = load_class(f"{own}:Own")
    assert spec_of(cls).name == "own"
    assert options_of(cls)[0].help == "How large."
    assert load_class(f"{own}:Own") is cls
    assert load_class(f"{own}:Outer.Inner") is cls
    assert not (own.parent / "__pycache__").exists()


def test_a_file_keeps_its_own_meaning_of_annotations(tmp_path: Path) -> None:
    path = tmp_path / "annotated.py"
    path.write_text(SOURCE.replace("VALUE", "1.0") + "\nassert Own.__annotations__ == {'size': int}\n")
    assert spec_of(load_class(f"{path}:Own")).name == "own"


BAD_TARGETS = {
    "no class": ("{own}", "write it as FILE.py:Class"),
    "empty class": ("{own}:", "write it as FILE.py:Class"),
    "no file": (":Own", "write it as FILE.py:Class"),
    "a call": ("{own}:Own()", "write it as FILE.py:Class"),
    "missing file": ("{dir}/none.py:Own", "no such plug-in file"),
    "folder": ("{dir}/folder.py:Own", r"folder.py: cannot be read (it is a folder)"),
    "pipe": ("{dir}/pipe.py:Own", "pipe.py: a device or a pipe. Save its content to a file, and give that"),
    "near class": ("{own}:Onw", "no such class. Did you mean 'Own'?"),
    "far class": ("{own}:Unlike", "own.py:Unlike: no such class."),
    "not an evaluator": ("{own}:Plain", "own.py: Plain is not an evaluator. Decorate the class"),
    "not a class": ("{own}:evaluator", "no such class"),
    "missing module": ("no_such_module_of_ours:Own", "no_such_module_of_ours: cannot be loaded (ModuleNotFoundError"),
    "syntax error": ("{dir}/syntax.py:Own", "cannot be loaded (SyntaxError: '(' was never closed (syntax.py, line 2)"),
    "exception": ("{dir}/raises.py:Own", "cannot be loaded (ZeroDivisionError: division by zero)"),
    "exit": ("{dir}/exits.py:Own", "cannot be loaded (SystemExit: 0)"),
    "bad evaluator": ("{dir}/bad.py:Own", "bad.py: Evaluator 'own': field 'size' needs a default."),
    "not text": ("{dir}/bytes.py:Own", "cannot be loaded (SyntaxError"),
}


@pytest.mark.parametrize(("target", "told"), BAD_TARGETS.values(), ids=BAD_TARGETS)
def test_a_bad_plug_in_says_what_is_wrong(own: Path, target: str, told: str) -> None:
    folder = own.parent
    (folder / "folder.py").mkdir()
    os.mkfifo(folder / "pipe.py")
    (folder / "syntax.py").write_text("\nx = (")
    (folder / "raises.py").write_text("1 / 0")
    (folder / "exits.py").write_text("raise SystemExit(0)")
    (folder / "bad.py").write_text(SOURCE.replace("size: int = 1", "size: int"))
    (folder / "bytes.py").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError) as error:
        load_class(target.format(own=own, dir=folder))
    assert told in str(error.value)


def test_a_file_that_fails_leaves_no_module_behind(tmp_path: Path) -> None:
    (tmp_path / "raises.py").write_text("1 / 0")
    before = set(sys.modules)
    with pytest.raises(UsageError):
        load_class(f"{tmp_path / 'raises.py'}:Own")
    assert set(sys.modules) == before


def test_a_description_finds_the_evaluator_again(own: Path) -> None:
    made = load_class(f"{own}:Own")(size=3)
    described = describe(made)
    assert described.target == f"{own}:Own"
    assert described.config == {"size": 3}
    assert described.load() == made


def test_an_edited_file_is_another_evaluator_and_the_old_description_is_refused(own: Path) -> None:
    """Same size and same second: neither the cache of modules nor stale bytecode may serve the old code."""
    first = load_class(f"{own}:Own")
    described = describe(first())
    before = own.stat()
    own.write_text(SOURCE.replace("VALUE", "2.0"))
    os.utime(own, ns=(before.st_atime_ns, before.st_mtime_ns))
    second = load_class(f"{own}:Own")
    assert (scored(first), scored(second)) == (1.0, 2.0)
    assert source_hash(first) != source_hash(second)
    with pytest.raises(UsageError, match="has changed since the run started"):
        described.load()
    assert scored(type(describe(second()).load())) == 2.0


def test_code_already_loaded_is_described_by_what_was_run(own: Path) -> None:
    first = load_class(f"{own}:Own")
    own.write_text(SOURCE.replace("VALUE", "2.0"))
    with pytest.raises(UsageError, match="has changed"):
        describe(first()).load()


def test_an_evaluator_of_a_module_is_found_by_name_and_hashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_module.py").write_text(SOURCE.replace("VALUE", "1.0"))
    monkeypatch.syspath_prepend(tmp_path)
    cls = load_class("own_module:Own")
    described = describe(cls())
    assert described.target == "own_module:Own"
    assert len(described.source_hash) == 64
    assert described.load() == cls()


def test_our_own_evaluators_are_known_by_their_version() -> None:
    cls = type("Bundled", (), {"__module__": "jatdae.text.evaluator"})
    assert source_hash(cls) == ""


def test_a_class_of_no_file_cannot_be_described_but_signed() -> None:
    @evaluator("local", metrics=[Metric("score", "higher", worst=0.0)])
    class Local:
        def score(self, sample: Sample) -> Outcome:
            return Outcome({"score": 1.0})

    with pytest.raises(UsageError, match="not defined at the top level of a file"):
        describe(Local())
    Local.__module__ = "__main__"
    Local.__qualname__ = "Local"
    main = sys.modules["__main__"]
    file = main.__dict__.pop("__file__", None)
    try:
        assert source_hash(Local) == ""
        with pytest.raises(UsageError, match="not defined at the top level of a file"):
            describe(Local())
    finally:
        if file is not None:
            main.__file__ = file


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """Make the given (name, value) pairs all that is installed."""

    def install(*pairs: tuple[str, str]) -> None:
        found = [EntryPoint(name, value, GROUP) for name, value in pairs]
        monkeypatch.setattr(registry, "entry_points", lambda group: found)
        available.cache_clear()

    (tmp_path / "own_entry.py").write_text(SOURCE.replace("VALUE", "1.0"))
    monkeypatch.syspath_prepend(tmp_path)
    yield install
    available.cache_clear()
    sys.modules.pop("own_entry", None)


def test_installed_evaluators_are_found_by_name(entries: Callable[..., None]) -> None:
    entries(("own", "own_entry:Own"), ("also", "own_entry:Own [extra]"))
    assert list(available()) == ["also", "own"]
    assert find("own") is find("also")


def test_an_unknown_name_is_told_with_a_near_one(entries: Callable[..., None]) -> None:
    entries(("own", "own_entry:Own"))
    with pytest.raises(UsageError, match=r"Unknown evaluator 'onw'\. Did you mean 'own'\? Evaluators: own\."):
        find("onw")
    entries()
    with pytest.raises(UsageError, match="Evaluators: –"):
        find("own")


def test_a_name_that_two_packages_claim_is_refused_and_the_others_are_left_alone(entries: Callable[..., None]) -> None:
    entries(("own", "own_entry:Own"), ("own", "other:Own"), ("also", "own_entry:Own"))
    with pytest.raises(UsageError, match="define the evaluator 'own': own_entry:Own and other:Own"):
        find("own")
    assert list(working()) == ["also"]
    entries(("own", "own_entry:Own"), ("own", "own_entry:Own"))  # one package, seen twice
    assert list(available()) == ["own"]


def test_a_broken_package_does_not_take_the_others_with_it(entries: Callable[..., None]) -> None:
    entries(("own", "own_entry:Own"), ("lost", "no_such_module_of_ours:Own"))
    assert list(working()) == ["own"]
    with pytest.raises(UsageError, match="no_such_module_of_ours: cannot be loaded"):
        find("lost")


def test_a_package_on_disk_is_found_through_its_entry_point(tmp_path: Path) -> None:
    """The real thing: a dist-info on the path of another process."""
    (tmp_path / "own_pack.py").write_text(SOURCE.replace("VALUE", "1.0"))
    info = tmp_path / "own_pack-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: own-pack\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\nown = own_pack:Own\n")
    (tmp_path / "pairs.jsonl").write_text('{"prediction": "a", "reference": "a"}\n')
    done = python_in(tmp_path, "-m", "jatdae", "run", "own", "pairs.jsonl", "--size", "4")
    assert done.returncode == 0, done.stderr
    assert "| own | size:4 | source:" in done.stdout
    assert '"own"' in python_in(tmp_path, "-m", "jatdae", "list", "--json").stdout


def python_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_a_script_may_define_its_evaluator(tmp_path: Path) -> None:
    """With two jobs its class is found again through the script's file, not by pickling."""
    script = (
        SOURCE.replace("VALUE", "float(sample.prediction == sample.reference)")
        + """
if __name__ == "__main__":
    import jatdae
    samples = [{"prediction": "a", "reference": "ab"[at % 2]} for at in range(600)]
    one, two = (jatdae.evaluate(samples, Own(), jobs=jobs) for jobs in (1, 2))
    assert one.summary == two.summary
    print(one.value("score"), "source:" in str(one.signature))
"""
    )
    (tmp_path / "script.py").write_text(script)
    done = python_in(tmp_path, "script.py")
    assert (done.stdout, done.returncode) == ("0.5 True\n", 0), done.stderr


@pytest.mark.parametrize("name", ["{own}:Own", "{own}", "own:Own", "own", "own.py:Own"])
def test_a_name_alone_loads_no_file(own: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A name may come from a run folder that somebody else made."""
    mark = own.parent / "mark"
    own.write_text(f"open({str(mark)!r}, 'w').close()\n{own.read_text()}")
    monkeypatch.chdir(own.parent)
    monkeypatch.syspath_prepend(own.parent)
    with pytest.raises(UsageError, match="Unknown evaluator"):
        find(name.format(own=own))
    assert views_of(name.format(own=own)) == {}
    assert find_meanings(name.format(own=own)).of("issues", "odd") == ""
    assert not mark.exists()


def test_a_plug_in_is_lent_by_file_or_class(own: Path) -> None:
    cls = lend(f"{own}:Own")
    assert find("own") is cls
    assert "own" in known_names()
    assert lend(cls) is cls


def test_the_view_of_a_plug_in_is_beside_its_file(own: Path) -> None:
    cls = lend(f"{own}:Own")
    assert views_of("own") == {}
    (own.parent / "evidence.js").write_text("view();")
    assert [(name, view.script, view.style) for name, view in views_of("own").items()] == [("own", "view();", "")]
    (own.parent / "evidence.css").write_bytes(b"\xff")
    with pytest.raises(UsageError, match=r"evidence.css: cannot be read \(not valid UTF-8\)"):
        views_of(spec_of(cls).name)


@pytest.mark.parametrize(
    ("value", "addresses", "page"),
    [
        ("jatdae.text.evaluator:TextEvaluator", (), "docs/names/own.md#"),
        (
            "jatdae.text.evaluator:TextEvaluator",
            ("Source, https://s.example", "Documentation, https://d.example/"),
            "https://d.example/names/own/#",
        ),
        ("own_entry:Own", ("Documentation, https://own.example/docs",), "https://own.example/docs"),
        ("own_entry:Own", ("Documentation, javascript:alert(1)",), "jatdae list own"),
        ("own_entry:Own", (), "jatdae list own"),
    ],
)
def test_the_documentation_is_where_its_package_says(
    monkeypatch: pytest.MonkeyPatch, value: str, addresses: tuple[str, ...], page: str
) -> None:
    metadata = Message()
    for each in addresses:
        metadata["Project-URL"] = each
    entry = SimpleNamespace(
        name="own", value=value, module=value.partition(":")[0], dist=SimpleNamespace(metadata=metadata)
    )
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    available.cache_clear()
    try:
        assert documentation_of("own") == page
        assert documentation_of("other") == ""
    finally:
        available.cache_clear()
