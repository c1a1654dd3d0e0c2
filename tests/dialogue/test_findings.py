"""What is wrong in a conversation, in words."""

from __future__ import annotations

from pathlib import Path

import jatdae
from jatdae import DialogueEvaluator
from jatdae.core.messages import speaking

PAIRS = Path(jatdae.__file__).parent / "dialogue" / "samples" / "pairs.jsonl"


def test_the_gravest_comes_first_and_every_line_names_its_turn() -> None:
    evidence = jatdae.evaluate(PAIRS, "dialogue").sample("patient-a", "llm").evidence
    found = list(DialogueEvaluator.findings(evidence))
    assert found[0].startswith("Turn 3: rule violated: CSP_EX_001 ")
    assert found[0].endswith("The answer recommends or allows: “고강도 인터벌”")
    assert any(line.startswith("Turn 2: not true of the patient: “와파린”. The record lists: ") for line in found)
    assert "contradicts itself: Turn 1 says: “67세” – Turn 5 says: “65세”" in found
    assert "Turn 3: The answer does not say: when to stop" in found
    with speaking("ko"):
        assert "3번째 턴: 답변에 빠진 내용: 중단 기준" in list(DialogueEvaluator.findings(evidence))


def test_a_conversation_without_faults_says_so() -> None:
    assert list(DialogueEvaluator.findings({"turns": []})) == ["Nothing was found wrong."]
