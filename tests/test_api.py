"""The public interface is that of `tests/api.txt`, which `python tests/test_api.py --update` writes anew."""

from __future__ import annotations

import dataclasses
import difflib
import inspect
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import jatdae
from jatdae.core.evaluator import spec_of

FILE = Path(__file__).with_name("api.txt")
ROOMS = ("text", "tables", "structured", "terms", "dialogue")
CHANGED = """The public interface differs from tests/api.txt:

{difference}

If that is meant, run `python tests/test_api.py --update` and give the change an entry in CHANGELOG.md."""


def test_the_public_interface_is_the_one_written_down() -> None:
    written, found = FILE.read_text("utf-8").splitlines(), list(lines_of_interface())
    difference = "\n".join(difflib.unified_diff(written, found, "tests/api.txt", "the code", lineterm="", n=0))
    assert not difference, CHANGED.format(difference=difference)


def lines_of_interface() -> Iterator[str]:
    """A line for each name, field, metric, command and flag that others may rely on."""
    yield from names_of("jatdae", jatdae.__all__)
    for room in ROOMS:
        names = set(import_module(f"jatdae.{room}").__all__) - set(jatdae.__all__)
        yield from names_of(f"jatdae.{room}", names)
    for name, cls in bundled():
        for field in dataclasses.fields(cls):
            yield f"evaluator {name}: {field.name}: {field.type} = {default_of(field)}"
        for metric in spec_of(cls).metrics:
            yield f"metric {name}: {metric.name}, {metric.better} is better, worst {metric.worst}"
    yield from sorted(set(flags()))


def names_of(module: str, names: Iterable[str]) -> Iterator[str]:
    """Names with their signatures and, for classes, their public members."""
    for name in sorted(set(names) - {"__version__"}):
        found = getattr(import_module(module), name)
        yield f"{module}.{name}{signature_of(found)}"
        if inspect.isclass(found):
            for member in sorted(vars(found)):
                value = inspect.getattr_static(found, member)
                if not member.startswith("_") and inspect.isroutine(value):
                    yield f"{module}.{name}.{member}{signature_of(getattr(found, member))}"


def signature_of(found: Any) -> str:
    """Parameters as written; evaluators' fields have lines of their own."""
    if inspect.isclass(found) and dataclasses.is_dataclass(found):
        return f"({', '.join(field.name for field in dataclasses.fields(found))})"
    if inspect.isclass(found) and issubclass(found, tuple):  # a NamedTuple
        return f"({', '.join(found._fields)})"
    try:
        return str(inspect.signature(found))
    except (TypeError, ValueError):  # a native function or a type without one
        return ""


def default_of(field: dataclasses.Field[Any]) -> str:
    if field.default is not dataclasses.MISSING:
        return repr(field.default)
    return repr(field.default_factory()) if field.default_factory is not dataclasses.MISSING else "(required)"


def bundled() -> list[tuple[str, type[Any]]]:
    """Evaluators of this package by name; plug-ins that happen to be installed are not part of its interface."""
    classes = [getattr(jatdae, name) for name in jatdae.__all__ if name.endswith("Evaluator")]
    return sorted((cls.__module__.split(".")[1], cls) for cls in classes)


def flags() -> Iterator[str]:
    """Commands with their arguments and flags, `run` once for each evaluator."""
    from jatdae.cli.app import build_app

    yield from flags_of(build_app([]), "jatdae")
    for form in (["run", "suite.yaml"], *(["run", name] for name, _ in bundled())):
        yield from flags_of(build_app(form)["run"], "jatdae run")


def flags_of(app: Any, path: str) -> Iterator[str]:
    yield path
    if app.default_command:
        for argument in app.assemble_argument_collection(parse_docstring=False).filter_by(show=True):
            yield f"{path} {' '.join(argument.names)}"
    for name in app:
        if name not in ("--help", "-h", "--version"):  # every command has these
            yield from flags_of(app[name], f"{path} {name}")


if __name__ == "__main__":
    if sys.argv[1:] != ["--update"]:
        sys.exit("usage: python tests/test_api.py --update")
    FILE.write_text("".join(f"{line}\n" for line in lines_of_interface()), "utf-8")
