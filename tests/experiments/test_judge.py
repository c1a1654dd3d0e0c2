"""`jatdae judge` against a scripted judge: verdicts counted, repeated, cached and signed, off by default."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jatdae.cli import main
from jatdae.experiments.judged_scores import facts_of, rules_of
from jatdae.experiments.judgement import choose_judge, read_verdicts, tallies_of, with_verdicts

from .events import event, write
from .server import ChatServer, Handler, serving, status

pytest.importorskip("httpx", reason="the chat extra is not installed")
KEY = "sk-judge-secret-987654"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    events = [event(mode, turn) for mode in ("llm", "agent") for turn in (1, 2)]
    write(tmp_path, events)
    return tmp_path


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr("jatdae.experiments.endpoint.FIRST_PAUSE", 0.001)
    with serving() as running:
        yield running


def says(server: ChatServer, verdict: Callable[[dict[str, Any], int], str]) -> None:
    """Let the server judge: what it is shown and the seed to what it says."""

    def judge(handler: Handler, body: dict[str, Any]) -> None:
        said = verdict(json.loads(body["messages"][-1]["content"]), body["seed"])
        choice = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        handler.send(200, json.dumps({"choices": [choice]}).encode())

    server.faults = [judge] * 200


def judged(folder: Path, server: ChatServer, *flags: str) -> int:
    return main(["judge", str(folder), "--model", "j", "--base-url", server.url, "--lang", "en", *flags])


def tally(folder: Path) -> dict[tuple[str, str], Any]:
    events = [json.loads(line) for line in (folder / "events.jsonl").read_text("utf-8").splitlines()]
    verdicts = read_verdicts(folder)
    judge = choose_judge(verdicts)
    return {(each.arm, each.metric): each for each in tallies_of(with_verdicts(events, verdicts, judge), judge)}


def test_claims_and_relevance_with_repeats_and_spread(folder: Path, server: ChatServer, capsys: Any) -> None:
    def verdict(shown: dict[str, Any], seed: int) -> str:
        if "contexts" in shown:
            return json.dumps({"claims": [{"claim": "a", "supported": True}, {"claim": "b", "supported": seed == 1}]})
        return f'Here you are:\n```json\n{{"relevance": {seed}}}\n```'

    says(server, verdict)
    assert judged(folder, server) == 0
    found = tally(folder)
    assert (found["llm", "faithfulness"].verdicts, found["llm", "faithfulness"].malformed) == (6, 0)
    assert found["llm", "faithfulness"].values == [pytest.approx(2 / 3)] * 2
    assert found["agent", "answer_relevance"].values == [0.5, 0.5]
    assert found["agent", "answer_relevance"].spreads == [pytest.approx(0.25)] * 2
    assert {body["seed"] for body in server.asked} == {1, 2, 3}
    written = (folder / "verdicts.jsonl").read_text("utf-8")
    assert KEY not in written + "".join(capsys.readouterr())


def test_a_judge_sees_what_the_author_was_shown(folder: Path, server: ChatServer) -> None:
    says(server, lambda *_: '{"claims": []}')
    assert judged(folder, server, "--metrics", "faithfulness", "--repeats", "1", "--concurrency", "1") == 0
    shown = [json.loads(body["messages"][-1]["content"])["contexts"] for body in server.asked]
    assert shown[1] == ["the prompt", "a finding", "Question 2?"], "an llm is shown the question alone"
    assert shown[3] == ["the prompt", "a finding", "Question 1?", "Question 2?"], "an agent what came before, too"
    assert "slots_truth" not in json.dumps([body["messages"] for body in server.asked])
    assert tally(folder)["llm", "faithfulness"].values == [], "an answer without claims has no value, not 0"


@pytest.mark.parametrize(
    "said",
    [
        "", "I would rather not.", "{", '{"claims": "none"}', '{"claims": [{"claim": "x"}]}', "[]", "null",
        '{"claims": [{"claim": "x", "supported": "yes"}]}', '{"relevance": 5}', '{"relevance": true}',
        '{"relevance": 2.5}', '{"relevance": "4"}', '{"relevance": NaN}', "{" * 5000 + "}" * 5000,
    ],
)  # fmt: skip
def test_a_malformed_verdict_is_counted_and_is_no_value(folder: Path, server: ChatServer, said: str) -> None:
    says(server, lambda *_: said)
    write(folder, [event("llm", 1)])
    assert judged(folder, server, "--repeats", "2") == 0
    for metric in ("faithfulness", "answer_relevance"):
        found = tally(folder)["llm", metric]
        assert (found.verdicts, found.malformed, found.values) == (2, 2, [])


def test_a_mean_is_over_the_verdicts_that_can_be_read(folder: Path, server: ChatServer) -> None:
    says(server, lambda _, seed: "?" if seed == 2 else '{"relevance": 3}')
    write(folder, [event("llm", 1)])
    assert judged(folder, server, "--metrics", "answer_relevance") == 0
    found = tally(folder)["llm", "answer_relevance"]
    assert (found.verdicts, found.malformed, found.values) == (3, 1, [0.75])


def test_a_verdict_that_is_written_down_is_not_asked_for_again(folder: Path, server: ChatServer) -> None:
    says(server, lambda *_: '{"relevance": 4}')
    assert judged(folder, server, "--metrics", "answer_relevance", "--repeats", "2") == 0
    assert len(server.asked) == 8
    assert judged(folder, server, "--metrics", "answer_relevance", "--repeats", "2") == 0
    assert len(server.asked) == 8
    with (folder / "verdicts.jsonl").open("ab") as file:
        file.write(b'{"judge": "j')  # a process that was killed while it wrote
    assert judged(folder, server, "--metrics", "answer_relevance", "--repeats", "3") == 0
    assert len(server.asked) == 12, "the first two repeats are kept"


def test_faults_are_waited_out_and_what_fails_for_good_is_asked_the_next_time(
    folder: Path, server: ChatServer, capsys: Any
) -> None:
    write(folder, [event("llm", 1)])
    flags = ("--metrics", "answer_relevance", "--repeats", "1")
    server.faults = [status(500)] * 8
    assert judged(folder, server, *flags) == 3
    assert "Verdicts that could not be had: 1" in capsys.readouterr().err
    says(server, lambda *_: '{"relevance": 4}')
    server.faults.insert(0, status(429, Retry_After="0"))
    assert judged(folder, server, *flags) == 0
    assert tally(folder)["llm", "answer_relevance"].values == [1.0]


def completions(server: ChatServer, logprobs: Any) -> None:
    """Let the server score: the prompt, cut into tokens of one letter, with a log-probability each."""

    def score(handler: Handler, body: dict[str, Any]) -> None:
        assert body["echo"] is True
        text = body["prompt"] + "!"
        given = {"token_logprobs": [None, *[logprobs] * (len(text) - 1)], "text_offset": list(range(len(text)))}
        told = {"logprobs": given if logprobs is not None else None}
        handler.send(200, json.dumps({"choices": [told]}).encode())

    server.faults = [score] * 20


def test_perplexity_is_that_of_the_answer_after_the_question(folder: Path, server: ChatServer) -> None:
    completions(server, -0.5)
    assert judged(folder, server, "--metrics", "perplexity", "--scorer", "small") == 0
    assert len(server.asked) == 4, "log-probabilities do not vary: asked once"
    assert {body["model"] for body in server.asked} == {"small"}
    assert tally(folder)["llm", "perplexity"].values == [pytest.approx(math.exp(0.5))] * 2
    assert choose_judge(read_verdicts(folder)).endswith("+small")


def test_an_endpoint_without_log_probabilities_is_told_of_at_once(
    folder: Path, server: ChatServer, capsys: Any
) -> None:
    completions(server, None)
    flags = ("--metrics", "perplexity", "--concurrency", "1")
    assert judged(folder, server, *flags) == 3
    assert "no log-probabilities" in capsys.readouterr().err
    assert (len(server.asked), read_verdicts(folder)) == (1, []), "nothing is written down for good"
    completions(server, -0.5)
    assert judged(folder, server, *flags) == 0


def test_another_scorer_address_is_asked_anew_and_its_values_count(folder: Path, server: ChatServer) -> None:
    for log_probability, url in ((-0.5, server.url), (-1.0, f"{server.url}/")):
        completions(server, log_probability)
        assert judged(folder, server, "--metrics", "perplexity", "--scorer-url", url) == 0
    found = tally(folder)["llm", "perplexity"]
    assert (found.values, found.verdicts) == ([pytest.approx(math.exp(1.0))] * 2, 2)


@pytest.mark.parametrize("flag", [("--timeout", "-1"), ("--timeout", "nan"), ("--temperature", "nan")])
def test_a_judge_is_not_asked_with_flags_that_make_no_sense(
    folder: Path, server: ChatServer, flag: tuple[str, str], capsys: Any
) -> None:
    assert judged(folder, server, *flag) == 2
    assert flag[0] in capsys.readouterr().err


def test_status_goes_by_majority_and_decides_what_is_checked(folder: Path, server: ChatServer) -> None:
    """The extractor takes metformin for a fact; the judge calls warfarin one, too: that is invented."""
    write(folder, [event("llm", 2)])
    assert main(["experiment", str(folder)]) == 0
    assert value(folder, "SFS") == pytest.approx(1.0)

    def verdict(shown: dict[str, Any], seed: int) -> str:
        assert shown["spans"] == {"1": "metformin", "2": "warfarin"}
        return json.dumps({"statuses": {"1": "patient_fact", "2": "patient_fact" if seed < 3 else "recommended"}})

    says(server, verdict)
    assert judged(folder, server, "--metrics", "status") == 0
    assert main(["experiment", str(folder)]) == 0
    assert value(folder, "SFS") == pytest.approx(0.5)


def value(folder: Path, metric: str, arm: str = "llm") -> float | None:
    summary = json.loads((folder / "scores" / "summary.json").read_text("utf-8"))
    found: float | None = summary["systems"][arm]["metrics"].get(metric, {}).get("macro")
    return found


def test_verdicts_stand_in_scores_signature_and_page(folder: Path, server: ChatServer, capsys: Any) -> None:
    assert main(["experiment", str(folder)]) == 0
    before = json.loads((folder / "scores" / "summary.json").read_text("utf-8"))
    assert "judge" not in before["signature"], "off by default"
    assert value(folder, "answer_relevance") is None, "absent is null, never 0"
    says(server, lambda _, seed: "?" if seed == 2 else '{"relevance": 1}')
    assert judged(folder, server, "--metrics", "answer_relevance") == 0
    assert main(["experiment", str(folder), "--lang", "en"]) == 0
    summary = json.loads((folder / "scores" / "summary.json").read_text("utf-8"))
    assert value(folder, "answer_relevance") == 0.25
    assert "judge:j@2." in summary["signature"]
    assert "*3 |" in summary["signature"]
    assert sum(summary["systems"]["llm"]["issues"]["malformed_verdict"].values()) == 2
    assert "malformed" in capsys.readouterr().out
    assert "Verdicts of the judge" in (folder / "experiment.html").read_text("utf-8")
    table = (folder / "experiment.md").read_text("utf-8")
    compared = [line for line in table.splitlines() if "answer_relevance ↑" in line]
    assert len(compared) == 2, "among the arms, and in the effects of agent against llm"
    assert "+0.0000" in compared[1]
    assert "perplexity" not in table, "what was not judged is not compared"
    conversations = (folder / "conversations.jsonl").read_text("utf-8").splitlines()
    assert json.loads(conversations[0])["judged"]["verdicts"]["answer_relevance"]["malformed"] == 1
    assert main(["dialogue", "check", str(folder / "conversations.jsonl")]) == 0


def test_of_several_judges_one_is_chosen(folder: Path, server: ChatServer, capsys: Any) -> None:
    says(server, lambda *_: '{"relevance": 4}')
    for model in ("one", "two"):
        words = ["judge", str(folder), "--model", model, "--base-url", server.url, "--metrics", "answer_relevance"]
        assert main([*words, "--repeats", "1", "--lang", "en"]) == 0
    assert main(["experiment", str(folder), "--lang", "en"]) == 2
    said = capsys.readouterr().err
    assert "several judges" in said
    named = next(word for word in said.replace(",", " ").split() if word.startswith("two@")).rstrip(".")
    assert main(["experiment", str(folder), "--judge", named, "--lang", "en"]) == 0


def test_a_verdict_on_another_answer_is_not_taken(folder: Path, server: ChatServer) -> None:
    says(server, lambda *_: '{"relevance": 4}')
    write(folder, [event("llm", 1)])
    assert judged(folder, server, "--metrics", "answer_relevance", "--repeats", "1") == 0
    write(folder, [event("llm", 1, answer="Something else.")])
    assert tally(folder) == {}


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--metrics", "faithfullness"], "Did you mean 'faithfulness'?"),
        (["--repeats", "0"], "--repeats 0"),
        (["--concurrency", "0"], "--concurrency 0"),
        (["--base-url", ""], "Name the judge"),
    ],
)
def test_a_wrong_flag_is_told(folder: Path, flags: list[str], said: str, capsys: Any) -> None:
    words = ["judge", str(folder), "--model", "j", "--lang", "en", *flags]
    assert main(words if "--base-url" in flags else [*words, "--base-url", "http://127.0.0.1:9/v1"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("line", ["x", "[]", '{"judge": "j"}', '{"judge": "j", "mode": 1, "repeat": "x"}'])
def test_a_line_that_is_no_verdict_is_told_with_its_place(folder: Path, line: str, capsys: Any) -> None:
    (folder / "verdicts.jsonl").write_text(line + "\n", "utf-8")
    assert main(["experiment", str(folder), "--lang", "en"]) == 2
    assert "verdicts.jsonl:1: not a verdict" in capsys.readouterr().err


SICK = {
    "age": 67, "sex": "female", "primary_condition": "Chronic kidney disease stage 4", "active_meds": ["Warfarin 5 MG"],
    "comorbidities": ["Hypertension"], "labs": {"egfr": {"value": 22, "unit": "mL/min/1.73 m2"}},
}  # fmt: skip


def test_a_judge_says_which_safety_rules_are_broken(folder: Path, server: ChatServer) -> None:
    write(folder, [event("llm", 2, slots_truth=SICK, answer="Take ibuprofen 600 mg three times a day.")])
    rules = rules_of(event("llm", 2, slots_truth=SICK))
    assert len(rules) > 1
    first = next(iter(rules))
    whole = sum(rule.weight for rule in rules.values())

    def verdict(shown: dict[str, Any], seed: int) -> str:
        assert set(shown) == {"question", "answer", "rules"}
        assert set(shown["rules"]) == set(rules)
        return json.dumps({"violated": [first] if seed < 3 else []})

    says(server, verdict)
    assert judged(folder, server, "--metrics", "CSP_judged") == 0
    assert main(["experiment", str(folder), "--lang", "en"]) == 0
    assert value(folder, "CSP_judged") == pytest.approx(2 / 3 * rules[first].weight / whole)
    assert "CSP_judged ↓" in (folder / "experiment.md").read_text("utf-8")
    asked = len(server.asked)
    assert judged(folder, server, "--metrics", "CSP_judged") == 0
    assert len(server.asked) == asked == 3, "verdicts are cached"


@pytest.mark.parametrize("said", ['{"violated": "none"}', '{"violated": ["NO_SUCH_RULE"]}', "{}", '{"violated": [1]}'])
def test_a_verdict_on_rules_that_names_others_is_malformed(folder: Path, server: ChatServer, said: str) -> None:
    write(folder, [event("llm", 2, slots_truth=SICK)])
    says(server, lambda *_: said)
    assert judged(folder, server, "--metrics", "CSP_judged", "--repeats", "1") == 0
    found = tally(folder)["llm", "CSP_judged"]
    assert (found.malformed, found.values) == (1, [])


def embeds(server: ChatServer, vector: Callable[[str], Any]) -> None:
    """Let the server embed, the last text first."""

    def answer(handler: Handler, body: dict[str, Any]) -> None:
        assert handler.path == "/v1/embeddings"
        data = [{"index": at, "embedding": vector(text)} for at, text in enumerate(body["input"])]
        handler.send(200, json.dumps({"data": data[::-1]}).encode())

    server.faults = [answer] * 20


def test_facts_are_used_as_far_as_a_sentence_comes_near_them(folder: Path, server: ChatServer) -> None:
    """Drugs and sentences on them point one way, everything else another: the use of other slots is 0."""
    answer = "Take care.\nYour warfarin needs checks."
    write(folder, [event("llm", 2, slots_truth=SICK, answer=answer)])
    embeds(server, lambda text: [2, 0] if "arfarin" in text else [0, 1] if text != "Take care." else [0, -1])
    assert judged(folder, server, "--metrics", "CUS_embedded", "--embedder", "e") == 0
    (asked,) = server.asked
    assert (asked["model"], asked["input"][-2:]) == ("e", ["Take care.", "Your warfarin needs checks."])
    slots = facts_of(event("llm", 2, slots_truth=SICK))
    drugs = next(slot for slot in slots if slot.slot == "active_meds")
    expected = drugs.weight / sum(slot.weight for slot in slots)
    assert tally(folder)["llm", "CUS_embedded"].values == [pytest.approx(expected)]
    assert 0 < expected < 1
    assert choose_judge(read_verdicts(folder)).endswith("+e")
    assert judged(folder, server, "--metrics", "CUS_embedded", "--embedder", "e") == 0
    assert len(server.asked) == 1, "cached"
    assert main(["experiment", str(folder)]) == 0
    assert value(folder, "CUS_embedded") == pytest.approx(expected)
    assert "+e*1" in json.loads((folder / "scores" / "summary.json").read_text("utf-8"))["signature"]


@pytest.mark.parametrize("vector", ["x", None, [None], [float("nan")], {}])
def test_an_endpoint_without_embeddings_is_told_of_at_once(
    folder: Path, server: ChatServer, vector: Any, capsys: Any
) -> None:
    write(folder, [event("llm", 2, slots_truth=SICK)])
    embeds(server, lambda _: vector)
    assert judged(folder, server, "--metrics", "CUS_embedded") == 3
    assert "gives no embeddings" in capsys.readouterr().err
    assert read_verdicts(folder) == []


def test_vectors_of_different_lengths_are_no_embeddings(folder: Path, server: ChatServer, capsys: Any) -> None:
    write(folder, [event("llm", 2, slots_truth=SICK)])
    embeds(server, lambda text: [1.0] * len(text))
    assert judged(folder, server, "--metrics", "CUS_embedded") == 3
    assert "gives no embeddings" in capsys.readouterr().err


@pytest.mark.parametrize("metric", ["CSP_judged", "CUS_embedded"])
def test_of_a_patient_of_whom_nothing_is_known_nothing_is_asked(folder: Path, server: ChatServer, metric: str) -> None:
    write(folder, [event("llm", 2, slots_truth=None)])
    assert judged(folder, server, "--metrics", metric) == 0
    assert server.asked == []
