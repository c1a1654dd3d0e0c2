"""Dask as an engine of a run; its workers write parts to storage that all of them share."""

from __future__ import annotations

import ipaddress
import platform
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jatdae.core.errors import EngineError
from jatdae.core.messages import say
from jatdae.core.version import DECISIVE, VERSION, version_differences, versions
from jatdae.kernels import kernel


@dataclass(frozen=True, slots=True)
class Tls:
    """Certificate files for an encrypted connection to a Dask scheduler."""

    ca: Path
    cert: Path
    key: Path


class DaskExecutor(Executor):
    """Standard executor whose calls run on the workers of a Dask scheduler."""

    def __init__(self, address: str, tls: Tls | None = None) -> None:
        try:
            from distributed import Client
            from distributed.security import Security
        except ImportError:
            raise EngineError(say("no_dask")) from None
        security = tls and Security(
            tls_ca_file=str(tls.ca), tls_client_cert=str(tls.cert), tls_client_key=str(tls.key), require_encryption=True
        )
        try:
            self._client = Client(address, timeout="20s", security=security)
        except (OSError, ValueError, TypeError) as error:
            raise EngineError(say("no_scheduler", address=address, problem=error)) from None
        self._refuse_other_versions()
        # Pure calls are memoised, and two equal shards would share one part.
        self._executor = self._client.get_executor(pure=False)

    def _refuse_other_versions(self) -> None:
        """Refuse workers of another jatdae before they are given calls, which they might not even be able to read."""
        for worker, found in self._client.get_versions(packages=["jatdae"])["workers"].items():
            there = found["packages"]["jatdae"] or "–"
            if there != VERSION:
                self._client.close()
                raise _other_worker(worker, [f"jatdae: {there} ≠ {VERSION}"])

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a call on some worker, which refuses it where jatdae would score otherwise than here."""
        future: Future[Any] = self._executor.submit(_call_alike, decisive_versions(), call, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the cluster; its workers go on living."""
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()


def decisive_versions() -> dict[str, str]:
    """Versions that have to be the same on every worker of a run, Dask's or other."""
    return {name: {**versions(), "kernel": kernel()}[name] for name in DECISIVE}


def _call_alike(client: dict[str, str], call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a function on a worker whose jatdae scores like the client's. A worker may join at any time."""
    if differences := version_differences(decisive_versions(), client):
        raise _other_worker(platform.node(), differences)
    return call(*args, **kwargs)


def _other_worker(name: str, differences: list[str]) -> EngineError:
    return EngineError(say("other_worker", worker=name, differences=", ".join(differences)))


def is_exposed(address: str) -> bool:
    """Whether the address of a scheduler of Dask workers is unencrypted and on another machine.

    Calls are code, so anybody in between could run some.
    """
    protocol, _, rest = address.rpartition("://")
    host = rest.rpartition(":")[0].strip("[]") or rest
    if protocol == "tls":
        return False
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost"
