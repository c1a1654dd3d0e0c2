"""Whether an answer agrees to what it was asked without naming it."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.rules.consent import find_consent
from jatdae.dialogue.rules.replies import asked_of
from jatdae.dialogue.rules.stances import STOP, TAKE

CONSENTS = [
    ("Yes, that's okay, go ahead.", True),
    ("Sure, those two go fine together.", True),
    ("Yes.", True),
    ("No, please keep those two apart.", False),
    ("I'd rather you didn't.", False),
    ("Acetaminophen is fine.", False),
    ("네, 그 정도는 괜찮으니 그냥 드세요.", True),
    ("네. 매일 드셔도 됩니다.", True),
    ("아니요, 같이 드시지 않는 게 좋겠습니다.", False),
    ("그 약은 신장에 부담이 되니 다른 걸로 처방해 드릴게요.", False),
    ("", False),
]


@pytest.mark.parametrize(("answer", "agrees"), CONSENTS)
def test_an_answer_may_agree_without_naming_anything(answer, agrees):
    assert (find_consent(load_extractor().read(answer), TAKE) is not None) == agrees


ASKED = [
    ("can i have some wine?", "Yes.", TAKE),
    ("can i stop metoprolol?", "Yes, go ahead.", STOP),
    ("can i stop metoprolol?", "No, keep taking it.", ""),
    ("do i still need plavix?", "No, you can stop it now.", STOP),
    ("do i still need plavix?", "Yes. Please don't stop it.", ""),
    ("플라빅스를 계속 먹어야 하나요?", "아니요, 이제 끊으셔도 됩니다.", STOP),
    ("is a hard ride safe?", "At 305 it can push you towards ketoacidosis, so skip it.", ""),
]


@pytest.mark.parametrize(("question", "answer", "agreed"), ASKED)
def test_what_is_agreed_to_depends_on_what_was_asked(question, answer, agreed):
    asked = asked_of(question)
    assert (find_consent(load_extractor().read(answer), asked) is not None) == bool(agreed)
    assert not agreed or (asked == TAKE) == (agreed == TAKE)


@pytest.mark.parametrize(
    ("answer", "asked", "agrees"),
    [
        ("수치가 잘 조절되고 있네요. 약은 계속 드세요.", STOP, False),
        ("경과가 아주 좋습니다.", STOP, False),
        ("네, 궁금하실 수 있습니다.", STOP, False),
        ("그렇게 하셔도 무방합니다.", STOP, True),
        ("네, 오늘부터 안 드셔도 됩니다.", STOP, True),
        ("네, 괜찮습니다. 임의로 끊지 마세요.", STOP, False),
        ("Great to hear that you feel well.", STOP, False),
        ("Good question.", TAKE, False),
        ("That would be fine.", STOP, True),
        ("Of course, you can. You have done well.", STOP, True),
    ],
)
def test_only_a_word_of_assent_agrees_to_what_was_asked(answer, asked, agrees):
    assert (find_consent(load_extractor().read(answer), asked) is not None) == agrees


def test_a_later_sentence_about_the_same_thing_outweighs_a_consent():
    passage = load_extractor().read("Sure, no problem. Ibuprofen is not safe for you, though.")
    about = frozenset(mention.concept.id for mention in passage.mentions)
    assert find_consent(passage, TAKE) is not None
    assert find_consent(passage, TAKE, about) is None


@pytest.mark.parametrize(
    ("answer", "agrees"),
    [
        ("안녕하세요. 치료를 시작하시는군요.\n\n결론부터 말씀드리면 **두 가지를 같이 드셔도 됩니다.** 힘내세요.", True),
        ("안녕하세요. 문의 감사합니다. 둘 다 함께 드셔도 괜찮습니다.", True),
        ("안녕하세요. 치료를 시작하시는군요. 두 약을 같이 드시면 안 됩니다.", False),
        ("안녕하세요. 치료를 시작하시는군요. 두 약을 함께 드셔도 되는지는 약사와 상의하세요.", False),
        ("안녕하세요. 두 약을 함께 드셔도 된다는 말은 사실이 아닙니다.", False),
        ("안녕하세요. 두 약은 열두 시간 간격을 두고 따로 드세요.", False),
    ],
)
def test_leave_to_take_both_may_come_after_a_greeting(answer, agrees):
    assert (find_consent(load_extractor().read(answer), TAKE) is not None) == agrees
