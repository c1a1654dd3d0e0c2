"""The command `jatdae dialogue check`: checks files of events and scripts."""

from __future__ import annotations

from pathlib import Path

from cyclopts import App

from jatdae.core.messages import speaker
from jatdae.core.terminal import print_line
from jatdae.dialogue.events import MAX_PROBLEMS, check_file, line_problem

say = speaker(__name__)

dialogue = App(name="dialogue", help="Check the files of medical conversations.")


@dialogue.command
def check(file: Path, /) -> int:
    """Check a file of events or scripts (JSONL): its schema, and duplicates. Exit status 2 if a line does not fit.

    Parameters
    ----------
    file
        Events (events_record.v1 or v2) or scripts, one JSON object per line.
    """
    lines = problems = 0
    for place, found in check_file(file):
        lines += 1
        for where, problem in found[:MAX_PROBLEMS]:
            problems += 1
            print_line(line_problem(place, where, problem))
    print_line(say("checked", file=file, lines=lines, problems=problems))
    return 2 if problems else 0
