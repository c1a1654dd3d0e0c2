"""Long Korean answers: lists to be ticked, symptoms that tell a disease, other people's diseases, what is left open."""

from __future__ import annotations

import pytest

from jatdae.dialogue import score_turn
from jatdae.dialogue.reading.mentions import load_extractor

from .planting import NOBODY


def _read(answer: str, text: str) -> tuple[str, str]:
    return next((m.status, m.polarity) for m in load_extractor().read(answer).mentions if m.text == text)


@pytest.mark.parametrize(
    ("answer", "text", "status", "polarity"),
    [
        ("환자분께는 심방세동이 없어 해당되지 않습니다.", "심방세동", "patient_fact", "negated"),
        ("환자분은 심방세동이 있어 항응고제가 필요하십니다.", "심방세동", "patient_fact", "affirmed"),
        ("- 빈혈이 없으시고(혈색소 14.6) 변에 이상이 없습니다.", "빈혈", "patient_fact", "negated"),
        ("메토클로프라미드는 떨림을 심하게 하므로 피해 주세요.", "메토클로프라미드", "advised_against", "affirmed"),
        ("가정혈압은 135/85가 기준입니다.", "135/85", "general", "affirmed"),
        ("BMI가 33.1이시니 기준에는 들어갑니다.", "BMI", "patient_fact", "affirmed"),
        ("혈색소 10.4로 철분이 많이 부족합니다.", "혈색소", "patient_fact", "affirmed"),
        ("운동 중 가슴 답답함, 어지럼이 생기면 멈추세요.", "가슴 답답함", "conditional", "affirmed"),
        ("혈압이 180/120을 넘으면서 가슴 통증이 있으면 119를 부르세요.", "혈압", "conditional", "affirmed"),
        ("작년에 뇌경색을 겪으셨어도 지금 안정되어 있다면 가능합니다.", "뇌경색", "patient_fact", "affirmed"),
        ("예전 백내장 수술 때도 잘 견디셨습니다.", "백내장 수술", "patient_fact", "affirmed"),
        ("로사르탄 같은 약을 추가하는 방법을 검토할 수 있습니다.", "로사르탄", "hedged", "affirmed"),
        ("로사르탄 같은 약을 추가하세요.", "로사르탄", "recommended", "affirmed"),
        ("에제티미브를 추가하는 것을 다음 진료에서 상의하겠습니다.", "에제티미브", "hedged", "affirmed"),
        ("지금 처방된 것은 스피리바와 심비코트 두 가지이며, 쓴 뒤 헹구세요.", "스피리바", "patient_fact", "affirmed"),
        ("콜히친을 먹는 동안 술을 마시면 더 붓습니다.", "콜히친", "conditional", "affirmed"),
        ("가능하면 위암을 앓으신 어머님이 먼저 검사를 받으세요.", "위암", "family", "affirmed"),
        ("위암을 앓으신 환자분은 정기 검진을 받으세요.", "위암", "patient_fact", "affirmed"),
        ("다음 중 셋이면 오세요.\n□ 고혈압이 있거나 치료 중이다", "고혈압", "conditional",
         "affirmed"),
        ("다음에 해당되면 오세요.\n① 천식을 앓았다\n② 숨이 차다", "천식", "conditional", "affirmed"),
        ("스텐트 시술을 받은 뒤의 운동은 중요합니다. 61세 남성이십니다.", "스텐트 시술", "patient_fact", "affirmed"),
        ("아직 당뇨병은 아닙니다.", "당뇨병", "patient_fact", "negated"),
        ("아세트아미노펜은 가능, 이부프로펜은 안 됩니다.", "아세트아미노펜", "recommended", "affirmed"),
        ("아세트아미노펜은 가능, 이부프로펜은 안 됩니다.", "이부프로펜", "advised_against", "affirmed"),
        ("아토르바스타틴은 뼈에 해롭지 않으니 지금처럼 드시면 됩니다.", "아토르바스타틴", "patient_fact", "affirmed"),
        ("임신 전부터 당뇨병이 있었을 가능성은 낮습니다.", "당뇨병", "hedged", "affirmed"),
        ("- 아세트아미노펜 650mg을 하루 세 번까지", "아세트아미노펜", "recommended", "affirmed"),
        ("빈혈이 없는 산모에게도 철분제를 권합니다.", "빈혈", "general", "affirmed"),
        ("임신성 고혈압은 두통으로 시작하기도 하는데, 괜찮으십니다.", "임신성 고혈압", "general", "affirmed"),
        ("**잘 드시는 법**\n- 제산제와는 두 시간 간격", "제산제", "general", "affirmed"),
        ("수면제부터 찾기 전에 2주만 해 볼 일이 있습니다.", "수면제", "general", "affirmed"),
        ("- **휴미라**: 날짜를 맞추세요. 지금 2주마다 맞고 계시지요.", "휴미라", "patient_fact", "affirmed"),
        ("- 칼륨 3.9, 나트륨 139: 이뇨제를 드시는 분에게서 떨어집니다.", "칼륨", "patient_fact", "affirmed"),
        ("LDL 66으로 뇌졸중 환자의 목표인 70 미만입니다.", "LDL", "patient_fact", "affirmed"),
        ("일반적으로 LDL 70으로 환자의 목표를 정합니다.", "LDL", "general", "affirmed"),
        ("67세이십니다. 비염이 심해지면 기침이 납니다.", "비염", "patient_fact", "affirmed"),
        ("67세이십니다. 비염이 있으면 기침이 납니다.", "비염", "conditional", "affirmed"),
        ("씬지로이드는 공복에, 철분제는 적어도 4시간 뒤에 드세요.", "씬지로이드", "recommended", "affirmed"),
        ("자누메트는 계속 드시되, 혈당이 오를 수 있습니다.", "자누메트", "patient_fact", "affirmed"),
        ("엽산은 입안 헒을 절반 가까이 줄여 줍니다.", "엽산", "general", "affirmed"),
        ("소금은 조금씩 줄여 주세요.", "소금", "advised_against", "affirmed"),
        ("콜히친을 낮은 용량으로 쓰는 방법이 더 낫습니다.", "콜히친", "recommended", "affirmed"),
        ("- 고혈압: 약 복용 중.", "고혈압", "patient_fact", "affirmed"),
        ("- **건염**: 밤에 갑자기 극심하게 아픔", "건염", "general", "affirmed"),
        ("- **오십견**: 모든 방향으로 팔이 안 올라감.", "오십견", "general", "affirmed"),
        ("하지 말아야 할 것\n- 진통제로 이부프로펜을 드시는 것", "이부프로펜", "advised_against", "affirmed"),
        ("꼭 하셔야 할 것\n- 아침에 씬지로이드를 드시는 것", "씬지로이드", "recommended", "affirmed"),
        ("하지 말아야 할 것\n- 엘리퀴스를 임의로 중단하는 것", "엘리퀴스", "patient_fact", "affirmed"),
        ("지금 이부프로펜을 드시고 계신 것입니다.", "이부프로펜", "patient_fact", "affirmed"),
        ("플라빅스는 스텐트가 막히지 않게 하는 약입니다.", "스텐트", "general", "affirmed"),
        ("와파린은 혈전이 생기지 않도록 해 주는 약입니다.", "와파린", "general", "affirmed"),
        ("혈전이 생기지 않도록 아스피린을 꾸준히 드세요.", "아스피린", "recommended", "affirmed"),
        ("술은 드시지 않게 하세요.", "술", "advised_against", "affirmed"),
        ("와파린은 드시지 않으십니다.", "와파린", "patient_fact", "negated"),
        ("아스피린과 플라빅스는 중요한 약이라 절대 빠뜨리지 마세요.", "아스피린", "patient_fact", "affirmed"),
        ("선생님의 안내는 아스피린에 대한 것이고, 지금 복용 중이신 엘리퀴스는 끊지 마세요.", "아스피린", "general",
         "affirmed"),
        ("지금 복용 중이신 아스피린은 끊지 마세요.", "아스피린", "patient_fact", "affirmed"),
        ("고객님의 아스피린은 오늘 처방되었습니다.", "아스피린", "patient_fact", "affirmed"),
        ("기관지염으로 항생제를 처방받을 일이 생기면 말씀하세요.", "기관지염", "conditional", "affirmed"),
        ("작년에 항생제를 처방받으신 일이 있으십니다.", "항생제", "patient_fact", "affirmed"),
        ("74세이시니 골절 한 번이 생활을 크게 바꿀 수 있는 시기입니다.", "골절", "general", "affirmed"),
        ("작년에 골절이 한 번 있으셨습니다.", "골절", "patient_fact", "affirmed"),
        ("와파린을 며칠 쉬는 것만으로도 혈전이 생길 수 있습니다.", "와파린", "conditional", "affirmed"),
        ("지금 와파린을 쉬고 계십니다.", "와파린", "patient_fact", "negated"),
        ("매일 이부프로펜을 드시라고 말씀드립니다.", "이부프로펜", "recommended", "affirmed"),
        ("세팔렉신에는 교차 반응이 드물게 있어 피하기도 합니다.", "세팔렉신", "general", "affirmed"),
        ("편두통이 올 때는 타이레놀을 쓰시고, 혈색소 12.6으로 빈혈은 없으십니다.", "타이레놀", "recommended",
         "affirmed"),
        ("지금 타이레놀을 쓰시고, 혈압약도 드십니다.", "타이레놀", "patient_fact", "affirmed"),
        ("이 약은 당뇨약보다 더 끊으시면 안 됩니다.", "당뇨약", "general", "affirmed"),
        ("당뇨약은 끊으시면 안 됩니다.", "당뇨약", "patient_fact", "affirmed"),
        ("와파린을 쉬는 중이십니다.", "와파린", "patient_fact", "negated"),
        ("와파린을 드시는 중이십니다.", "와파린", "patient_fact", "affirmed"),
        ("아스피린을 끊으신 것만으로도 멍이 줄었습니다.", "아스피린", "patient_fact", "negated"),
        ("**하면 안 되는 것**\n- 이부프로펜을 같이 드시는 것", "이부프로펜", "advised_against", "affirmed"),
        ("**하면 안 되는 것**\n- 콩코르를 건너뛰는 것", "콩코르", "patient_fact", "affirmed"),
        ("카바마제핀에는 알레르기가 있으십니다.", "카바마제핀", "patient_fact", "affirmed"),
    ],
)  # fmt: skip
def test_how_what_is_named_is_meant(answer, text, status, polarity):
    assert _read(answer, text) == (status, polarity)


def _flagged(answer: str, truth: dict[str, object]) -> list[str]:
    details = score_turn(answer, "", truth)["SFS"]["hallucinated_details"]
    return [detail["concept"] for detail in details]


@pytest.mark.parametrize(
    "answer",
    [
        "항히스타민제를 하루 한 번 꾸준히 드시는 것이 기본입니다.",
        "6.0%는 '당뇨병 전단계'에 해당하는 수치입니다.",
        "처음 오셨을 때 당화혈색소가 10.2%였던 것을 생각하면 좋아지셨습니다.",
        "위암이라는 말을 들으셨으니 마음이 무거우시겠습니다.",
        "65세 전이라도 해당하시면 검사를 권합니다.",
        "천식, 심부전도 비슷하게 나타나므로 검사를 먼저 합니다.",
        "천식약은 기관지만이 아니라 심장도 빠르게 합니다.",
        "이 증상은 천식 때문이 아닙니다.",
        "콩팥 기능이 떨어지면 약의 용량을 줄입니다.",
        "체중 1kg이 줄 때마다 수축기 혈압이 약 1mmHg 내려간다고 알려져 있으니 힘내세요.",
        "이 운동으로 LDL이 10 정도 떨어진다고 합니다.",
    ],
)
def test_what_says_nothing_of_the_record_is_not_flagged(answer):
    known = {**NOBODY, "labs": {"hba1c": 7.1, "ldl": 90}, "vitals": {"bp_systolic": 124}, "comorbidities": ["Asthma"]}
    assert not _flagged(answer, known)


@pytest.mark.parametrize(
    ("answer", "concept"),
    [
        ("수축기 혈압이 151mmHg로 내려갔습니다.", "measure:systolic_blood_pressure"),
        ("항히스타민제를 드시고 계시니 꾸준히 드세요.", "class:antihistamine"),
        ("콩팥 기능이 떨어져 있으시므로 조심하셔야 합니다.", "hint:kidney_function"),
        ("예전에 위를 절제하는 수술을 받으셨기 때문에 조금씩 드세요.", "procedure:gastrectomy"),
        ("위암이라는 진단을 받으셨으니 마음이 무거우시겠습니다.", "condition:stomach_cancer"),
    ],
)
def test_what_the_record_does_not_have_is_flagged(answer, concept):
    assert concept in _flagged(answer, {**NOBODY, "vitals": {"bp_systolic": 124}})


def test_a_function_that_fails_is_right_beside_a_disease_that_explains_it():
    ill = {**NOBODY, "comorbidities": ["Chronic kidney disease stage 3"]}
    assert not _flagged("콩팥 기능이 떨어져 있으시므로 조심하셔야 합니다.", ill)
