"""Input folders in a layout that an evaluator reads by itself, such as that of a published benchmark."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from jatdae.core.errors import UsageError
from jatdae.core.evaluator import EvaluatorSpec, Layout, Layouts, hook, spec_of
from jatdae.core.messages import flag_of, say
from jatdae.run.input.files import is_folder, missing_or_unreadable
from jatdae.run.input.model import Inputs


def adapt(evaluator: Any, inputs: Inputs) -> tuple[Any, Inputs]:
    """Find the layout of a folder given as input, and its systems; the evaluator is told the name of the layout.

    Without such a folder, both come back as they are. A folder that holds a file of rows stands for that file.
    """
    inputs = replace(inputs, pairs=tuple((label, _rows_in(evaluator, path)) for label, path in inputs.pairs))
    layouts = spec_of(evaluator).layouts
    if layouts and inputs.reference:
        _refuse_texts(layouts, getattr(evaluator, layouts.setting))
    if layouts is None or len(inputs.pairs) != 1:
        return evaluator, inputs
    ((label, path),) = inputs.pairs
    name = getattr(evaluator, layouts.setting)
    if label or path == "-" or not (name in layouts.known or is_folder(path)):
        return evaluator, inputs
    if error := missing_or_unreadable(path):
        raise error
    with hook(evaluator, "layouts"):
        name = _fitting(layouts, name, Path(path))
        systems = layouts.known[name].systems(Path(path))
    if not systems:
        raise UsageError(say("layout_without_systems", place=path, name=name, expected=layouts.known[name].expected))
    pairs = tuple((system, path) for system in systems)
    return replace(evaluator, **{layouts.setting: name}), replace(inputs, pairs=pairs, layout=name)


def _refuse_texts(layouts: Layouts, name: str) -> None:
    """Of texts of one's own, a layout that tells more of its pages has no numbers."""
    if name in layouts.known and not layouts.known[name].of_texts:
        expected = layouts.known[name].expected
        raise UsageError(say("layout_needs_folder", flag=flag_of(layouts.setting), name=name, expected=expected))


def _rows_in(evaluator: Any, path: str) -> str:
    """The file of rows in a folder, where the evaluator names one that is there; else the path as it is."""
    if path == "-" or not is_folder(path):
        return path
    inside = (Path(path) / name for name in spec_of(evaluator).rows_in)
    return next((str(file) for file in inside if file.is_file()), path)


def layout_of(spec: EvaluatorSpec, inputs: Inputs) -> Layout | None:
    """Layout in which an evaluator reads the input of a run by itself; None for rows and documents."""
    return spec.layouts.known[inputs.layout] if spec.layouts and inputs.layout else None


def _fitting(layouts: Layouts, name: str, path: Path) -> str:
    """The named layout, or the only one that the folder is of."""
    named = name in layouts.known
    wanted = [name] if named else list(layouts.known)
    places = {} if named else _layouts_below(layouts, path)
    found = [each for each in wanted if layouts.known[each].fits(path)]
    if len({*found, *places}) > 1:
        told = ", ".join(f"{each} ({places.get(each, path)})" for each in wanted if each in {*found, *places})
        raise UsageError(say("several_layouts", place=path, found=told, flag=flag_of(layouts.setting)))
    if found:
        return found[0]
    told = "; ".join(f"{each}: {layouts.known[each].expected}" for each in wanted)
    raise UsageError(say("unknown_layout", place=path, flag=flag_of(layouts.setting), expected=told))


def _layouts_below(layouts: Layouts, path: Path) -> dict[str, Path]:
    """Layouts of the folders in a folder, with the first of each: some find their files anywhere below a folder."""
    folders = [each for each in sorted(path.iterdir()) if each.is_dir() and os.access(each, os.R_OK | os.X_OK)]
    found = {name: [each for each in folders if layout.fits(each)] for name, layout in layouts.known.items()}
    return {name: places[0] for name, places in found.items() if places}
