r"""Commands whose arguments name what is printed: numbers and units of siunitx, the dingbats of pifont.

They are rewritten as the LaTeX of what they print: `\SI{3}{\metre\per\second}` as `3\,m\,s\textsuperscript{−1}`.
"""

from __future__ import annotations

import re
from typing import Final

from jatdae.tables.latex import commands

_COMMAND: Final = re.compile(
    r"\\(SIrange|qtyrange|numrange|SI|qty|num|si|unit|ang|ding)(?![a-zA-Z])(?:\s*\[[^\[\]\n]{0,80}\])?(?=\s*\{)"
)
_ARGUMENT: Final = re.compile(r"\s*+\{((?:[^{}]|\{[^{}]*+\})*+)\}")
_KINDS: Final = {
    "SI": "nu", "qty": "nu", "num": "n", "si": "u", "unit": "u", "ang": "a", "ding": "d",
    "SIrange": "nnu", "qtyrange": "nnu", "numrange": "nn",
}  # fmt: skip
"""What the arguments of a command are: numbers, units, angles, dingbats."""
_EXPONENT: Final = re.compile(r"(\d*)[eEdD]([+-]?\d+)")
_UNIT: Final = re.compile(r"\\([a-zA-Z]+)(?:\s*\{([^{}]*)\})?|\^\s*\{?\s*([+-]?\d+)\s*\}?|([^\s\\^{}.~]+)")
_POWERS_AFTER: Final = {"squared": 2, "cubed": 3}
_POWERS_BEFORE: Final = {"square": 2, "cubic": 3}
_SPACE: Final = "\\,"


def print_packages(latex: str) -> str:
    """Rewrite the commands of siunitx and pifont in LaTeX as the LaTeX of what they print."""
    made: list[str] = []
    at = 0
    for command in _COMMAND.finditer(latex):
        if command.start() < at:
            continue  # inside an argument that has been read
        end, arguments = command.end(), []
        for _ in _KINDS[command[1]]:
            if (argument := _ARGUMENT.match(latex, end)) is None:
                break
            arguments.append(argument[1])
            end = argument.end()
        if len(arguments) == len(_KINDS[command[1]]):
            made += [latex[at : command.start()], _printed(_KINDS[command[1]], arguments)]
            at = end
    return "".join([*made, latex[at:]]) if at else latex


def _printed(kinds: str, arguments: list[str]) -> str:
    if kinds == "d":
        return commands().dingbats.get(arguments[0].strip(), "")
    if kinds == "a":
        return _angle(arguments[0])
    numbers = "–".join(_number(each) for kind, each in zip(kinds, arguments, strict=True) if kind == "n")
    units = _units(arguments[-1]) if kinds[-1] == "u" else ""
    return f"{numbers}{_SPACE}{units}" if numbers and units else numbers or units


def _number(source: str) -> str:
    source = source.strip().replace("+-", "±")
    return _EXPONENT.sub(_power_of_ten, source)


def _power_of_ten(found: re.Match[str]) -> str:
    digits = f"{found[1]}×" if found[1] else ""
    return f"{digits}10\\textsuperscript{{{found[2].lstrip('+').replace('-', '−')}}}"


def _angle(source: str) -> str:
    """Degrees, minutes and seconds: `12;30;5`."""
    parts = map(str.strip, source.split(";"))
    return "".join(f"{part}{sign}" for part, sign in zip(parts, "°′″", strict=False) if part)


def _units(source: str) -> str:
    made: list[str] = []
    raised: list[int] = []
    prefix, power, sign = "", 1, 1
    for found in _UNIT.finditer(source):
        name, argument, exponent, text = found.groups()
        if name == "per":
            sign = -1
        elif name in _POWERS_BEFORE:
            power = _POWERS_BEFORE[name]
        elif name in _POWERS_AFTER or exponent or name in ("tothe", "raiseto"):
            number = exponent or argument or ""
            by = _POWERS_AFTER.get(name) or (int(number) if re.fullmatch(r"[+-]?\d{1,4}", number) else 1)
            if name == "raiseto":
                power = by
            elif raised:
                raised[-1] *= by
        elif name in commands().prefixes:
            prefix += commands().prefixes[name]
        else:
            made.append(prefix + (commands().units.get(name, name) if name else text).replace("%", "\\%"))
            raised.append(power * sign)
            prefix, power, sign = "", 1, 1
    return _SPACE.join(
        unit if by == 1 else f"{unit}\\textsuperscript{{{str(by).replace('-', '−')}}}"
        for unit, by in zip(made, raised, strict=True)
    )
