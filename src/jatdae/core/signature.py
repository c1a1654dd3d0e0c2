"""The signature of a run: the line that reproduces a number and tells whether two runs are comparable."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jatdae.core.config import build, plain, plain_value
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import options_of, spec_of
from jatdae.core.messages import os_problem, say
from jatdae.core.registry import source_hash
from jatdae.core.version import VERSION
from jatdae.core.yamlfile import refuse_endless


@dataclass(frozen=True, slots=True)
class Signature:
    """Signature of a run: evaluator, configuration, input hashes and versions. Same signature, same numbers."""

    evaluator: str
    parts: Mapping[str, str]
    """Configuration and component versions, in the order of the evaluator's fields."""
    missing: str
    refs: str
    preds: str
    kernel: str
    version: str = VERSION

    def __str__(self) -> str:
        """`jatdae 0.1.0 | text | normaliser:fair@1 | … | refs:3fa1c2d9 | preds:77b0e1aa | kernel:native`."""
        named = {
            **self.parts,
            "missing": self.missing,
            "refs": self.refs,
            "preds": self.preds,
            "kernel": self.kernel,
        }
        return " | ".join([f"jatdae {self.version}", self.evaluator, *(f"{k}:{v}" for k, v in named.items())])

    @property
    def hash(self) -> str:
        """Eight hex digits that name the run; the kernel is left out, because twins are equal."""
        return short_hash(str(self).rpartition(" | kernel:")[0].encode())

    def differences(self, other: Signature) -> list[str]:
        """Why two runs are not comparable: evaluator, configuration, component versions or references differ."""
        mine, theirs = self._comparable(), other._comparable()
        return [
            f"{key}: {mine.get(key, '–')} ≠ {theirs.get(key, '–')}"
            for key in {**mine, **theirs}
            if mine.get(key) != theirs.get(key)
        ]

    def _comparable(self) -> dict[str, str]:
        return {"evaluator": self.evaluator, **self.parts, "missing": self.missing, "refs": self.refs}


def sign(evaluator: object, *, refs: str, preds: str, kernel: str, missing: str = "worst") -> Signature:
    """Make the signature of an evaluator on input given by its hashes."""
    spec = spec_of(evaluator)
    override: dict[str, str] = getattr(evaluator, "signature_parts", dict)()
    # An instance made by hand may hold 1 for 1.0 or text for a path; built anew it holds what its fields say.
    exact = build(type(evaluator), plain(evaluator))
    parts: dict[str, str] = {}
    for option in options_of(type(evaluator)):
        if option.signed:
            parts[option.name] = str(override.get(option.name) or _written(getattr(exact, option.name)))
    parts |= {key: str(value) for key, value in override.items() if key not in parts}
    if source := source_hash(type(evaluator)):
        parts["source"] = source[:8]
    name = spec.name if spec.version == 1 else f"{spec.name}@{spec.version}"
    return Signature(name, parts, missing, refs[:8], preds[:8], kernel)


def unsigned(evaluator: object) -> dict[str, Any]:
    """Settings of an evaluator that change no score and are left out of its signature."""
    values = plain(evaluator)
    return {option.name: values[option.name] for option in options_of(type(evaluator)) if not option.signed}


def short_hash(data: bytes) -> str:
    """Short hash for a signature: the first eight hex digits of the sha256 of some bytes."""
    return hashlib.sha256(data).hexdigest()[:8]


def _written(value: Any) -> str:
    """A value as one word of the line; a path is written with the hash of what lies there."""
    value = plain_value(value, path=lambda path: f"{path.name}@{_content_hash(path)}")
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list) and value and all(isinstance(item, str) and "+" not in item for item in value):
        value = "+".join(value)
    if not isinstance(value, str):
        value = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return value if len(value) <= 48 and value.isprintable() and "|" not in value else short_hash(value.encode())


def _content_hash(path: Path) -> str:
    try:
        if path.is_dir():
            inner = sorted((p.relative_to(path).as_posix(), _file_hash(p)) for p in path.rglob("*") if p.is_file())
            return short_hash(repr(inner).encode())
        return _file_hash(path)[:8]
    except OSError as error:
        raise UsageError(say("cannot_read", place=path, problem=os_problem(error))) from None


def _file_hash(path: Path) -> str:
    refuse_endless(path)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
