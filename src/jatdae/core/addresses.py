"""Addresses of other machines where a path is expected: the Hugging Face Hub, object stores, the web.

None of them is read or written yet; whoever gives one is told so, and what to do instead.
"""

from __future__ import annotations

from typing import Final, Literal

from jatdae.core.errors import UsageError
from jatdae.core.messages import say

Kind = Literal["hub", "bucket", "web"]
_KINDS: Final[dict[str, Kind]] = {
    "hf": "hub",
    **dict.fromkeys(("s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "r2", "oss"), "bucket"),
    **dict.fromkeys(("http", "https", "ftp"), "web"),
}


def kind_of_address(given: str) -> Kind | None:
    """What kind of other machine an address is of; None for a path of this one."""
    scheme, _, rest = given.partition(":/")  # a Path has lost the second slash
    return _KINDS.get(scheme.lower()) if rest else None


def remote_problem(given: str) -> str:
    """Why an address of another machine is not taken, and what to do instead; "" for a path of this one."""
    kind = kind_of_address(given)
    if kind is None:
        return ""
    scheme, _, rest = given.partition(":/")
    return say(f"remote_{kind}", place=f"{scheme}://{rest.lstrip('/')}")


def refuse_stores(argument: str) -> None:
    """Refuse an argument of a command, `FLAG=PATH` too, that is an address of the Hub or of an object store.

    A web address is left to whoever takes it: a model has one.
    """
    for given in (argument, argument.partition("=")[2]):
        if kind_of_address(given) in ("hub", "bucket"):
            raise UsageError(remote_problem(given))
