"""Strict validation of FHIR resources against the models of fhir.resources (extra `fhir`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from jatdae.core.errors import DataError, EngineError
from jatdae.core.messages import shown, speaker
from jatdae.experiments.fhir import KINDS_READ, read_resources

MOST_NAMED: Final = 10
"""Fields that are named one by one."""

say = speaker(__name__)


def refuse_invalid(paths: Iterable[Path]) -> None:
    """Refuse files with resources that are not as FHIR has them, naming place and field.

    Only the kinds that scripts are made from are checked, with the models of R4B (4.3).
    """
    found = [problem for place, each in read_resources(paths) for problem in _problems(place, each)]
    if found:
        more = [say("invalid_more", count=len(found) - MOST_NAMED)] if len(found) > MOST_NAMED else []
        raise DataError("\n".join([*found[:MOST_NAMED], *more, say("invalid_remedy")]))


def _problems(place: str, resource: Mapping[str, Any]) -> Iterator[str]:
    try:
        from fhir.resources.R4B import get_fhir_model_class
    except ImportError:
        raise EngineError(say("no_fhir")) from None
    kind = resource["resourceType"]
    if kind not in KINDS_READ:
        return
    try:
        get_fhir_model_class(kind).model_validate(resource)
    except ValidationError as error:
        for each in error.errors(include_url=False, include_context=False, include_input=False):
            field = ".".join(map(str, each["loc"])) or "–"
            id = shown(str(resource.get("id", "?")))
            yield say("invalid_field", place=place, kind=kind, id=id, field=field, problem=shown(each["msg"], 200))
