"""The commands `jatdae scripts from-fhir`, which writes scripts, and `jatdae chat`, which holds the conversations."""

from __future__ import annotations

import hashlib
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from cyclopts import App, Parameter

from jatdae.core.config import named_values
from jatdae.core.errors import DataError, EngineError, UsageError
from jatdae.core.messages import language, near, speaker
from jatdae.core.messages import say as say_common
from jatdae.core.terminal import print_line, print_table
from jatdae.dialogue.events import read_scripts
from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.experiments.arms import ARMS, load_prompts
from jatdae.experiments.chat import Plan, Tally, estimate_tokens, hold_conversations
from jatdae.experiments.endpoint import Endpoint
from jatdae.experiments.eventlog import KeyedLog
from jatdae.experiments.fairness import find_unequal, shown_problems
from jatdae.experiments.fhir import read_patients
from jatdae.experiments.keys import read_key
from jatdae.experiments.ledger import PRICED, Prices, is_empty, settle_prices, told_cost, told_tokens
from jatdae.experiments.records import write_rows
from jatdae.experiments.scripts import load_phrases, make_script, named_context
from jatdae.experiments.slots import Chart, choose, iso_day, load_tables, make_chart
from jatdae.experiments.targets import CommandTarget, PythonTarget, ReplayTarget, Target
from jatdae.experiments.validation import refuse_invalid

NO_NEGATIVE: Final = Parameter(negative=())
LONGEST_TIMEOUT: Final = 86_400
"""Seconds; far beyond it sockets cannot count."""
MOST_NAMED: Final = 5
"""Empty answers that are named."""
MOST_UNUSED: Final = 12
"""Names and kinds that scripts do not use that are named."""

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
    with_dead: Annotated[bool, NO_NEGATIVE] = False,
    with_children: Annotated[bool, NO_NEGATIVE] = False,
    strict: Annotated[bool, NO_NEGATIVE] = False,
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
    strict
        Check every resource against FHIR R4 first, and refuse what does not hold to it (extra fhir).
    phrases
        Paraphrases (YAML) instead of the bundled ones.
    lexicon
        Lexicon (YAML) that extends or replaces the bundled one.
    """
    day = iso_day(on) if on else ""
    if strict:
        refuse_invalid(bundles)
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
    write_rows(out, made)
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
    for kind in dict.fromkeys(kind for chart in charts for kind in chart.aside):
        counted = Counter(name for chart in charts for name in chart.aside.get(kind, ()))
        print_line(say(f"not_used_{kind}", count=len(counted), names=_few(counted)))


def _few(counted: Counter[str]) -> str:
    """The most frequent names; the scripts name all."""
    names = sorted(counted, key=lambda name: (-counted[name], name))
    return "; ".join(names[:MOST_UNUSED]) + ("; …" if len(names) > MOST_UNUSED else "")


@dataclass(frozen=True)
class ChatFlags:
    """Command-line flags that say with whom conversations are held, and how."""

    arm: Annotated[tuple[str, ...], NO_NEGATIVE] = ("llm",)
    """What the model is shown: llm, llm+history, llm+record or agent. Several arms: give the flag several times."""
    model: str = ""
    """Name of the model."""
    base_url: str = ""
    """Address of an endpoint that speaks the chat protocol of OpenAI, such as http://127.0.0.1:8080/v1."""
    key_env: str = "OPENAI_API_KEY"
    """Environment variable that holds the key."""
    records: Annotated[tuple[Path, ...], NO_NEGATIVE] = ()
    """FHIR files or folders, for the arms that see the record."""
    target: str = ""
    """Another system: python:MODULE:FUNCTION or command:COMMAND."""
    replay: Path | None = None
    """Events (JSONL) of an earlier run, to be answered with again."""
    repeats: int = 1
    """Hold every conversation so many times, each with its own seed."""
    concurrency: int = 4
    """Conversations at a time."""
    timeout: float = 120.0
    """Seconds that the endpoint may be silent."""
    temperature: float | None = None
    """Temperature of the model (default: the endpoint's)."""
    stream: Annotated[bool, NO_NEGATIVE] = False
    """Take answers as a stream, and note the time to the first token."""
    price: Annotated[tuple[str, ...], NO_NEGATIVE] = ()
    """Prices for a million tokens, as input=2.5 and output=10."""

    @property
    def named(self) -> str:
        """What answers, as it stands in events."""
        return self.model or self.target or (f"replay:{self.replay}" if self.replay else "")

    @property
    def prices(self) -> Prices | None:
        """The prices that are given, or None."""
        given = {name: positive("--price", value) for name, value in named_values("--price", self.price).items()}
        for name in given:
            if name not in PRICED:
                known = ", ".join(PRICED)
                raise UsageError(
                    say_common("unknown_choice", flag="--price", value=name, near=near(name, PRICED), known=known)
                )
        return Prices(given["input"], given["output"]) if given.keys() == set(PRICED) else None


def chat(
    file: Path,
    /,
    *,
    out: Path,
    asking: Annotated[ChatFlags, Parameter(name="*")] = ChatFlags(),  # noqa: B008
    dry_run: Annotated[bool, NO_NEGATIVE] = False,
) -> int:
    """Hold the conversations of scripts with a model, and write them down as events that `jatdae run dialogue` scores.

    Parameters
    ----------
    file
        Scripts (JSONL), as `jatdae scripts from-fhir` writes them.
    out
        Folder of the experiment. The same command goes on where it stopped.
    dry_run
        Ask nothing; say how many turns and roughly how many tokens it would be.
    """
    if dry_run:
        plan = plan_of(file, asking)
        asked, answered = estimate_tokens(plan)
        cost = told_cost(asking.prices, asked, answered)
        print_line(say("would_ask", turns=plan.turns, **told_tokens(asked, answered), cost=cost))
        return 0
    for problem in shown_problems(find_unequal(hold(file, out, asking))):
        print_line(problem)
    return 0


def hold(file: Path, out: Path, asking: ChatFlags) -> list[dict[str, Any]]:
    """Hold the conversations of scripts, as far as they are not held already, and return all events of the folder."""
    plan, given = plan_of(file, asking), asking.prices
    answering = target_of(asking)
    settings = {
        "scripts": hashlib.sha256(file.read_bytes()).hexdigest(), "model": plan.model, "prompts": plan.prompt_hash,
        "base_url": asking.base_url, "temperature": asking.temperature,
    }  # fmt: skip
    log = KeyedLog(out, settings=settings)
    try:
        prices = settle_prices(out, given)
        before = len(log.rows)
        if before:
            print_line(say("resumed_turns", count=before))
        tally = hold_conversations(
            plan, answering, log, concurrency=asking.concurrency, progress=_Progress(plan.turns - before, prices)
        )
    finally:
        log.close()
        answering.close()
    for problem in tally.failures:
        print_line(problem)
    asked, answered, known = tally.tokens_in, tally.tokens_out, not tally.unmetered
    cost = told_cost(prices, asked, answered, known=known)
    print_line(say("chatted", turns=tally.turns, file=log.file, **told_tokens(asked, answered, known=known), cost=cost))
    if empty := [_place(event) for event in log.rows.values() if is_empty(event)]:
        print_line(say("empty_answers", count=len(empty), places="; ".join(sorted(empty)[:MOST_NAMED])))
    if tally.failures:
        raise EngineError(say("turns_missing", count=len(tally.failures)))
    return list(log.rows.values())


def _place(event: Mapping[str, Any]) -> str:
    return f"{event['mode']}, {event['patient_id']}, {event['turn_id']}"


def plan_of(file: Path, asking: ChatFlags) -> Plan:
    """What is asked of whom; arms and records that do not fit are refused."""
    for name in asking.arm:
        if name not in ARMS:
            raise UsageError(say("unknown_arm", name=name, near=near(name, ARMS), known=", ".join(ARMS)))
    chosen = [ARMS[name] for name in dict.fromkeys(asking.arm)]
    for flag, number in (("--repeats", asking.repeats), ("--concurrency", asking.concurrency)):
        if number < 1:
            raise UsageError(say("not_positive", flag=flag, value=number))
    check_asking(asking.timeout, asking.temperature)
    scripts = list(read_scripts(file).values())
    patients = {patient.id: patient for patient in read_patients(asking.records)} if asking.records else {}
    if any(each.needs_record for each in chosen):
        missing = [str(script["patient_id"]) for script in scripts if str(script["patient_id"]) not in patients]
        if missing:
            raise UsageError(
                say("no_record", arm=next(a.name for a in chosen if a.needs_record), patients=", ".join(missing[:5]))
            )
    prompts, prompt_hash = load_prompts()
    by_language = {"en": prompts.en, "ko": prompts.ko}
    run_id = hashlib.sha256(f"{file.read_bytes()!r}{asking.named}{prompt_hash}".encode()).hexdigest()[:12]
    return Plan(scripts, chosen, asking.named, by_language, prompt_hash, run_id, asking.repeats, patients)


def target_of(asking: ChatFlags) -> Target:
    """The one system that is asked; several, or none, are refused."""
    if sum(map(bool, (asking.base_url, asking.target, asking.replay))) != 1:
        raise UsageError(say("one_target"))
    if asking.replay:
        return ReplayTarget(asking.replay)
    if asking.target:
        kind, _, rest = asking.target.partition(":")
        if kind == "python":
            return PythonTarget(rest)
        if kind == "command":
            return CommandTarget(rest)
        raise UsageError(say("bad_target", target=asking.target))
    if not asking.model:
        raise UsageError(say("no_model"))
    options = {} if asking.temperature is None else {"temperature": asking.temperature}
    key = read_key(asking.key_env)
    return Endpoint(asking.base_url, asking.model, key, stream=asking.stream, timeout=asking.timeout, options=options)


def check_asking(timeout: float, temperature: float | None) -> None:
    """Refuse a time-out or a temperature that no endpoint can be asked with."""
    if not 0 < timeout <= LONGEST_TIMEOUT:
        raise UsageError(say("bad_timeout", value=f"{timeout:g}", most=LONGEST_TIMEOUT))
    if temperature is not None and not 0 <= temperature < float("inf"):
        raise UsageError(say("bad_temperature", value=f"{temperature:g}"))


def positive(flag: str, given: str) -> float:
    """A number of at least 0 that a flag was given."""
    try:
        number = float(given)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise UsageError(say("not_positive", flag=flag, value=given))
    return number


class _Progress:
    """Turns, rate, tokens, cost and time left, on one line of a terminal."""

    def __init__(self, turns: int, prices: Prices | None) -> None:
        self._turns, self._prices, self._begun = turns, prices, time.monotonic()

    def __call__(self, tally: Tally) -> None:
        """Show how far it is."""
        if not sys.stderr.isatty():
            return
        rate = tally.turns / max(time.monotonic() - self._begun, 1e-9)
        left = (self._turns - tally.turns) / max(rate, 1e-9)
        known = not tally.unmetered
        cost = told_cost(self._prices, tally.tokens_in, tally.tokens_out, known=known)
        said = say(
            "progress",
            turns=tally.turns,
            all=self._turns,
            rate=f"{rate:.1f}",
            tokens=tally.tokens_in + tally.tokens_out if known else say("unknown"),
            cost=cost,
            left=f"{left:.0f}",
        )
        sys.stderr.write(f"\r\x1b[2K{said}" + ("\n" if tally.turns == self._turns else ""))
        sys.stderr.flush()
