"""What stands below the title: commands of classes and packages that print authors and where they work.

pandoc knows `\\author` alone and drops the others without a word. Each is defined here by what it prints, unless the
source defines it itself; a line below the authors is one author more, for it is a paragraph of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

_PRINTED: Final = {
    "affil": r"[2][]{\author{#2}}",  # authblk
    "affiliation": r"[2][]{\author{#2}}",  # revtex, acmart
    "address": r"[2][]{\author{#2}}",  # elsarticle, iopart
    "institute": r"[1]{\author{#1}}",  # llncs, svjour
    "inst": r"[1]{\textsuperscript{#1}}",
    "IEEEauthorblockN": r"[1]{#1}",
    "IEEEauthorblockA": r"[1]{\\ #1}",
    "institution": r"[1]{#1}",
    "department": r"[2][]{#2, }",
    "streetaddress": r"[1]{\\ #1}",
    "city": r"[1]{\\ #1}",
    "state": r"[1]{, #1}",
    "postcode": r"[1]{ #1}",
    "country": r"[1]{, #1}",
}
_ELSEWHERE: Final = {"elsarticle": ("affiliation",), "amsart": ("address",)}
"""By class, commands that print something else: keys with values, a line at the end of the paper."""
_UNPRINTED: Final = re.compile(r"\\(email|keywords|orcid|orcidID|ead)\b")
"""Commands that print something and that are lost before the document begins."""
_CLASS: Final = re.compile(r"\\documentclass\s*(?:\[[^\]]*\])?\s*\{\s*(\w+)")
_DEFINED: Final = re.compile(r"\\(?:(?:re|provide)?newcommand|providecommand|renewcommand|def|let)\*?\s*\{?\\(\w+)")


def front_macros(text: str) -> str:
    """Definitions of the commands below the title that a source uses and does not define."""
    named = _CLASS.search(text)
    left = {*_DEFINED.findall(text), *_ELSEWHERE.get(named[1] if named else "", ())}
    used = [name for name in _PRINTED if name not in left and re.search(rf"\\{name}\b", text)]
    return "".join(f"\\newcommand{{\\{name}}}{_PRINTED[name]}\n" for name in used)


def lost_in_front(head: str) -> Counter[tuple[str, str]]:
    """Commands before the beginning of a document that print something there and that pandoc drops."""
    return Counter(("unknown_command", name) for name in _UNPRINTED.findall(head))
