"""The commands `jatdae scripts from-fhir`, which writes scripts, and `jatdae chat`, which holds the conversations."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import orjson
from cyclopts import App, Parameter

from jatdae.core.config import named_values
from jatdae.core.errors import DataError, EngineError, UsageError
from jatdae.core.messages import language, near, speaker
from jatdae.core.terminal import print_line, print_table
from jatdae.core.writing import replacing
from jatdae.dialogue.events import read_scripts
from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.experiments.arms import ARMS, load_prompts
from jatdae.experiments.chat import Plan, Tally, estimate_tokens, find_unequal, hold_conversations
from jatdae.experiments.endpoint import Endpoint
from jatdae.experiments.eventlog import EventLog
from jatdae.experiments.fhir import read_patients
from jatdae.experiments.scripts import load_phrases, make_script, named_context
from jatdae.experiments.slots import Chart, choose, iso_day, load_tables, make_chart
from jatdae.experiments.targets import CommandTarget, PythonTarget, ReplayTarget, Target

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


def chat(
    file: Path,
    /,
    *,
    arm: Annotated[tuple[str, ...], Parameter(negative=())] = ("llm",),
    out: Path,
    model: str = "",
    base_url: str = "",
    key_env: str = "OPENAI_API_KEY",
    records: Annotated[tuple[Path, ...], Parameter(negative=())] = (),
    target: str = "",
    replay: Path | None = None,
    repeats: int = 1,
    concurrency: int = 4,
    timeout: float = 120.0,
    temperature: float | None = None,
    stream: Annotated[bool, Parameter(negative=())] = False,
    dry_run: Annotated[bool, Parameter(negative=())] = False,
    price: Annotated[tuple[str, ...], Parameter(negative=())] = (),
) -> int:
    """Hold the conversations of scripts with a model, and write them down as events that `jatdae run dialogue` scores.

    Parameters
    ----------
    file
        Scripts (JSONL), as `jatdae scripts from-fhir` writes them.
    arm
        What the model is shown: llm, llm+history, llm+record or agent. Several arms: give the flag several times.
    out
        Folder of the experiment. The same command goes on where it stopped.
    model
        Name of the model.
    base_url
        Address of an endpoint that speaks the chat protocol of OpenAI, such as http://127.0.0.1:8080/v1.
    key_env
        Environment variable that holds the key.
    records
        FHIR files or folders, for the arms that see the record.
    target
        Another system: python:MODULE:FUNCTION or command:COMMAND.
    replay
        Events (JSONL) of an earlier run, to be answered with again.
    repeats
        Hold every conversation so many times, each with its own seed.
    concurrency
        Conversations at a time.
    timeout
        Seconds that the endpoint may be silent.
    temperature
        Temperature of the model (default: the endpoint's).
    stream
        Take answers as a stream, and note the time to the first token.
    dry_run
        Ask nothing; say how many turns and roughly how many tokens it would be.
    price
        Prices for a million tokens, as input=2.5 and output=10.
    """
    plan = _plan(file, arm, model or target or (f"replay:{replay}" if replay else ""), records, repeats)
    prices = {name: _positive("--price", value) for name, value in named_values("--price", price).items()}
    if dry_run:
        asked, answered = estimate_tokens(plan)
        cost = _cost(prices, asked, answered)
        print_line(say("would_ask", turns=plan.turns, asked=f"{asked:,}", answered=f"{answered:,}", cost=cost))
        return 0
    answering = _target(model, base_url, key_env, target, replay, timeout, temperature, stream=stream)
    settings = {
        "scripts": hashlib.sha256(file.read_bytes()).hexdigest(), "model": plan.model, "prompts": plan.prompt_hash,
        "base_url": base_url, "temperature": temperature,
    }  # fmt: skip
    log = EventLog(out, settings)
    try:
        before = len(log.events)
        if before:
            print_line(say("resumed_turns", count=before))
        tally = hold_conversations(
            plan, answering, log, concurrency=concurrency, progress=_Progress(plan.turns - before, prices)
        )
        unequal = find_unequal(log.events.values())
    finally:
        log.close()
        answering.close()
    for problem in (*tally.failures, *unequal[:10]):
        print_line(problem)
    cost = _cost(prices, tally.tokens_in, tally.tokens_out)
    print_line(
        say(
            "chatted",
            turns=tally.turns,
            file=log.file,
            asked=f"{tally.tokens_in:,}",
            answered=f"{tally.tokens_out:,}",
            cost=cost,
        )
    )
    if tally.failures:
        raise EngineError(say("turns_missing", count=len(tally.failures)))
    return 0


def _plan(file: Path, arm: tuple[str, ...], model: str, records: tuple[Path, ...], repeats: int) -> Plan:
    for name in arm:
        if name not in ARMS:
            raise UsageError(say("unknown_arm", name=name, near=near(name, ARMS), known=", ".join(ARMS)))
    chosen = [ARMS[name] for name in dict.fromkeys(arm)]
    if repeats < 1:
        raise UsageError(say("not_positive", flag="--repeats", value=repeats))
    scripts = list(read_scripts(file).values())
    patients = {patient.id: patient for patient in read_patients(records)} if records else {}
    if any(each.needs_record for each in chosen):
        missing = [str(script["patient_id"]) for script in scripts if str(script["patient_id"]) not in patients]
        if missing:
            raise UsageError(
                say("no_record", arm=next(a.name for a in chosen if a.needs_record), patients=", ".join(missing[:5]))
            )
    prompts, prompt_hash = load_prompts()
    by_language = {"en": prompts.en, "ko": prompts.ko}
    run_id = hashlib.sha256(f"{file.read_bytes()!r}{model}{prompt_hash}".encode()).hexdigest()[:12]
    return Plan(scripts, chosen, model, by_language, prompt_hash, run_id, repeats, patients)


def _target(
    model: str, base_url: str, key_env: str, target: str, replay: Path | None, timeout: float,
    temperature: float | None, *, stream: bool,
) -> Target:  # fmt: skip
    """The one system that is asked; several, or none, are refused."""
    if sum(map(bool, (base_url, target, replay))) != 1:
        raise UsageError(say("one_target"))
    if replay:
        return ReplayTarget(replay)
    if target:
        kind, _, rest = target.partition(":")
        if kind == "python":
            return PythonTarget(rest)
        if kind == "command":
            return CommandTarget(rest)
        raise UsageError(say("bad_target", target=target))
    if not model:
        raise UsageError(say("no_model"))
    options = {} if temperature is None else {"temperature": temperature}
    return Endpoint(base_url, model, os.environ.get(key_env, ""), stream=stream, timeout=timeout, options=options)


def _positive(flag: str, given: str) -> float:
    try:
        number = float(given)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise UsageError(say("not_positive", flag=flag, value=given))
    return number


def _cost(prices: dict[str, float], asked: int, answered: int) -> str:
    """What tokens cost; unknown where no price is given."""
    if not {"input", "output"} <= prices.keys():
        return say("cost_unknown")
    return f"{(asked * prices['input'] + answered * prices['output']) / 1e6:,.4f}"


class _Progress:
    """Turns, rate, tokens, cost and time left, on one line of a terminal."""

    def __init__(self, turns: int, prices: dict[str, float]) -> None:
        self._turns, self._prices, self._begun = turns, prices, time.monotonic()

    def __call__(self, tally: Tally) -> None:
        """Show how far it is."""
        if not sys.stderr.isatty():
            return
        rate = tally.turns / max(time.monotonic() - self._begun, 1e-9)
        left = (self._turns - tally.turns) / max(rate, 1e-9)
        cost = _cost(self._prices, tally.tokens_in, tally.tokens_out)
        said = say(
            "progress",
            turns=tally.turns,
            all=self._turns,
            rate=f"{rate:.1f}",
            tokens=tally.tokens_in + tally.tokens_out,
            cost=cost,
            left=f"{left:.0f}",
        )
        sys.stderr.write(f"\r\x1b[2K{said}" + ("\n" if tally.turns == self._turns else ""))
        sys.stderr.flush()
