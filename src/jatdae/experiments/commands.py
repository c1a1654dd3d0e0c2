"""The command `jatdae scripts from-fhir`: scripts of conversations from the records of patients."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import orjson
from cyclopts import App, Parameter

from jatdae.core.errors import DataError, EngineError
from jatdae.core.messages import language, speaker
from jatdae.core.terminal import print_line, print_table
from jatdae.core.writing import replacing
from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.experiments.fhir import read_patients
from jatdae.experiments.scripts import load_phrases, make_script, named_context
from jatdae.experiments.slots import Chart, choose, iso_day, load_tables, make_chart

say = speaker(__name__)

scripts = App(name="scripts", help="Make scripts of conversations with patients.")


@scripts.command
def from_fhir(
    bundles: Annotated[tuple[Path, ...], Parameter(negative=())],
    /,
    *,
    out: Path = Path("scripts.jsonl"),
    seed: int = 0,
    limit: int | None = None,
    on: str = "",
    with_dead: Annotated[bool, Parameter(negative=())] = False,
    with_children: Annotated[bool, Parameter(negative=())] = False,
    phrases: Path | None = None,
    lexicon: Path | None = None,
) -> None:
    """Write a script of five turns for each patient of FHIR R4 bundles (JSON) or bulk exports (NDJSON).

    The questions are in the language of `--lang`.

    Parameters
    ----------
    bundles
        Files, or folders with files.
    out
        Where to write the scripts (JSONL).
    seed
        Chooses paraphrases and symptoms; the same seed gives the same bytes.
    limit
        Write at most so many scripts.
    on
        Day on which the conversations take place (YYYY-MM-DD; default: each patient's last encounter).
    with_dead
        Patients who have died, too.
    with_children
        Patients below 18 years, too.
    phrases
        Paraphrases (YAML) instead of the bundled ones.
    lexicon
        Lexicon (YAML) that extends or replaces the bundled one.
    """
    day = iso_day(on) if on else ""
    asked, tables, extractor = load_phrases(phrases), load_tables(), load_extractor(lexicon)
    charts: list[Chart] = []
    left_out: dict[str, list[str]] = {}
    for patient, then, why in choose(read_patients(bundles), day, dead=with_dead, children=with_children):
        if why:
            left_out.setdefault(why, []).append(patient.id)
        elif limit is None or len(charts) < limit:
            charts.append(make_chart(patient, then, extractor, tables))
    for why, ids in left_out.items():
        print_line(say(f"left_out_{why}", count=len(ids), ids=", ".join(ids)))
    if not charts:
        raise DataError(say("no_scripts"))
    made = [make_script(chart, asked, tables, extractor, language=language(), seed=seed) for chart in charts]
    for script in made:
        _refuse_context(script, extractor)
    with replacing(out) as file:
        for script in made:
            file.write(orjson.dumps(script) + b"\n")
    _report(charts, made)
    print_line(say("scripts_written", count=len(made), file=out))


def _refuse_context(script: dict[str, Any], extractor: Any) -> None:
    """The promise that turns on exercise and diet name nothing of the patient, kept for every script."""
    for turn in script["turns"]:
        if "must_omit" not in turn:
            continue
        if named := named_context(turn["question"]["text"], script["slots"], extractor):
            raise EngineError(
                say("context_named", patient=script["patient_id"], turn=turn["turn_id"], named=", ".join(named))
            )


def _report(charts: list[Chart], made: list[dict[str, Any]]) -> None:
    """What each patient has and lacks, and what the lexicon does not know."""
    heads = [say(f"head_{name}") for name in ("patient", "age", "primary", "drugs", "measures", "lacks")]
    rows = [
        (
            script["patient_id"],
            str(script["slots"]["age"]),
            (script["slots"].get("primary_condition") or {}).get("name", "–"),
            str(len(script["slots"]["active_meds"])),
            str(len(script["slots"]["labs"]) + len(script["slots"]["vitals"])),
            ", ".join(script["lacks"]) or "–",
        )
        for script in made
    ]
    print_table(heads, rows)
    names = sum(len(chart.names) for chart in charts)
    missed = sum(len(chart.unresolved) for chart in charts)
    unknown = sorted({name for chart in charts for name in chart.unresolved})
    print_line(say("resolved", share=f"{(names - missed) / max(names, 1):.1%}", names=names))
    if unknown:
        print_line(say("unresolved", names="; ".join(unknown)))
