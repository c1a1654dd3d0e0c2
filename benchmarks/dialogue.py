"""The dialogue evaluator on answers of 900 characters, all five scores, beside the bare search for the lexicon's words.

The peer is ahocorasick_rs itself: one pass over the same texts for the same surfaces, which is the least any extractor
of this kind has to do. Ratios hold on a busy machine, where answers per second do not. What has been read is remembered
by sentence, so there are two numbers: of answers that share their sentences, as those of one model do in part, and of
answers in which no sentence ever comes again.

    python benchmarks/dialogue.py [--conversations 60] [--repeat 5]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import count, cycle, islice
from typing import Any

from ahocorasick_rs import AhoCorasick, MatchKind
from timing import best

from jatdae.core.contract import Sample
from jatdae.dialogue import DialogueEvaluator
from jatdae.dialogue.lexicon import load_lexicon
from jatdae.dialogue.vocabulary import fold

SIZE = 900
TURNS = 5
PATIENT: dict[str, Any] = {
    "age": 67,
    "sex": "female",
    "primary_condition": "Type 2 diabetes mellitus",
    "comorbidities": ["Hypertension", "Chronic kidney disease stage 3"],
    "active_meds": ["Metformin 500 MG Oral Tablet", "Lisinopril 10 MG Oral Tablet"],
    "vitals": {"blood_pressure": "152/94"},
    "labs": {"HbA1c": {"value": 7.8, "unit": "%"}, "eGFR": 48},
}
KOREAN = (
    "말씀해 주셔서 감사합니다. 지금까지 알려 주신 내용을 바탕으로 하나씩 차근차근 설명해 드리겠습니다.",
    "환자분은 67세 여성으로 제2형 당뇨병과 고혈압이 있으십니다.",
    "최근 결과를 보면 당화혈색소가 7.8%로 목표보다 조금 높은 편이어서 생활 습관을 함께 살펴보는 것이 필요합니다.",
    "운동은 처음부터 욕심내지 말고 식후에 동네를 가볍게 도는 정도로 시작하시면 됩니다.",
    "익숙해지면 시간을 조금씩 늘리고, 몸이 보내는 신호를 잘 들으면서 속도를 조절해 보세요.",
    "가슴이 답답하거나 어지러운 느낌이 들면 바로 멈추고 편한 곳에서 쉬세요.",
    "식사는 정해진 시간에 하시고, 한 번에 많이 드시기보다 나누어 드시는 것이 도움이 됩니다.",
    "국물은 남기시고 젓갈처럼 짠 반찬은 피하세요.",
    "메트포르민은 지금처럼 계속 복용하시고, 궁금한 점은 다음 진료 때 담당 의사와 상의해 주세요.",
    "작은 변화라도 꾸준히 이어 가시면 몇 달 뒤에는 분명히 좋은 결과가 있을 것입니다.",
    "가족과 함께 기록을 남기면 변화를 더 쉽게 알아볼 수 있고 오래 이어 가는 데에도 도움이 됩니다.",
    "잠을 충분히 주무시고 스트레스를 줄이는 시간도 하루에 조금씩 가져 보세요.",
)
ENGLISH = (
    "Thank you for telling me how the last weeks went; let us go through what matters one step at a time.",
    "You are a 67-year-old woman with type 2 diabetes and high blood pressure.",
    "Your HbA1c is 7.8%, which is a little above what we hoped for, so it is worth looking at daily habits together.",
    "Begin with something easy that you enjoy, and give yourself a few weeks to get used to it before doing more.",
    "Walk for half an hour after dinner on five days a week, at a pace that still lets you talk.",
    "If your chest feels tight or you become dizzy, stop at once and sit down.",
    "Regular mealtimes make the day more predictable and keep you from getting too hungry in the evening.",
    "Avoid salty soups and look at the labels when you shop.",
    "Keep taking your metformin as you do now, and bring any questions to your next appointment.",
    "Small steps that you can keep up are worth more than a perfect plan that lasts a week.",
    "Writing things down helps many people notice progress they would otherwise have missed.",
    "Sleep and a bit of quiet time every day do more than most of us would expect.",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--conversations", type=int, default=60)
    parser.add_argument("--repeat", type=int, default=5, help="the best of so many")
    options = parser.parse_args()
    evaluator = DialogueEvaluator()
    for language, sentences in (("Korean", KOREAN), ("English", ENGLISH)):
        serial = count()
        shared = [conversation(number, sentences) for number in range(options.conversations)]
        texts = [fold(row["answer"]) for sample in shared for row in sample.prediction]
        finder = AhoCorasick([s.text for s in load_lexicon().surfaces], matchkind=MatchKind.LeftmostLongest)
        bare = best(lambda: [finder.find_matches_as_indexes(text) for text in texts], options.repeat)  # noqa: B023
        ours = best(lambda: [evaluator.score(sample) for sample in shared], options.repeat)  # noqa: B023
        new = min(
            best(lambda: [evaluator.score(sample) for sample in unique], 1)  # noqa: B023
            for _ in range(options.repeat)
            for unique in [[conversation(n, sentences, serial) for n in range(options.conversations)]]
        )
        print(
            f"{language:8} {len(texts) / ours:8,.0f} answers/s with all scores, "
            f"{len(texts) / new:,.0f} of new sentences, "
            f"{len(texts) / bare:9,.0f} searched only, ratios {ours / bare:.0f} and {new / bare:.0f}"
        )


def conversation(number: int, sentences: tuple[str, ...], serial: Iterator[int] | None = None) -> Sample:
    """Five answers of 900 characters, each beginning at another sentence; `serial` makes every sentence a new one."""
    rows = []
    for turn in range(1, TURNS + 1):
        start = (number * TURNS + turn) % len(sentences)
        chosen = islice(cycle(sentences), start, start + 40)
        if serial is not None:
            chosen = (f"{sentence[:-1]} [{next(serial)}]." for sentence in chosen)
        answer = " ".join(chosen)[:SIZE]
        rows.append(
            {"turn_id": turn, "question": {"text": "How am I doing?"}, "answer": answer, "slots_truth": PATIENT}
        )
    return Sample(f"patient-{number}", rows, None, system="llm")


if __name__ == "__main__":
    main()
