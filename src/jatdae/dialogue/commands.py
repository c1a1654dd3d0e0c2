"""The commands `jatdae dialogue check`, for files of events and scripts, and `jatdae dialogue parse`, for answers."""

from __future__ import annotations

import re
import stat
import sys
from pathlib import Path
from typing import Any, Final

from cyclopts import App

from jatdae.core.errors import UsageError
from jatdae.core.messages import os_problem, speaker
from jatdae.core.messages import say as say_common
from jatdae.core.terminal import print_json, print_line, print_table
from jatdae.core.writing import STDIN
from jatdae.dialogue.events import MAX_PROBLEMS, check_file, line_problem
from jatdae.dialogue.explanation import explain_passage
from jatdae.dialogue.reading.mentions import load_extractor

say = speaker(__name__)

dialogue = App(name="dialogue", help="Check the files of medical conversations, and show how an answer is read.")
_LONGEST_NAME: Final = 255
"""Longest text that may be the name of a file, in characters."""
_FILE_NAME: Final = re.compile(r"\S+\.(?:txt|md|jsonl?|ya?ml|csv)", re.IGNORECASE)
"""A text that can only be meant as the name of a file."""


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


@dialogue.command
def parse(text: str, /, *, lexicon: Path | None = None, json: bool = False) -> None:
    """Print how an answer is read: its clauses with their cues, its mentions with their status, and why.

    Parameters
    ----------
    text
        The answer, a file with it, or `-` for standard input.
    lexicon
        Lexicon (YAML) that extends or replaces the bundled one.
    json
        Print only JSON.
    """
    read = explain_passage(load_extractor(lexicon).read(_answer_of(text)))
    if json:
        print_json(read)
        return
    print_table([say("head_clause"), say("head_cues")], [(c["text"].strip(), _cues_of(c)) for c in read["clauses"]])
    heads = [say(f"head_{name}") for name in ("mention", "concept", "value", "status", "why")]
    print_table(heads, [_row_of(mention) for mention in read["mentions"]])
    for judgement in read["judgements"]:
        print_line(say("judged_as", concept=judgement["concept"], says=say(f"judged_{judgement['says']}")))


def _answer_of(text: str) -> str:
    """The answer itself, or that of a file, a pipe or standard input."""
    if text == STDIN:
        given = getattr(sys.stdin, "buffer", sys.stdin).read()
        return given if isinstance(given, str) else _decoded(given, say("standard_input"))
    named = 0 < len(text) <= _LONGEST_NAME and "\n" not in text and "\0" not in text
    mode = _mode_of(text) if named else 0
    if mode and not stat.S_ISDIR(mode):
        try:
            return _decoded(Path(text).read_bytes(), text)
        except OSError as error:
            raise UsageError(say_common("cannot_read", place=text, problem=os_problem(error))) from None
    if mode or (named and _FILE_NAME.fullmatch(text)):
        raise UsageError(say("answer_no_file", file=text))
    return text


def _mode_of(name: str) -> int:
    """What kind of file has this name, as the operating system tells it; 0 if there is none."""
    try:
        return Path(name).stat().st_mode
    except (OSError, ValueError):  # also where the text is too long for a name
        return 0


def _decoded(given: bytes, name: str) -> str:
    try:
        return given.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(say("answer_not_utf8", file=name)) from None


def _cues_of(clause: dict[str, Any]) -> str:
    cues = []
    for cue in clause["cues"]:
        side = cue["acts_on"]
        cues.append(f"{cue['text'].strip() or say(f'cue_{side}')} ({_name_of(cue)})")
    return ", ".join(cues)


def _name_of(cue: dict[str, Any]) -> str:
    return say(f"role_{cue['role']}")


def _row_of(mention: dict[str, Any]) -> tuple[str, ...]:
    """A mention as a row of the printed table."""
    value = "" if mention["value"] is None else f"{mention['value']:g}"
    value += f"/{mention['second']:g}" if mention["second"] is not None else ""
    unit = f" {mention['unit']}" if mention["unit"] else ""
    then = f" ({say('then')})" if mention["then"] else ""
    status = say(f"status_{mention['status']}") + (f", {say('negated')}" if mention["polarity"] == "negated" else "")
    why = say(f"why_{mention['why'].replace(' ', '_')}")
    return mention["text"], mention["concept"], value + unit + then, status, why
