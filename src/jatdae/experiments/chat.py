"""Conversations of an experiment: every script in every arm, turn by turn, resumed without asking again."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from jatdae.dialogue.events import WRITTEN
from jatdae.experiments.arms import Arm, Prompt, messages_of
from jatdae.experiments.eventlog import KeyedLog
from jatdae.experiments.fhir import Patient
from jatdae.experiments.pool import Course, ask_each
from jatdae.experiments.targets import Asked, Reply, Target
from jatdae.experiments.tools import TOOLS, RecordTools

CHARACTERS_PER_TOKEN: Final = {"en": 4.0, "ko": 1.7}
"""Rough lengths of tokens, for an estimate before anything is asked."""
EXPECTED_ANSWER: Final = 500
"""Tokens of an answer, for the same estimate."""


@dataclass(frozen=True)
class Plan:
    """What is asked of whom: scripts, arms, repeats, and what goes into the key of every answer."""

    scripts: Sequence[Mapping[str, Any]]
    arms: Sequence[Arm]
    model: str
    prompts: Mapping[str, Prompt]
    prompt_hash: str
    run_id: str
    repeats: int = 1
    records: Mapping[str, Patient] = field(default_factory=dict)

    def conversations(self) -> Iterator[Conversation]:
        """All conversations, in the order of the scripts."""
        for script in self.scripts:
            for arm in self.arms:
                for repeat in range(1, self.repeats + 1):
                    yield Conversation(self, script, arm, repeat)

    @property
    def turns(self) -> int:
        """How many answers the experiment has."""
        return sum(len(script["turns"]) for script in self.scripts) * len(self.arms) * self.repeats


@dataclass(frozen=True)
class Conversation:
    """One patient in one arm, once."""

    plan: Plan
    script: Mapping[str, Any]
    arm: Arm
    repeat: int

    @property
    def patient(self) -> str:
        """Id of the patient, the same for every repeat."""
        return str(self.script["patient_id"])

    @property
    def id(self) -> str:
        """Id of the conversation: a repeat has its own."""
        return self.patient if self.repeat == 1 else f"{self.patient}#{self.repeat}"

    def key(self, turn: Mapping[str, Any]) -> str:
        """What tells an answer from all others: whoever finds it written down need not ask again."""
        parts = [_hash(self.script), self.arm.name, self.plan.model, self.plan.prompt_hash, self.patient]
        return _hash([*parts, str(turn["turn_id"]), self.repeat])

    def answer_all(
        self, target: Target, log: KeyedLog, answered: Callable[[Reply], None], stop: threading.Event
    ) -> None:
        """Ask turn after turn; answers that are written down already are not asked for."""
        history: list[tuple[str, str]] = []
        patient = self.plan.records.get(self.patient)
        day = str(self.script.get("index_date") or "9999-12-31")
        tools = RecordTools(patient, day) if patient and self.arm.tools else None
        record = RecordTools(patient, day).as_text() if patient and self.arm.record else ""
        prompt = self.plan.prompts[str(self.script.get("lang") or "en")]
        for turn in self.script["turns"]:
            if stop.is_set():
                return
            question = _text(turn["question"])
            event = log.rows.get(self.key(turn))
            if event is None:
                messages = messages_of(self.arm, prompt, question, history, record)
                asked = Asked(
                    messages, self.arm.name, self.id, str(turn["turn_id"]), self.repeat,
                    TOOLS if tools else (), tools.call if tools else None, stop,
                )  # fmt: skip
                reply = target.answer(asked)
                event = self._event(turn, question, reply, messages)
                log.append(event)
                answered(reply)
            history.append((question, event["answer"]))

    def _event(
        self, turn: Mapping[str, Any], question: str, reply: Reply, messages: list[dict[str, Any]]
    ) -> dict[str, Any]:
        named = turn["question"].get("question_id") if isinstance(turn["question"], Mapping) else None
        return {
            "schema_version": WRITTEN,
            "run_id": self.plan.run_id,
            "mode": self.arm.name,
            "patient_id": self.id,
            "cluster": self.patient,
            "turn_id": turn["turn_id"],
            "question": {"question_id": named or f"{self.patient}:{turn['turn_id']}", "text": question},
            "answer": reply.answer,
            "timestamp_utc": datetime.now(UTC).isoformat(timespec="seconds"),
            "usage": dict(reply.usage) or None,
            "timing_ms": dict(reply.timing_ms) or None,
            "slots_truth": self.script["slots"],
            "metadata": {
                "key": self.key(turn),
                "model": self.plan.model,
                "repeat": self.repeat,
                "attempts": reply.attempts,
                "finish": reply.finish,
                "contexts": [message["content"] for message in messages if message["role"] == "system"],
                "tool_calls": [dict(call) for call in reply.tool_calls],
            },
        }


@dataclass
class Tally:
    """What has been answered so far."""

    turns: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    unmetered: int = 0
    """Answers whose tokens are not known."""
    failures: list[str] = field(default_factory=list)

    def add(self, reply: Reply) -> None:
        """Count one answer."""
        self.turns += 1
        self.unmetered += not reply.usage.keys() >= {"prompt_tokens", "completion_tokens"}
        self.tokens_in += reply.usage.get("prompt_tokens", 0)
        self.tokens_out += reply.usage.get("completion_tokens", 0)


def hold_conversations(
    plan: Plan, target: Target, log: KeyedLog, *, concurrency: int, progress: Callable[[Tally], None]
) -> Tally:
    """Hold all conversations, some at a time. One that fails is told and stops; the others go on."""
    tally = Tally()
    counting = threading.Lock()

    def answered(reply: Reply) -> None:
        with counting:
            tally.add(reply)
            progress(tally)

    def ask(conversation: Conversation, course: Course) -> None:
        def noted(reply: Reply) -> None:
            course.answered()
            answered(reply)

        conversation.answer_all(target, log, noted, course)

    failures = ask_each(plan.conversations(), ask, concurrency)
    tally.failures += [f"{each.arm.name}, {each.id}: {error}" for each, error in failures]
    return tally


def estimate_tokens(plan: Plan) -> tuple[int, int]:
    """Tokens that the questions and the answers will take, roughly; tool calls are not known before."""
    asked = answered = 0.0
    for conversation in plan.conversations():
        language = str(conversation.script.get("lang") or "en")
        per_token = CHARACTERS_PER_TOKEN[language]
        patient = plan.records.get(conversation.patient)
        day = str(conversation.script.get("index_date") or "9999-12-31")
        record = RecordTools(patient, day).as_text() if patient and conversation.arm.record else ""
        history: list[tuple[str, str]] = []
        for turn in conversation.script["turns"]:
            question = _text(turn["question"])
            messages = messages_of(conversation.arm, plan.prompts[language], question, history, record)
            asked += sum(len(str(message["content"])) for message in messages) / per_token
            answered += EXPECTED_ANSWER
            history.append((question, "x" * int(EXPECTED_ANSWER * per_token)))
    return round(asked), round(answered)


def _text(question: Any) -> str:
    return str(question["text"] if isinstance(question, Mapping) else question)


def _hash(value: Any) -> str:
    written = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(written.encode()).hexdigest()[:24]
