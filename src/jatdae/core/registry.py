"""Find evaluators: by the entry-point group `jatdae.evaluators`, in a Python file, or as an instance.

The bundled evaluators are registered the same way as anybody's: nothing here knows their names.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from jatdae.core.config import build, plain
from jatdae.core.errors import JatdaeError, UsageError, lack_of
from jatdae.core.evaluator import family_of, spec_of
from jatdae.core.meanings import Meanings, meanings_of
from jatdae.core.messages import Texts, near, os_problem, say, shown, texts_beside
from jatdae.core.yamlfile import refuse_endless

GROUP: Final = "jatdae.evaluators"
_SOURCE: Final = "__jatdae_source__"
"""Set on a module that was loaded from a plug-in file: sha256 of the bytes that were run."""


class PluginChanged(UsageError):
    """Error for an evaluator whose file is not the one that the run was started with; `target` names it."""

    def __init__(self, target: str) -> None:
        super().__init__(target)
        self.target = target

    def __str__(self) -> str:
        return say("plugin_changed", target=self.target)


@dataclass(frozen=True, slots=True)
class Description:
    """Class, configuration and source hash from which a worker makes an evaluator again; never a pickle."""

    target: str
    """`package.module:Class` or `file.py:Class`."""
    source_hash: str
    """sha256 of the file that defines it; "" for jatdae's own, for which the version speaks."""
    config: Mapping[str, Any]

    def load(self) -> Any:
        """The evaluator; refuses source that has changed since it was described, or that differs on this machine."""
        cls = load_class(self.target)
        if source_hash(cls) != self.source_hash:
            raise PluginChanged(self.target)
        return build(cls, self.config)

    def refuse_changed(self) -> None:
        """The same refusal for an evaluator that was loaded before."""
        where, _ = _split(self.target)
        file = Path(where if where.endswith(".py") else getattr(sys.modules.get(where), "__file__", None) or "")
        if self.source_hash and file.is_file() and _hash_of(file) != self.source_hash:
            raise PluginChanged(self.target)


def describe(evaluator: object) -> Description:
    """Describe an evaluator, in the registry or not, so that a worker can import its class and make it again."""
    cls = type(evaluator)
    module = sys.modules.get(cls.__module__)
    where: str | None = cls.__module__
    if where == "__main__" or hasattr(module, _SOURCE):
        where = getattr(module, "__file__", None)
    if not where or "<" in cls.__qualname__:
        raise UsageError(say("evaluator_not_in_file", name=cls.__qualname__))
    return Description(f"{where}:{cls.__qualname__}", source_hash(cls), plain(evaluator))


def source_hash(cls: type) -> str:
    """sha256 of the file of an evaluator class in the registry; "" for jatdae's own, and without a file."""
    if cls.__module__.partition(".")[0] == "jatdae":
        return ""
    module = sys.modules.get(cls.__module__)
    if source := getattr(module, _SOURCE, ""):
        return str(source)
    file = Path(getattr(module, "__file__", None) or "")
    return _hash_of(file) if file.is_file() else ""


def _hash_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@cache
def available() -> dict[str, EntryPoint]:
    """Entry points of the registry of installed evaluators by name; of two packages with one name the first."""
    found: dict[str, EntryPoint] = {}
    _clashes.clear()
    for entry in entry_points(group=GROUP):
        first = found.setdefault(entry.name, entry)
        if first.value != entry.value:
            _clashes[entry.name] = (first.value, entry.value)
    return dict(sorted(found.items()))


_clashes: dict[str, tuple[str, str]] = {}
"""Names that two installed packages claim, with both targets: found by `available`, refused by `find`."""
_lent: dict[str, type] = {}
"""Plug-ins that the user named for this process, by evaluator name."""


def lend(plugin: str | type) -> type:
    """Add a plug-in, `FILE.py:Class` or a class, to the registry of this process under its evaluator's name."""
    cls = load_class(plugin) if isinstance(plugin, str) else plugin
    _lent[spec_of(cls).name] = cls
    return cls


def known_names() -> list[str]:
    """Names of all evaluators in the registry: installed ones, then plug-ins that were lent."""
    return list(dict.fromkeys([*available(), *_lent]))


def find(name: str) -> type:
    """Find an evaluator class in the registry by its name: a plug-in that was lent, else an installed one.

    A name, also one from a run folder, never loads a file: that takes `lend`, for which the user names the plug-in.
    """
    if name in _lent:
        return _lent[name]
    entry = available().get(name)
    if entry is None:
        raise UsageError(
            say(
                "unknown_evaluator",
                name=shown(name),
                near=near(name, known_names()),
                known=", ".join(known_names()) or "–",
            )
        )
    if name in _clashes:
        first, second = _clashes[name]
        raise UsageError(say("name_taken", name=name, first=first, second=second))
    return load_class(f"{entry.module}:{entry.attr}")


def working() -> dict[str, type]:
    """Classes in the registry by name, without those that fail to load."""
    made = {}
    for name in known_names():
        with suppress(UsageError):
            find_meanings(name).of("evaluators", name)  # texts that cannot be read
            made[name] = find(name)
    return made


def find_meanings(name: str) -> Meanings:
    """What the names of an evaluator in the registry mean; of one that is not there, only what is common to all."""
    try:
        cls = find(name)
    except UsageError:
        return Meanings()
    return meanings_of(cls)


def documentation_of(name: str, site: str = "") -> str:
    """Where a reader finds more on the names of an evaluator in the registry.

    An evaluator of jatdae has a page `names/NAME` with an anchor for each (`KIND-NAME`): what is given ends with `#`,
    and the anchor follows. It is an address where the reader has the `site` of the documentation, or the package names
    it as `Documentation` under `[project.urls]`, else the file in the repository. Of another package it is the address
    of its site, else the command that describes an installed evaluator. "" for one that is not installed.
    """
    entry = available().get(name)
    if entry is None or name in _lent:
        return ""
    own = entry.module.partition(".")[0] == "jatdae"
    given = (entry.dist.metadata.get_all("Project-URL") if entry.dist else None) or []
    sites = [site.strip() for label, _, site in (each.partition(",") for each in given) if label == "Documentation"]
    declared = sites[0].rstrip("/") if sites and sites[0].startswith("https://") else ""
    if not own:
        return declared or f"jatdae list {name}"
    if not (site := site or declared):
        return f"docs/names/{name}.md#"
    index = "index.html" if site.startswith("file:") else ""  # which a server adds, and a folder does not
    return f"{site}/names/{name}/{index}#"


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """How a report page draws the evidence of an evaluator."""

    script: str
    """`evidence.js` beside its class; "" if there is none."""
    style: str
    """`evidence.css` beside its class; "" if there is none."""
    texts: Texts
    """Its words."""


def views_of(name: str) -> dict[str, EvidenceView]:
    """Evidence views of an evaluator in the registry and of those it is composed of, by name, its own first."""
    try:
        classes = family_of(find(name))
    except UsageError:
        return {}
    found = {
        spec_of(cls).name: EvidenceView(
            _text_beside(cls, "evidence.js"), _text_beside(cls, "evidence.css"), texts_beside(cls.__module__)
        )
        for cls in classes
    }
    return {name: view for name, view in found.items() if view.script or view.style}


def findings_of(name: str, evidence: Any) -> list[str]:
    """What an evaluator in the registry found in a sample, in words, worst first; none if it does not say.

    Of evidence that its hook `findings` cannot read, such as that of an older run, it says nothing.
    """
    try:
        say_findings = getattr(find(name), "findings", None)
        return list(say_findings(evidence)) if say_findings and evidence else []
    except (UsageError, LookupError, TypeError, ValueError, AttributeError):
        return []


def _text_beside(cls: type, file: str) -> str:
    path = Path(getattr(sys.modules[cls.__module__], "__file__", None) or "").resolve().parent / file
    try:
        return path.read_text("utf-8") if path.is_file() else ""
    except OSError as error:
        raise UsageError(say("cannot_read", place=path, problem=os_problem(error))) from None
    except UnicodeDecodeError:
        raise UsageError(say("cannot_read", place=path, problem=say("row_not_utf8"))) from None


def load_class(target: str) -> type:
    """Load an evaluator class without the registry, given as `package.module:Class` or `file.py:Class`."""
    where, attribute = _split(target)
    module, cls = _load(where, attribute)
    if not inspect.isclass(cls):
        classes = [n for n, v in vars(module).items() if inspect.isclass(v) and v.__module__ == module.__name__]
        raise UsageError(say("no_such_class", target=target, near=near(attribute, classes)))
    with _told_of(where):
        spec_of(cls)
    return cls


def load_object(target: str) -> Any:
    """Load what an evaluator's setting names as `package.module:name` or `file.py:name`."""
    where, attribute = _split(target)
    module, found = _load(where, attribute)
    if found is None:
        raise UsageError(say("no_such_name", target=target, near=near(attribute, vars(module))))
    return found


def _load(where: str, attribute: str) -> tuple[ModuleType, Any]:
    module = _load_file(where) if where.endswith(".py") else _load_module(where)
    found: Any = module
    for part in attribute.split("."):
        found = getattr(found, part, None)
    return module, found


def _split(target: str) -> tuple[str, str]:
    where, _, attribute = target.rpartition(":")
    if not where or not all(part.isidentifier() for part in attribute.split(".")):
        raise UsageError(say("bad_plugin", target=target))
    return where, attribute


def _load_module(where: str) -> ModuleType:
    with _told_of(where), redirect_stdout(sys.stderr):  # standard output is for results
        return importlib.import_module(where)


def _load_file(where: str) -> ModuleType:
    path = Path(where).resolve()
    if not path.exists():
        raise UsageError(say("plugin_missing", file=where))
    refuse_endless(path, where)
    try:
        source = path.read_bytes()
    except OSError as error:
        raise UsageError(say("cannot_read", place=where, problem=os_problem(error))) from None
    with _told_of(where):
        return _run_file(path, source)


@contextmanager
def _told_of(where: str) -> Iterator[None]:
    """Whatever a plug-in does wrong while it is loaded is told of with its place."""
    try:
        yield
    except JatdaeError as error:
        raise UsageError(f"{where}: {error}") from error
    except (Exception, SystemExit) as error:
        if lack_of(error):  # the machine's fault, not the plug-in's
            raise
        raise UsageError(say("plugin_broken", file=where, problem=f"{type(error).__name__}: {error}")) from error


@cache
def _run_file(path: Path, source: bytes) -> ModuleType:
    """The module these very bytes make: neither a later edit nor stale bytecode can stand for them."""
    digest = hashlib.sha256(source).hexdigest()
    name = f"jatdae_plugin_{path.stem}_{hashlib.sha256(bytes(path) + digest.encode()).hexdigest()[:8]}"
    module = ModuleType(name)
    module.__file__ = str(path)
    setattr(module, _SOURCE, digest)
    sys.modules[name] = module
    try:
        exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - code that the user named
    except BaseException:
        del sys.modules[name]
        raise
    return module
