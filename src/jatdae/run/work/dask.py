"""Dask as an engine of a run; its workers write parts to storage that all of them share."""

from __future__ import annotations

import ipaddress
import logging
import platform
import re
import ssl
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from jatdae.core.errors import DataError, EngineError, UsageError
from jatdae.core.messages import choose_language, language, os_problem, say
from jatdae.core.registry import PluginChanged
from jatdae.core.version import DECISIVE, version_differences, versions
from jatdae.core.yamlfile import refuse_endless
from jatdae.kernels import kernel

WAIT: Final = 30.0
"""Seconds that a run waits for a Dask worker where there is none; then it ends with a message."""
ANSWER: Final = 30.0
"""Seconds that it waits for an answer of the scheduler, which takes milliseconds."""


MAX_PORT: Final = 65_535
_ADDRESS: Final = re.compile(
    r"(?:(?P<protocol>tcp|tls|ws|wss|ucx)://)?(?:\[[^\[\]\s]+\]|[^\[\]:/\s]+):(?P<port>[0-9]{1,5})"
)


@dataclass(frozen=True, slots=True)
class Tls:
    """Certificate files for an encrypted connection to a Dask scheduler."""

    ca: Path
    cert: Path
    key: Path

    def refuse_unusable(self) -> None:
        """Refuse files that are no certificates, and a key that is not that of the certificate, by their flags."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        for flag, path in (("--tls-ca", self.ca), ("--tls-cert", self.cert), ("--tls-key", self.key)):
            place = f"{flag} {path}"
            try:
                refuse_endless(path, place)
                path.read_bytes()
                if path is self.key:
                    context.load_cert_chain(self.cert, path, password="")  # else it would be asked for
                else:
                    context.load_verify_locations(path)
            except ssl.SSLError:
                key = "tls_no_key" if path is self.key else "tls_no_certificate"
                raise UsageError(say(key, place=place, cert=self.cert)) from None
            except OSError as error:
                raise UsageError(say("cannot_read", place=place, problem=os_problem(error))) from None


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
        self._address = address
        self._logs = _Silence("distributed", "distributed.client", "tornado.application")
        try:
            self._client = Client(address, timeout="20s", security=security)
        except (OSError, ValueError, TypeError) as error:
            self._logs.end()
            if isinstance(error, TypeError):  # a connection over TLS without certificates
                raise UsageError(say("tls_needed", address=address)) from None
            raise EngineError(say("no_scheduler", address=address, problem=error)) from None
        self._compared: set[str] = set()
        """Workers that have the client's versions."""
        self._deserted: float | None = None
        """When the scheduler was first seen without workers."""
        try:
            self._client.wait_for_workers(1, timeout=WAIT)
            self.look_after_workers()
        except TimeoutError:
            self._let_go()
            raise EngineError(say("no_workers_yet", address=address, seconds=f"{WAIT:g}")) from None
        except OSError:
            self._let_go()
            raise self._without_scheduler() from None
        except EngineError:
            self._let_go()
            raise

    def submit(self, call: Callable[..., Any], /, *args: Any, **_: Any) -> Any:
        """Run a call on some worker, which refuses it where jatdae would score otherwise than here.

        The future is Dask's own: those of its executor fail when a worker dies after its result has been fetched.
        """
        # Pure calls are memoised, and two equal shards would share one part.
        return self._client.submit(_call_alike, decisive_versions(), language(), call, *args, pure=False)

    def result(self, future: Any, patience: float) -> Any:
        """What a call came to, with a look at the workers from time to time; one that killed several is broken."""
        from distributed import KilledWorker

        while True:
            has_failed = future.status == "error"
            try:
                return future.result(patience)
            except KilledWorker:
                raise BrokenExecutor from None
            except CancelledError:  # of its own accord Dask does so only when the scheduler is gone
                raise self._without_scheduler() from None
            except TimeoutError:
                if has_failed:  # the call's own
                    raise
                self.look_after_workers()
            except OSError:
                if future.status == "error":  # the call's own
                    raise
                raise self._without_scheduler() from None

    def look_after_workers(self) -> None:
        """Refuse workers that joined with another jatdae, and a scheduler that has been without workers for long.

        A worker that lacks what the client calls would close its connection, and the client would wait for ever.
        """
        try:
            workers = set(self._ask(self._client.nthreads))
        except (OSError, RuntimeError):  # no answer, or no connection
            raise self._without_scheduler() from None
        if new := sorted(workers - self._compared):
            self._compare(new)
        now = time.monotonic()
        self._deserted = None if workers else self._deserted or now
        if self._deserted and now - self._deserted > WAIT:
            raise self._without_workers()

    def _compare(self, workers: list[str]) -> None:
        """Refuse workers with another jatdae; what they run to tell it exists in jatdae's older versions or not."""
        try:
            found = self._ask(self._client.run, decisive_versions, workers=workers, on_error="return")
        except Exception:  # an error on a worker that cannot be sent, so that it is of no type
            found = dict.fromkeys(workers)
        for worker, there in found.items():
            if isinstance(there, OSError):  # it has left again
                continue
            if differences := version_differences(there if isinstance(there, dict) else {}, decisive_versions()):
                raise _other_worker(worker, differences)
            self._compared.add(worker)

    def _ask(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Answer to a question to scheduler or workers, or a TimeoutError."""

        async def ask() -> Any:
            return await call(*args, **kwargs)

        return self._client.sync(ask, callback_timeout=ANSWER)

    def _without_scheduler(self) -> EngineError:
        return EngineError(say("scheduler_lost", address=self._address))

    def _without_workers(self) -> EngineError:
        return EngineError(say("no_workers", address=self._address, seconds=f"{WAIT:g}"))

    def shutdown(self, *_: Any, **__: Any) -> None:
        """Let go of the cluster; its workers go on living."""
        self._let_go()

    def _let_go(self) -> None:
        self._client.close()
        self._logs.end()


class _Silence:
    """Keeps loggers silent until `end`: Dask logs a lost connection with a traceback, and jatdae tells it in words."""

    def __init__(self, *names: str) -> None:
        self._levels = {name: logging.getLogger(name).level for name in names}
        for name in names:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)

    def end(self) -> None:
        for name, level in self._levels.items():
            logging.getLogger(name).setLevel(level)


def decisive_versions() -> dict[str, str]:
    """Versions that have to be the same on every worker of a run, Dask's or other."""
    return {name: {**versions(), "kernel": kernel()}[name] for name in DECISIVE}


def _call_alike(client: dict[str, str], chosen: str, call: Callable[..., Any], *args: Any) -> Any:
    """Call a function on a worker whose jatdae scores like the client's. A worker may join at any time."""
    choose_language(chosen)
    if differences := version_differences(decisive_versions(), client):
        raise _other_worker(platform.node(), differences)
    try:
        return call(*args)
    except PluginChanged as error:
        raise UsageError(say("plugin_differs", target=error.target, worker=platform.node())) from None
    except (DataError, UsageError) as error:
        raise type(error)(say("told_by_worker", problem=error, worker=platform.node())) from None


def _other_worker(name: str, differences: list[str]) -> EngineError:
    return EngineError(say("other_worker", worker=name, differences=", ".join(differences)))


def refuse_address(address: str, tls: Tls | None) -> None:
    """Refuse what cannot be the address of a Dask scheduler, and an unencrypted one where there are certificates."""
    found = _ADDRESS.fullmatch(address)
    if not found or not 0 < int(found["port"]) <= MAX_PORT:
        raise UsageError(say("bad_scheduler", address=address))
    if tls and found["protocol"] not in ("tls", "wss"):
        raise UsageError(say("tls_unused", address=address))


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
