"""Suite files: several evaluators, systems and datasets in one run, validated before anything is scored."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, Field, JsonValue, WithJsonSchema, model_validator

from jatdae.core.config import config_schema, try_build
from jatdae.core.configfile import ConfigFile, Part, read_config, schema_of
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import options_of, spec_of
from jatdae.core.messages import say
from jatdae.core.registry import find, known_names, load_class, working
from jatdae.core.yamlfile import KeyPath
from jatdae.run.gates import OVER, UNDER, Gate, gate_problem, gates_of
from jatdae.run.input.model import Inputs
from jatdae.run.input.refusals import check_inputs
from jatdae.run.input.rows import Fields
from jatdae.run.stats.summary import measures_of

MAX_NAME: Final = 100


def _matching(pattern: str, problem: str) -> Callable[[str], str]:
    """Make a check of names in a suite by a pattern; the problem with those that do not match is told in words."""

    def check(name: str) -> str:
        if len(name) > MAX_NAME or not re.fullmatch(pattern, name):
            raise ValueError(say(problem, most=MAX_NAME))
        return name

    return check


def _schema(pattern: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": f"^{pattern}$", "maxLength": MAX_NAME})


NAME: Final = r"[^/\\\x00-\x1f.][^/\\\x00-\x1f]*"
LABEL: Final = r"[^\x00-\x1f]+"
Name = Annotated[str, AfterValidator(_matching(NAME, "suite_name")), _schema(NAME)]
"""A folder of its own, or a key beside such: nothing that leads elsewhere."""
Label = Annotated[str, AfterValidator(_matching(LABEL, "suite_label")), _schema(LABEL)]
NAMED: Final[dict[str, JsonValue]] = {"additionalProperties": False, "propertyNames": {"maxLength": MAX_NAME}}
"""JSON Schema takes keys that match no pattern, where pydantic does not."""
Limit = Annotated[float, Field(strict=True, allow_inf_nan=False)] | Annotated[str, Field(pattern=r"^[0-9.]+ ?%$")]
"""0.05 or 5%."""


class Dataset(Part):
    """A dataset of a suite: references and the predictions of each system, or files with both on each row."""

    reference: str = ""
    """Reference file or folder."""
    systems: dict[Label, str] = Field(default_factory=dict, json_schema_extra=NAMED)
    """Label of each system and the file or folder it wrote."""
    pairs: dict[Label, str] = Field(default_factory=dict, json_schema_extra=NAMED)
    """Label of each system and a file with prediction and reference on the same row."""
    id_field: str = ""
    """Row field that holds the id."""
    prediction_field: str = ""
    """Row field that holds the prediction."""
    reference_field: str = ""
    """Row field that holds the reference."""
    slices: list[str] = Field(default_factory=list)
    """Row fields or meta keys to slice by."""
    missing: Literal["worst", "skip", "error"] = "worst"
    """What a missing prediction gets."""
    on_bad_row: Literal["error", "count"] = "error"
    """Stop at a row that cannot be read, or leave it out and count it."""

    @model_validator(mode="after")
    def _has_one_kind_of_input(self) -> Self:
        joined = bool(self.reference or self.systems)
        if bool(self.pairs) == joined or bool(self.reference) != bool(self.systems):
            raise ValueError(say("dataset_needs"))
        return self


class Evaluation(Part):
    """An evaluator of a suite: its settings, datasets and gates."""

    config: dict[str, Any] = Field(default_factory=dict)
    """Fields of the evaluator."""
    datasets: list[str] = Field(default_factory=list)
    """Which datasets; all where left out."""
    fail_under: dict[str, Limit] = Field(default_factory=dict)
    """Gates: METRIC below this fails."""
    fail_over: dict[str, Limit] = Field(default_factory=dict)
    """Gates: METRIC above this fails."""


class Suite(Part):
    """A jatdae suite: evaluators with their settings, and the datasets they are run on."""

    name: Name
    """Folder under runs/."""
    plugins: dict[Name, str] = Field(default_factory=dict, json_schema_extra=NAMED)
    """Evaluators of your own: name and `file.py:Class`. Loaded only with --allow-plugins."""
    datasets: dict[Name, Dataset] = Field(min_length=1, json_schema_extra=NAMED)
    """What to score, by names of your own."""
    evaluators: dict[Name, Evaluation | None] = Field(min_length=1, json_schema_extra=NAMED)
    """What to score it with."""


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """One run of a suite: one evaluator on one dataset."""

    label: str
    place: str
    """Of its dataset in the suite's file."""
    evaluator: Any
    inputs: Inputs
    folder: Path
    gates: tuple[Gate, ...]


def read_suite(path: str, *, out: Path = Path("runs"), allow_plugins: bool = False) -> list[SuiteRun]:
    """Read a suite file and list the runs it asks for; its paths are relative to the file."""
    file = read_config(path, Suite)
    suite = file.content
    if suite.plugins and not allow_plugins:
        raise UsageError(say("plugins_not_allowed", place=file.place(("plugins",))))
    runs = list(_runs(file, Path(path).parent, out / suite.name, allow_plugins=allow_plugins))
    file.finish()
    return runs


def refuse_unreadable(wanted: Sequence[tuple[SuiteRun, Inputs]]) -> None:
    """Check the input of all runs of a suite before the first begins; missing or unfit input is refused."""
    for item, inputs in wanted:
        try:
            check_inputs(inputs, spec_of(item.evaluator))
        except UsageError as error:
            raise UsageError(f"{item.place}: {error}") from error


def suite_schema() -> dict[str, Any]:
    """JSON Schema of a suite file, with the settings of every evaluator in the registry."""
    schema = schema_of(Suite)
    configs = {}
    for name, cls in working().items():
        described = config_schema(cls, refs=f"#/$defs/{name}.{{model}}")
        schema["$defs"] |= {f"{name}.{part}": inner for part, inner in described.pop("$defs", {}).items()}
        configs[name] = {
            "anyOf": [
                {"allOf": [{"$ref": "#/$defs/Evaluation"}, {"properties": {"config": described}}]},
                {"type": "null"},
            ]
        }
    schema["properties"]["evaluators"]["properties"] = configs
    return schema


def _runs(file: ConfigFile[Suite], base: Path, out: Path, *, allow_plugins: bool) -> Iterator[SuiteRun]:
    """The runs of a suite; what is wrong with the settings, datasets and gates of an evaluator is noted in the file."""
    suite = file.content
    for name, given in suite.evaluators.items():
        at: KeyPath = ("evaluators", name)
        evaluation = given or Evaluation()
        for number, wanted in enumerate(evaluation.datasets):
            file.one_of((*at, "datasets", number), wanted, suite.datasets, "unknown_dataset")
        evaluator = _evaluator(file, base, name, evaluation, allow_plugins=allow_plugins)
        if evaluator is None:
            continue
        _check_gates(file, at, evaluation, evaluator)
        for label in evaluation.datasets or suite.datasets:
            if label in suite.datasets:
                folder = out / name if len(suite.datasets) == 1 else out / label / name
                yield SuiteRun(
                    f"{label} · {name}",
                    file.place(("datasets", label)),
                    evaluator,
                    _inputs(suite.datasets[label], base),
                    folder,
                    gates_of(evaluation.fail_under, evaluation.fail_over),
                )


def _evaluator(file: ConfigFile[Suite], base: Path, name: str, evaluation: Evaluation, *, allow_plugins: bool) -> Any:
    """The evaluator with the settings of the suite, or None if something is wrong with them."""
    plugins = file.content.plugins
    known = list(dict.fromkeys([*known_names(), *plugins]))
    if not file.one_of(("evaluators", name), name, known, "unknown_evaluator_here"):
        return None
    at: KeyPath = ("plugins", name) if name in plugins else ("evaluators", name)
    try:
        cls = load_class(str(base / plugins[name])) if name in plugins else find(name)
        at = ("evaluators", name, "config")
        evaluator, problems = try_build(cls, _beside_suite(cls, base, evaluation.config))
    except UsageError as error:
        evaluator, problems = None, [((), str(error))]
    for path, problem in problems:
        file.complain((*at, *path), problem)
    if not allow_plugins and evaluator is not None and getattr(evaluator, "named_code", list)():
        raise UsageError(say("plugins_not_allowed", place=file.place(at)))
    return evaluator


def _beside_suite(cls: type, base: Path, config: dict[str, Any]) -> dict[str, Any]:
    """Settings of an evaluator with paths relative to the suite's file."""
    files = {
        option.name: option.may_be_name
        for option in options_of(cls)
        if option.is_file and not (option.may_be_mapping and isinstance(config.get(option.name), dict))
    }
    return {key: _beside(base, value, named=files[key]) if key in files else value for key, value in config.items()}


def _beside(base: Path, value: Any, *, named: bool) -> Any:
    """Paths of a setting as the suite's file means them; where `named`, a bare word that is no file is a name."""
    if isinstance(value, list):
        return [_beside(base, item, named=named) for item in value]
    if isinstance(value, dict):
        return {key: _beside(base, item, named=named) for key, item in value.items()}
    if not isinstance(value, str) or (named and value == Path(value).stem and not (base / value).is_file()):
        return value
    return str(base / value)


def _check_gates(file: ConfigFile[Suite], at: KeyPath, evaluation: Evaluation, evaluator: Any) -> None:
    """Note the gates of an evaluator that cannot be kept."""
    measures = measures_of(spec_of(evaluator))
    for key, sign, limits in (("fail_under", UNDER, evaluation.fail_under), ("fail_over", OVER, evaluation.fail_over)):
        for metric, limit in limits.items():
            if problem := gate_problem(metric, sign, limit, measures):
                file.complain((*at, key, metric), problem)


def _inputs(dataset: Dataset, base: Path) -> Inputs:
    return Inputs(
        pairs=tuple((label, str(base / path)) for label, path in dataset.pairs.items()),
        reference=str(base / dataset.reference) if dataset.reference else "",
        predictions=tuple((label, str(base / path)) for label, path in dataset.systems.items()),
        fields=Fields(dataset.id_field, dataset.prediction_field, dataset.reference_field),
        slices=tuple(dataset.slices),
        missing=dataset.missing,
        on_bad_row=dataset.on_bad_row,
    )
