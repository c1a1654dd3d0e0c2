"""The command `jatdae judge`: asks a model for verdicts on the answers of an experiment, each once.

faithfulness      share of the claims on the patient that what the model was shown supports
answer_relevance  how much of the question the answer addresses, 0 to 4, as a share
perplexity        exp(− mean log-probability of the answer's tokens after the question), by a scoring model
CSP_judged        share of the safety rules that apply, by weight, that the answer breaks
CUS_embedded      how near the answer comes to the facts that its turn requires, by embeddings
status            how the spans that the extractor found are meant
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from jatdae.core.configfile import Part, Text, read_config
from jatdae.core.errors import EngineError, UsageError
from jatdae.core.messages import near, speaker
from jatdae.core.messages import say as say_common
from jatdae.core.terminal import print_line, terminal
from jatdae.dialogue.events import CSP_JUDGED, CUS_EMBEDDED, JUDGED, PERPLEXITY, STATUS_JUDGED
from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.reading.statuses import STATUSES
from jatdae.experiments.arms import ARMS
from jatdae.experiments.commands import NO_NEGATIVE, check_asking
from jatdae.experiments.endpoint import Endpoint
from jatdae.experiments.eventlog import KeyedLog
from jatdae.experiments.judged_scores import Rule, SlotFacts, facts_of, rules_of, sentences_of, uses_of, weighted
from jatdae.experiments.judgement import (
    VERDICTS,
    answer_hash,
    judge_sheet,
    read_verdicts,
    tallies_of,
    with_verdicts,
)
from jatdae.experiments.keys import read_key
from jatdae.experiments.pool import ask_each
from jatdae.experiments.records import read_events
from jatdae.experiments.targets import Asked, noted, tool_calls_of
from jatdae.report.console import show_sheet

PROMPTS: Final = Path(__file__).parent / "judge.yaml"
METRICS: Final = (*JUDGED, STATUS_JUDGED)
CLAIMED: Final = ("drug", "drug_class", "condition", "procedure")
"""Categories whose status decides whether a span is checked against the record."""
MOST_RELEVANT: Final = 4
UNVARIED: Final = (PERPLEXITY, CUS_EMBEDDED)
"""Log-probabilities and embeddings do not vary: they are asked for once."""

say = speaker(__name__)


class JudgeFile(Part):
    """What a judge is told, by metric."""

    version: int
    """Raised when a text changes."""
    faithfulness: Text
    """Which claims the contexts support."""
    answer_relevance: Text
    """How much of the question is addressed."""
    CSP_judged: Text
    """Which safety rules are broken."""
    status: Text
    """How spans are meant."""


class Malformed(ValueError):
    """A verdict that does not say what was asked for."""


@dataclass(frozen=True)
class Question:
    """One thing that a judge is asked about an answer."""

    event: Mapping[str, Any]
    metric: str
    repeat: int
    payload: Mapping[str, Any]
    """What the judge is shown."""
    spans: Sequence[tuple[int, int]] = ()
    rules: Mapping[str, Rule] = field(default_factory=dict)
    facts: Sequence[SlotFacts] = ()

    def key(self, judge: str) -> str:
        """What tells it from all others: whoever finds its verdict written down need not ask again."""
        told = json.dumps([judge, self.metric, self.repeat, self.payload], ensure_ascii=False, sort_keys=True)
        place = [self.event["mode"], self.event["patient_id"], self.event["turn_id"]]
        return hashlib.sha256(f"{place}{told}".encode()).hexdigest()[:24]


def judge(
    folder: Path,
    /,
    *,
    model: str = "",
    base_url: str = "",
    key_env: str = "OPENAI_API_KEY",
    metrics: Annotated[tuple[str, ...], NO_NEGATIVE] = (),
    repeats: int = 3,
    scorer: str = "",
    scorer_url: str = "",
    embedder: str = "",
    embedder_url: str = "",
    temperature: float | None = None,
    concurrency: int = 4,
    timeout: float = 120.0,
) -> int:
    """Ask a judge for verdicts on the answers of an experiment; `jatdae experiment` then takes them into its scores.

    Parameters
    ----------
    folder
        Folder of an experiment, as `jatdae chat` writes it.
    model
        Name of the model that judges.
    base_url
        Address of its endpoint, which speaks the chat protocol of OpenAI.
    key_env
        Environment variable that holds the key.
    metrics
        faithfulness, answer_relevance, perplexity, CSP_judged, CUS_embedded or status; repeatable (default: first two).
    repeats
        Verdicts on each answer and metric, each with its own seed.
    scorer
        Name of the model whose log-probabilities give the perplexity (default: the model that judges).
    scorer_url
        Address of its endpoint (default: that of the model that judges).
    embedder
        Name of the model whose embeddings CUS_embedded compares (default: the model that judges).
    embedder_url
        Address of its endpoint (default: that of the model that judges).
    temperature
        Temperature of the judge (default: the endpoint's).
    concurrency
        Questions at a time.
    timeout
        Seconds that the endpoint may be silent.
    """
    wanted = _metrics(metrics)
    for flag, number in (("--repeats", repeats), ("--concurrency", concurrency)):
        if number < 1:
            raise UsageError(say("not_positive", flag=flag, value=number))
    check_asking(timeout, temperature)
    if not model or not base_url:
        raise UsageError(say("no_judge"))
    prompts, version = load_judge()
    others = {PERPLEXITY: (scorer, scorer_url), CUS_EMBEDDED: (embedder, embedder_url)}
    beside = [name for metric, (name, _) in others.items() if metric in wanted and name not in ("", model)]
    name = _judge_id(model, version, temperature, beside)
    events = read_events(folder)
    asked = [
        each
        for metric in wanted
        for each in questions_of(events, metric, repeats, others.get(metric, ("", ""))[1] or base_url)
    ]
    options = {} if temperature is None else {"temperature": temperature}
    key = read_key(key_env)
    judging = Endpoint(base_url, model, key, timeout=timeout, options=options)
    scores = Endpoint(scorer_url or base_url, scorer or model, key, timeout=timeout)
    embeds = Endpoint(embedder_url or base_url, embedder or model, key, timeout=timeout)
    log = KeyedLog(folder, VERDICTS)
    try:
        failures = _ask_all(asked, name, log, _Judges(prompts, judging, scores, embeds), concurrency)
    finally:
        for each in (log, judging, scores, embeds):
            each.close()
    judged = with_verdicts(events, read_verdicts(folder), name)
    show_sheet(judge_sheet(tallies_of(judged, name)), terminal())
    for problem in failures:
        print_line(problem)
    print_line(say("judged", judge=name, file=folder / VERDICTS))
    if failures:
        raise EngineError(say("verdicts_missing", count=len(failures)))
    return 0


def _metrics(given: Sequence[str]) -> list[str]:
    wanted = [name.strip() for each in given for name in each.split(",") if name.strip()]
    for name in wanted:
        if name not in METRICS:
            known = ", ".join(METRICS)
            raise UsageError(
                say_common("unknown_choice", flag="--metrics", value=name, near=near(name, METRICS), known=known)
            )
    return list(dict.fromkeys(wanted)) or list(JUDGED[:2])


def _judge_id(model: str, version: str, temperature: float | None, beside: Sequence[str]) -> str:
    """A judge as it stands in verdicts and signatures: model, prompts, and what else decides."""
    parts = [f"{model}@{version}", *([f"t{temperature:g}"] if temperature is not None else []), *beside]
    return "+".join(part.replace("|", "/") for part in parts)


@cache
def load_judge(file: Path = PROMPTS) -> tuple[JudgeFile, str]:
    """What a judge is told, and its version with a hash."""
    content = read_config(file, JudgeFile).content
    return content, f"{content.version}.{hashlib.sha256(file.read_bytes()).hexdigest()[:6]}"


def questions_of(
    events: Sequence[Mapping[str, Any]], metric: str, repeats: int, address: str = ""
) -> Iterator[Question]:
    """What a judge is asked about each answer; an answer that there is nothing to ask of is left out.

    Another address of a model that scores or embeds is another question: behind it may be another of the same name.
    """
    told: dict[tuple[str, str], list[str]] = {}
    for event in events:
        asked, answer = str(event["question"]["text"]), event.get("answer")
        earlier = told.setdefault((str(event["mode"]), str(event["patient_id"])), [])
        earlier.append(asked)
        if not isinstance(answer, str) or not answer.strip():
            continue
        question = _question(event, metric, earlier, address)
        for repeat in range(1, (repeats if metric not in UNVARIED else 1) + 1):
            if question:
                yield replace(question, repeat=repeat)


def _question(event: Mapping[str, Any], metric: str, asked: Sequence[str], address: str) -> Question | None:
    """What a judge is asked about an answer; None if there is nothing to ask. `asked` are the questions so far."""
    answer = str(event["answer"])
    payload: dict[str, Any] = {"question": asked[-1], "answer": answer}
    if metric == "faithfulness":
        return Question(event, metric, 1, {"contexts": _contexts(event, asked), "answer": answer})
    if metric == STATUS_JUDGED:
        mentions = [each for each in load_extractor().read(answer).mentions if each.category in CLAIMED]
        payload["spans"] = {str(at): each.text for at, each in enumerate(mentions, 1)}
        places = [(each.start, each.end) for each in mentions]
        return Question(event, metric, 1, payload, places) if mentions else None
    if metric == CSP_JUDGED:
        rules = rules_of(event)
        payload["rules"] = {id: rule.told for id, rule in rules.items()}
        return Question(event, metric, 1, payload, rules=rules) if rules else None
    if metric == CUS_EMBEDDED:
        facts = facts_of(event)
        shown = {"facts": [each.facts for each in facts], "answer": answer, "embedder_url": address}
        return Question(event, metric, 1, shown, facts=facts) if facts else None
    if metric == PERPLEXITY:
        payload["scorer_url"] = address
    return Question(event, metric, 1, payload)


def _contexts(event: Mapping[str, Any], asked: Sequence[str]) -> list[str]:
    """What the author of an answer was shown: prompts, the record, what tools found, and what the patient said."""
    arm = ARMS.get(str(event["mode"]))
    said = asked if arm is None or arm.history else asked[-1:]
    found = [str(call.get("result") or "") for call in tool_calls_of(event)]
    return [*map(str, noted(event, "contexts")), *found, *said]


@dataclass(frozen=True)
class _Judges:
    """The models that judge."""

    prompts: JudgeFile
    judging: Endpoint
    scoring: Endpoint
    embedding: Endpoint

    def verdict(self, question: Question, stop: threading.Event | None = None) -> dict[str, Any]:
        """The verdict on an answer; one that cannot be read is marked."""
        try:
            if question.metric == PERPLEXITY:
                return {"value": self._perplexity(question)}
            if question.metric == CUS_EMBEDDED:
                return self._embedded(question)
            said = self._said(question, stop)
            return READ[question.metric](_json(said), question)
        except Malformed as error:
            return {"value": None, "malformed": True, "said": str(error)[:200]}

    def _said(self, question: Question, stop: threading.Event | None) -> str:
        shown = json.dumps(question.payload, ensure_ascii=False)
        messages = [
            {"role": "system", "content": getattr(self.prompts, question.metric)},
            {"role": "user", "content": shown},
        ]
        event = question.event
        place = str(event["patient_id"]), str(event["turn_id"])
        asked = Asked(messages, "judge", *place, question.repeat, stop=stop)
        return self.judging.answer(asked).answer

    def _perplexity(self, question: Question) -> float:
        found = self.scoring.log_probabilities(f"{question.payload['question']}\n", str(question.payload["answer"]))
        if not found:  # of the endpoint, not of this answer: the next ones would come to the same
            raise EngineError(say("no_log_probabilities"))
        return math.exp(min(700.0, -math.fsum(found) / len(found)))

    def _embedded(self, question: Question) -> dict[str, Any]:
        said = sentences_of(str(question.payload["answer"]))
        facts = list(dict.fromkeys(fact for slot in question.facts for fact in slot.facts))
        vectors = self.embedding.embeddings([*facts, *said])
        if vectors is None:  # of the endpoint, not of this answer
            raise EngineError(say("no_embeddings"))
        uses = uses_of(question.facts, dict(zip(facts, vectors, strict=False)), vectors[len(facts) :])
        return {"value": weighted((slot.weight, uses[slot.slot]) for slot in question.facts), "uses": uses}


def _ask_all(asked: Sequence[Question], name: str, log: KeyedLog, judges: _Judges, concurrency: int) -> list[str]:
    """Ask what is not written down yet, some at a time; what could not be asked is returned in words."""

    def ask(question: Question, stop: threading.Event) -> None:
        key = question.key(name)
        if stop.is_set() or key in log.rows:
            return
        event = question.event
        place = {part: event[part] for part in ("mode", "patient_id", "turn_id")}
        log.append(
            {
                "judge": name, **place, "metric": question.metric, "repeat": question.repeat,
                "answer_hash": answer_hash(event), **judges.verdict(question, stop), "metadata": {"key": key},
            }
        )  # fmt: skip

    return [
        f"{question.metric}, {question.event['mode']}, {question.event['patient_id']}: {error}"
        for question, error in ask_each(asked, ask, concurrency)
    ]


def _json(said: str) -> Any:
    """The JSON object in what a judge said; judges like to fence it."""
    start, end = said.find("{"), said.rfind("}")
    try:
        return json.loads(said[start : end + 1])
    except (ValueError, RecursionError):
        raise Malformed(said) from None


def _read_claims(given: Any, _: Question) -> dict[str, Any]:
    claims = given.get("claims") if isinstance(given, Mapping) else None
    if not isinstance(claims, list) or not all(
        isinstance(each, Mapping) and isinstance(each.get("supported"), bool) for each in claims
    ):
        raise Malformed(json.dumps(given, ensure_ascii=False))
    kept = [{"claim": str(each.get("claim", ""))[:300], "supported": each["supported"]} for each in claims]
    return {"value": sum(each["supported"] for each in kept) / len(kept) if kept else None, "claims": kept}


def _read_relevance(given: Any, _: Question) -> dict[str, Any]:
    grade = given.get("relevance") if isinstance(given, Mapping) else None
    if isinstance(grade, bool) or not isinstance(grade, int) or not 0 <= grade <= MOST_RELEVANT:
        raise Malformed(json.dumps(given, ensure_ascii=False))
    return {"value": grade / MOST_RELEVANT}


def _read_statuses(given: Any, question: Question) -> dict[str, Any]:
    statuses = given.get("statuses") if isinstance(given, Mapping) else None
    if not isinstance(statuses, Mapping):
        raise Malformed(json.dumps(given, ensure_ascii=False))
    spans = []
    for at, (start, end) in enumerate(question.spans, 1):
        if statuses.get(str(at)) not in STATUSES:
            raise Malformed(json.dumps(given, ensure_ascii=False))
        spans.append({"start": start, "end": end, "status": statuses[str(at)]})
    return {"value": None, "spans": spans}


def _read_rules(given: Any, question: Question) -> dict[str, Any]:
    named = given.get("violated") if isinstance(given, Mapping) else None
    if not isinstance(named, list) or not all(isinstance(each, str) and each in question.rules for each in named):
        raise Malformed(json.dumps(given, ensure_ascii=False))
    parts = ((rule.weight, float(id in named)) for id, rule in question.rules.items())
    return {"value": weighted(parts), "violated": sorted(set(named))}


READ: Final[dict[str, Callable[[Any, Question], dict[str, Any]]]] = {
    "faithfulness": _read_claims,
    "answer_relevance": _read_relevance,
    "status": _read_statuses,
    CSP_JUDGED: _read_rules,
}
"""How a verdict on each metric is read."""
