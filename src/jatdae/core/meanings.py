"""What the names of an evaluator mean: its metrics, settings, issues and counts, from the messages beside its class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jatdae.core.evaluator import family_of, options_of, spec_of
from jatdae.core.messages import ANY, COMMON, LANGUAGES, Kind, Texts, texts_beside


@dataclass(frozen=True)
class Meanings:
    """What the names of an evaluator mean, in both languages."""

    texts: tuple[Texts, ...] = (COMMON,)
    """Of the evaluator, of those it is composed of, and of the whole package."""
    docs: Mapping[tuple[Kind, str], str] = field(default_factory=dict)
    """English docstrings of the evaluator and of its settings."""

    def of(self, kind: Kind, name: str, language: str = "") -> str:
        """Meaning of a name in a language (default: the chosen one), else in English; "" if it has none."""
        found = next((text for each in self.texts if (text := each.find(kind, name, language))), "")
        return found or self.docs.get((kind, name), "")

    def reason(self, code: str, language: str = "") -> str:
        """Why a value is absent, in few words: the issue's short meaning, else its meaning, else its code."""
        return self.of("absent", code, language) or self.of("issues", code, language) or code


@cache
def meanings_of(cls: Any) -> Meanings:
    """What the metrics, settings, issues and counts of an evaluator class mean."""
    spec = spec_of(cls)
    docs: dict[tuple[Kind, str], str] = {("settings", o.name): " ".join(o.help.split()) for o in options_of(cls)}
    docs["evaluators", spec.name] = (cls.__doc__ or "").strip().partition("\n")[0]
    texts = [texts_beside(each.__module__) for each in family_of(cls)]
    return Meanings((*dict.fromkeys(texts), COMMON), docs)


def missing_meanings(cls: Any) -> list[str]:
    """Names of an evaluator class that have no text in some language, as `LANGUAGE.TABLE.NAME`.

    These are the names it declares, and the definitions, words and messages that only one language has.
    """
    spec, meanings = spec_of(cls), meanings_of(cls)
    names: dict[Kind, list[str]] = {
        "evaluators": [spec.name],
        "metrics": [metric.name for metric in spec.metrics],
        "settings": [option.name for option in options_of(cls)],
        "issues": [kind.code for kind in spec.issues],
        "counts": [count.name for count in spec.counts],
        "rates": [rate.name for rate in spec.rates],
    }
    own = texts_beside(cls.__module__)
    for kind in ("definitions", "words", "messages", "python"):
        names[kind] = list(dict.fromkeys(name for language in LANGUAGES for name in own.table(kind, language)))
    return [
        f"{language}.{kind}.{name}"
        for language in LANGUAGES
        for kind, given in names.items()
        for name in given
        if not (_has_own(meanings, kind, name, language) or (language == "en" and meanings.of(kind, name, "en")))
    ]


def _has_own(meanings: Meanings, kind: Kind, name: str, language: str) -> bool:
    """Whether a language itself has the meaning: another one does not stand in for it."""
    return any(each.table(kind, language).get(name) or each.table(kind, language).get(ANY) for each in meanings.texts)
