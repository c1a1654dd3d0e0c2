"""What a description does not state: what was not assessed, is asked, was so before, or is only compared with."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jatdae.terms import parse

Marked = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("舌红，无法评估络脉", ["COLOR_红"]),
        ("舌下络脉未拍到，舌红", ["COLOR_红"]),
        ("裂纹：不详，齿痕：有", ["SHAPE_齿痕"]),
        ("苔白但舌质看不清", ["COATCOLOR_白"]),
        ("无法判断有无裂纹但舌红", ["COLOR_红"]),
        ("根部苔质不详", []),
        ("唇红，无法评估络脉；舌淡", ["COLOR_淡"]),
        ("치흔: 확인 불가, 열문: 없음", ["¬SHAPE_裂纹"]),
        ("The sublingual veins are not shown.", []),
        ("Cracks: N/A. Body: pink.", ["COLOR_淡红"]),
        ("舌红，舌苔不可见", ["COLOR_红"]),
        ("舌根及舌下络脉均不可见", []),
        ("裂纹不可见", ["¬SHAPE_裂纹"]),
        ("Red body and coat not visible.", ["COLOR_红"]),
        ("Cracks not visible.", ["¬SHAPE_裂纹"]),
        ("腐腻：未评", []),
        ("설하정맥은 확인하지 못함", []),
    ],
)
def test_what_was_not_assessed_is_not_stated(text: str, marks: list[str], marked: Marked) -> None:
    assert marked(text) == marks


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("是否有齿痕看不清", []),
        ("치흔 유무는 판단하기 어렵습니다", []),
        ("It is unclear whether there are tooth marks.", []),
        ("有无裂纹：无", ["¬SHAPE_裂纹"]),
        ("有无裂纹：有", ["SHAPE_裂纹"]),
    ],
)
def test_an_open_question_states_nothing_and_one_of_a_form_is_answered(
    text: str, marks: list[str], marked: Marked
) -> None:
    assert marked(text) == marks


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("原本紫暗的舌色明显减退，现为淡红", ["COLOR_淡红"]),
        ("原来的瘀斑已消失", ["¬SHAPE_瘀斑"]),
        ("황태가 있었으나 지금은 백태", ["COATCOLOR_白"]),
        ("若光线准确，则苔为黄；舌红", ["COLOR_红"]),
        ("초진 시 황태였으나 3주 후 백태로 바뀜", ["COATCOLOR_白"]),
        ("태가 두꺼웠으나, 지금은 얇음", ["THICK_薄"]),
        ("설질은 홍색이었으나 설태는 백색으로 변함", ["COLOR_红", "COATCOLOR_白"]),
        ("후니에서 백조로 호전", ["COATCOLOR_白", "NATURE_燥"]),
        ("苔厚腻，两周后转为薄", ["THICK_薄"]),
        ("Coat black and dry last week; today yellow.", ["COATCOLOR_黄"]),
        ("Last week red, swollen and cracked; today pale.", ["COLOR_淡"]),
        ("Red, coat black last week; today pale.", ["COLOR_淡"]),
        ("The coat is thicker than last week.", ["THICK_厚"]),
    ],
)
def test_what_was_so_before_or_depends_on_a_condition_is_not_stated(
    text: str, marks: list[str], marked: Marked
) -> None:
    assert marked(text) == marks


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("舌尖的颜色比舌体其他部位更红", ["LOCATION_舌尖", "COLOR_红/更@舌尖"]),
        ("与舌边相比，舌尖红", ["LOCATION_舌尖", "COLOR_红@舌尖"]),
        ("舌尖较舌边红", ["LOCATION_舌尖", "COLOR_红@舌尖"]),
    ],
)
def test_a_location_that_is_compared_with_is_not_stated(text: str, marks: list[str], marked: Marked) -> None:
    assert marked(text) == marks


def test_adjectives_after_suggests_are_stated_if_their_head_is_the_subject(marked: Marked) -> None:
    assert marked("The image suggests a pale, swollen tongue.") == ["COLOR_淡", "SHAPE_胖大"]
    assert marked("Red tongue suggests heat in dry skin.") == ["COLOR_红"]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("不同于湿热舌（舌红，苔黄腻），本例舌淡", ["COLOR_淡"]),
        ("不同于湿热舌（舌红，本例舌淡", ["COLOR_红", "COLOR_淡"]),
        ("上次苔厚（现苔薄）", ["THICK_薄"]),
        ("Unlike a damp-heat tongue (red, with a yellow coat), this one is pale.", ["COLOR_淡"]),
        ("습열설(설홍 태황니)과 달리 이 혀는 담백하다.", ["COLOR_淡白"]),
        ("설홍과 달리 설태는 백색", ["COATCOLOR_白"]),
        ("舌尖红于舌边", ["LOCATION_舌尖", "COLOR_红@舌尖"]),
        ("瘀斑于舌边", ["SHAPE_瘀斑@舌边", "LOCATION_舌边"]),
    ],
)
def test_what_is_different_is_not_stated(text: str, marks: list[str], marked: Marked) -> None:
    assert marked(text) == marks


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("前几天舌头发黑，现舌红", ["COLOR_红"]),
        ("昔日舌绛，今舌淡红", ["COLOR_淡红"]),
        ("지난주에는 설태가 누렇고 두꺼웠지만 지금은 희고 얇다.", ["COATCOLOR_白", "THICK_薄"]),
        ("지난주보다 설질이 더 붉다.", ["COLOR_红/더"]),
        ("지난번과 달리 태가 얇다", ["THICK_薄"]),
    ],
)
def test_days_gone_by_are_an_earlier_time(text: str, marks: list[str], marked: Marked) -> None:
    assert marked(text) == marks


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("患者并无舌体歪斜", ["¬SHAPE_歪斜"]),
        ("患者舌体歪斜", ["SHAPE_歪斜"]),
        ("舌象复查时请在自然光下拍摄", []),
        ("Red tip; sides normal.", ["COLOR_红@舌尖", "LOCATION_舌尖"]),
        ("舌尖红，舌边正常", ["LOCATION_舌尖", "COLOR_红@舌尖"]),
        ("边上有一圈牙印", ["LOCATION_舌边", "SHAPE_齿痕@舌边"]),
    ],
)
def test_requests_and_normal_parts_state_nothing(text: str, marks: list[str], marked: Marked) -> None:
    assert marked(text) == marks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("治疗前：舌红，苔黄。治疗后：舌淡", ["COLOR_淡"]),
        ("【治疗前】舌红，苔黄\n【治疗后】舌淡", ["COLOR_淡"]),
        ("治疗前\n舌质：红\n舌苔：黄腻\n治疗后\n舌质：淡红", ["COLOR_淡红"]),
        ("上周舌红，苔黄而干，今日舌淡", ["COLOR_淡"]),
        ("初诊：舌红，苔黄\n现：舌淡", ["COLOR_淡"]),
        ("首诊：舌红苔黄。二诊：舌淡", ["COLOR_淡"]),
        ("入院时舌红；出院时舌淡", ["COLOR_淡"]),
        ("入院时舌红，苔黄", ["COLOR_红", "COATCOLOR_黄"]),
        ("초진: 설홍. 재진: 설담홍.", ["COLOR_淡红"]),
        ("On admission the tongue was red; at discharge it was pink.", ["COLOR_淡红"]),
        ("首次就诊（5.3）舌红；末次就诊（5.24）舌淡", ["COLOR_淡"]),
        ("黄腻苔渐化，转为薄白", ["THICK_薄", "COATCOLOR_白"]),
        ("舌淡，苔白，病情好转", ["COLOR_淡", "COATCOLOR_白"]),
        ("初诊：舌红；复诊：舌淡", ["COLOR_淡"]),
        ("前診苔黃厚膩，今苔轉薄", ["THICK_薄"]),
        ("前诊之瘀斑已消失", ["¬SHAPE_瘀斑"]),
        ("苔由原来的白腻转为黄燥", ["COATCOLOR_黄", "NATURE_燥"]),
        ("上次的厚苔现已变薄", ["THICK_薄"]),
        ("初诊：舌红，苔黄", ["COLOR_红", "COATCOLOR_黄"]),
        ("初诊舌红，苔黄，现舌淡", ["COLOR_淡"]),
        ("术前舌淡，苔白", ["COLOR_淡", "COATCOLOR_白"]),
        ("术前：舌淡，苔白；术后：舌红", ["COLOR_红"]),
        ("치료 전과 동일하게 설질 홍", ["COLOR_红"]),
        ("服药前未进食，舌淡，目前无不适", ["COLOR_淡"]),
        ("口干，治疗前舌红，治疗后舌淡", ["COLOR_淡"]),
        ("若服药后舌苔转黄，应停药", []),
        ("pink before treatment, red after treatment", ["COLOR_红"]),
    ],
)
def test_what_a_label_or_time_before_says_was_so_then(text: str, expected: list[str]) -> None:
    assert [str(term) for term in parse(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("与湿热舌（舌红，苔黄腻）不同，本例舌淡", ["COLOR_淡"]),
        ("跟舌紫暗、苔厚腻不一样，舌淡", ["COLOR_淡"]),
        ("舌尖颜色较其他部位更红", ["LOCATION_舌尖", "COLOR_红"]),
        ("很多人以为舌红就是上火，其实不然。您的舌淡", ["COLOR_淡"]),
        ("舌紫，苔白滑者，多属寒凝。本案舌淡", ["COLOR_淡"]),
        ("Normal tongue: pink, thin coat. This patient: dark red body", ["COLOR_暗红"]),
        ("Normal tongue: pink body", ["COLOR_淡红"]),
        ("황태는 소실되었고 지금은 박백태", ["¬COATCOLOR_黄", "THICK_薄", "COATCOLOR_白"]),
        ("苔白，可能被误认为黄", ["COATCOLOR_白"]),
        ("A crack that does not reach the tip", ["SHAPE_裂纹"]),
        ("In most people the tongue is red; here, it is pale", ["COLOR_淡"]),
        ("没有看到舌红或苔黄", ["¬COLOR_红", "¬COATCOLOR_黄"]),
        ("红舌与白苔不符", ["COLOR_红", "COATCOLOR_白"]),
        ("裂纹与齿痕深浅不同", ["SHAPE_裂纹", "SHAPE_齿痕"]),
        ("습열의 황니태와 구별되며 태는 백니하다", ["COATCOLOR_白", "NATURE_腻"]),
        ("Rather than a yellow coat, the coat is white.", ["COATCOLOR_白"]),
        ("The tongue is red rather than purple.", ["COLOR_红", "¬COLOR_紫"]),
        ("differs from the red, cracked tongue of yin deficiency: here the body is pale", ["COLOR_淡"]),
    ],
)
def test_what_is_only_compared_with_is_not_stated_wherever_the_comparison_stands(
    text: str, expected: list[str]
) -> None:
    assert [str(term) for term in parse(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A yellow coat usually suggests heat, but in this patient the coat is white.", ["COATCOLOR_白"]),
        ("The yellow coat usually suggests heat, but here the body is pale.", ["COATCOLOR_黄", "COLOR_淡"]),
        ("黄苔多提示热，但本例苔白", ["COATCOLOR_白"]),
        ("苔黄，多提示热，但本例舌淡", ["COATCOLOR_黄", "COLOR_淡"]),
        ("설하정맥이 확장되어 어혈을 시사하므로", ["SUBLINGUAL_怒张"]),
        ("설하정맥에 어혈이 보인다", ["SUBLINGUAL_瘀滞"]),
        ("signs of heat in this patient, yellow phlegm, red tongue", ["COLOR_红"]),
    ],
)
def test_a_general_statement_gives_way_to_this_case(text: str, expected: list[str]) -> None:
    assert [str(term) for term in parse(text)] == expected
