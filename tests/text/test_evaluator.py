"""The evaluator as a run meets it: values, stats, issues, evidence, configuration."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path
from typing import Any

import orjson
import pytest

from jatdae import evaluate
from jatdae.cli import main
from jatdae.core.contract import Outcome, Sample
from jatdae.core.errors import UsageError
from jatdae.core.evaluator import micro_of, options_of, spec_of
from jatdae.core.meanings import missing_meanings
from jatdae.core.messages import speaking
from jatdae.core.signature import sign
from jatdae.kernels import edit
from jatdae.text import TextEvaluator

ENTRIES = "\n".join(f"[{n}] Ash, J. ({2000 + n}). A title. A Journal, {n}, 1–9." for n in range(1, 7))


def score(prediction: Any, reference: Any, **config: Any) -> Outcome:
    return TextEvaluator(**config).score(Sample("x", prediction, reference))


def codes(outcome: Outcome) -> list[str]:
    """Without the one that says why `bibliography_cer` does not apply."""
    return [issue.code for issue in outcome.issues if issue.code != "no_bibliography"]


def test_every_metric_has_a_value_and_body_cer_is_primary() -> None:
    spec = spec_of(TextEvaluator)
    assert spec.primary.name == "body_cer"
    assert set(score("a", "b").values) == {metric.name for metric in spec.metrics}


def test_without_a_bibliography_body_and_full_are_one() -> None:
    values = score("one two tree", "one two three").values
    assert values["body_cer"] == values["cer"] == 1 / 13
    assert values["body_wer"] == values["wer"] == 1 / 3
    assert values["delta_bibliography"] == 0.0


def test_bibliographies_on_both_sides_are_cut_from_both() -> None:
    outcome = score(f"The text.\n\nREFERENCES\n{ENTRIES}", f"The text.\n\n# References\n\n{ENTRIES[:-9]}")
    assert outcome.values["body_cer"] == 0.0
    assert outcome.values["delta_bibliography"] == outcome.values["cer"] > 0
    assert codes(outcome) == []
    assert outcome.evidence["bibliography"]["reference"]["found"]


def test_a_bibliography_on_one_side_only_is_cut_and_flagged() -> None:
    outcome = score(f"The text.\n\nReferences\n{ENTRIES}", "The text.")
    assert outcome.values["body_cer"] == 0.0
    assert codes(outcome) == ["bibliography_one_sided"]
    assert "prediction only" in outcome.issues[0].message
    assert outcome.evidence["bibliography"] == {
        "prediction": {"found": True, "by": "heading", "characters": len(ENTRIES) + 11},
        "reference": {"found": False},
    }


def test_literal_rule_cuts_one_side_where_titles_differ_and_makes_body_worse_than_full() -> None:
    prediction, reference = f"Text.\n\nReferences\n{ENTRIES}", f"Text.\n\nLiterature Cited\n{ENTRIES}"
    literal = score(prediction, reference, bibliography="heading").values
    ours = score(prediction, reference).values
    assert literal["body_cer"] > literal["cer"]
    assert ours["body_cer"] == 0.0
    assert score(prediction, reference, bibliography="none").values["delta_bibliography"] == 0.0


def test_empty_reference_is_not_applicable_but_its_insertions_count() -> None:
    outcome = score("four", "[1]")
    assert set(outcome.values.values()) == {None}
    assert codes(outcome) == ["empty_reference"]
    assert outcome.stats["cer.insertions"] == 4
    assert {value for name, value in score("", "").values.items() if name != "bibliography_cer"} == {0.0}


def test_a_reference_of_a_bibliography_alone_has_no_body() -> None:
    outcome = score("Some text.", f"References\n{ENTRIES}")
    assert outcome.values["cer"] is not None
    assert outcome.values["body_cer"] is outcome.values["body_wer"] is outcome.values["delta_bibliography"] is None
    assert codes(outcome)[0] == "empty_reference"


@pytest.mark.parametrize("reference", [None, 7, ["a"], {"a": 1}, b"a"])
def test_a_reference_that_is_no_text_leaves_the_sample_out(reference: object) -> None:
    outcome = score("a", reference)
    assert set(outcome.values.values()) == {None}
    assert codes(outcome) == ["not_text"]
    assert not any(outcome.stats.values())


@pytest.mark.parametrize("prediction", [None, 7, ["a"], {"a": 1}, b"a"])
def test_a_prediction_that_is_no_text_is_as_bad_as_can_be(prediction: object) -> None:
    outcome = score(prediction, "abc")
    assert outcome.values["cer"] == outcome.values["body_wer"] == 1.0
    assert outcome.stats["cer.deletions"] == 3
    assert codes(outcome) == ["not_text"]
    assert score(prediction, "").values["cer"] == 1.0


def test_long_texts_that_differ_too_much_are_not_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edit, "MAX_STEPS", 1_000_000)
    reference = "one two three four " * 500
    for unit in ("char", "grapheme"):
        evaluator = TextEvaluator(unit=unit)
        near = evaluator.score(Sample("1", reference.replace("four", "for", 20), reference))
        assert codes(near) == []
        assert near.values["cer"] == 20 / len(reference.rstrip())
        far = evaluator.score(Sample("1", "五 六七 八九 十 " * 800, reference))
        assert codes(far) == ["too_large"]
        assert "more than 1,000,000 steps" in far.issues[0].message
        bags = dict.fromkeys(("order_free_error", "body_order_free_error"), 3200 / 2000)
        others = {"delta_bibliography": 0.0, "bibliography_cer": None, **bags}
        assert {name: value for name, value in far.values.items() if value != 1.0} == others
        empty = evaluator.score(Sample("1", "", reference)).stats
        assert far.stats == {**empty, "order_free.errors": 3200, "body_order_free.errors": 3200}
    disordered = evaluator.score(Sample("1", " ".join(reversed((reference * 4).split())), reference * 4))
    assert codes(disordered) == ["too_large"]
    assert disordered.values["order_free_error"] == 0.0


def test_too_large_texts_are_not_aligned_and_nobody_gains_by_them() -> None:
    long = score("a" * 11, "abc", max_chars=10)
    assert codes(long) == ["too_large"]
    assert long.values["cer"] == 1.0
    outcome = score("abc", "a" * 11, max_chars=10)
    assert codes(outcome) == ["too_large"]
    assert outcome.values["cer"] is None
    swapped = score("five four three", "three four five", max_chars=10)
    assert (swapped.values["order_free_error"], swapped.values["body_order_free_error"]) == (0.0, 0.0)
    assert swapped.values["wer"] is None
    assert not swapped.stats
    assert "max_chars is 10" in swapped.issues[0].message
    assert score(7, "three four five", max_chars=10).values["order_free_error"] is None


def test_content_that_goes_on_one_side_only_is_flagged() -> None:
    formula = "$" + "x" * 60 + "$"
    outcome = score("The text in between.", f"The text {formula} in between.")
    assert codes(outcome) == ["one_sided_step"]
    assert outcome.issues[0].message == "math: 62 characters removed from the reference, 0 from the prediction"
    assert codes(score(f"The text {formula} in between.", f"The text {formula} in between.")) == []


def test_syntax_and_citations_in_another_dress_are_not_flagged() -> None:
    reference = " ".join(f"**Bold** claim {n} [@somebody{n}]." for n in range(20))
    prediction = " ".join(f"Bold claim {n} [{n}]." for n in range(20))
    outcome = score(prediction, reference)
    assert outcome.values["cer"] == 0.0
    assert codes(outcome) == []


def test_scope_is_kept_by_step_and_side() -> None:
    outcome = score("a [1] b", "a [@key] **b**")
    assert outcome.evidence["scope"]["citation_numbers"] == [3, 0]
    assert outcome.evidence["scope"]["citation_keys"] == [0, 6]
    assert outcome.counts["scope.prediction"]["citation_numbers"] == 3
    assert outcome.counts["scope.reference"]["markdown"] == 4


def test_stats_add_up_to_micro_averages() -> None:
    evaluator = TextEvaluator()
    pairs = [("abcd", "abcx"), ("", "abcdef"), (f"Text.\n\nReferences\n{ENTRIES}", "Test.")]
    outcomes = [evaluator.score(Sample(str(n), *pair)) for n, pair in enumerate(pairs)]
    total = {key: sum(o.stats[key] for o in outcomes) for key in outcomes[0].stats}
    micro = micro_of(evaluator, total)
    assert micro["body_cer"] == (1 + 6 + 1) / (4 + 6 + 5)
    assert micro["cer"] == sum(o.stats["cer.length"] * o.values["cer"] for o in outcomes) / 15
    assert micro["delta_bibliography"] == micro["cer"] - micro["body_cer"]
    assert micro_of(evaluator, outcomes[0].stats) == outcomes[0].values


def test_micro_average_of_nothing_is_nothing() -> None:
    assert micro_of(TextEvaluator(), score("", "").stats)["cer"] == 0.0
    assert micro_of(TextEvaluator(), score("x", "").stats)["cer"] is None


def test_graphemes_count_what_a_reader_sees() -> None:
    family, flag = "👩\u200d👩\u200d👧", "🇰🇷"
    assert score(f"a{flag}", f"a{family}").values["cer"] == 5 / 6
    outcome = score(f"a{flag}", f"a{family}", unit="grapheme")
    assert outcome.values["cer"] == 1 / 2
    assert outcome.evidence["confusions"] == [(f"{family}→{flag}", 1)]


def test_signature_names_components_with_versions() -> None:
    line = str(sign(TextEvaluator(normaliser="ligatures+fair"), refs="3fa1c2d9", preds="77b0e1aa", kernel="native"))
    assert "normaliser:ligatures@1+fair@2 | bibliography:block@4 | unit:char | spaces:count" in line
    assert "bibliography:heading" in str(
        sign(TextEvaluator(bibliography="heading"), refs="", preds="", kernel="native")
    )
    assert "unit:grapheme@2" in str(sign(TextEvaluator(unit="grapheme"), refs="", preds="", kernel="native"))


def test_every_option_explains_itself() -> None:
    assert all(option.help for option in options_of(TextEvaluator))


def test_former_names_are_answered_with_the_new_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "text", "pairs.jsonl", "--references", "none", "--lang", "en"]) == 2
    assert "Did you mean '--bibliography'?" in capsys.readouterr().err
    result = evaluate([Sample("1", "a", "a")], "text")
    for name in ("delta_refs", "delta_refs.micro"):
        with pytest.raises(UsageError, match=rf"'{name}'\. Did you mean 'delta_bibliography'\?"):
            result.value(name)


@pytest.mark.parametrize("name", ["text", "documents"])
def test_former_flags_and_suite_keys_are_answered_with_the_new_ones(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs, suite = tmp_path / "pairs.jsonl", tmp_path / "suite.yaml"
    pairs.write_text('{"prediction": "a", "reference": "a"}\n')
    suite.write_text(f"""
name: s
datasets: {{d: {{pairs: {{p: pairs.jsonl}}}}}}
evaluators: {{{name}: {{config: {{references: none}}}}}}
""")
    for arguments, new in (
        ([name, str(pairs), "--references=none"], "--bibliography"),
        ([name, str(pairs), "--fail-over=delta_refs=1"], "delta_bibliography"),
        ([str(suite)], "bibliography"),
    ):
        with speaking("en"):  # restores the language that --lang sets
            assert main(["run", *arguments, "--lang", "ko"]) == 2
        assert f"혹시 '{new}'인가요?" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"normaliser": "fiar"}, "Did you mean 'fair'?"),
        ({"max_chars": 0}, "text: max_chars = 0: must be 1 or more."),
        ({"bibliography": "blok"}, "text: bibliography = 'blok': unknown value. Did you mean 'block'?"),
        ({"unit": "byte"}, "Choices: char, grapheme."),
    ],
)
def test_configuration_that_cannot_be_is_refused_at_once(config: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as refused:
        TextEvaluator(**config)
    assert said in str(refused.value)


def test_a_refused_normaliser_is_told_in_korean() -> None:
    for name, said in (("fiar", "혹시 'fair'인가요?"), ("fair@9", "쓸 수 있는 버전: fair@2, fair@1.")):
        with speaking("ko"), pytest.raises(UsageError, match=r"normaliser: .*[가-힣]") as refused:
            TextEvaluator(name)
        assert said in str(refused.value)


def test_every_name_has_a_meaning_in_both_languages() -> None:
    assert missing_meanings(TextEvaluator) == []


def test_what_comes_out_is_declared() -> None:
    outcomes = [
        TextEvaluator(max_chars=45).score(Sample("1", prediction, reference))
        for prediction, reference in (
            ("", "a passage of more than forty characters lost"),
            ("# A\n\nb [1] c", "# A\n\nx [2] y\n\nz"),
            ("", "text"),
            ("text", ""),
            (5, "text"),
            ("x" * 50, "text"),
            ("a\n\n# References\n\n[1] B, 2020", "abcdefgh"),
        )
    ]
    spec = spec_of(TextEvaluator)
    assert {issue.code for outcome in outcomes for issue in outcome.issues} <= spec.severities.keys()
    assert {name for outcome in outcomes for name in outcome.counts} == {count.name for count in spec.counts}
    assert {issue.severity for outcome in outcomes for issue in outcome.issues} == {None}


@pytest.mark.parametrize("text", ["\ud800lone", "\0\x1b[31m", "<script>alert(1)</script>", "\u202eright to left"])
def test_evidence_and_counts_of_hostile_text_are_json(text: str) -> None:
    for unit in ("char", "grapheme"):
        outcome = score(text, "something else", unit=unit)
        assert orjson.loads(orjson.dumps(outcome.evidence))
        assert orjson.dumps(dict(outcome.counts))


def test_bundled_samples_show_what_the_metric_is_about() -> None:
    lines = (resources.files("jatdae.text") / "samples" / "pairs.jsonl").read_text("utf-8").splitlines()
    outcomes = {row["id"]: TextEvaluator().score(Sample(**row)) for row in map(json.loads, lines)}
    assert {row["meta"]["lang"] for row in map(json.loads, lines)} == {"en", "ko"}
    assert codes(outcomes["lamp-without-gold-references"]) == ["bibliography_one_sided"]
    assert outcomes["tides"].values["delta_bibliography"] > 0 > outcomes["tongue-ko"].values["delta_bibliography"]
    assert outcomes["receipt-ko"].evidence["confusions"] == [("1→l", 1)]


def test_a_run_without_a_usable_reference_has_no_micro_average() -> None:
    from jatdae.run.api import evaluate

    result = evaluate([Sample("1", "abc", 5)], "text")
    assert result.value("cer") is None
    assert result.value("cer.micro") is None


def test_text_by_a_perfect_reader_has_a_perfect_body_however_the_bibliography_is_marked() -> None:
    after = "A Additional Experiments\nThe model was run on two further sets of images, with much the same numbers."
    plain = f"Title\nSome text.\nReferences\n{ENTRIES}\n{after}"
    marked = f"# Title\n\nSome text.\n\n::: {{#refs}}\nReferences\n\n{ENTRIES}\n:::\n\n# {after}"
    values = score(plain, marked).values
    assert values["cer"] == values["body_cer"] == values["bibliography_cer"] == 0.0
    near = score(plain.replace("further", "farther"), marked)
    assert 0.0 < near.values["body_cer"] < 0.02
    assert near.values["bibliography_cer"] == 0.0
    assert codes(near) == []


def test_bibliographies_of_unequal_length_are_flagged() -> None:
    short = "\n".join(ENTRIES.splitlines()[:3])
    outcome = score(f"Text.\n\nReferences\n{short}", f"Text.\n\nReferences\n{ENTRIES}")
    assert codes(outcome) == ["bibliography_unequal"]
    assert outcome.values["body_cer"] == 0.0
    assert 0.4 < outcome.values["bibliography_cer"] < 0.6
    assert outcome.values["bibliography_cer"] == micro_of(TextEvaluator(), outcome.stats)["bibliography_cer"]


def test_every_bibliography_is_cut() -> None:
    chapter = f"Text of a chapter.\n\n## References\n\n{ENTRIES}\n\n"
    outcome = score(
        f"# One\n\n{chapter}# Two\n\n{chapter}", "# One\n\nText of a chapter.\n\n# Two\n\nText of a chapter."
    )
    assert outcome.values["body_cer"] == 0.0
    assert outcome.evidence["bibliography"]["prediction"]["lists"] == 2


def test_bibliography_cer_applies_where_the_reference_has_one() -> None:
    listed = f"Text.\n\nReferences\n{ENTRIES}"
    assert score("Text.", listed).values["bibliography_cer"] == 1.0
    assert score(listed, "Text.").values["bibliography_cer"] is None
    none = score("Text.", "Text.")
    assert none.values["bibliography_cer"] is None
    assert [issue.code for issue in none.issues] == ["no_bibliography"]
    rows = [{"id": "1", "prediction": None, "reference": listed}, {"id": "2", "prediction": None, "reference": "Text."}]
    found = {row["id"]: row["values"]["bibliography_cer"] for row in evaluate(rows, "text").rows()}
    assert found == {"1": 1.0, "2": None}


def test_formulas_without_dollars_on_one_side_are_flagged() -> None:
    reference = r"The ratio \frac{a}{b} is small."
    assert codes(score("The ratio is small.", reference)) == ["bare_math_one_sided"]
    assert codes(score(reference.replace("small", "big"), reference)) == []


def test_spaces_may_be_left_out_of_account() -> None:
    assert score("혀의색", "혀의 색", spaces="ignore").values["cer"] == 0.0
    assert score("혀의색", "혀의 색").values["cer"] == 1 / 4
    assert score("혀의색", "혀의 색", spaces="ignore").values["wer"] == 1.0
    outcome = score("# 결과\n\n혀의 섹", "# 결과\n\n혀의 색", spaces="ignore", unit="grapheme")
    assert outcome.values["cer"] == 1 / 5
    assert outcome.evidence["where"] == {"body": {"substitutions": 1, "deletions": 0, "insertions": 0}}


def test_runs_of_two_versions_of_a_component_are_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"id": "1", "prediction": "a", "reference": "a"}\n')
    for normaliser in ("fair", "fair@1", "fair@2"):
        assert main(["run", "text", str(pairs), "--normaliser", normaliser, "--out", str(tmp_path / normaliser)]) == 0
    capsys.readouterr()
    for language, said in (("en", "cannot be compared"), ("ko", "비교할 수 없습니다")):
        with speaking("en"):
            runs = [str(tmp_path / "fair@1"), str(tmp_path / "fair")]
            assert main(["compare", *runs, "--lang", language]) == 2
        error = capsys.readouterr().err
        assert said in error
        assert "normaliser: fair@1 ≠ fair@2" in error
    assert main(["compare", str(tmp_path / "fair"), str(tmp_path / "fair@2"), "--lang", "en"]) == 0


@pytest.mark.parametrize("length", [1, 40, 400])
def test_a_text_that_is_asked_for_again_is_normalised_as_before(length: int) -> None:
    texts = [f"# **{word}** [1]\n\n" * length for word in ("one", "two", "three", "one")]
    kept = TextEvaluator()
    assert [kept.normalised(text) for text in texts] == [TextEvaluator().normalised(text) for text in texts]
    assert kept.score(Sample("a", texts[0], texts[1])) == TextEvaluator().score(Sample("a", texts[0], texts[1]))
