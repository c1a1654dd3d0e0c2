"""Dask as an engine of a run; its workers write parts to storage that all of them share."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jatdae.core.errors import EngineError
from jatdae.core.messages import say


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
        # Pure calls are memoised, and two equal shards would share one part.
        self._executor = self._client.get_executor(pure=False)

    def submit(self, call: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a call on some worker."""
        future: Future[Any] = self._executor.submit(call, *args, **kwargs)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of the cluster; its workers go on living."""
        self._executor.shutdown(wait=wait and not cancel_futures)
        self._client.close()


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
