"""`jatdae doctor`: shows what is installed and what follows from that, or checks plug-ins for their authors."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from jatdae.cli.output import PLUGINS, lend_plugins
from jatdae.core.compiled import are_compiled
from jatdae.core.evaluator import options_of, spec_of
from jatdae.core.meanings import missing_meanings
from jatdae.core.messages import LANGUAGES, say, texts_beside
from jatdae.core.registry import available, load_class
from jatdae.core.terminal import print_json, terminal
from jatdae.core.version import versions
from jatdae.kernels import KERNELS, kernel, native
from jatdae.report.console import show_sheet
from jatdae.report.sheets import Sheet, SheetCell
from jatdae.run.work.engine import default_jobs

EXTRAS = {"cluster": "distributed"}
BESIDE = (*(f"messages.{language}.toml" for language in LANGUAGES), "evidence.js", "evidence.css")
"""Files that an evaluator may have beside its class."""


def doctor(
    *,
    plugin: Annotated[tuple[str, ...], PLUGINS] = (),
    json: Annotated[bool, Parameter(negative=(), help="Print only JSON.")] = False,
) -> int:
    """Show the installed kernels, libraries and extras; with --plugin, check what a plug-in declares."""
    if plugin:
        lend_plugins(plugin)
        checked = {target: _check(load_class(target)) for target in plugin}
        if json:
            print_json(checked)
        else:
            for target, about in checked.items():
                _show(f"{about['name']} ({target})", _facts_of(about), _note(about))
        return 1 if any(about["missing"] for about in checked.values()) else 0
    kernels = {name: "native" if native(name) else "python" for name in KERNELS}
    modules = "compiled" if are_compiled() else "source"
    extras = {name: importlib.util.find_spec(module) is not None for name, module in EXTRAS.items()}
    if json:
        print_json(
            {"kernel": kernel(), "kernels": kernels, "modules": modules, "versions": versions(), "extras": extras,
             "evaluators": list(available()), "jobs": default_jobs()}
        )  # fmt: skip
        return 0
    facts = [(say("kernel_of", name=name), say(f"kernel_{which}")) for name, which in kernels.items()]
    facts.append((say("modules"), say(f"modules_{modules}")))
    facts += list(versions().items())
    facts += [
        (f"jatdae[{name}]", say("installed") if there else say("not_installed")) for name, there in extras.items()
    ]
    facts += [(say("evaluators"), ", ".join(available())), (say("cores"), str(default_jobs()))]
    _show("jatdae doctor", facts, say("no_compiler") if kernel() == "python" else "")
    return 0


def _check(cls: Any) -> dict[str, Any]:
    """What an evaluator class declares, the files found beside it, and the meanings that are missing."""
    spec = spec_of(cls)
    folder = Path(sys.modules[cls.__module__].__file__ or "").resolve().parent
    texts = texts_beside(cls.__module__).folder  # may be that of the package
    beside = [(texts if file.startswith("messages") else folder, file) for file in BESIDE]
    return {
        "name": spec.name,
        "metrics": [metric.name for metric in spec.metrics],
        "settings": [option.name for option in options_of(cls)],
        "issues": [kind.code for kind in spec.issues],
        "counts": [count.name for count in spec.counts],
        "rates": [rate.name for rate in spec.rates],
        "schemas": [f"{spec.name}.{file}" for file in spec.files],
        "beside": {file: str(path) if (path := home / file).is_file() else None for home, file in beside},
        "missing": missing_meanings(cls),
    }


def _facts_of(about: dict[str, Any]) -> list[tuple[str, str]]:
    declared = ("metrics", "settings", "issues", "counts", "rates", "schemas")
    facts = [(say(f"declared_{kind}"), ", ".join(about[kind]) or say("no_value")) for kind in declared]
    return facts + [(file, path or say("not_found")) for file, path in about["beside"].items()]


def _note(about: dict[str, Any]) -> str:
    return say("meanings_missing", names=", ".join(about["missing"])) if about["missing"] else say("meanings_complete")


def _show(title: str, facts: list[tuple[str, str]], note: str) -> None:
    rows = tuple((SheetCell(name), SheetCell(value)) for name, value in facts)
    show_sheet(Sheet(title, ("", ""), rows, note), terminal())
