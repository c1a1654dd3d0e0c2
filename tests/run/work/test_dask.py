"""The Dask engine: the same bytes as on this machine, over TLS too, and a warning where an address is open."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from unittest.mock import Mock

import pytest

from jatdae.core.errors import EngineError, UsageError
from jatdae.core.registry import describe, load_class
from jatdae.core.version import VERSION, versions
from jatdae.kernels import kernel
from jatdae.run.api import execute
from jatdae.run.input.model import Inputs
from jatdae.run.work import dask, score
from jatdae.run.work.dask import DaskExecutor, Tls, _call_alike, decisive_versions, is_exposed
from jatdae.run.work.engine import Engine

distributed = pytest.importorskip("distributed", reason="the cluster extra is not installed")
EXAMPLE = Path(__file__).parents[3] / "examples" / "exact_match.py"


@pytest.fixture
def pairs(tmp_path: Path) -> Inputs:
    file = tmp_path / "pairs.jsonl"
    rows = ({"id": f"r{n}", "prediction": "가" * (n % 40), "reference": "가" * (n % 37)} for n in range(2000))
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return Inputs(pairs=(("", str(file)),))


@pytest.fixture
def security() -> Iterator[object]:
    yield distributed.Security.temporary()


def parts(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted((folder / "parts").iterdir())]


def test_dask_gives_the_same_bytes_as_this_machine(tmp_path: Path, pairs: Inputs) -> None:
    evaluator = load_class(f"{EXAMPLE}:ExactMatch")()
    here = execute(evaluator, pairs, out=tmp_path / "here")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        there = execute(evaluator, pairs, out=tmp_path / "there", engine=Engine(2, cluster.scheduler_address))
    assert len(parts(here.folder)) > 2
    assert parts(there.folder) == parts(here.folder)
    assert there.summary == here.summary


def test_a_worker_with_another_kernel_is_refused_with_both(tmp_path: Path, pairs: Inputs) -> None:
    if kernel() != "native":
        pytest.skip("the native kernels are not built, so the other kernel is the same")
    evaluator = load_class(f"{EXAMPLE}:ExactMatch")()
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address=None, env={"JATDAE_KERNEL": "python"}
        ) as cluster,
        pytest.raises(EngineError, match=r"\(worker ≠ this machine\): kernel: python ≠ native\. Install the same"),
    ):
        execute(evaluator, pairs, out=tmp_path / "there", engine=Engine(1, cluster.scheduler_address))
    assert not (tmp_path / "there" / "summary.json").exists()


@pytest.mark.parametrize("name", ["jatdae", "source", "kernel", "unicode", "libxml2"])
def test_a_worker_of_another_version_refuses_every_call(name: str) -> None:
    client = {**decisive_versions(), name: "another"}
    with pytest.raises(EngineError, match=f"{name}: .* ≠ another"):
        _call_alike(client, "en", list, (1, 2))
    assert _call_alike(decisive_versions(), "en", list, (1, 2)) == [1, 2]


def test_a_plug_in_that_differs_on_a_worker_is_said_to_differ(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_bytes(EXAMPLE.read_bytes())
    job = score.Job(describe(load_class(f"{file}:ExactMatch")()), "worst")
    file.write_bytes(EXAMPLE.read_bytes() + b"# on the worker")
    with pytest.raises(UsageError, match=rf"worker on .* has another {file}:ExactMatch .*copy it") as told:
        _call_alike(decisive_versions(), "en", score._score_piece, job, score.Chunk(0, []), "")
    assert "changed since" not in str(told.value)


def test_a_worker_of_another_release_is_refused_before_it_is_given_anything(
    tmp_path: Path, pairs: Inputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask, "versions", lambda: {**versions(), "jatdae": "9.9"})
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster,
        pytest.raises(
            EngineError, match=rf"Dask worker tcp://.* \(worker ≠ this machine\): jatdae: {VERSION} ≠ 9\.9\."
        ),
    ):
        execute(
            load_class(f"{EXAMPLE}:ExactMatch")(),
            pairs,
            out=tmp_path / "run",
            engine=Engine(1, cluster.scheduler_address),
        )


def test_certificates_open_an_encrypted_scheduler_and_no_other_way_does(
    tmp_path: Path, pairs: Inputs, security: object
) -> None:
    files = {}
    for name in ("tls_ca_file", "tls_client_cert", "tls_client_key"):
        files[name] = tmp_path / name
        files[name].write_text(getattr(security, name), "ascii")
    tls = Tls(files["tls_ca_file"], files["tls_client_cert"], files["tls_client_key"])
    evaluator = load_class(f"{EXAMPLE}:ExactMatch")()
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, protocol="tls://", security=security
    ) as cluster:
        address = cluster.scheduler_address
        assert address.startswith("tls://")
        done = execute(evaluator, pairs, out=tmp_path / "run", engine=Engine(1, address, tls))
        with pytest.raises(UsageError, match="an encrypted address needs --tls-ca, --tls-cert and --tls-key"):
            execute(evaluator, pairs, out=tmp_path / "other", engine=Engine(1, address))
    assert done.summary["systems"][""]["n"] == 2000


def test_a_scheduler_that_does_not_answer_is_an_engine_error(
    tmp_path: Path, pairs: Inputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object, **kwargs: object) -> object:
        raise OSError("timed out")

    monkeypatch.setattr(distributed, "Client", refuse)
    with pytest.raises(EngineError, match=r"tcp://127\.0\.0\.1:1 .*Start one \(dask scheduler\)"):
        execute(
            load_class(f"{EXAMPLE}:ExactMatch")(), pairs, out=tmp_path / "run", engine=Engine(1, "tcp://127.0.0.1:1")
        )


@pytest.mark.parametrize(
    ("address", "exposed"),
    [
        ("tcp://127.0.0.1:8786", False),
        ("tcp://[::1]:8786", False),
        ("localhost:8786", False),
        ("tls://203.0.113.5:8786", False),
        ("tcp://203.0.113.5:8786", True),
        ("203.0.113.5:8786", True),
        ("scheduler.example:8786", True),
        ("tcp://localhost.example:8786", True),
    ],
)
def test_a_plain_address_elsewhere_is_exposed(address: str, exposed: bool) -> None:
    assert is_exposed(address) is exposed


class Told:
    """A future of Dask that has come to something: its status, and what asking for its result raises."""

    def __init__(self, status: str, *raised: BaseException) -> None:
        self.status, self._raised = status, list(raised)

    def result(self, _: float) -> str:
        if self._raised:
            raise self._raised.pop(0)
        return "fetched"


@pytest.mark.parametrize(
    ("future", "error", "said"),
    [
        (Told("error", TimeoutError("the disk")), TimeoutError, "the disk"),
        (Told("error", OSError("the disk")), OSError, "the disk"),
        (Told("finished", OSError("Stream is closed")), EngineError, "Lost the Dask scheduler"),
        (Told("cancelled", CancelledError()), EngineError, "Lost the Dask scheduler"),
    ],
)
def test_errors_of_a_call_are_told_apart_from_those_of_dask(future: Told, error: type[Exception], said: str) -> None:
    executor = DaskExecutor.__new__(DaskExecutor)
    executor._address = "tcp://127.0.0.1:8786"
    with pytest.raises(error, match=said):
        executor.result(future, 1)


def test_a_call_that_takes_long_is_waited_for_while_there_are_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = Mock()
    monkeypatch.setattr(DaskExecutor, "look_after_workers", looks)
    executor = DaskExecutor.__new__(DaskExecutor)
    assert executor.result(Told("pending", TimeoutError(), TimeoutError()), 1) == "fetched"
    assert looks.call_count == 2
