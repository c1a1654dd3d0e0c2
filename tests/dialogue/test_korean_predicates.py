"""Moods of Korean predicates, and what they say of a mention."""

from __future__ import annotations

import pytest

from jatdae.dialogue.reading.cues import BITS
from jatdae.dialogue.reading.korean_eojeols import load_predicate_tables
from jatdae.dialogue.reading.korean_verbs import load_korean_yaml
from jatdae.dialogue.reading.mentions import load_extractor

from .conftest import statuses


@pytest.mark.parametrize(
    ("predicate", "status"),
    [
        ("드세요", "recommended"),
        ("드시는 것이 좋습니다", "recommended"),
        ("드셔도 괜찮습니다", "recommended"),
        ("드실 수 있습니다", "recommended"),
        ("곁들여 보시길 바랍니다", "recommended"),
        ("드시지 마세요", "advised_against"),
        ("드시지 않는 것이 좋습니다", "advised_against"),
        ("드시지 않도록 유의하시기 바랍니다", "advised_against"),
        ("드시면 안 됩니다", "advised_against"),
        ("드시는 것은 피하셔야 합니다", "advised_against"),
        ("드시는 것은 좋지 않습니다", "advised_against"),
        ("줄여 나가시는 것을 권합니다", "advised_against"),
        ("줄이실 필요는 없습니다", "recommended"),
        ("꼭 피하지 않으셔도 됩니다", "recommended"),
    ],
)
def test_the_mood_of_a_korean_predicate(predicate, status):
    assert statuses(f"바나나는 {predicate}.") == [("banana", status, "affirmed")]


@pytest.mark.parametrize(
    ("predicate", "reading"),
    [
        ("복용하고 계십니다", ("patient_fact", "affirmed")),
        ("복용하고 있지 않으십니다", ("patient_fact", "negated")),
        ("복용하신 적이 없습니다", ("patient_fact", "negated")),
        ("지난달에 끊으셨습니다", ("patient_fact", "negated")),
        ("거르지 마세요", ("patient_fact", "affirmed")),
        ("임의로 줄이지 마세요", ("patient_fact", "affirmed")),
        ("중단하실 필요는 없습니다", ("patient_fact", "affirmed")),
        ("복용하신다면 알려 주세요", ("conditional", "affirmed")),
        ("복용하시는 분들은 조심해야 합니다", ("general", "affirmed")),
    ],
)
def test_what_a_korean_predicate_says_of_a_drug(predicate, reading):
    assert statuses(f"와파린을 {predicate}.") == [("warfarin", *reading)]


def test_a_predicate_with_go_takes_the_mood_of_the_next():
    assert statuses("와파린 복용을 멈추고 병원에 연락하세요.") == [("warfarin", "advised_against", "affirmed")]
    assert statuses("흰쌀밥을 덜 드시고 생선을 드세요.")[0] == ("white_rice", "advised_against", "affirmed")


def test_the_korean_tables_name_nothing_that_is_not_there():
    content = load_korean_yaml()
    made = {sort for row in content["pairs"].values() for sort in row.values()}
    sorts = {*content["verbs"], *made, "", "come", "ail"}  # come: a verb in -게 되다; ail: the stem of a phrase
    endings = {*content["endings"], *content["heads"]}
    assert set(content["roles"]) <= sorts and made <= set(content["roles"])
    assert set(content["moods"]) <= endings
    assert {sort for row in content["moods"].values() for sort in row} <= sorts
    assert {role for row in content["roles"].values() for roles in row.values() for role in roles.split()} <= set(BITS)
    assert set(content["clear"]) <= set(content["endings"]) and set(content["only"]) <= sorts
    assert load_predicate_tables().heads["분들은"] == "many"


@pytest.mark.parametrize(
    ("text", "name", "status", "polarity"),
    [
        ("이번 흉부 불편감은 협심증이 아니라 근육통입니다.", "협심증", "patient_fact", "negated"),
        ("이번 흉부 불편감은 협심증이 아니라 근육통입니다.", "흉부 불편감", "general", "affirmed"),
        ("뇌졸중일 수 있겠습니다.", "뇌졸중", "hedged", "affirmed"),
        ("결과에 따라 메트포르민을 드시게 될 수도 있습니다.", "메트포르민", "hedged", "affirmed"),
        ("푸로세미드는 아침에 드시면 밤에 화장실 가는 횟수가 줄어듭니다.", "푸로세미드", "recommended", "affirmed"),
        ("로사르탄은 콩팥을 보호하려고 드시는 약이에요.", "로사르탄", "patient_fact", "affirmed"),
    ],
)
def test_what_is_denied_supposed_or_advised_by_its_outcome(text, name, status, polarity):
    read = next(mention for mention in load_extractor().read(text).mentions if mention.text == name)
    assert (read.status, read.polarity) == (status, polarity)


@pytest.mark.parametrize(
    ("text", "name", "status"),
    [
        ("카르베딜롤도 그대로입니다.", "carvedilol", "patient_fact"),
        ("메트포르민은 계속 가고요, 다음에 다시 봐요.", "metformin", "patient_fact"),
        ("드시던 카르베딜롤은 용량을 올리지 않겠습니다.", "carvedilol", "patient_fact"),
        ("카르베딜롤은 올리지 마세요.", "carvedilol", "advised_against"),
        ("로사르탄은 그대로 드세요. 아토르바스타틴도 마찬가지고요.", "atorvastatin", "patient_fact"),
        ("이부프로펜은 피하세요. 나프록센도 마찬가지입니다.", "naproxen", "advised_against"),
        ("딜티아젬 덕분에 맥박은 76회로 알맞습니다.", "diltiazem", "patient_fact"),
        ("살메테롤은 운동회 날 아침에도 그대로 쓰시면 됩니다.", "salmeterol", "patient_fact"),
        ("몸이 아픈 날 이부프로펜을 쓰셨다면 알려 주세요.", "ibuprofen", "conditional"),
        ("열이 나거나 오한이 들면 오세요.", "chills", "conditional"),
        ("폐렴이면 어쩌나 하고 물으셨지요.", "pneumonia", "hedged"),
        ("균이 나오면 아목시실린을 드리려고 합니다.", "amoxicillin", "conditional"),
        ("파록세틴을 드시고 계시고 소염제와 겹치면 출혈이 늡니다.", "paroxetine", "patient_fact"),
        ("당뇨가 있으시고 혈압이 높으시면 더 조심하셔야 합니다.", "diabetes", "conditional"),
        ("콩팥이 약해져 있으셔서(eGFR 44) 조영제를 쓸 때 준비가 필요합니다.", "egfr", "patient_fact"),
        ("33세에 체질량지수 24.6이면 체력은 금방 돌아옵니다.", "age", "patient_fact"),
        ("70세에 혈압이 150이라면 치료를 시작합니다.", "age", "conditional"),
        ("칼륨은 4.0으로 이상이 없습니다.", "potassium", "patient_fact"),
        ("126/80이면 혈압은 흠잡을 데 없고요.", "blood_pressure", "patient_fact"),
        ("180/120이면 혈압 위기라고 합니다.", "blood_pressure", "conditional"),
        ("73세시라면 당화혈색소는 7.5% 안팎이어도 충분합니다.", "age", "patient_fact"),
        ("73세시라면 당화혈색소는 7.5% 안팎이어도 충분합니다.", "hba1c", "general"),
        ("페북소스타트는 손대지 말고 두세요.", "febuxostat", "patient_fact"),
        ("리나글립틴은 그냥 두겠습니다.", "linagliptin", "patient_fact"),
        ("데노수맙은 여섯 달을 넘기지 않는 것이 중요합니다.", "denosumab", "patient_fact"),
        ("아세트아미노펜은 하루 3그램을 넘기지 마세요.", "acetaminophen", "advised_against"),
        ("파록세틴은 다른 병원에서 권해도 사양하십시오.", "paroxetine", "advised_against"),
        ("로페라미드는 열이 있는 설사에는 쓰지 않는 것이 좋습니다.", "loperamide", "advised_against"),
        ("엽산은 주사 맞는 날만 빼고 드시고 계시지요?", "folic_acid", "patient_fact"),
        ("효과가 부족하면 부프로피온을 더하겠습니다.", "bupropion", "conditional"),
        ("관절이 붓고 아프면 콜히친을 쓸 수 있으니 연락 주세요.", "colchicine", "conditional"),
        ("머리가 아프면 타이레놀을 드시고 쉬세요.", "acetaminophen", "recommended"),
        ("리나글립틴은 바꾸지 않아도 됩니다.", "linagliptin", "patient_fact"),
        ("트라조돈은 잠을 돕는 용도로 50mg을 쓰고 계시지요.", "trazodone", "patient_fact"),
        ("알렌드로네이트로 바꾸는 것을 물으셨는데, 권하기 어렵습니다.", "alendronate", "hedged"),
        ("아스피린을 먹어도 되냐고 물으셨지요.", "aspirin", "hedged"),
        ("정형외과에서 받아 오신 세레콕시브는 드실 수 있습니다.", "celecoxib", "patient_fact"),
        ("위암으로 위를 절제하셨습니다.", "stomach_cancer", "patient_fact"),
        ("여성이신 만큼 골반저근이 약해진 것도 한 원인이 될 수 있습니다.", "female", "patient_fact"),
        ("폐렴, 폐색전증도 생각해야 합니다.", "pneumonia", "hedged"),
        ("항히스타민제가 없는 것으로 고르세요.", "antihistamine", "advised_against"),
        ("야즈를 드시는 까닭은 여드름 때문입니다.", "drospirenone", "patient_fact"),
        ("네스프 주사 덕분에 혈색소가 10.6으로 적당합니다.", "hemoglobin", "patient_fact"),
        ("암의 가족력이 있거나 췌장염을 앓은 분은 맞으실 수 없습니다.", "pancreatitis", "general"),
        ("70대 남성 셋 중 하나는 암세포를 지닌다고 합니다.", "age", "general"),
        ("몬테루카스트를 더할지는 2주 뒤에 결정합시다.", "montelukast", "hedged"),
        ("산소포화도가 95%이시면 비행이 가능합니다.", "oxygen_saturation", "patient_fact"),
        ("산소포화도가 92%이면 산소를 씁니다.", "oxygen_saturation", "conditional"),
        ("흡입기는 심비코트 맞으시죠?", "budesonide", "hedged"),
        ("LDL은 71입니다. 몬테루카스트도 크게 걱정하지 않습니다.", "montelukast", "patient_fact"),
        ("LDL은 71입니다. 몬테루카스트는 천식에 쓰이는 약입니다.", "montelukast", "general"),
        ("칼륨이 5.5 이상이면 알려 주세요.", "potassium", "conditional"),
    ],
)
def test_what_goes_on_and_what_is_only_supposed(text, name, status):
    read = [mention for mention in load_extractor().read(text).mentions if mention.concept.key == name]
    assert read[0].status == status


@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("폐암 수술 전에 담배를 끊으셨다고 하니 잘하셨습니다.", "affirmed"),
        ("숨찬 증상도 없으시고요.", "negated"),
        ("두통은 편두통과 무관합니다.", "affirmed"),
        ("로사르탄을 끊으실 이유는 없습니다.", "affirmed"),
    ],
)
def test_what_is_lacking_and_what_is_only_unrelated(text, polarity):
    assert load_extractor().read(text).mentions[0].polarity == polarity
