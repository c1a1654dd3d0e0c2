"""`jatdae doctor`: shows which kernels, libraries and extras are installed, and what follows from that."""

from __future__ import annotations

import importlib.util
from typing import Annotated

from cyclopts import Parameter

from jatdae.core.messages import say
from jatdae.core.registry import available
from jatdae.core.terminal import print_json, terminal
from jatdae.core.version import versions
from jatdae.kernels import KERNELS, kernel, native
from jatdae.report.console import show_sheet
from jatdae.report.sheets import Sheet, SheetCell
from jatdae.run.work.engine import default_jobs

EXTRAS = {"cluster": "distributed"}


def doctor(*, json: Annotated[bool, Parameter(negative=(), help="Print only JSON.")] = False) -> None:
    """Show the installed kernels, libraries and extras."""
    kernels = {name: "native" if native(name) else "python" for name in KERNELS}
    extras = {name: importlib.util.find_spec(module) is not None for name, module in EXTRAS.items()}
    if json:
        print_json(
            {"kernel": kernel(), "kernels": kernels, "versions": versions(), "extras": extras,
             "evaluators": list(available()), "jobs": default_jobs()}
        )  # fmt: skip
        return
    facts = [(say("kernel_of", name=name), say(f"kernel_{which}")) for name, which in kernels.items()]
    facts += list(versions().items())
    facts += [
        (f"jatdae[{name}]", say("installed") if there else say("not_installed")) for name, there in extras.items()
    ]
    facts += [(say("evaluators"), ", ".join(available())), (say("cores"), str(default_jobs()))]
    note = say("no_compiler") if kernel() == "python" else ""
    rows = tuple((SheetCell(name), SheetCell(value)) for name, value in facts)
    show_sheet(Sheet("jatdae doctor", ("", ""), rows, note), terminal())
