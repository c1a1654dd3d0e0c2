"""What holds for any description."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from jatdae.core.contract import Sample
from jatdae.terms import TermsEvaluator, find_lexicon, parse, similarity
from jatdae.terms.atom_similarity import Similarities

LEXICON = find_lexicon("tongue")
ALIKE = Similarities(LEXICON)
FEW = settings(derandomize=True, max_examples=150, deadline=None)

PHRASES = [
    *("舌红", "舌淡红", "舌绛", "舌质暗红", "舌紫暗", "舌胖大", "边有齿痕", "舌尖红", "舌中有裂纹", "舌边尖略红"),
    *("无瘀斑", "未见裂纹", "苔薄白", "苔黄腻", "苔微黄", "苔少", "无苔", "苔花剥", "舌根苔厚腻"),
    *("苔白或黄", "舌红或绛", "苔黄或腻", "舌下络脉迂曲", "舌下络脉紫暗", "舌光", "少津"),
]
descriptions = st.lists(st.sampled_from(PHRASES), min_size=1, max_size=6).map("，".join)
odd = st.text(
    st.sampled_from("舌苔红绛淡暗白黄薄厚腻无不未见或有边尖中根下络脉、，。（）微略太설질태홍박백니는 \n"), max_size=25
)
texts = st.one_of(descriptions, odd)

# Atoms that one word states wherever it stands: the building blocks of descriptions with a known content.
WORDS = {
    f"{prefix}_{word}": word
    for prefix, words in {
        "COLOR": "红 青 紫红",
        "SHAPE": "裂纹 齿痕 嫩",
        "COATCOLOR": "白 黑",
        "THICK": "薄 厚",
        "NATURE": "腻 滑",
    }.items()
    for word in words.split()
}
atoms = st.lists(st.sampled_from(sorted(WORDS)), unique=True, max_size=6)


def say(atoms: Sequence[str]) -> str:
    return "，".join(WORDS[atom] for atom in atoms)


@FEW
@given(texts)
def test_a_description_is_like_itself(text: str) -> None:
    assert similarity(text, text) == 1.0


@FEW
@given(texts, st.data())
def test_punctuation_changes_nothing(text: str, data: st.DataObject) -> None:
    marks = data.draw(
        st.lists(st.sampled_from(["", "，", "。", "；", " ", "、"]), min_size=len(text), max_size=len(text))
    )
    other = "".join(character + mark for character, mark in zip(text, marks, strict=True))
    assert similarity(other, text) == similarity(text, other) == 1.0


@FEW
@given(texts, texts)
def test_a_score_is_the_same_from_either_side(a: str, b: str) -> None:
    assert similarity(a, b) == similarity(b, a)
    one, other = (TermsEvaluator().score(Sample("", *pair)).values for pair in ((a, b), (b, a)))
    if None not in one.values() and None not in other.values():
        assert (one["precision"], one["recall"]) == (other["recall"], other["precision"])
        for name in one.keys() - {"precision", "recall"}:
            assert one[name] == other[name]


@FEW
@given(texts, texts)
def test_every_value_is_from_zero_to_one(a: str, b: str) -> None:
    for empty in ("match", "skip"):
        found = TermsEvaluator(empty_category=empty, partial_match=True).score(Sample("", a, b)).values
        assert all(value is None or 0.0 <= value <= 1.0 for value in found.values())


@FEW
@given(texts, texts)
def test_no_rung_of_the_ladder_is_higher_than_the_one_below(a: str, b: str) -> None:
    found = TermsEvaluator().score(Sample("", a, b)).values
    assume(found["score"] is not None)
    assert found["exact_f1"] >= found["polarity_f1"] >= found["location_f1"]
    assert found["f1"] >= found["polarity_f1"]


@FEW
@given(texts, texts)
def test_every_counted_property_is_in_one_table(a: str, b: str) -> None:
    for partial in (False, True):
        outcome = TermsEvaluator(partial_match=partial).score(Sample("", a, b))
        sums = {name: sum(table.values()) for name, table in outcome.counts.items()}
        met = sum(sums.get(name, 0) for name in ("right", "place", "negated", "confused"))
        assert met + sums.get("missed", 0) == outcome.stats["expected"]
        assert met + sums.get("extra", 0) == outcome.stats["predicted"]
        assert all(table and min(table.values()) > 0 for table in outcome.counts.values())


@FEW
@given(texts, texts)
def test_counts_agree_with_the_ladder(a: str, b: str) -> None:
    outcome = TermsEvaluator().score(Sample("", a, b))
    right, place, negated = (sum(outcome.counts.get(name, {}).values()) for name in ("right", "place", "negated"))
    stats = outcome.stats
    assert right <= stats["location"]
    assert right + place <= stats["polarity"]
    assert right + place + negated <= stats["exact"]
    if "confused" not in outcome.counts and "或" not in a + b:
        assert (right, right + place, right + place + negated) == (
            stats["location"],
            stats["polarity"],
            stats["exact"],
        )


@FEW
@given(texts, texts)
def test_counts_from_the_other_side_are_mirrored(a: str, b: str) -> None:
    one, other = (TermsEvaluator().score(Sample("", *pair)) for pair in ((a, b), (b, a)))
    assume(one.values["score"] is not None and other.values["score"] is not None)
    sums = [{name: sum(table.values()) for name, table in each.counts.items()} for each in (one, other)]
    for name, mirrored in (("missed", "extra"), ("extra", "missed"), ("negated", "negated")):
        assert sums[0].get(name, 0) == sums[1].get(mirrored, 0)


@FEW
@given(atoms, atoms, st.randoms(use_true_random=False))
def test_order_does_not_matter(a: list[str], b: list[str], random: object) -> None:
    shuffled = list(a)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert similarity(say(a), say(b)) == similarity(say(shuffled), say(b))


@FEW
@given(atoms, atoms, st.data())
def test_a_right_atom_in_the_place_of_a_wrong_one_never_lowers_the_score(
    predicted: list[str], reference: list[str], data: st.DataObject
) -> None:
    wrong = [atom for atom in predicted if not any(ALIKE(atom, each) for each in reference)]
    right = [atom for atom in reference if atom not in predicted]
    assume(wrong and right)
    out, into = data.draw(st.sampled_from(wrong)), data.draw(st.sampled_from(right))
    better = [into if atom == out else atom for atom in predicted]
    for empty in ("match", "skip"):
        judge = TermsEvaluator(empty_category=empty)
        before, after = (judge.score(Sample("", say(each), say(reference))).values for each in (predicted, better))
        for name in ("score", "f1", "exact_f1"):
            assert after[name] >= before[name]


@FEW
@given(atoms)
def test_building_blocks_are_read_as_what_they_are(wanted: list[str]) -> None:
    assert [term.atom for term in parse(say(wanted))] == wanted


@FEW
@given(st.text(max_size=40))
def test_any_text_is_read_within_its_bounds(text: str) -> None:
    for term in parse(text):
        assert 0 <= term.start < term.end
        assert term.atom in LEXICON.atoms
        assert all(LEXICON.atoms[place].place for place in term.places)
