"""docling-eval: its numbers on its own pages, its words, and BLEU by hand."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from jatdae.core.errors import DataError
from jatdae.documents.benchmarks.docling_eval import bleu, edit_distance, rows, score, systems
from jatdae.documents.benchmarks.treebank import sentences_of, spelling_of, words_of

FILE = "evaluation_Some_markdown_text.json"


def test_every_published_number_of_200_pages(published: Callable[[str], Path]) -> None:
    path = published("docling_eval") / "evaluation_DPBench_markdown_text.json"
    pages = json.loads(path.read_text("utf-8"))["evaluations"]
    other = []
    for page in pages:
        values = score(page["pred_md"], page["true_md"])
        other += [(page["doc_id"][-7:-4], name) for name in values if abs(values[name] - page[name]) > 1e-6]
    assert len(pages) == 200
    # The file has no prediction for this page, a BLEU of 0 and an edit distance of .006.
    assert other == [("141", "edit_distance")]
    assert pages[140]["pred_md"] == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("One ends. Two begins.", "One ends . Two begins ."),
        ("Mr. Kim left. He smiled.", "Mr. Kim left . He smiled ."),
        ("in Nov. 2003, i.e. late", "in Nov. 2003 , i.e . late"),
        ("(fig. 4.1) shows", "( fig . 4.1 ) shows"),
        ("don't, can't: it's the boys' own", "do n't , ca n't : it 's the boys ' own"),
        ('He said "go." She went.', "He said `` go . '' She went ."),
        ("A. Smith, wrote. b. Waste is bad.", "A. Smith , wrote . b . Waste is bad ."),
        ("of Acme Inc. The firm", "of Acme Inc . The firm"),
        ("of Acme Inc. Kim left", "of Acme Inc. Kim left"),
        ("by Anna J. Berg here", "by Anna J. Berg here"),
        ("like all of Group B. All left", "like all of Group B . All left"),
        ("Part I. Review the rest", "Part I . Review the rest"),
        ("on page 4. Business was slow", "on page 4. Business was slow"),
        ("some tide in the U.S. Tide tables help", "some tide in the U.S . Tide tables help"),
        ("no word of it in the U.S. Tide tables help", "no word of it in the U.S. Tide tables help"),
        ("a tide, the firm Tide and U.S. Tide tables", "a tide , the firm Tide and U.S. Tide tables"),
        ("## Tide tables\n\na tide of the U.S. Tide tables", "# # Tide tables a tide of the U.S . Tide tables"),
        ("a tide\n\n## Ebb vs. Tide", "a tide # # Ebb vs. Tide"),
        ("a berg here, by Anna J. Berg here", "a berg here , by Anna J . Berg here"),
        ("so... Then he left", "so ... Then he left"),
        ("in Mass. Kim left", "in Mass . Kim left"),
        ("cannot gonna", "can not gon na"),
        ("3.5% of $1,000 -- so...", "3.5 % of $ 1,000 -- so ..."),
        ("", ""),
    ],
)
def test_words_are_those_of_nltk(text: str, words: str) -> None:
    assert words_of(text) == words.split()


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ('"Go away!" Then he left. (Really.) End', ['"Go away!"', "Then he left.", "(Really.)", "End"]),
        ("He went... The rest stayed", ["He went...", "The rest stayed"]),
        ("He went... Kim stayed", ["He went... Kim stayed"]),
    ],
)
def test_what_closes_a_sentence_belongs_to_it(text: str, sentences: list[str]) -> None:
    assert list(sentences_of(text, spelling_of(text))) == sentences


def test_either_side_of_a_page_tells_how_its_words_are_written() -> None:
    told = "of the U.S. Tide tables, and a tide"
    assert edit_distance("of the U.S. Tide tables", told) == edit_distance("of the U.S . Tide tables", told) == 4 / 10


def test_bleu_by_hand() -> None:
    assert bleu("a b c d", "a b c d") == pytest.approx(1.0)
    assert bleu("a b c d", "a b c d e f g h") == pytest.approx(math.exp(1 - 8 / 4))
    assert bleu("a b c d e", "a b c d x") == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)
    assert bleu("a b c", "a b c") == bleu("", "a") == 0.0


def test_edit_distance_by_hand() -> None:
    assert edit_distance("one two three.", "one two four.") == 1 / 4
    assert edit_distance("", "one") == 1.0


@pytest.mark.parametrize(
    "text", ["." * 20_000, ". " * 4_000, "'" * 20_000, " " * 100_000 + ".x", "-" * 20_000 + "a", "a.b" * 9_000]
)
def test_hostile_text_is_split_in_no_time(text: str) -> None:
    assert score(text, "some words of a page")["bleu"] == 0.0


def test_pages_of_an_evaluation_are_rows(folder: Callable[..., Path]) -> None:
    page = {"doc_id": "a.pdf", "true_md": "x", "pred_md": "y"}
    place = folder({f"one/{FILE}": {"evaluations": [page]}, f"two/{FILE}": {"evaluations": []}})
    assert systems(place) == ["one", "two"]
    assert list(rows(place, "one")) == [{"id": "a", "prediction": "y", "reference": "x"}]
    assert systems(place / "one" / FILE) == ["one"]


@pytest.mark.parametrize("content", ["[]", "{}", "{", '{"evaluations": [{"doc_id": "a"}]}', '{"evaluations": [7]}'])
def test_a_file_that_is_no_evaluation_is_named(folder: Callable[..., Path], content: str) -> None:
    place = folder({f"one/{FILE}": content})
    with pytest.raises(DataError, match=FILE):
        list(rows(place, "one"))


def test_a_system_is_called_by_its_folder_or_by_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one/evaluation_A_markdown_text.json", "two/evaluation_A_markdown_text.json", FILE):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert systems(Path(FILE)) == ["Some"]
    assert systems(Path("one/evaluation_A_markdown_text.json")) == ["one"]
    assert systems(Path()) == ["Some", "one", "two"]
    Path("two/evaluation_B_markdown_text.json").write_text("{}", "utf-8")
    assert systems(Path("two")) == ["two A", "two B"]
