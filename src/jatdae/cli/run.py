"""`jatdae run`: scores files with an evaluator, or runs a suite."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, make_dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, get_origin

from cyclopts import App, Group, Parameter

from jatdae.cli.finished import GatedRun, show_all, show_one
from jatdae.cli.output import METRICS, PAGES, PLUGINS, aside, metrics_asked, progress_bar, tell
from jatdae.cli.report import write_index, write_page
from jatdae.core.config import build, named_values
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import Option, options_of, spec_of
from jatdae.core.meanings import meanings_of
from jatdae.core.messages import near, say
from jatdae.core.registry import find, known_names, lend, working
from jatdae.core.writing import STDIN
from jatdae.report.documentation import documentation_site
from jatdae.report.page_images import refuse_no_folder
from jatdae.run.api import execute
from jatdae.run.gates import read_gates
from jatdae.run.input.layouts import adapt
from jatdae.run.input.model import Inputs, alone, choose, lacks_only_reference, narrowed, systems_of
from jatdae.run.input.rows import Fields
from jatdae.run.stats.result import choose_metrics
from jatdae.run.stats.summary import measures_of
from jatdae.run.work.dask import Tls, is_exposed, refuse_address
from jatdae.run.work.engine import Engine, default_jobs

INPUT, RUN, OUTPUT = (Group(name, sort_key=at) for at, name in enumerate(("Input", "Run", "Output"), 1))
NO_NEGATIVE = Parameter(negative=())
PAIRS_HELP = "Files with prediction and reference on each row, one file per system; `-` is standard input."
SUITE_SUFFIXES = (".yaml", ".yml")


def run_app(arguments: list[str]) -> App:
    """Make the `jatdae run` command for the evaluator or suite that the arguments name."""
    app = App(name="run", help=say("help_run"))
    named = _named(arguments)
    with aside():
        plugins = [lend(target) for target in _plugins(arguments)]
    if named.endswith(SUITE_SUFFIXES):
        app.default(run_suite)
    elif named in known_names():
        app.command(_command(find(named)), name=named)
    elif plugins and (named in ("", STDIN) or Path(named).exists()):
        app.default(_command(plugins[0]))
    elif named:
        raise _unknown(named)
    elif arguments[:1] in (["run"], ["--install-completion"]):
        for name, each in working().items():
            app.command(_command(each), name=name)
        if arguments[0] != "run":  # completion is for every form at once
            app.default(run_suite)
    return app


@dataclass(frozen=True)
class InputFlags:
    """Command-line flags that say what input a run reads."""

    pred: Annotated[str, Parameter(alias="-p")] = ""
    """Predictions: file or folder."""
    ref: Annotated[str, Parameter(alias="-r")] = ""
    """References: file or folder, joined by id or by relative path."""
    system: Annotated[tuple[str, ...], NO_NEGATIVE] = ()
    """NAME=PATH: name and predictions of a system; repeatable."""
    id_field: str = ""
    """Row field with the id."""
    prediction_field: str = ""
    """Row field with the prediction."""
    reference_field: str = ""
    """Row field with the reference."""
    slice: Annotated[tuple[str, ...], NO_NEGATIVE] = ()
    """Row field or meta key to slice by; repeatable."""
    missing: Literal["worst", "skip", "error"] = "worst"
    """For a missing prediction: score it as the worst value, skip the sample, or stop."""
    on_bad_row: Literal["error", "count"] = "error"
    """For a row that cannot be read: stop (error), or skip and count it (count)."""

    def inputs(self, pairs: tuple[str, ...]) -> Inputs:
        """The input these flags describe."""
        if self.pred and self.system:
            raise UsageError(say("pred_and_system"))
        named = tuple(named_values("--system", self.system).items())
        return Inputs(
            pairs=tuple((label, _path(path)) for label, path in _label(pairs)),
            reference=_path(self.ref),
            predictions=tuple(
                (label, _path(path)) for label, path in named or ((("", self.pred),) if self.pred else ())
            ),
            fields=Fields(self.id_field, self.prediction_field, self.reference_field),
            slices=self.slice,
            missing=self.missing,
            on_bad_row=self.on_bad_row,
        )


@dataclass(frozen=True)
class ChoiceFlags:
    """Command-line flags that say which of the given systems are run."""

    only: Annotated[tuple[str, ...], NO_NEGATIVE] = ()
    """NAME: run only this system; repeatable."""
    skip: Annotated[tuple[str, ...], NO_NEGATIVE] = ()
    """NAME: skip this system; repeatable."""

    def of(self, inputs: Sequence[Inputs]) -> list[Inputs]:
        """The inputs with the wanted systems; an input may be left with none if another has them."""
        if not self.only and not self.skip:
            return list(inputs)
        named = list(dict.fromkeys(name for each in inputs for name in systems_of(each)))
        if not named:
            raise UsageError(say("no_named_system"))
        chosen = choose(named, self.only, self.skip)
        return [narrowed(each, chosen) for each in inputs]


@dataclass(frozen=True)
class RunFlags:
    """Command-line flags that say how a run is done: processes, Dask address and certificates, plug-ins."""

    jobs: Annotated[int | None, Parameter(alias="-j")] = None
    """Number of processes (default: all cores)."""
    engine: Literal["local", "dask"] = "local"
    """Run on this machine (local), or through a Dask scheduler (dask)."""
    scheduler: str = ""
    """Address of the Dask scheduler, for --engine dask."""
    tls_ca: Path | None = None
    """Certificate of the authority (CA) that signed the scheduler's certificate."""
    tls_cert: Path | None = None
    """Client certificate."""
    tls_key: Path | None = None
    """Private key of the client certificate."""
    plugin: Annotated[tuple[str, ...], PLUGINS] = ()

    def start(self) -> Engine:
        """The engine these flags describe."""
        if self.jobs is not None and self.jobs < 1:
            raise UsageError(say("bad_jobs", value=self.jobs))
        if (self.engine == "dask") != bool(self.scheduler):
            raise UsageError(say("dask_needs_scheduler"))
        tls = self._tls()
        if self.scheduler:
            refuse_address(self.scheduler, tls)
            if is_exposed(self.scheduler):
                tell(say("plain_scheduler", address=self.scheduler), "yellow")
        return Engine(self.jobs or default_jobs(), self.scheduler, tls)

    def _tls(self) -> Tls | None:
        if self.tls_ca and self.tls_cert and self.tls_key:
            tls = Tls(self.tls_ca, self.tls_cert, self.tls_key)
            tls.refuse_unusable()
            return tls
        if self.tls_ca or self.tls_cert or self.tls_key:
            raise UsageError(say("tls_incomplete"))
        return None


@dataclass(frozen=True)
class OutputFlags:
    """Command-line flags that say what a run writes."""

    out: Annotated[Path | None, Parameter(alias="-o")] = None
    """Run folder (default: runs/EVALUATOR-SIGNATURE)."""
    overwrite: Annotated[bool, NO_NEGATIVE] = False
    """Overwrite the run in the run folder."""
    json: Annotated[bool, NO_NEGATIVE] = False
    """Print only JSON on standard output."""
    fail_under: Annotated[tuple[str, ...], NO_NEGATIVE] = ()
    """METRIC=VALUE: exit status 1 if the metric is below the value (0.9 or 90%). METRIC.micro is the micro average."""
    fail_over: Annotated[tuple[str, ...], NO_NEGATIVE] = ()
    """METRIC=VALUE: exit status 1 if the metric is above the value."""
    metrics: Annotated[str | None, METRICS] = None
    pages: Annotated[Path | None, PAGES] = None


def run_suite(
    suite: Annotated[str, Parameter(help="Suite file (YAML).")],
    *,
    out: Annotated[Path, Parameter(help="Folder for the run folders.", group=OUTPUT)] = Path("runs"),
    choosing: Annotated[ChoiceFlags, Parameter(name="*", group=INPUT)] = ChoiceFlags(),  # noqa: B008
    running: Annotated[RunFlags, Parameter(name="*", group=RUN)] = RunFlags(),  # noqa: B008
    allow_plugins: Annotated[bool, Parameter(negative=(), help="Load the suite's plug-ins.", group=RUN)] = False,
    overwrite: Annotated[bool, Parameter(negative=(), help="Overwrite existing runs.", group=OUTPUT)] = False,
    json: Annotated[bool, Parameter(negative=(), help="Print only JSON.", group=OUTPUT)] = False,
) -> int:
    """Run every evaluator of a suite on its datasets."""
    from jatdae.run.suite import read_suite, refuse_unreadable

    finished = []
    documentation_site()  # a slip is told before the work
    with aside():
        items = read_suite(suite, out=out, allow_plugins=allow_plugins)
    chosen = choosing.of([item.inputs for item in items])
    wanted = [each for each in zip(items, chosen, strict=True) if each[1].pairs or each[1].predictions]
    refuse_unreadable(wanted)
    for item, inputs in wanted:
        tell(item.label, "bold")
        with progress_bar() as progress:
            done = execute(
                item.evaluator, inputs, out=item.folder, engine=running.start(), overwrite=overwrite,
                progress=progress,
            )  # fmt: skip
        lend(type(item.evaluator))  # not before all are made: a plug-in may have the name of an installed evaluator
        write_page(done, item.gates)
        finished.append(GatedRun(done, item.gates, label=item.label))
    status = show_all(finished, as_json=json)
    if len(finished) > 1:
        write_index(finished, out / items[0].folder.relative_to(out).parts[0])  # the suite's own folder
    return status


def _command(cls: type) -> Callable[..., int]:
    """The command of one evaluator: common flags, then its own."""
    flags, defaults = flags_of(cls)

    def command(
        *pairs: Annotated[str, Parameter(help=PAIRS_HELP, group=INPUT)],
        reading: Annotated[InputFlags, Parameter(name="*", group=INPUT)] = InputFlags(),  # noqa: B008
        choosing: Annotated[ChoiceFlags, Parameter(name="*", group=INPUT)] = ChoiceFlags(),  # noqa: B008
        running: Annotated[RunFlags, Parameter(name="*", group=RUN)] = RunFlags(),  # noqa: B008
        writing: Annotated[OutputFlags, Parameter(name="*", group=OUTPUT)] = OutputFlags(),  # noqa: B008
        settings: Any = defaults,
    ) -> int:
        evaluator = evaluator_from(cls, settings)
        evaluator, given = adapt(evaluator, reading.inputs(pairs))
        (inputs,) = choosing.of([given])
        if lacks_only_reference(inputs) and hasattr(evaluator, "unreferenced"):
            evaluator, inputs = evaluator.unreferenced(), alone(inputs)
        measures, asked = measures_of(spec_of(evaluator)), metrics_asked(writing.metrics)
        gates = read_gates(writing.fail_under, writing.fail_over, measures)
        choose_metrics({"evaluator": spec_of(evaluator).name, **measures}, asked)  # a slip is told before the work
        if writing.pages is not None:
            refuse_no_folder(writing.pages)
        documentation_site()
        engine = running.start()
        with progress_bar() as progress:
            done = execute(
                evaluator, inputs, out=writing.out, engine=engine, overwrite=writing.overwrite, progress=progress
            )
        write_page(done, gates, writing.pages)
        return show_one(GatedRun(done, gates, asked), as_json=writing.json)

    command.__annotations__["settings"] = flags
    command.__doc__ = meanings_of(cls).of("evaluators", spec_of(cls).name)
    command.__name__ = spec_of(cls).name
    return command


def flags_of(cls: type) -> Any:
    """Make the command-line parameter type whose flags are the fields of an evaluator, and its defaults."""
    meanings = meanings_of(cls)
    group = Group(say("settings_of", name=spec_of(cls).name))
    made = make_dataclass(
        "Settings",
        [
            (
                o.name,
                _annotation(o, meanings.of("settings", o.name), group),
                field(default_factory=partial(_default, o)),
            )
            for o in options_of(cls)
        ],
        frozen=True,
    )
    made.__module__ = __name__  # Python 3.11 calls it `types`, and a type from there is not taken apart
    return Annotated[made, Parameter(name="*")], made()


def evaluator_from(cls: type, flags: Any) -> Any:
    """Make the evaluator that the given command-line flags describe."""
    config: dict[str, Any] = {}
    for option in options_of(cls):
        value = getattr(flags, option.name)
        if _is_mapping(option):  # PATH=VALUE: a path may hold `=`
            value = named_values(f"--{option.name.replace('_', '-')}", value, split_last=True)
        config[option.name] = value
    return build(cls, config)


def _annotation(option: Option, meaning: str, group: Group) -> Any:
    kind = tuple[str, ...] if _is_mapping(option) else option.type
    return Annotated[kind, Parameter(help=meaning, group=group, negative_iterable=())]


def _default(option: Option) -> Any:
    if _is_mapping(option):
        return tuple(f"{key}={value}" for key, value in option.default.items())
    return option.default


def _is_mapping(option: Option) -> bool:
    return option.type is dict or get_origin(option.type) in (dict, Mapping)


def _path(given: str) -> str:
    return "-" if given == STDIN else given


def _label(paths: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Several files are several systems, called after their files."""
    if len(paths) < 2:
        return tuple(("", path) for path in paths)
    stems = [Path(path).name.split(".")[0] for path in paths]
    labels = stems if len(set(stems)) == len(stems) else list(paths)
    if len(set(labels)) != len(labels):
        raise UsageError(say("file_twice"))
    return tuple(zip(labels, paths, strict=True))


def _named(arguments: list[str]) -> str:
    """The evaluator, suite or file right after `run`."""
    if "run" not in arguments[:1]:
        return ""
    return next((a for a in arguments[1:2] if not a.startswith("-")), "")


def _plugins(arguments: list[str]) -> list[str]:
    """Values of `--plugin`: they must be loaded before their flags can be known."""
    if "run" not in arguments[:1]:
        return []
    given = [a.partition("=")[2] for a in arguments if a.startswith("--plugin=")]
    return given + [b for a, b in pairwise(arguments) if a == "--plugin"]


def _unknown(named: str) -> UsageError:
    known = known_names()
    if Path(named).exists():
        return UsageError(say("evaluator_first", file=named, known=", ".join(known)))
    return UsageError(say("neither_file_nor_evaluator", name=named, near=near(named, known), known=", ".join(known)))
