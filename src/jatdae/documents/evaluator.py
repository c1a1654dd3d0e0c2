"""The documents evaluator: compares document parsers on text, structure, tables and formulas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any, Final, Literal, Self

from jatdae.core.config import check_settings
from jatdae.core.contract import Count, Issue, IssueKind, Metric, Outcome, Sample, is_amount
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import UNSIGNED, Layouts, Sidecar, evaluator
from jatdae.core.messages import near, say, shown
from jatdae.documents import blocks
from jatdae.documents.benchmarks import BENCHMARKS, NO_VALUE, Benchmark, text_of
from jatdae.documents.exports import ALL_SYSTEMS, FinishedRun, evaluation_schema, write_evaluations, write_paper
from jatdae.documents.findings import say_findings
from jatdae.documents.headings import VERSION as HEADINGS_VERSION
from jatdae.documents.metrics import (
    METRICS,
    OF_A_TABLE,
    OF_BLOCKS,
    OF_EFFORT,
    OF_FORMULAS,
    OF_STRUCTURE,
    OF_TABLES,
    OF_TEXT,
)
from jatdae.documents.outline import page_body
from jatdae.documents.structure import VERSION as STRUCTURE_VERSION
from jatdae.documents.structure import StructureMeasure
from jatdae.formulas import FormulaEvaluator
from jatdae.tables import TableEvaluator
from jatdae.tables.extraction import SUFFIXES
from jatdae.tables.table_issues import OF_THE_SPLIT
from jatdae.text import TextEvaluator
from jatdae.text.bibliography import cut, find_bibliographies
from jatdae.text.evaluator import RENAMED
from jatdae.text.normaliser import find_normaliser

BODY_ABOVE_FULL: Final = {
    "prediction": "no bibliography was found in the prediction",
    "reference": "no bibliography was found in the reference",
    "better": "a bibliography was found on both sides and is read better than the body",
    "unequal": "bibliographies of unequal length were left out on the two sides",
    "unclear": "a bibliography was found on both sides; why the body is worse was not found out",
}
"""Why the body is worse than the whole; each was checked."""


_STRUCTURED: Final[Mapping[bool | Literal["auto"], Literal["yes", "no", "auto"]]] = {
    True: "yes",
    False: "no",
    "auto": "auto",
}
"""What may be declared of a system, and the setting of the tables evaluator for it."""


@evaluator(
    "documents",
    metrics=(*METRICS, *(metric for benchmark in BENCHMARKS.values() for metric in benchmark.metrics)),
    issues=[
        IssueKind("body_above_full"),
        IssueKind("no_reference_structure", "info"),
        IssueKind("no_reference_heading", "info"),
        IssueKind("no_list_item", "info"),
        IssueKind("no_code_block", "info"),
        IssueKind("bad_effort"),
        IssueKind(NO_VALUE, "info"),
    ],
    counts=[Count("body_above_full", coded=True)],
    sidecars=(Sidecar("tables", SUFFIXES),),
    composed_of=[TextEvaluator, TableEvaluator, FormulaEvaluator],
    files={"evaluation": evaluation_schema},
    layouts=Layouts("benchmark", BENCHMARKS),
    renamed=RENAMED,
)
class DocumentEvaluator:
    """Whole documents: character error rate with and without the bibliography, Structure F1, TEDS, formulas."""

    normaliser: str = "fair"
    """Clean-up of both sides: a preset (fair, fair@2, seed, raw), or names joined by +, such as ligatures+fair."""
    bibliography: Literal["block", "heading", "none"] = "block"
    """How to find the bibliography, which Body CER leaves out: block, heading (literal rule), none."""
    unit: Literal["char", "grapheme"] = "char"
    """What counts as one character: a code point (char), or what a reader sees as one (grapheme)."""
    spaces: Literal["count", "ignore"] = "count"
    """Whether spaces count as characters: count, ignore (for Korean, Chinese and Japanese). Words keep them."""
    profile: Literal[
        "standard", "standard@2", "standard@1", "pubtabnet", "omnidocbench", "omnidocbench@1.5",
        "omnidocbench@1.6", "docling", "opendataloader",
    ] = "standard"  # fmt: skip
    """How a table is read before the comparison; `pubtabnet` is the official implementation."""
    matching: Literal["order", "hungarian"] = "order"
    """How predicted and reference tables are paired: n-th with n-th (order), or by the best assignment (hungarian)."""
    structured: dict[str, bool | Literal["auto"]] = field(default_factory=dict)
    """SYSTEM=yes|no|auto: whether the system writes structure; auto checks its documents. `*` is any other system."""
    explain: bool = field(default=False, metadata=UNSIGNED)
    """Keep the edit operations of each table pair as evidence."""
    max_chars: int = 5_000_000
    """Maximum text length on each side, in characters."""
    benchmark: Literal["none", "opendataloader", "omnidocbench", "docling-eval", "dp-bench"] = "none"
    """Published benchmark whose own numbers are added; that of a folder in its layout is recognised."""

    findings = staticmethod(say_findings)

    def __post_init__(self) -> None:
        """Refuse impossible settings before anything is scored."""
        check_settings(self, max_chars=(1, inf))
        for system, said in self.structured.items():
            if said not in _STRUCTURED:
                key, known = f"structured.{system}", [str(each) for each in _STRUCTURED]
                blanks = {"value": said, "near": near(str(said), known), "known": ", ".join(known)}
                raise UsageError(say("setting_choice", name="documents", key=key, **blanks))
        _ = self._text, self._tables

    def own_metrics(self) -> list[Metric]:
        """Those of the benchmark first, for they were asked for; then ours."""
        of_benchmark = self._benchmark.metrics if self._benchmark else ()
        return [*(replace(metric, family=True) for metric in of_benchmark), *METRICS]

    def score(self, sample: Sample) -> Outcome:
        """Measure one document of one system; alone, it is the whole of its system."""
        of_benchmark = self._benchmark.values(sample.prediction, sample.reference) if self._benchmark else {}
        sample = self._as_text(sample)
        text, tables = _reference(sample.reference)
        structured = self._declared(sample.system)
        measure = StructureMeasure(self._body, find_normaliser(self.normaliser), self.max_chars, structured)
        bodies = replace(sample, prediction=page_body(sample.prediction), reference=page_body(text))
        of_text = self._text.score(bodies)
        of_tables = self._tables[structured].score(replace(sample, reference=text if tables is None else tables))
        of_structure = measure.score(sample.prediction, text, tables)
        of_formulas = self._score_formulas(bodies, of_structure)
        of_blocks = self._score_blocks(bodies)
        rooms = of_text, of_blocks, of_tables, of_structure, of_formulas
        above, (effort, sums, untold) = _body_above_full(of_text), _effort(sample.meta)
        length = len(sample.prediction) if isinstance(sample.prediction, str) else 0
        return Outcome(
            values={
                **_chosen(OF_TEXT, of_text.values),
                **_chosen(OF_BLOCKS, of_blocks.values),
                **_chosen(OF_STRUCTURE, of_structure.values),
                **_chosen(OF_TABLES, of_tables.values),
                **_chosen(OF_FORMULAS, of_formulas.values),
                **_chosen(OF_EFFORT, effort),
                **of_benchmark,
            },
            stats=_merged(*(room.stats for room in rooms), {"content_length": float(length)}, sums),
            counts=_merged(*(room.counts for room in rooms), {"body_above_full": {above: 1}} if above else {}),
            units=tuple(replace(unit, values=_chosen(OF_A_TABLE, unit.values)) for unit in of_tables.units),
            evidence={
                "text": of_text.evidence,
                "blocks": of_blocks.evidence,
                "structure": of_structure.evidence,
                "tables": of_tables.evidence,
                "formulas": of_formulas.evidence,
            },
            issues=(
                *_issues(rooms),
                *([Issue("body_above_full", BODY_ABOVE_FULL[above])] if above else []),
                *([Issue("bad_effort", f"not a number of 0 or more: {', '.join(untold)}")] if untold else []),
                *(
                    [Issue(NO_VALUE, "some number of the benchmark does not apply")]
                    if None in of_benchmark.values()
                    else []
                ),
            ),
        )

    def survey(self, sample: Sample) -> dict[str, float]:
        """Whether this document shows that its system writes structure; not asked where that is declared."""
        return self._tables[self._declared(sample.system)].survey(self._as_text(sample))

    def informed(self, survey: Mapping[str, float]) -> Self:
        """This evaluator for a system whose documents' surveys add up to `survey`."""
        declared = {name: said for name, said in self.structured.items() if said != "auto"}
        if "structured" not in survey:  # declared, or without any document: what wrote nothing wrote no structure
            return replace(self, structured={ALL_SYSTEMS: False, **declared})
        writes = self._tables["auto"].informed(survey).structured == "yes"
        return replace(self, structured={**declared, ALL_SYSTEMS: writes})

    def applicable(self, sample: Sample) -> set[str]:
        """The metrics a missing document is given the worst of: those that apply to its reference and its system."""
        charging = replace(self, structured={ALL_SYSTEMS: self._declared(sample.system) is not False})
        reference = sample.reference
        several = isinstance(reference, Mapping) and list(reference) == ["$any"]
        names: set[str] = set()
        for each in reference["$any"] if several else (reference,):
            values = charging.score(replace(sample, prediction="", reference=each)).values
            names |= {name for name, value in values.items() if value is not None}
        return names | ({"structure_precision"} if "structure_recall" in names else set())

    def export(self, run: FinishedRun, folder: Path) -> None:
        """`evaluation/DOC.json` for each document, and `paper.json`, from which reports make the paper's table."""
        write_evaluations(run, folder / "evaluation", self._benchmark)
        write_paper(run, self, self._benchmark)

    def signature_parts(self) -> dict[str, str]:
        """Component versions in the signature."""
        parts = {**self._text.signature_parts(), **self._tables["auto"].signature_parts()}
        benchmark = {"benchmark": self._benchmark.signed} if self._benchmark else {}
        own = {
            "structure": f"f1@{STRUCTURE_VERSION}",
            "blocks": f"runs@{blocks.VERSION}",
            "headings": f"tree@{HEADINGS_VERSION}",
        }
        return {**parts, **own, **self._formulas.signature_parts(), **benchmark}

    @property
    def _benchmark(self) -> Benchmark | None:
        return BENCHMARKS.get(self.benchmark)

    @cached_property
    def _text(self) -> TextEvaluator:
        return TextEvaluator(self.normaliser, self.bibliography, self.unit, self.spaces, self.max_chars)

    @cached_property
    def _tables(self) -> dict[bool | Literal["auto"], TableEvaluator]:
        """By what is declared of a system."""
        return {
            declared: TableEvaluator(self.profile, self.matching, structured, self.explain, self.max_chars)
            for declared, structured in _STRUCTURED.items()
        }

    @cached_property
    def _formulas(self) -> FormulaEvaluator:
        return FormulaEvaluator("markdown", max_chars=self.max_chars)

    def _as_text(self, sample: Sample) -> Sample:
        """The sample with the text of a prediction that stands beside what its benchmark knows of it."""
        if self._benchmark and isinstance(sample.prediction, Mapping):
            return replace(sample, prediction=text_of(sample.prediction))
        return sample

    def _score_blocks(self, sample: Sample) -> Outcome:
        """The blocks of a document; a text that cannot be used has the issue of the text room."""
        sides = sample.prediction, sample.reference
        prediction, reference = (
            side if isinstance(side, str) and len(side) <= self.max_chars else None for side in sides
        )
        if reference is None:
            return Outcome(values={})
        return blocks.score(self._text.normalised(prediction or ""), self._text.normalised(reference))

    def _score_formulas(self, sample: Sample, of_structure: Outcome) -> Outcome:
        """The formulas of a document; N/A, not 0, where the system writes no structure and this document has none."""
        outcome = self._formulas.score(sample)
        plain = [issue for issue in of_structure.issues if issue.code == "no_structure"]
        if plain and outcome.counts and "predicted" not in outcome.counts["formulas"]:
            return Outcome(values={}, issues=tuple(plain))
        return outcome

    def _body(self, text: str) -> str:
        return cut(text, find_bibliographies(text, self.bibliography))

    def _declared(self, system: str) -> bool | Literal["auto"]:
        return self.structured.get(system, self.structured.get(ALL_SYSTEMS, "auto"))


def _effort(meta: Mapping[str, str]) -> tuple[dict[str, float], dict[str, float], list[str]]:
    """Seconds and cost of a document: values, sums for their means, and what is told of them and is no number.

    Seconds are by document, and by page where the number of pages is told.
    """
    told = {key: meta[key] for metric in OF_EFFORT for key in metric.told if meta.get(key)}
    known = {key: float(text) for key, text in told.items() if is_amount(text)}
    values: dict[str, float] = {}
    sums: dict[str, float] = {}
    if "seconds" in known and known.get("pages"):
        values["seconds_per_page"] = known["seconds"] / known["pages"]
        sums |= {"seconds_per_page.sum": known["seconds"], "seconds_per_page.pages": known["pages"]}
    if "seconds" in known:
        values["seconds"] = known["seconds"]
        sums |= {"seconds.sum": known["seconds"], "seconds.documents": 1.0}
    if "cost" in known:
        values["cost"] = known["cost"]
        sums |= {"cost.sum": known["cost"], "cost.documents": 1.0}
    return values, sums, [f"{key} {shown(told[key])}" for key in told if key not in known]


def _reference(reference: Any) -> tuple[Any, Any]:
    """The reference text, and the reference tables; None for these where they are to be found in the text."""
    if isinstance(reference, Mapping):
        return reference.get("text"), reference.get("tables")
    return reference, None


def _body_above_full(of_text: Outcome) -> str:
    """Where leaving the bibliography out made the error rate worse, the reason; "" elsewhere."""
    body, full = of_text.values["body_cer"], of_text.values["cer"]
    if body is None or full is None or body <= full:
        return ""
    found = of_text.evidence["bibliography"]
    if missing := [side for side in ("prediction", "reference") if not found[side]["found"]]:
        return missing[0]
    cited = of_text.values["bibliography_cer"]
    if cited is not None and cited < body:
        return "better"
    return "unequal" if any(issue.code == "bibliography_unequal" for issue in of_text.issues) else "unclear"


def _chosen(metrics: Sequence[Metric], values: Mapping[str, float | None]) -> dict[str, float | None]:
    return {metric.name: values.get(metric.name) for metric in metrics}


def _merged(*parts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for part in parts for name, value in part.items()}


def _issues(rooms: Iterable[Outcome]) -> list[Issue]:
    """The issues of the rooms, without codes that a room before gave and those of metrics not reported here."""
    issues: list[Issue] = []
    for room in rooms:
        told = OF_THE_SPLIT | {issue.code for issue in issues}
        issues += [issue for issue in room.issues if issue.code not in told]
    return issues
