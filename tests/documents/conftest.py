"""The bundled samples, scored once, and documents written to folders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from jatdae.core.messages import choose_language
from jatdae.documents import DocumentEvaluator
from jatdae.report.paper import Paper, make_paper
from jatdae.run.api import Finished, execute
from jatdae.run.input.model import Inputs
from jatdae.run.work.engine import Engine

MD = "# Title\n\nsome text\n"
HOSTILE = r"a|b & \input{/etc/passwd} $x$ %c #d _e ^f ~g {h} <b> `i` **j** [k](l) \end{table}"
SYSTEMS = ("text-baseline", "image-baseline", "text-advanced", "image-advanced")


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of bundled samples."""
    return Path(str(resources.files("jatdae.documents") / "samples"))


@pytest.fixture(scope="session")
def demo(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    """A run over the bundled samples."""
    systems = tuple((name, str(samples / "systems" / name)) for name in SYSTEMS)
    inputs = Inputs(reference=str(samples / "gold"), predictions=systems)
    return execute(DocumentEvaluator(), inputs, out=tmp_path_factory.mktemp("demo") / "run", engine=Engine(1))


@pytest.fixture
def compare_folders(tmp_path: Path) -> Callable[..., Finished]:
    """`compare_folders(gold={file: text}, NAME={file: text}, …)`: a run over folders that hold these files."""
    count = iter(range(1000))

    def of(
        gold: Mapping[str, str],
        /,
        evaluator: Any = None,
        *,
        out: Path | None = None,
        overwrite: bool = False,
        given: Mapping[str, Any] | None = None,
        **systems: Mapping[str, str],
    ) -> Finished:
        place = tmp_path / f"input-{next(count)}"
        for folder, files in (("gold", gold), *systems.items()):
            for name, text in files.items():
                path = place / folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
            (place / folder).mkdir(parents=True, exist_ok=True)
        inputs = Inputs(
            reference=str(place / "gold"),
            predictions=tuple((name, str(place / name)) for name in systems),
            **(given or {}),
        )
        folder = out or place / "run"
        return execute(evaluator or DocumentEvaluator(), inputs, out=folder, engine=Engine(1), overwrite=overwrite)

    return of


@pytest.fixture(scope="session")
def paper(demo: Finished) -> Paper:
    """The table of that run."""
    choose_language("en")
    return make_paper(demo.folder)


@pytest.fixture
def hostile(run: Any, write: Any) -> Paper:
    """A table whose systems and documents have names that would break it."""
    rows = [
        {"id": f"{HOSTILE} {system}", "system": system, "prediction": MD, "reference": MD}
        for system in (HOSTILE, "=cmd()", "김\x1b[31m\n\ud7ff")
    ]
    return make_paper(run(write("pairs.jsonl", rows), evaluator=DocumentEvaluator()).folder)
