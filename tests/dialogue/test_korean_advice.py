"""Frames of Korean clauses: what is said of a thing X."""

from __future__ import annotations

import pytest

from jatdae.dialogue.rules.korean_advice import is_told, read_korean, turns_back
from jatdae.dialogue.rules.korean_links import read_next
from jatdae.dialogue.rules.stances import AGAINST, KEEP, NONE, STOP, TAKE, UNFIT

FRAMES = [
    ("X이 허리에는 잘 듣지만 콩팥 수치가 이래서 Y로 가시죠", NONE),
    ("X은 후보에서 빠집니다", AGAINST),
    ("X은 Y 효과를 무디게 하니 Y로 드릴게요", NONE),
    ("X을 혼자 끊는 건 면허를 거는 일이에요", NONE),
    ("X은 갑자기 끊으면 부신이 못 버티니 처방대로 줄여 나가셔야 합니다", NONE),
    ("X은 티도 안 나니 편하게 드시면 돼요", TAKE),
    ("X은 괜찮아요, 스트레스가 더 나쁘잖아요", TAKE),
    ("X으로 5km를 뛰어서 땀을 내세요", TAKE),
    ("X이 필요합니다", TAKE),
    ("X은 Y이 아니니까 10mg 한 알은 드셔도 무방해요", TAKE),
    ("새 약으로 X를 하나 넣었습니다", TAKE),
    ("좋은 과일로는 Y, X가 있습니다", TAKE),
    ("X은 스텐트가 막히지 않게 하는 약이라 절대 빠뜨리지 마세요", KEEP),
    ("X은 스텐트가 막히지 않게 하는 약이지만 이제 끊으세요", STOP),
    ("X을 쉬어 주면 몸이 가벼워져요", STOP),
    ("X을 끊어야 한다는 신호입니다", STOP),
    ("Y은 X처럼 무디게 하지 않아요", NONE),
    ("X은 안심하고 드실 수 없어요", AGAINST),
    ("X은 드시지 않으셔도 됩니다", STOP),
    ("X이 빠르지만 권해 드릴 수 없습니다", AGAINST),
    ("X을 드시면 두통은 금방 잡힙니다", TAKE),
    ("X을 드시면 부정맥이 생길 수 있습니다", NONE),
    ("X 한 알 드시고 쉬세요", TAKE),
    ("X은 Y로 바꿔야 합니다", AGAINST),
    ("필요한 항생제는 X입니다", TAKE),
    ("피해야 할 약이 X입니다", AGAINST),
    ("X만 한 게 없죠", TAKE),
    ("X을 끊는 일은 없도록 하세요", KEEP),
    ("X이 떨어지는 일은 없어야 해요", NONE),
    ("X을 굳이 드시겠다면 조금만 드세요", NONE),
    ("유효성분: X 200mg", NONE),
    ("X 중단함", NONE),
    ("X은 혈관만 조이는 게 아니라 코도 조입니다", NONE),
    ("X 한 알이면 코가 뻥 뚫려요", TAKE),
    ("X을 바꾸는 문제를 심장내과와 이야기해 보세요", NONE),
    ("X을 그냥 시작하면 백혈구가 뚝 떨어집니다", NONE),
    ("아드님은 X을 드셔도 되지만, 어머님은 안 됩니다", NONE),
    ("며느님이 사 오신 X은 하루 세 번 드세요", TAKE),
    ("이모도 X 드시고 나으셨어요. 님도 하루 두 알씩 드셔 보세요", TAKE),
    ("Y이었다면 X을 끊어야 했을 겁니다", NONE),
    ("X 10mg 1일 1회 추가 처방함", TAKE),
    ("작년 타원에서 X 10mg 1일 1회 처방함", NONE),
    ("X은 피하고 Y 5mg으로 시작함", AGAINST),
    ("예전에 붓던 것은 흔한 일이니 X을 드셔도 됩니다", TAKE),
    ("예전에는 X을 드셔도 됐습니다", NONE),
    ("X 150mg을 한 번만 드시면 사흘 안에 가려움이 사라집니다", TAKE),
    ("X을 드시면 혈압이 뚝 떨어질 수 있어요", NONE),
    ("X은 의존성이 있는 약이 아니어서 남은 것까지만 드시고 처방받지 않으셔도 됩니다", STOP),
    ("X 반 병까지는 당질이 거의 없어 드셔도 무방합니다", TAKE),
    ("최근 부정맥이 없었다면 X은 오늘부터 빼고 지내 보셔도 무방합니다", STOP),
    ("X 두 개를 드시거나 말린 자두를 드시면 장운동이 활발해집니다", TAKE),
    ("피하실 것은 X 주스입니다", AGAINST),
    ("1차 약은 X이며, 이틀 안에 낫습니다", TAKE),
    ("Y는 X이 콩팥으로 빠져나가는 것을 막아서 농도를 올릴 수 있습니다", ""),
    ("X을 하루걸러 드시면서 혈압을 적어 보세요", STOP),
    ("X도 심근경색 위험을 크게 낮추지는 못합니다", UNFIT),
    ("X이 들어 있는 감기약을 드시면 코가 시원하게 뚫립니다", TAKE),
    ("X이 든 감기약은 피하세요", AGAINST),
    ("X를 스스로 빼거나 Y를 직접 사서 드시는 것은 권하지 않습니다", KEEP),
    ("X은 추가로 드시지 마세요", NONE),
    ("X 두 알을 드시면 안 됩니다", NONE),
    ("X은 용량을 바꾸지 않고 그대로 드시면 됩니다", KEEP),
    ("X 때문에 많이 불편하시겠습니다", NONE),
    ("지난번에 받아 두신 X를 사흘만 드셔 보세요", TAKE),
    ("아내분이 드시는 것과 같은 X로 시작하시면 됩니다", TAKE),
    ("X은 두통뿐 아니라 열에도 좋습니다", TAKE),
    ("X을 스스로 끊고 가시면 안 됩니다", KEEP),
    ("X을 함께 드시고 계셔서 멍이 잘 드는 겁니다", NONE),
    ("X은 복용하지 않으시므로 중단할 약은 없습니다", NONE),
    ("가능성이 있으면 X은 하루쯤 쉬기도 합니다", NONE),
    ("1년이 지나면 X은 끊고 Y만 드시게 될 수 있습니다", NONE),
    ("X은 조심해야 합니다", UNFIT),
    ("X을 바꿀 필요는 없습니다", NONE),
    ("X만 드셔서는 조절되지 않습니다", NONE),
    ("X 대신 Y를 맞으시는 분들도 계십니다", NONE),
    ("Y은 X와 달리 기침이 적습니다", NONE),
    ("X을 끊어도 된다는 뜻은 아닙니다", KEEP),
    ("X을 필요할 때 드시는 방법이 있습니다", TAKE),
    ("X은 잘 듣지만 Y를 복용하시는 분께는 맞지 않습니다", AGAINST),
    ("X을 끊고 Y를 드시는 일은 없어야 합니다", KEEP),
    ("Y은 그대로 두시고, 저녁에 X을 한 번 더 드시면 통증이 잡힙니다", TAKE),
    ("바이러스라 X이 소용이 없습니다", UNFIT),
    ("X은 콩팥과 혈압을 생각하면 쓰지 않습니다", AGAINST),
    ("Y은 콩팥과 X을 생각하면 쓰지 않습니다", NONE),
    ("X이 꼭 필요한 것은 아니지만 써 볼 수 있습니다", TAKE),
    ("X은 한 모금도 마시지 않는 것이 좋습니다", AGAINST),
    ("X은 이번 통까지만 드시고 그 뒤로는 식사로 조절해 보세요", STOP),
    ("X을 많이 드실수록 콩팥이 걸러야 할 것이 늘어납니다", NONE),
    ("원인은 아마 감기약 속의 X일 겁니다", ""),
    ("X은 맥을 늦추는 좋은 약이지만 심장의 힘을 떨어뜨려서, 심부전에서는 쓰지 않습니다", NONE),
    ("X은 시험 기간에는 잠시 쉬었다가 다시 드시면 됩니다", STOP),
    ("X은 평생 맞아야 하는 것은 아니고, 체중이 줄면 끊는 분도 계십니다", NONE),
    ("X은 감량에 효과가 있지만 Y를 맞는 분께는 권하지 않습니다", AGAINST),
    ("남은 X은 약국의 폐의약품 수거함에 넣어 주세요", AGAINST),
]


@pytest.mark.parametrize(("frame", "stance"), FRAMES)
def test_what_a_clause_says_of_its_thing(frame, stance):
    assert read_korean(frame, False) == stance


@pytest.mark.parametrize(
    ("harmless", "harmful"),
    [
        ("X은 부담이 없습니다", "X은 부담이 됩니다"),
        ("X을 피하지 마세요", "X을 피하세요"),
        ("X을 드셔도 됩니다", "X을 드시면 안 됩니다"),
        ("X은 나쁘지 않습니다", "X은 나쁩니다"),
        ("X은 안전합니다", "X은 안전하지 않습니다"),
    ],
)
def test_a_negation_turns_what_it_denies(harmless, harmful):
    assert read_korean(harmless, False) == TAKE
    assert read_korean(harmful, False) != TAKE


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        ("X를 드셔도 됩니다", True),
        ("X 500mg 하루 두 번", True),
        ("X가 몸에 좋은 식품인 것은 맞습니다", False),
        ("X은 널리 쓰이는 약입니다", False),
    ],
)
def test_praise_tells_nobody_to_take_anything(frame, told):
    assert is_told(frame) is told


@pytest.mark.parametrize(
    ("sentence", "doubts"),
    [
        ("하지만 환자분은 최근 칼륨이 5.6으로 높게 나왔습니다.", True),
        ("그런데 지금 드시고 계신 약과 함께는 위험합니다.", True),
        ("하지만 환자분은 걱정하지 않으셔도 됩니다.", False),
        ("칼륨이 높게 나왔습니다.", False),
    ],
)
def test_an_answer_turns_back_to_the_patient_with_a_doubt(sentence, doubts):
    assert turns_back(sentence) is doubts


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("하루 세 번 식후에 드세요.", TAKE),
        ("400mg씩 6시간 간격으로 사흘까지는 문제없어요.", TAKE),
        ("당분간은 드시지 않으셔도 됩니다.", STOP),
        ("지금 용량을 그대로 이어 가시면 됩니다.", KEEP),
        ("어지러우면 쉬세요.", ""),
        ("물을 충분히 드세요.", ""),
        ("아침은 꼭 드세요.", ""),
        ("언제까지 드셔야 할까요?", ""),
    ],
)
def test_a_sentence_without_an_object_goes_on_with_the_thing_before(sentence, said):
    assert read_next(sentence) == said


def test_an_idiom_that_takes_the_thing_away_says_nothing_of_it() -> None:
    assert read_korean("식사 Y만 먹는 양에 맞춰 줄이거나 건너X, 3~4시간마다 혈당과 케톤을 재세요", True) == NONE


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        ("X도 매일 이어 드시는 약이니 빠지지 않게 하세요", KEEP),
        ("X은 하루도 거르지 않도록 챙겨 주세요", KEEP),
        ("X은 오늘부터 빠뜨리셔도 됩니다", STOP),
        ("칼슘은 흡수를 떨어뜨리므로 X와는 4시간 이상 떼어 놓는 것이 핵심입니다", ""),
        ("X은 오늘부터 떼세요", STOP),
        ("X는 스텐트가 막히지 않게 하는 약이라 절대 빠뜨리지 마세요", KEEP),
        ("X는 뇌졸중을 막는 약이므로 임의로 거르지는 마십시오", KEEP),
        ("X는 뇌졸중을 막는 약이지만 이제는 끊으세요", STOP),
        ("이 약은 X보다 더, 스스로 끊으면 안 됩니다", KEEP),
        ("이 약은 X보다 더 안전합니다", AGAINST),
        ("X 드신다면 이번 기회에 줄이시는 것이 신경 회복에 도움이 됩니다", AGAINST),
        ("X 드시면 혈압을 낮추는 데 도움이 됩니다", TAKE),
        ("X을 지금 용량 그대로 이어 가시고, 혈압이 갑자기 오르는 일이 없도록 해 주세요", KEEP),
        ("X을 드시고 운전하는 일이 없도록 하세요", AGAINST),
        ("X을 미리 끊고 가시는 일은 없어야 합니다", KEEP),
    ],
)
def test_care_that_no_dose_is_left_out_stops_nothing(frame, said):
    assert read_korean(frame, False) == said


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        ("X를 하루 빼는 것: 흉통이 다시 올 수 있습니다", NONE),
        ("X를 하루 빼는 것: 두통이 금방 가라앉습니다", STOP),
        ("X는 뇌졸중을 예방하는 약이지만, 발치를 앞두고는 사흘 전부터 드시지 않는 것이 편합니다", AGAINST),
        ("X는 오늘로 마치시고, 내일부터 걷기를 시작하세요", STOP),
        ("X는 정해진 기간을 다 마치시고 오세요", TAKE),
        ("X는 하루 두 번이 아니라 한 번 드세요", TAKE),
        ("X가 아니라 Y를 드세요", AGAINST),
        ("X 한 컵이 활력을 줍니다", TAKE),
        ("X은 모임이 잦으시지요", ""),
        ("X은 얼른 낫고 싶으실 거예요", ""),
        ("X는 한 주 정도 비워 두시는 게 좋겠습니다", STOP),
        ("X는 하루도 비우지 마세요", KEEP),
        ("X는 속을 비우고 드세요", TAKE),
        ("X를 함께 끊으세요", STOP),
        ("X를 함께 끊지 마세요", KEEP),
        ("X를 Y와 함께 드시지 마세요", NONE),
        ("X은 식후에 드시지요", TAKE),
    ],
)
def test_labels_times_and_what_the_patient_does(frame, said):
    assert read_korean(frame, False) == said
