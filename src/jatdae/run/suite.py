"""Suite files: several evaluators, systems and datasets in one run, validated before anything is scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from jatdae.core.config import build, config_schema
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import options_of, spec_of
from jatdae.core.messages import near, say
from jatdae.core.registry import available, find, load_class, working
from jatdae.core.yamlfile import KeyPath, YamlFile, read_yaml
from jatdae.run.gates import limits_of
from jatdae.run.input.model import Inputs
from jatdae.run.input.plan import check_inputs
from jatdae.run.input.rows import Fields

Name = Annotated[str, Field(pattern=r"^[^/\\\x00-\x1f.][^/\\\x00-\x1f]*$", max_length=100)]
"""A folder of its own, or a key beside such: nothing that leads elsewhere."""
Label = Annotated[str, Field(pattern=r"^[^\x00-\x1f]+$", max_length=100)]
NAMED: Final[dict[str, JsonValue]] = {"additionalProperties": False, "propertyNames": {"maxLength": 100}}
"""JSON Schema takes keys that match no pattern, where pydantic does not."""
Limit = Annotated[float, Field(strict=True)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Dataset(_Strict):
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


class Evaluation(_Strict):
    """An evaluator of a suite: its settings, datasets and gates."""

    config: dict[str, Any] = Field(default_factory=dict)
    """Fields of the evaluator."""
    datasets: list[str] = Field(default_factory=list)
    """Which datasets; all where left out."""
    fail_under: dict[str, Limit] = Field(default_factory=dict)
    """Gates: METRIC below this fails."""
    fail_over: dict[str, Limit] = Field(default_factory=dict)
    """Gates: METRIC above this fails."""


class Suite(_Strict):
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
    fail_under: dict[str, float]
    fail_over: dict[str, float]


def read_suite(path: str, *, out: Path = Path("runs"), allow_plugins: bool = False) -> list[SuiteRun]:
    """Read a suite file and list the runs it asks for; its paths are relative to the file."""
    file = read_yaml(path)
    try:
        suite = Suite.model_validate(file.value)
    except ValidationError as error:
        raise _explained(file, error) from None
    if suite.plugins and not allow_plugins:
        raise UsageError(say("plugins_not_allowed", place=file.place(("plugins",))))
    return list(_runs(suite, file, Path(path).parent, out / suite.name))


def refuse_unreadable(wanted: Sequence[tuple[SuiteRun, Inputs]]) -> None:
    """Check the input of all runs of a suite before the first begins; missing or unfit input is refused."""
    for item, inputs in wanted:
        try:
            check_inputs(inputs, spec_of(item.evaluator))
        except UsageError as error:
            raise UsageError(f"{item.place}: {error}") from error


def suite_schema() -> dict[str, Any]:
    """JSON Schema of a suite file, with the settings of every installed evaluator."""
    schema = Suite.model_json_schema()
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
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return schema


def _runs(suite: Suite, file: YamlFile, base: Path, out: Path) -> Iterator[SuiteRun]:
    for name, given in suite.evaluators.items():
        at: KeyPath = ("evaluators", name)
        evaluation = given or Evaluation()
        evaluator = _evaluator(suite, file, base, name, evaluation)
        gates = _gates(file, at, evaluation, evaluator)
        for number, wanted in enumerate(evaluation.datasets):
            if wanted not in suite.datasets:
                place = file.place((*at, "datasets", number))
                raise UsageError(say("unknown_dataset", place=place, name=wanted, near=near(wanted, suite.datasets)))
        for label in evaluation.datasets or suite.datasets:
            place = file.place(("datasets", label))
            inputs = _inputs(suite.datasets[label], base, place)
            folder = out / name if len(suite.datasets) == 1 else out / label / name
            yield SuiteRun(f"{label} · {name}", place, evaluator, inputs, folder, *gates)


def _evaluator(suite: Suite, file: YamlFile, base: Path, name: str, evaluation: Evaluation) -> Any:
    known = {**dict.fromkeys(available()), **suite.plugins}
    if name not in known:
        place = file.place(("evaluators", name))
        raise UsageError(
            say("unknown_evaluator_at", place=place, name=name, near=near(name, known), known=", ".join(known))
        )
    if name in suite.plugins:
        try:
            cls = load_class(str(base / suite.plugins[name]))
        except UsageError as error:
            raise UsageError(f"{file.place(('plugins', name))}: {error}") from error
    else:
        cls = find(name)
    at: KeyPath = ("evaluators", name, "config")
    files = {option.name: option.may_be_name for option in options_of(cls) if option.is_file}
    config = {
        key: _beside(base, value, named=files[key]) if key in files else value
        for key, value in evaluation.config.items()
    }
    return build(cls, config, place=lambda key: file.place((*at, key) if key else at))


def _beside(base: Path, value: Any, *, named: bool) -> Any:
    """Paths of a setting as the suite's file means them; where `named`, a bare word that is no file is a name."""
    if isinstance(value, list):
        return [_beside(base, item, named=named) for item in value]
    if isinstance(value, dict):
        return {key: _beside(base, item, named=named) for key, item in value.items()}
    if not isinstance(value, str) or (named and value == Path(value).stem and not (base / value).is_file()):
        return value
    return str(base / value)


def _gates(
    file: YamlFile, at: KeyPath, evaluation: Evaluation, evaluator: Any
) -> tuple[dict[str, float], dict[str, float]]:
    """The limits under `fail_under` and `fail_over`."""
    known = [metric.name for metric in spec_of(evaluator).metrics]

    def limits(key: str, given: dict[str, Limit]) -> dict[str, float]:
        return limits_of(given, known, lambda metric: file.place((*at, key, metric)))

    return limits("fail_under", evaluation.fail_under), limits("fail_over", evaluation.fail_over)


def _inputs(dataset: Dataset, base: Path, place: str) -> Inputs:
    joined = bool(dataset.reference or dataset.systems)
    if bool(dataset.pairs) == joined or bool(dataset.reference) != bool(dataset.systems):
        raise UsageError(say("dataset_needs", place=place))
    return Inputs(
        pairs=tuple((label, str(base / path)) for label, path in dataset.pairs.items()),
        reference=str(base / dataset.reference) if dataset.reference else "",
        predictions=tuple((label, str(base / path)) for label, path in dataset.systems.items()),
        fields=Fields(dataset.id_field, dataset.prediction_field, dataset.reference_field),
        slices=tuple(dataset.slices),
        missing=dataset.missing,
        on_bad_row=dataset.on_bad_row,
    )


def _explained(file: YamlFile, error: ValidationError) -> UsageError:
    """The first thing wrong, with its line; a misspelt key before the one that is missed for it."""
    found = error.errors()
    first = next((each for each in found if each["type"] == "extra_forbidden"), found[0])
    path: KeyPath = tuple(p for p in first["loc"] if p != "[key]")
    if first["type"] == "extra_forbidden":
        known = _keys_at(path[:-1])
        key = str(path[-1])
        return UsageError(
            say(
                "unknown_option",
                place=file.place(path),
                key=key,
                near=near(key, known),
                known=", ".join(known),
            )
        )
    problem = say("not_a_table") if first["type"] in ("model_type", "dict_type") else first["msg"]
    return UsageError(say("bad_suite", place=file.place(path), problem=problem))


def _keys_at(path: KeyPath) -> list[str]:
    model: type[BaseModel] = {0: Suite}.get(len(path), Dataset if path[:1] == ("datasets",) else Evaluation)
    return list(model.model_fields)
