"""The command `jatdae experiment`: from scripts, or from conversations that were held already, to a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final

from cyclopts import Parameter

from jatdae.core.errors import DataError, UsageError
from jatdae.core.messages import speaker
from jatdae.core.terminal import print_line, terminal
from jatdae.core.writing import write_atomically
from jatdae.dialogue.evaluator import DialogueEvaluator
from jatdae.experiments.commands import NO_NEGATIVE, ChatFlags, hold
from jatdae.experiments.fairness import find_unequal, only_shared, refuse_unequal, shown_problems
from jatdae.experiments.findings import Findings, compare_arms, compared_metrics, paper_sheets, sentences_of, to_page
from jatdae.experiments.judgement import choose_judge, judged_by, read_verdicts, tallies_of, with_verdicts
from jatdae.experiments.ledger import read_accounts, settle_prices
from jatdae.experiments.records import read_events, write_rows
from jatdae.report.console import show_sheet
from jatdae.report.documentation import documentation_site
from jatdae.report.forms import markdown_of
from jatdae.report.latex import latex_of
from jatdae.report.pages import to_html
from jatdae.run.api import Finished, execute
from jatdae.run.input.model import Inputs
from jatdae.run.output.folder import PAGE, RunFolder
from jatdae.run.stats.result import Result
from jatdae.run.work.engine import Engine

CONVERSATIONS: Final = "conversations.jsonl"
"""The events in one order whatever order they were answered in, with the verdicts of the judge: what is scored."""
SCORES: Final = "scores"
FINDINGS: Final = "experiment"
"""Name of the page and of the tables, without suffix."""

say = speaker(__name__)


def experiment(
    given: Path,
    /,
    *,
    out: Path | None = None,
    asking: Annotated[ChatFlags, Parameter(name="*")] = ChatFlags(),  # noqa: B008
    difference: float = 0.05,
    allow_unequal: Annotated[bool, NO_NEGATIVE] = False,
    judge: str = "",
    config: Path | None = None,
    lexicon: Path | None = None,
    jobs: int = 1,
) -> int:
    """Hold the conversations of scripts, score them, and report the arms: from scripts to a paper's table.

    Parameters
    ----------
    given
        Scripts (JSONL), or the folder of an experiment whose conversations are held already.
    out
        Folder of the experiment, for scripts. The same command goes on where it stopped.
    difference
        Difference between arms that the number of patients is worked out for.
    allow_unequal
        Score arms that lack patients or turns others have, or were asked otherwise; only what both have is compared.
    judge
        Judge whose verdicts are taken, if `jatdae judge` wrote those of several.
    config
        Folder with safety_rules.yaml, required_slots_by_turn.yaml or scoring.yaml (default: the bundled files).
    lexicon
        Lexicon (YAML) that extends or replaces the bundled one.
    jobs
        Number of processes that score.
    """
    if not 0 < difference < float("inf"):
        raise UsageError(say("not_positive", flag="--difference", value=f"{difference:g}"))
    if jobs < 1:
        raise UsageError(say("not_positive", flag="--jobs", value=jobs))
    documentation_site()  # a slip is told before the work
    prices, folder = asking.prices, _folder(given, out)
    if given != folder:
        hold(given, folder, asking)
    events = read_events(folder)
    prices = settle_prices(folder, prices)
    if not allow_unequal:
        refuse_unequal(events)
    verdicts = read_verdicts(folder)
    chosen = choose_judge(verdicts, judge)
    events = with_verdicts(events, verdicts, chosen)
    write_rows(folder / CONVERSATIONS, events)
    evaluator = DialogueEvaluator(config=config, lexicon=lexicon, judge=judged_by(events))
    done = _score(evaluator, folder, jobs)
    judged = tallies_of(events, chosen)
    with TemporaryDirectory() as aside:
        shared = _on_shared_turns(evaluator, events, done.result, Path(aside), jobs)
        effects = compare_arms(done.result, difference, compared_metrics(done.result, judged), shared)
    found = Findings(
        folder.resolve().name, done.result, read_accounts(events), effects, difference, prices,
        shown_problems(find_unequal(events)) if allow_unequal else (), judged,
    )  # fmt: skip
    _write(found, folder)
    for said in sentences_of(found):
        print_line(said)
    for sheet in paper_sheets(found):
        show_sheet(sheet, terminal())
    print_line(say("experiment_written", page=folder / f"{FINDINGS}.html", table=folder / f"{FINDINGS}.tex"))
    return 0


def _folder(given: Path, out: Path | None) -> Path:
    """The folder of the experiment: the given one, or where scripts are to lead to."""
    if given.is_dir():
        if out is not None and out.resolve() != given.resolve():
            raise UsageError(say("out_for_scripts", folder=given))
        return given
    if not given.exists():
        raise UsageError(say("not_there", path=given))
    if out is None:
        raise UsageError(say("no_out", file=given))
    return out


def _score(evaluator: DialogueEvaluator, folder: Path, jobs: int) -> Finished:
    inputs = Inputs(pairs=(("", str(folder / CONVERSATIONS)),))
    done = execute(evaluator, inputs, out=folder / SCORES, engine=Engine(jobs), overwrite=True)
    page = to_html(done.result, against_best=done.against_best)
    RunFolder(done.folder).write_text(PAGE, page)
    return done


def _on_shared_turns(
    evaluator: DialogueEvaluator, events: Sequence[Mapping[str, Any]], whole: Result, aside: Path, jobs: int
) -> dict[str, Result]:
    """Results of each arm and the first one on the turns that both have, for arms where one lacks some.

    A conversation without a turn is another one: what both have is scored anew, in a folder aside.
    """
    first, *others = whole.systems
    found = {}
    for number, arm in enumerate(others):
        rows = only_shared(events, first, arm)
        if rows == []:
            raise DataError(say("no_shared_turn", arm=arm, first=first))
        if rows:
            write_rows(aside / f"{number}.jsonl", rows)
            inputs = Inputs(pairs=(("", str(aside / f"{number}.jsonl")),))
            done = execute(evaluator, inputs, out=aside / str(number), engine=Engine(jobs), overwrite=True)
            found[arm] = done.result
    return found


def _write(found: Findings, folder: Path) -> None:
    """The page, and its tables for a paper."""
    write_atomically(folder / f"{FINDINGS}.html", to_page(found, f"{SCORES}/{PAGE}"))
    first, *others = paper_sheets(found)
    tables = [replace(first, note=str(found.result.signature)), *others]
    write_atomically(folder / f"{FINDINGS}.md", markdown_of(tables, " ".join(sentences_of(found))))
    write_atomically(folder / f"{FINDINGS}.tex", latex_of(tables, " ".join(sentences_of(found))))
