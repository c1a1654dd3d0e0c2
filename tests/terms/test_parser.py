"""Reading: what each rule of the grammar does, where terms stand, and what is not understood."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest

from jatdae.terms import find_lexicon, parse
from jatdae.terms.parser import parse_text
from jatdae.terms.term import Parsed

Marked = Callable[..., list[str]]


def read(text: str) -> Parsed:
    return parse_text(text, find_lexicon("tongue"))


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("舌尖红苔黄腻", ["LOCATION_舌尖", "COLOR_红", "COATCOLOR_黄", "NATURE_腻"]),
        ("舌边红苔白滑", ["LOCATION_舌边", "COLOR_红", "COATCOLOR_白", "NATURE_滑"]),
        ("舌根暗苔黑燥", ["LOCATION_舌根", "COLOR_暗", "COATCOLOR_黑", "NATURE_燥"]),
    ],
)
def test_the_published_examples_come_out_as_published(text: str, atoms: list[str]) -> None:
    assert [term.atom for term in parse(text)] == atoms


def test_categories_follow_prefixes() -> None:
    categories = [term.category for term in parse("舌尖红苔黄腻，舌下络脉迂曲")]
    assert categories == ["location", "tongue", "coat", "coat", "other"]


def test_matched_text_is_consumed() -> None:
    assert [term.atom for term in parse("舌淡红")] == ["COLOR_淡红"]


def test_a_longer_word_wins_over_a_shorter_one() -> None:
    assert [term.atom for term in parse("舌瘦薄")] == ["SHAPE_瘦薄"]


def test_terms_know_where_they_stand() -> None:
    text = "舌质暗红，边有齿痕"
    for term in parse(text):
        assert text[term.start : term.end] == term.text
    assert [(term.text, term.start, term.end) for term in parse(text)] == [("暗红", 2, 4), ("边", 5, 6), ("齿痕", 7, 9)]


def test_a_pattern_gives_all_its_atoms_the_same_place() -> None:
    terms = parse("苔薄白")
    assert [(term.atom, term.start, term.end) for term in terms] == [("THICK_薄", 1, 3), ("COATCOLOR_白", 1, 3)]


def test_a_coat_colour_is_no_body_colour() -> None:
    assert "COLOR_白" not in {term.atom for term in parse("舌红苔薄白")}


def test_purple_vessels_are_no_purple_tongue(marked: Marked) -> None:
    assert marked("舌下络脉紫暗") == ["SUBLINGUAL_紫暗"]


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("舌红，可见舌下络脉", ["COLOR_红", "SUBLINGUAL_络脉"]),
        ("舌下络脉不迂曲", ["¬SUBLINGUAL_迂曲"]),
        ("舌下青紫的静脉", ["SUBLINGUAL_青紫"]),
        ("舌下络脉，舌红", ["SUBLINGUAL_络脉", "COLOR_红"]),
    ],
)
def test_the_name_of_a_region_is_an_atom_only_if_nothing_is_said_of_it(
    text: str, atoms: list[str], marked: Marked
) -> None:
    assert marked(text) == atoms


def test_a_bound_surface_needs_its_region(marked: Marked) -> None:
    assert marked("苔少") == ["THICK_少"]
    assert marked("舌少动") == []


def test_decomposed_hangul_is_read_like_composed() -> None:
    composed = "설질은 담홍하고 설태는 박백하다"
    assert parse(unicodedata.normalize("NFD", composed)) == parse(composed)


def test_traditional_and_simplified_say_the_same() -> None:
    simplified, traditional = parse("舌质紫暗，边有齿痕，苔黄腻"), parse("舌質紫黯，邊有齒痕，苔黃膩")
    assert [term.atom for term in simplified] == [term.atom for term in traditional]
    assert traditional[0].text == "紫黯"


def test_tai_is_a_slip_only_where_it_is_no_degree_word(marked: Marked) -> None:
    assert marked("舌红太黄") == ["COLOR_红", "COATCOLOR_黄"]
    assert marked("舌不太红") == ["¬COLOR_红"]
    assert marked("苔不太黄") == ["¬COATCOLOR_黄"]


def test_what_is_not_understood_is_kept_with_its_place() -> None:
    parsed = read("舌红XYZ，苔黄呱呱")
    assert [tuple(gap) for gap in parsed.unread] == [("XYZ", 2, 5), ("呱呱", 8, 10)]
    assert parsed.coverage == pytest.approx(4 / 9)


def test_punctuation_is_neither_understood_nor_missed() -> None:
    assert read("，。；！  \n").letters == 0
    assert read("").coverage == 1.0


def test_other_subjects_do_not_count_as_missed() -> None:
    parsed = read("舌红，脉弦细而数，寸部尤甚")
    assert (parsed.coverage, len(parsed.terms)) == (1.0, 1)


def test_a_negation_ends_with_its_clause(marked: Marked) -> None:
    assert marked("无裂纹，齿痕") == ["¬SHAPE_裂纹", "SHAPE_齿痕"]
    assert marked("无裂纹、齿痕") == ["¬SHAPE_裂纹", "¬SHAPE_齿痕"]


def test_not_reaches_one_atom_and_what_is_joined_to_it(marked: Marked) -> None:
    assert marked("舌不红胖大") == ["¬COLOR_红", "SHAPE_胖大"]
    assert marked("苔不厚及腻") == ["¬THICK_厚", "¬NATURE_腻"]


def test_a_negated_atom_keeps_its_degree() -> None:
    (term,) = parse("无明显的裂纹")
    assert term.negated


def test_two_choices_of_one_or_are_told_apart(marked: Marked) -> None:
    assert marked("苔薄白或厚黄") == ["THICK_薄#1", "COATCOLOR_白#2", "THICK_厚#1", "COATCOLOR_黄#2"]


def test_an_alternative_may_begin_a_clause(marked: Marked) -> None:
    assert marked("舌红，或绛") == ["COLOR_红#1", "COLOR_绛#1"]


def test_parallel_alternatives_pair_what_is_left_over(marked: Marked) -> None:
    assert marked("苔薄黄或黄腻") == ["THICK_薄#1", "COATCOLOR_黄", "COATCOLOR_黄", "NATURE_腻#1"]


@pytest.mark.parametrize(
    "text",
    [
        "\ud800",
        "舌\ud800红",
        "\0舌红\0",
        "舌" * 50,
        "或" * 50,
        "无" * 50,
        "，" * 50,
        "🙂舌红🙂",
        "ㅎㅏㄴ",
        "é" * 20,
        "舌红\u200b苔黄",
    ],
)
def test_odd_text_is_read_without_complaint(text: str) -> None:
    parsed = read(text)
    assert 0 <= parsed.understood <= parsed.letters


@pytest.mark.parametrize(
    "unit",
    [
        *("红", "红或", "尖甚", "无", "태", "박", "红、", "或红，", "尖红舌", "瘀班", "太黄", "설질박", "舌下紫"),
        *("红尖为著", "、红不明显", "치흔 없음 ", "尖", "微", "薄白", "舌尖红薄白苔"),
        *("：", "(", "裂纹：", "裂纹：无 ", "红：红", "厚薄：", "□", "若红", "提示红", "舌下络脉[", "열문: 무 "),
        *("red, ", "no cracks, ", "red tip and ", "red in the tip ", "thick "),
        *(
            "치흔이나 ",
            "어반, ",
            "통증은 없음 ",
            "avoid dry, ",
            "红者多为",
            "裂纹：- ",
            "苔腐腻 腻 ",
            "舌尖：红，",
            "(红)：",
            "不规",
            "地图状",
        ),
    ],
)
def test_long_text_takes_no_more_than_its_share_of_steps(
    unit: str, count_steps: Callable[[Callable[[], object]], int]
) -> None:
    lexicon = find_lexicon("tongue")
    short, long = unit * 100 + "뷁", unit * 1000 + "뷁"
    few = count_steps(lambda: parse_text(short, lexicon))
    many = count_steps(lambda: parse_text(long, lexicon))
    assert many < 15 * few


def test_what_is_said_over_and_over_is_kept_once() -> None:
    (*_, red) = read("微" * 5000 + "尖" * 5000 + "红").terms
    assert red.places == ("LOCATION_舌尖",)
    assert len(read("舌" + "微" * 5000 + "红").terms[0].degree) <= 32


def test_an_emphasis_stresses_what_stands_near() -> None:
    stressed = [
        bool(term.places) for term in read("红，" + "红" * 100 + "以尖为著").terms if not term.atom.endswith("尖")
    ]
    assert stressed[-1]
    assert not stressed[0]
    assert sum(stressed) < 100


def test_a_negation_that_follows_reaches_back_once(marked: Marked) -> None:
    assert marked("齿痕、裂纹不明显、瘀点") == ["¬SHAPE_齿痕", "¬SHAPE_裂纹", "SHAPE_瘀点"]
    assert marked("齿痕不明显、裂纹不明显") == ["¬SHAPE_齿痕", "¬SHAPE_裂纹"]


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("脉弦滑数", ["TENSION_弦", "FLOW_滑", "RATE_数"]),
        ("脉沉细无力", ["DEPTH_沉", "WIDTH_细", "FORCE_无力"]),
        ("左脉弦，右脉滑", ["LOCATION_左", "TENSION_弦@左", "LOCATION_右", "FLOW_滑@右"]),
        ("尺脉沉弱", ["LOCATION_尺", "DEPTH_沉@尺", "FORCE_弱@尺"]),
        ("脈浮緊", ["DEPTH_浮", "TENSION_紧"]),
        ("脉不数", ["¬RATE_数"]),
        ("脉弦或紧", ["TENSION_弦#1", "TENSION_紧#1"]),
        ("脉略弦", ["TENSION_弦/略"]),
        ("舌红苔滑，脉滑", ["FLOW_滑"]),
        ("맥현삭", ["TENSION_弦", "RATE_数"]),
        ("맥은 침세하고 무력함", ["DEPTH_沉", "WIDTH_细", "FORCE_无力"]),
        ("脉和缓有力", ["RATE_缓", "FORCE_有力"]),
    ],
)
def test_pulses_are_read(text: str, atoms: list[str], marked: Marked) -> None:
    assert marked(text, "pulse") == atoms
    assert parse_text(text, find_lexicon("pulse")).coverage == 1.0


def test_the_normal_pulse_is_understood() -> None:
    lexicon = find_lexicon("pulse")
    assert parse_text(lexicon.normal, lexicon).coverage == 1.0


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("舌苔由薄白转为黄腻", ["COATCOLOR_黄", "NATURE_腻"]),
        ("舌红，苔白渐转黄", ["COLOR_红", "COATCOLOR_黄"]),
        ("舌红转淡，苔薄", ["COLOR_淡", "THICK_薄"]),
        ("舌红苔转黄", ["COLOR_红", "COATCOLOR_黄"]),
        ("설질이 홍에서 담홍으로 바뀜", ["COLOR_淡红"]),
        ("설질은 홍에서 담홍으로 호전", ["COLOR_淡红"]),
        ("태질 조에서 윤으로 회복", ["NATURE_润"]),
        ("열문이 중앙에서 설근으로 이어짐", ["SHAPE_裂纹", "LOCATION_舌中", "LOCATION_舌根"]),
        ("The coating turned from thin white to thick yellow.", ["THICK_厚", "COATCOLOR_黄"]),
        ("从舌尖到舌根均红", ["LOCATION_舌尖", "LOCATION_舌根", "COLOR_红@舌尖,舌根"]),
        ("患者之前舌红，现舌淡", ["COLOR_淡"]),
        ("上次舌红苔黄，本次舌淡红", ["COLOR_淡红"]),
    ],
)
def test_of_a_change_only_what_it_led_to_is_stated(text: str, atoms: list[str], marked: Marked) -> None:
    assert marked(text) == atoms


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("舌尖比舌边红", ["LOCATION_舌尖", "COLOR_红@舌尖"]),
        ("설첨이 설변보다 붉다", ["LOCATION_舌尖", "COLOR_红@舌尖"]),
        ("The tip is redder than the sides.", ["LOCATION_舌尖", "COLOR_红@舌尖"]),
        ("比较红的舌", ["COLOR_红/比较"]),
    ],
)
def test_nothing_is_stated_of_what_is_compared_with(text: str, atoms: list[str], marked: Marked) -> None:
    assert marked(text) == atoms


def test_a_list_before_a_denial_in_korean_is_denied_as_a_whole(marked: Marked) -> None:
    assert marked("어반, 어점은 보이지 않음") == ["¬SHAPE_瘀斑", "¬SHAPE_瘀点"]
    assert marked("설태 백, 치흔은 없음") == ["COATCOLOR_白", "¬SHAPE_齿痕"]
    assert marked("혀가 붉지도 창백하지도 않다") == ["¬COLOR_红", "¬COLOR_淡白"]


@pytest.mark.parametrize(
    "text",
    [
        "治疗前苔黄厚，现苔薄白",
        "치료 전 설태 황후, 현재 박백",
        "Before treatment the coat was thick and yellow; it is now thin and white.",
    ],
)
def test_what_was_so_before_treatment_is_not_stated(text: str, marked: Marked) -> None:
    assert marked(text) == ["THICK_薄", "COATCOLOR_白"]


def test_a_denial_that_follows_its_atom_can_stand_before_it_too(marked: Marked) -> None:
    assert marked("未出现裂纹，舌红") == ["¬SHAPE_裂纹", "COLOR_红"]
    assert marked("热已退，舌红") == ["COLOR_红"]
    assert marked("裂纹未出现") == ["¬SHAPE_裂纹"]


def test_empty_brackets_are_boxes_where_others_are_ticked(marked: Marked) -> None:
    assert marked("舌质红(√) 绛( ) 苔黄[✓] 白[ ]") == ["COLOR_红", "COATCOLOR_黄"]
    assert marked("( )淡红 (√)红") == ["COLOR_红"]
    assert marked("舌质红( )") == ["COLOR_红"]


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("치흔이나 열문은 없음", ["¬SHAPE_齿痕", "¬SHAPE_裂纹"]),
        ("설태는 황색이나 니하지는 않음", ["COATCOLOR_黄", "¬NATURE_腻"]),
        ("어반, 어점, 열문 모두 관찰되지 않음", ["¬SHAPE_瘀斑", "¬SHAPE_瘀点", "¬SHAPE_裂纹"]),
        ("치흔 및 어반 없음", ["¬SHAPE_齿痕", "¬SHAPE_瘀斑"]),
        ("균열이 있으나 통증은 호소하지 않음", ["SHAPE_裂纹"]),
        ("혀가 붉고 통증은 없음", ["COLOR_红"]),
        ("무치흔 담홍설", ["¬SHAPE_齿痕", "COLOR_淡红"]),
        ("이전에는 설질이 자암하였으나 현재는 담홍하다", ["COLOR_淡红"]),
        ("不规则的裂纹", ["SHAPE_裂纹"]),
        ("这不是健康的舌象：舌质青紫", ["COLOR_青紫"]),
        ("No abnormality of the coating; tongue red", ["COLOR_红"]),
    ],
)
def test_a_negation_reaches_what_it_denies_alone(text: str, atoms: list[str]) -> None:
    assert [str(term) for term in parse(text)] == atoms


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("舌根苔黄腻者多为湿热，此舌苔白", ["COATCOLOR_白"]),
        ("舌苔剥落，呈地图状", ["THICK_剥落"]),
        ("舌苔呈地图状", ["THICK_花剥"]),
        ("舌头颜色偏白，舌苔也偏白", ["COLOR_淡白", "COATCOLOR_白"]),
        ("苔：厚腻 → 薄", ["THICK_薄"]),
        ("苔黄中带白", ["COATCOLOR_黄", "COATCOLOR_白"]),
        ("苔少或无", ["THICK_少", "THICK_无"]),
        ("thick coat at the root, absent at the tip", ["THICK_厚", "LOCATION_舌根", "THICK_无", "LOCATION_舌尖"]),
        ("Red tongue. Avoid spicy, dry, and greasy foods.", ["COLOR_红"]),
        ("Red tongue, suggesting heat, dry and cracked", ["COLOR_红", "NATURE_燥", "SHAPE_裂纹"]),
    ],
)
def test_only_what_is_said_of_this_tongue_is_stated(text: str, atoms: list[str]) -> None:
    assert [str(term) for term in parse(text)] == atoms


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("치흔이 양쪽에 있다", {"LOCATION_舌边"}),
        ("치흔은 있으나 설첨 통증", set()),
        ("A fissure runs from the centre to the root", {"LOCATION_舌中", "LOCATION_舌根"}),
        ("舌中裂纹，舌根少许白苔", {"LOCATION_舌中"}),
        ("설첨은 망자, 나머지는 치흔", set()),
    ],
)
def test_a_location_applies_to_its_own_term(text: str, places: set[str]) -> None:
    terms = {term.atom: set(term.places) for term in parse(text)}
    assert terms.get("SHAPE_裂纹", terms.get("SHAPE_齿痕")) == places


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("ecchymoses (瘀斑) on the sides", {"SHAPE_瘀斑@舌边", "LOCATION_舌边"}),
        ("no cracks (裂纹) or tooth marks (齿痕)", {"¬SHAPE_裂纹", "¬SHAPE_齿痕"}),
        ("치흔(齒痕)과 열문(裂紋)은 보이지 않음", {"¬SHAPE_齿痕", "¬SHAPE_裂纹"}),
        ("red (coat yellow) at the tip", {"COLOR_红", "COATCOLOR_黄", "LOCATION_舌尖"}),
        ("cracks (裂纹", {"SHAPE_裂纹"}),
        ("설첨(舌尖) 홍", {"LOCATION_舌尖", "COLOR_红@舌尖"}),
        ("치흔(兩側) 있음", {"LOCATION_舌边", "SHAPE_齿痕@舌边"}),
    ],
)
def test_the_brackets_of_a_gloss_end_nothing(text: str, marks: set[str]) -> None:
    found = {"@".join([str(term), *(place.partition("_")[2] for place in term.places)]) for term in parse(text)}
    assert found == marks


@pytest.mark.parametrize("text", ["这张舌照中舌红", "舌像中舌红", "影像中舌红", "該舌圖中舌紅"])
def test_in_a_picture_is_no_location(text: str) -> None:
    assert [str(term) for term in parse(text)] == ["COLOR_红"]


def test_the_middle_of_a_picture_is_the_centre() -> None:
    assert [str(term) for term in parse("舌照中部有裂纹")] == ["LOCATION_舌中", "SHAPE_裂纹"]


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        (
            "The coating at the root looks thick, yellow and greasy.",
            ["LOCATION_舌根", "THICK_厚@舌根", "COATCOLOR_黄@舌根", "NATURE_腻@舌根"],
        ),
        ("The tip is red, coat thin and white.", ["LOCATION_舌尖", "COLOR_红@舌尖", "THICK_薄", "COATCOLOR_白"]),
        ("Tip red, swollen and pale.", ["LOCATION_舌尖", "COLOR_红@舌尖", "SHAPE_胖大", "COLOR_淡"]),
    ],
)
def test_a_location_before_a_list_after_a_verb_is_that_of_the_whole_list(
    text: str, marks: list[str], marked: Marked
) -> None:
    assert marked(text) == marks


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("Tongue moves freely, midline.", ["SHAPE_灵活"]),
        ("Tongue protrudes in the midline, pale.", ["COLOR_淡"]),
        ("A crack along the midline.", ["SHAPE_裂纹@舌中", "LOCATION_舌中"]),
        ("Cracks: multiple, central.", ["SHAPE_裂纹@舌中", "LOCATION_舌中"]),
    ],
)
def test_the_position_of_the_tongue_is_no_location_of_a_finding(text: str, marks: list[str], marked: Marked) -> None:
    assert marked(text) == marks


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("舌尖红，并有芒刺，苔黄", ["LOCATION_舌尖", "COLOR_红@舌尖", "SHAPE_芒刺@舌尖", "COATCOLOR_黄"]),
        ("舌尖红，并无裂纹", ["LOCATION_舌尖", "COLOR_红@舌尖", "¬SHAPE_裂纹"]),
    ],
)
def test_what_is_added_after_a_comma_is_at_the_location_before_it(text: str, marks: list[str], marked: Marked) -> None:
    assert marked(text) == marks
