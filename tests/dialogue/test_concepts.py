"""The lexicon: how much it holds, what it refuses, and how a file of one's own extends it."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from jatdae.core.errors import UsageError
from jatdae.core.yamlfile import read_yaml
from jatdae.dialogue import extract, score_turn
from jatdae.dialogue.reading.concepts import GRAMMAR, LEXICON_FOLDER, load_lexicon
from jatdae.dialogue.reading.mentions import load_extractor
from jatdae.dialogue.rules.rulebook import load_rulebook

OTHER_CHAPTER = {
    ("diabetic_nephropathy", "kidney_disease"),
    ("lupus_nephritis", "kidney_disease"),
    ("alzheimer_disease", "dementia"),
    ("psoriatic_arthritis", "arthritis"),
    ("iron_deficiency_anaemia", "iron_deficiency"),
}
"""What ICD-10 puts with its cause or its effect, or with the nervous system, instead of with its kind."""


def test_the_bundled_lexicon_is_as_large_as_stated():
    lexicon = load_lexicon()
    count = Counter(concept.category for concept in lexicon.concepts.values())
    assert count["drug"] >= 250 and count["condition"] >= 300 and count["lab"] + count["vital"] >= 60
    for concept in lexicon.concepts.values():
        if concept.category == "drug":
            assert len(concept.above) > 1, f"{concept.id} has no class"


def test_codes_are_well_formed_and_name_one_concept():
    forms = {
        "rxnorm": str.isdecimal,
        "snomed": str.isdecimal,
        "loinc": _luhn_of_loinc,
        "icd10": re.compile(r"[A-Z]\d\d(\.\d{1,2})?").fullmatch,
    }
    for concept in load_lexicon().concepts.values():
        for system, codes in concept.codes.items():
            for code in codes:
                assert forms[system](code), (concept.id, code)
                assert load_lexicon().by_code(system, code) is concept, (concept.id, code)
                if system == "snomed":
                    assert _verhoeff(code), (concept.id, code)


def test_a_kind_of_a_disease_is_in_its_chapter_or_has_one_of_its_own():
    """Pregnancy, birth defects, infections and effects of a disease elsewhere have chapters of their own in ICD-10."""
    lexicon = load_lexicon()
    for concept in lexicon.concepts.values():
        mine = {code[0] for code in concept.codes.get("icd10", ())} - set("ABOQRST")
        for above in (lexicon.concepts[parent] for parent in concept.above):
            theirs = {code[0] for code in above.codes.get("icd10", ())} - set("CR")
            assert not mine or not theirs or mine & theirs or (concept.key, above.key) in OTHER_CHAPTER, concept.id


def test_the_check_digits_would_tell():
    assert _verhoeff("44054006") and not _verhoeff("44054007") and not _verhoeff("40454006")
    assert _luhn_of_loinc("4548-4") and not _luhn_of_loinc("4548-5")


def _luhn_of_loinc(code: str) -> bool:
    """LOINC's check digit: Mod 10."""
    body, _, check = code.partition("-")
    total = 0
    for place, digit in enumerate(reversed(body)):
        doubled = int(digit) * (2 if place % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return (10 - total % 10) % 10 == int(check)


def _verhoeff(code: str) -> bool:
    """SNOMED CT's check digit."""
    multiply = [[(j + i) % 5 if j < 5 else 5 + (j + i) % 5 for j in range(10)] for i in range(5)]
    multiply += [[5 + (i - 5 - j) % 5 if j < 5 else (i - j) % 5 for j in range(10)] for i in range(5, 10)]
    permute = [list(range(10)), [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]]
    for _ in range(6):
        permute.append([permute[1][digit] for digit in permute[-1]])
    check = 0
    for place, digit in enumerate(reversed(code)):
        check = multiply[check][permute[place % 8][int(digit)]]
    return check == 0


def test_a_file_of_ones_own_extends(tmp_path: Path):
    file = tmp_path / "mine.yaml"
    file.write_text("drugs:\n  novelmycin: {class: [antibiotic], ko: [노벨마이신], brands: [Noveltab]}\n", "utf-8")
    found = extract("노벨마이신을 복용 중이시고 메트포르민도 드십니다.", file)
    assert [mention.concept.key for mention in found] == ["novelmycin", "metformin"]
    result = score_turn("Noveltab을 복용 중이십니다.", slots={"active_meds": ["novelmycin"]}, turn=2, lexicon=file)
    assert result["SFS"]["score"] == 1.0


def test_or_replaces(tmp_path: Path):
    file = tmp_path / "mine.yaml"
    file.write_text("replace: true\nclasses:\n  thing: {}\ndrugs:\n  novelmycin: {class: [thing]}\n", "utf-8")
    assert [m.concept.key for m in extract("metformin and novelmycin", file)] == ["novelmycin"]
    with pytest.raises(UsageError, match=r"safety_rules.yaml:\d+ .*unknown name"):
        load_rulebook(None, load_lexicon(file))


def test_the_bundled_files_refer_only_to_each_other(tmp_path: Path):
    """Names in them are not looked up when they are loaded, names in a lexicon of one's own are."""
    file = tmp_path / "all.yaml"
    sections = [path for path in sorted(LEXICON_FOLDER.glob("*.yaml")) if path.stem not in GRAMMAR]
    content = {path.stem: read_yaml(path).value for path in sections}
    file.write_text(json.dumps({"replace": True, **content}), "utf-8")
    lexicon = load_lexicon(file)
    assert list(lexicon.concepts) == list(load_lexicon().concepts)


def test_all_errors_are_told_at_once(tmp_path: Path):
    file = tmp_path / "mine.yaml"
    file.write_text("drugs:\n  x: {clas: [nsaid]}\nmeasures:\n  y: {kind: labs}\nreplace: maybe\n", "utf-8")
    with pytest.raises(UsageError, match=r"(?s):2 \(drugs.x.clas\).*:4 \(measures.y.kind\).*:5 \(replace\)"):
        load_lexicon(file)
    file.write_text("drugs:\n  x: {class: [nsaids]}\nconditions:\n  y: {isa: [diabets]}\n", "utf-8")
    with pytest.raises(UsageError, match=r"(?s):2 \(drugs.x.class\[0\]\).*:4 \(conditions.y.isa\[0\]\)"):
        load_lexicon(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("drug: {}", r"mine.yaml:1 \(drug\): unknown key 'drug'.*drugs"),
        ("drugs:\n  x: {clas: [nsaid]}", r"mine.yaml:2 \(drugs.x.clas\): unknown key 'clas'.*class"),
        ("drugs:\n  x: {class: [nsaids]}", r"mine.yaml:2 \(drugs.x.class\[0\]\): unknown name 'nsaids'.*nsaid"),
        ("drugs:\n  x: {class: nsaid}", "must be a list, not 'nsaid'"),
        ("drugs:\n  x: 3", "must be a mapping"),
        ("conditions:\n  x: {isa: [diabets]}", "unknown name 'diabets'.*diabetes"),
        ("measures:\n  x: {kind: labs}", "'labs': unknown value.*lab, vital"),
        ("measures:\n  x: {kind: lab, units: {mg: 0}}", "must be a factor other than 0"),
        ("hints:\n  x: {to: [diabets], ko: [가]}", "unknown name 'diabets'.*diabetes"),
        ("drugs:\n  x: {ko: ['" + "{a|b}" * 40 + "']}", "more than 1,000 words"),
        ("replace: maybe", r"\(replace\): must be true or false"),
        ("- 1", "must be a mapping"),
        ("drugs: [1]", r"\(drugs\): must be a mapping"),
        (
            "measures:\n  x: {kind: lab, units: {mg: [1, 2, 3]}}",
            r"\(measures.x.units.mg\): must be a factor other than 0, or \[factor, offset\]",
        ),
        ("measures:\n  x: {kind: lab, pair: [glucose]}", r"\(measures.x.pair\): must have at least 2"),
        ("measures:\n  x: {kind: lab, pair: [glucose, sugar]}", r"x.pair\[1\]\): unknown name 'sugar'"),
        ("demographics:\n  x: {kind: age_group, from: 3}", "an age group needs `from` and `to`"),
        ("hints:\n  x: {ko: [가]}", "the key 'to' is missing"),
        ("drugs:\n  x: {classes: [nsaid]}", "unknown key 'classes'"),
        ("drugs:\n  x: {ko: [' ']}", r"x.ko\[0\]\): must not be blank"),
    ],
)
def test_a_broken_lexicon_is_refused_with_its_place(tmp_path: Path, text, message):
    file = tmp_path / "mine.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=message):
        load_lexicon(file)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("아모잘탄", ["amlodipine", "losartan"]),
        ("Advair Diskus 250/50", ["fluticasone", "salmeterol"]),
        ("트윈스타정 40/5mg", ["telmisartan", "amlodipine"]),
        ("Sacubitril / valsartan", ["sacubitril", "valsartan"]),
    ],
)
def test_a_product_has_all_its_ingredients(text, keys):
    assert [concept.key for concept, *_ in load_extractor().concepts(text)] == keys


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("아이나 어른이나 마찬가지입니다", []),
        ("아이나를 복용합니다", ["isoniazid"]),
        ("목이 간질간질합니다", ["itching"]),
        ("간질로 치료받습니다", ["epilepsy"]),
        ("Plan B is to wait", []),
        ("She took Plan B", ["levonorgestrel"]),
        ("He can do PE again", []),
        ("You had a PE", ["pulmonary_embolism"]),
        ("97% on RA", []),
        ("Your RA is quiet", ["rheumatoid_arthritis"]),
        ("Ms. Kim, as we said", []),
    ],
)
def test_words_with_other_meanings_need_their_context(text, keys):
    assert [concept.key for concept, *_ in load_extractor().concepts(text)] == keys


def test_an_unknown_ingredient_of_a_product_is_refused(tmp_path: Path):
    file = tmp_path / "lexicon.yaml"
    file.write_text("products: {newpill: {of: [metformin, nodrug], en: [Newpill]}}", "utf-8")
    with pytest.raises(UsageError, match="nodrug"):
        load_lexicon(file)
