"""An evaluator as a module of Hugging Face `evaluate` gives the numbers of `jatdae.evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import jatdae
from jatdae.core.errors import UsageError

pytest.importorskip("evaluate")

PREDICTIONS, REFERENCES = ["the cat", "a dog"], ["the bat", "a dog"]


def test_a_module_computes_at_once_and_batch_by_batch(tmp_path: Path) -> None:
    from jatdae.doors.hf_evaluate import module

    result = jatdae.evaluate({"prediction": PREDICTIONS, "reference": REFERENCES}, "text")
    made = module("text", cache_dir=str(tmp_path))
    found = made.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert (found["cer"], found["cer.micro"]) == (result.value("cer"), result.value("cer.micro"))
    assert found["signature"] == str(result.signature)
    for prediction, reference in zip(PREDICTIONS, REFERENCES, strict=True):
        made.add_batch(predictions=[prediction], references=[reference])
    assert made.compute()["cer"] == found["cer"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"predictions": [], "references": []}, "predictions is empty"),
        ({}, r"give predictions=\[…\], references=\[…\]"),
        ({"predictions": ["a"]}, r"give references=\[…\]"),
        (
            {"predictions": [{"a": 1}], "references": ['{"a": 1}']},
            r"predictions\[0\]: texts are expected, not dict.*json\.dumps",
        ),
        ({"predictions": ["a"], "references": [None]}, r"references\[0\]: texts are expected, not NoneType"),
        ({"predictions": "a", "references": ["a"]}, "predictions: texts are expected, not str"),
    ],
)
def test_what_cannot_be_scored_is_told_with_what_to_give(given: dict[str, Any], said: str, tmp_path: Path) -> None:
    from jatdae.doors.hf_evaluate import module

    with pytest.raises(UsageError, match=said):
        module("text", cache_dir=str(tmp_path)).compute(**given)


def test_arguments_that_have_no_meaning_here_and_conversations_are_refused(tmp_path: Path) -> None:
    from jatdae.doors.hf_evaluate import module

    with pytest.raises(UsageError, match=r"prediction_field: the module takes predictions="):
        module("text", cache_dir=str(tmp_path), prediction_field="a", reference_field="a")
    with pytest.raises(UsageError, match=r"dialogue scores conversations.*jatdae\.evaluate"):
        module("dialogue", cache_dir=str(tmp_path))


def test_settings_are_passed_on_and_a_slip_is_told_at_once(tmp_path: Path) -> None:
    from jatdae.doors.hf_evaluate import module

    made = module("structured", cache_dir=str(tmp_path), tau=0.5)
    assert made.compute(predictions=['{"a": 1}'], references=['{"a": 1}'])["exact_accuracy"] == 1.0
    with pytest.raises(UsageError, match="Did you mean 'normaliser'"):
        module("text", normalizer="fair")
