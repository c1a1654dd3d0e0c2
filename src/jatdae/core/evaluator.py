"""Evaluators: frozen dataclasses whose fields are configuration, command-line flags and signature at once."""

from __future__ import annotations

import ast
import inspect
import json
import math
import re
import textwrap
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache, wraps
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import (
    Any,
    Final,
    Protocol,
    TypeVar,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

from jatdae.core.contract import Count, Direction, IssueKind, Metric, Mix, Outcome, Rate, Ratio, Sample, Severity
from jatdae.core.errors import EngineError, JatdaeError, lack_of
from jatdae.core.messages import say, shown, suggest_for

RESERVED: Final = frozenset((
    "debug", "engine", "fail_over", "fail_under", "help", "id_field", "jobs", "json", "kernel", "lang", "metrics",
    "missing", "on_bad_row", "out", "overwrite", "pages", "plugin", "pred", "prediction_field", "preds", "ref",
    "reference_field", "refs", "scheduler", "slice", "slices", "source", "system", "tls_ca", "tls_cert", "tls_key",
    "version",
))  # fmt: skip
"""Names a field cannot have: they are flags of every evaluator, or parts of every signature."""

UNSIGNED: Final = MappingProxyType({"jatdae.signed": False})
"""Metadata of a field that changes what is kept or shown and no score, such as `explain`: it is a flag and a
configuration key, but no part of the signature. `explain: bool = field(default=False, metadata=UNSIGNED)`"""

T = TypeVar("T")
D = TypeVar("D", IssueKind, Count, Rate)
ReferenceRows = Callable[[Path], Iterator[tuple[int, Mapping[str, Any]]] | None]
"""Reads a reference file or folder as rows with `id` and `reference`, each with the line it came from; None where it is
of no form that the function knows, and is read as for any evaluator."""
PARSING_TRIES: Final = 5
_SPEC: Final = "__jatdae_spec__"
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
METRIC_NAME: Final = re.compile(r"[^\s=|]+(?<!\.macro)(?<!\.micro)")
"""What a metric may be called: gates name one as METRIC=LIMIT, and an average of it as METRIC.micro."""


@runtime_checkable
class Evaluator(Protocol):
    """Interface of every evaluator. `reduce` may be left out; CONTRIBUTING lists the optional hooks."""

    def score(self, sample: Sample) -> Outcome:
        """Measure one sample."""

    def reduce(self, stats: Mapping[str, float]) -> Mapping[str, float | None]:
        """Micro averages from summed statistics."""


@dataclass(frozen=True, slots=True)
class GroupBy:
    """Names the fields by which input rows are grouped into one sample, as turns into a conversation."""

    id: str
    system: str = ""
    reference: tuple[str, ...] = ()
    """Fields that hold what is right: they make up the `refs` of the signature."""
    unit: str = ""
    """Field that tells the rows of a sample apart, as the number of a turn: two rows with one value are an error."""
    example: str = ""
    """A row as one line of JSON, for users whose rows lack these fields (default: made of the names above)."""

    def example_row(self) -> str:
        """A row with these fields, as one line of JSON."""
        names = dict.fromkeys(filter(None, (self.id, self.system, self.unit, *self.reference)), "…")
        return self.example or json.dumps(names, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Sidecar:
    """Declares a JSON file that belongs to a document of a reference folder: DOC.tables.json beside DOC.md."""

    key: str
    endings: tuple[str, ...]
    """What may follow the document's name without its suffix: `.tables.json`, `_tables.json`."""


class Layout(Protocol):
    """Interface of a folder layout that an evaluator reads by itself, such as that of a published benchmark."""

    @property
    def expected(self) -> str:
        """What such a folder holds, for messages."""

    @property
    def fits(self) -> Callable[[Path], bool]:
        """Whether a path is of this layout."""

    @property
    def systems(self) -> Callable[[Path], list[str]]:
        """The systems in it."""

    @property
    def rows(self) -> Callable[[Path, str], Iterator[dict[str, Any]]]:
        """Rows of a system: `id`, `prediction` (left out where there is none), `reference`, `meta`."""

    @property
    def of_texts(self) -> bool:
        """Whether what it measures needs no more than two texts, and so no folder in this layout."""


@dataclass(frozen=True, slots=True)
class Layouts:
    """Declares the folder layouts that an evaluator reads by itself, and its setting that names one."""

    setting: str
    known: Mapping[str, Layout]


@dataclass(frozen=True, slots=True)
class EvaluatorSpec:
    """What an evaluator declares beside its fields: name, version, metrics, issues, counts, files, grouping of rows."""

    name: str
    metrics: tuple[Metric, ...]
    issues: tuple[IssueKind, ...] = ()
    """What it may report about a sample, with what the evaluators it is composed of may."""
    counts: tuple[Count, ...] = ()
    """The tables of `Outcome.counts`, with those of the evaluators it is composed of."""
    rates: tuple[Rate, ...] = ()
    """Rates of the keys of count tables, with those of the evaluators it is composed of."""
    version: int = 1
    """Bumped when a change moves any score that no field or component version tells."""
    empty: Any = ""
    """The empty prediction whose statistics a missing one is given."""
    exact_numbers: bool = False
    """Rows keep numbers as Decimal and duplicate keys visible, where a float would change a value."""
    group_by: GroupBy | None = None
    """Rows sharing these fields are one sample, whose prediction is the list of its rows."""
    sidecars: tuple[Sidecar, ...] = ()
    """With any, the reference of a document is `{"text": …, KEY: what its sidecar holds, None without one}`."""
    paired_by: str = ""
    """The kind of unit that a comparison pairs, such as `turn`; nothing pairs whole samples."""
    pure: bool = False
    """`score` looks at prediction and reference alone, so equal pairs need to be scored only once."""
    composed_of: tuple[type, ...] = ()
    """Evaluators whose issues, counts, texts and evidence views are its own as well."""
    files: Mapping[str, Any] = field(default_factory=dict)
    """Files it reads or writes, for `jatdae schema NAME.FILE`: a pydantic model, or a function that gives a schema."""
    layouts: Layouts | None = None
    """Folders that it reads by itself."""
    reference_rows: ReferenceRows | None = None
    """Reads reference files of a form of its own."""
    repeated: str = ""
    """Regular expression for the end of a document's name that numbers its repetitions, as `_repeat[0-9]+`: documents
    of a prediction folder that differ in nothing else are one prediction, the list of their texts."""
    rows_in: tuple[str, ...] = ()
    """Files with rows in a folder that may be given in their place; the first that is there is read."""
    of_text: bool = False
    """Prediction and reference are text: a number in a column of a table is its text, as in a CSV file."""

    @property
    def primary(self) -> Metric:
        """The headline metric: the one marked so, else the first."""
        return next((m for m in self.metrics if m.primary), self.metrics[0])

    @property
    def family(self) -> tuple[Metric, ...]:
        """The metrics that are compared and tested by default: those marked so, else all."""
        return tuple(m for m in self.metrics if m.family) or self.metrics

    @property
    def errors(self) -> tuple[str, ...]:
        """Names of the count tables whose keys are things that went wrong."""
        return tuple(count.name for count in self.counts if count.error)

    @property
    def severities(self) -> dict[str, Severity]:
        """Severity of each declared issue by its code."""
        return {kind.code: kind.severity for kind in self.issues}


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of an evaluator as users see it: name, type, default and help."""

    name: str
    type: Any
    default: Any
    help: str
    signed: bool = True
    """Whether it is part of the signature."""

    @property
    def is_file(self) -> bool:
        """Whether the value is a path, or may hold some: in a suite they are relative to the suite's file."""
        return _mentions_path(self.type)

    @property
    def may_be_mapping(self) -> bool:
        """Whether the content of the file may stand in its place: a field of type `Path | dict[str, Any]`."""
        return any(get_origin(kind) is dict and not _mentions_path(kind) for kind in get_args(self.type))

    @property
    def may_be_name(self) -> bool:
        """Whether a path may be the name of something bundled instead: a field of type `str | Path`."""
        return str in get_args(self.type)


@dataclass_transform(frozen_default=True)
def evaluator(
    name: str,
    *,
    metrics: Sequence[Metric],
    issues: Sequence[IssueKind] = (),
    counts: Sequence[Count] = (),
    rates: Sequence[Rate] = (),
    version: int = 1,
    empty: Any = "",
    exact_numbers: bool = False,
    group_by: GroupBy | None = None,
    sidecars: tuple[Sidecar, ...] = (),
    paired_by: str = "",
    pure: bool = False,
    composed_of: Sequence[type] = (),
    files: Mapping[str, Any] | None = None,
    layouts: Layouts | None = None,
    renamed: Mapping[str, str] | None = None,
    reference_rows: ReferenceRows | None = None,
    repeated: str = "",
    rows_in: tuple[str, ...] = (),
    of_text: bool = False,
) -> Callable[[type[T]], type[T]]:
    """Class decorator that makes an evaluator: a frozen dataclass with a name, metrics, issues and counts.

    What their names mean stands in `messages.en.toml` and `messages.ko.toml` beside the class, how its evidence is
    drawn in `evidence.js`.

    `renamed` gives former names of its settings and metrics with their new ones: an error about a former name
    suggests the new one.
    """
    if not _NAME.fullmatch(name):
        raise EngineError(say("bad_evaluator_name", name=name))
    _check_metrics(name, metrics)
    spec = EvaluatorSpec(
        name,
        tuple(metrics),
        _declared(name, "issues", IssueKind, issues, composed_of),
        _declared(name, "counts", Count, counts, composed_of),
        _declared(name, "rates", Rate, rates, composed_of),
        version,
        empty,
        exact_numbers,
        group_by,
        sidecars,
        paired_by,
        pure,
        tuple(composed_of),
        dict(files or {}),
        layouts,
        reference_rows,
        repeated,
        rows_in,
        of_text,
    )
    for old, new in (renamed or {}).items():
        suggest_for(old, new)
        suggest_for(_flag(old), _flag(new))

    def wrap(cls: type[T]) -> type[T]:
        made = dataclass(frozen=True)(cls)
        _check_fields(name, made)
        if not callable(getattr(made, "score", None)):
            raise EngineError(say("evaluator_without_score", name=name))
        if not hasattr(made, "reduce"):
            made.reduce = _reduce_to_nothing  # type: ignore[attr-defined]
        setattr(made, _SPEC, spec)
        _tell_bad_settings(made)
        return made

    return wrap


def _tell_bad_settings(made: Any) -> None:
    """Let the constructor of an evaluator tell settings that do not fit as `build` does.

    Without, `StructuredEvaluator(types=5)` fails wherever its settings are first used: an int has no attribute items.
    """
    construct, names = made.__init__, [each.name for each in fields(made)]

    @wraps(construct)
    def init(self: Any, *given: Any, **named: Any) -> None:
        try:
            construct(self, *given, **named)
        except (AttributeError, KeyError, TypeError):
            if len(given) <= len(names):
                from jatdae.core.config import build

                build(made, {**dict(zip(names, given, strict=False)), **named})
            raise

    made.__init__ = init


def spec_of(evaluator: object) -> EvaluatorSpec:
    """Spec (name, version, metrics and so on) of an evaluator class or instance.

    A class that only inherits a spec is not an evaluator of that name.

    An instance whose metrics depend on its configuration gives them in `own_metrics`.
    """
    cls = evaluator if isinstance(evaluator, type) else type(evaluator)
    spec = vars(cls).get(_SPEC)
    if not isinstance(spec, EvaluatorSpec):
        raise EngineError(say("not_an_evaluator", name=cls.__qualname__))
    if evaluator is cls or not hasattr(evaluator, "own_metrics"):
        return spec
    metrics = tuple(evaluator.own_metrics())
    _check_metrics(spec.name, metrics)
    return replace(spec, metrics=metrics)


def micro_of(
    evaluator: Any, stats: Mapping[str, float], known: Container[str] | None = None
) -> dict[str, float | None]:
    """Micro averages from summed statistics, as the metrics declare them; the rest by the evaluator's `reduce`.

    `known` are the metrics that any sample has a value of: a declared average of another is not applicable.
    """
    metrics = spec_of(evaluator).metrics
    values = reduced(evaluator, stats) if any(metric.micro is None for metric in metrics) else {}
    declared = [metric for metric in metrics if metric.micro and (known is None or metric.name in known)]
    values |= {metric.name: None for metric in metrics if metric.micro}
    values |= {metric.name: metric.micro.of(stats) for metric in declared if isinstance(metric.micro, Ratio)}
    values |= {metric.name: metric.micro.of(values) for metric in declared if isinstance(metric.micro, Mix)}
    return values


def reduced(evaluator: Any, stats: Mapping[str, float]) -> dict[str, float | None]:
    """Micro averages from an evaluator's `reduce`; empty where it divides by a sum of 0.

    A bootstrap draw of the wrong samples may have such a sum.
    """
    try:
        return dict(evaluator.reduce(stats))
    except ZeroDivisionError:
        return {}


def family_of(cls: Any) -> list[Any]:
    """An evaluator class and all those it is composed of, itself first."""
    return list(dict.fromkeys([cls, *(each for part in spec_of(cls).composed_of for each in family_of(part))]))


def options_of(cls: Any) -> tuple[Option, ...]:
    """Settings of an evaluator class: its fields with types, defaults and docstrings."""
    hints = get_type_hints(cls)
    docs = attribute_docs(cls)
    made = []
    for each in fields(cls):
        default = each.default
        if default is MISSING and each.default_factory is not MISSING:
            default = each.default_factory()
        signed = each.metadata.get("jatdae.signed", True)
        made.append(Option(each.name, hints[each.name], default, docs.get(each.name, ""), signed))
    return tuple(made)


def metric_and_average(text: str, known: Iterable[str]) -> tuple[str, str] | None:
    """Split `METRIC` or `METRIC.micro` into a metric of an evaluator and its average; None if the metric is unknown.

    The name alone is the macro mean.
    """
    names = set(known)
    name, dot, average = text.rpartition(".")
    if text in names:
        return text, "macro"
    return (name, average) if dot and name in names and average in ("macro", "micro") else None


def failure(spec: EvaluatorSpec, sample: Sample, error: BaseException) -> EngineError:
    """Make the error for an evaluator that raised an exception, naming the sample it was scoring."""
    if lack_of(error):
        return EngineError(say("sample_out_of_memory", name=spec.name, id=shown(sample.id)))
    return EngineError(say("evaluator_failed", name=spec.name, id=shown(sample.id), problem=_problem(error)))


@contextmanager
def hook(evaluator: Any, name: str) -> Iterator[None]:
    """Context manager around a call of an evaluator's hook: what it raises is reported as the evaluator's error."""
    try:
        yield
    except JatdaeError:
        raise
    except (Exception, SystemExit) as error:
        if lack_of(error):
            raise
        told = say("hook_failed", name=spec_of(evaluator).name, hook=name, problem=_problem(error))
        raise EngineError(told) from error


def _problem(error: BaseException) -> str:
    return shown(f"{type(error).__name__}: {error}", 300)


def _declared(name: str, what: str, kind: type[D], given: Sequence[D], composed_of: Sequence[type]) -> tuple[D, ...]:
    """What an evaluator declares of one kind, then what those it is composed of declare; the first of a name holds."""
    own: dict[str, D] = {}
    for each in given:
        called = getattr(each, "code", None) or getattr(each, "name", None)
        if not isinstance(each, kind) or not isinstance(called, str) or called in own:
            raise EngineError(say("bad_declaration", name=name, what=what, kind=kind.__name__, given=shown(repr(each))))
        if isinstance(each, IssueKind) and each.severity not in get_args(Severity):
            raise EngineError(say("bad_declaration", name=name, what=what, kind=kind.__name__, given=shown(repr(each))))
        own[called] = each
    for part in composed_of:
        for each in getattr(spec_of(part), what):
            own.setdefault(each.code if isinstance(each, IssueKind) else each.name, each)
    return tuple(own.values())


def _check_metrics(name: str, metrics: Sequence[Metric]) -> None:
    names = [metric.name for metric in metrics]
    if not names or len(set(names)) != len(names) or sum(m.primary for m in metrics) > 1:
        raise EngineError(say("bad_metrics", name=name, metrics=", ".join(names) or "–"))
    for metric in metrics:
        if not METRIC_NAME.fullmatch(metric.name):
            raise EngineError(say("bad_metric_name", name=name, metric=metric.name))
        if metric.better not in get_args(Direction) or not math.isfinite(metric.worst):
            raise EngineError(say("bad_metric", name=name, metric=metric.name))
        if not _is_range(metric.range) or not metric.range[0] <= metric.worst <= metric.range[1]:
            raise EngineError(say("bad_range", name=name, metric=metric.name))
        if metric.micro is not None and not (_is_ratio(metric.micro) or _is_mix(metric.micro)):
            raise EngineError(say("bad_micro", name=name, metric=metric.name))
    ratios = [metric.name for metric in metrics if isinstance(metric.micro, Ratio)]
    for metric in metrics:
        if isinstance(metric.micro, Mix) and (alien := [part for part in metric.micro.weights if part not in ratios]):
            raise EngineError(say("bad_mix", name=name, metric=metric.name, parts=", ".join(alien)))


def _is_range(given: Any) -> bool:
    """Whether a declared range is two numbers, the lesser first."""
    if not isinstance(given, tuple) or len(given) != 2:
        return False
    return all(isinstance(end, (int, float)) for end in given) and given[0] < given[1]


def _is_ratio(micro: Any) -> bool:
    """Whether a declared micro average is a ratio whose sums and alternative can be computed."""
    if not isinstance(micro, Ratio):
        return False
    otherwise = micro.otherwise
    alternative = otherwise is None or _is_number(otherwise) or _is_ratio(otherwise)
    return (
        isinstance(micro.needs, str)
        and alternative
        and all(isinstance(side, str) or _is_weighted(side) for side in (micro.above, micro.below))
    )


def _is_mix(micro: Any) -> bool:
    """Whether a declared micro average is a mix of at least one metric, with complements among them."""
    if not isinstance(micro, Mix) or not _is_weighted(micro.weights) or not any(micro.weights.values()):
        return False
    return isinstance(micro.complements, tuple) and all(part in micro.weights for part in micro.complements)


def _is_weighted(side: Any) -> bool:
    return isinstance(side, Mapping) and all(isinstance(name, str) and _is_number(w) for name, w in side.items())


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and math.isfinite(value)


def _check_fields(name: str, cls: Any) -> None:
    for each in fields(cls):
        if each.name in RESERVED:
            raise EngineError(say("field_reserved", name=name, field=each.name))
        if each.default is MISSING and each.default_factory is MISSING:
            raise EngineError(say("field_without_default", name=name, field=each.name))


def _reduce_to_nothing(self: object, stats: Mapping[str, float]) -> dict[str, float | None]:  # noqa: ARG001
    return {}


def _flag(setting: str) -> str:
    return f"--{setting.replace('_', '-')}"


def _mentions_path(kind: Any) -> bool:
    return kind is Path or any(_mentions_path(inner) for inner in get_args(kind))


def _tree_of(cls: Any) -> ast.Module:
    """The source of a class as a syntax tree.

    CPython 3.11 counts the depth of all threads that parse as one, and raises SystemError where two do so at a time
    (gh-106905). The next try succeeds.
    """
    for _ in range(PARSING_TRIES):
        with suppress(SystemError):
            return ast.parse(textwrap.dedent(inspect.getsource(cls)))
    return ast.parse(textwrap.dedent(inspect.getsource(cls)))


@cache
def attribute_docs(cls: Any) -> dict[str, str]:
    """Docstrings below the fields of an evaluator or another class: read from the source, as Python drops them."""
    docs: dict[str, str] = {}
    for base in reversed(cls.__mro__[:-1]):
        try:
            tree = _tree_of(base)
        except (OSError, TypeError, SyntaxError):
            continue
        body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
        for node, after in pairwise(body):
            if (
                isinstance(node, ast.AnnAssign)
                and isinstance(node.target, ast.Name)
                and isinstance(after, ast.Expr)
                and isinstance(after.value, ast.Constant)
                and isinstance(after.value.value, str)
            ):
                docs[node.target.id] = inspect.cleandoc(after.value.value)
    return docs
