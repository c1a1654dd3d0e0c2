"""What the paper's table warns about: bodies worse than wholes, systems that may be declared wrongly."""

from __future__ import annotations

from collections.abc import Callable

from jatdae.core.messages import choose_language
from jatdae.documents import DocumentEvaluator
from jatdae.report.paper import make_paper
from jatdae.run.api import Finished

Folders = Callable[..., Finished]
MD = "# Title\n\nsome text\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
ENTRIES = "".join(f"[{n}] Author, A. ({2000 + n}). A title of some length. Journal, {n}, 1-9.\n" for n in range(1, 7))
CUT = f"The body of it is short.\n\n# References\n\n{ENTRIES}"
UNCUT = f"The body of it is short. {' '.join(ENTRIES.split())}\n"


def test_where_body_is_above_full_the_documents_and_the_side_are_named(compare_folders: Folders) -> None:
    done = compare_folders(
        {"a.md": CUT, "b.md": UNCUT, "c.md": "text\n"},
        one={"a.md": UNCUT, "b.md": CUT, "c.md": "text\n"},
        two={"a.md": CUT, "b.md": UNCUT, "c.md": "text\n"},
    )
    assert make_paper(done.folder).warnings == (
        "one: Body CER is above Full CER in 1 of 3 documents (a): "
        "no bibliography was found in what the parser wrote, so only the reference text was cut.",
        "one: Body CER is above Full CER in 1 of 3 documents (b): "
        "no bibliography was found in the reference text, so only what the parser wrote was cut.",
    )
    choose_language("ko")
    assert "정답에서 참고문헌을 찾지 못해" in make_paper(done.folder).warnings[1]
    assert done.summary["systems"]["one"]["counts"]["body_above_full"] == {"prediction": 1, "reference": 1}


def test_many_documents_are_counted_and_ten_are_named(compare_folders: Folders) -> None:
    gold, parsed = ({f"{n:02d}.md": text for n in range(13)} for text in (CUT, UNCUT))
    (warning,) = make_paper(compare_folders(gold, one=parsed).folder).warnings
    assert "13 of 13 documents (00, 01, 02, 03, 04, 05, 06, 07, 08, 09 and 3 more)" in warning


def test_a_system_that_is_declared_but_not_there_is_told_of(compare_folders: Folders) -> None:
    evaluator = DocumentEvaluator(structured={"oen": False, "*": "auto"})
    (warning,) = make_paper(compare_folders({"a.md": MD}, evaluator, one={"a.md": MD}).folder).warnings
    assert "`structured` names oen, which is no system of this run" in warning


def test_plain_text_that_looks_like_structure_is_told_of_unless_declared(compare_folders: Folders) -> None:
    accident = {"a.md": "Title\nsome text\n\n# of items: 3\n"}
    (warning,) = make_paper(compare_folders({"a.md": MD}, one=accident).folder).warnings
    assert warning.startswith("one: something in its documents looks like")
    assert warning.endswith("--structured one=no.")
    declared = DocumentEvaluator(structured={"one": True})
    assert make_paper(compare_folders({"a.md": MD}, declared, one=accident).folder).warnings == ()
    assert make_paper(compare_folders({"a.md": MD}, one={"a.md": MD}).folder).warnings == ()


def test_warnings_are_of_the_systems_that_are_shown(compare_folders: Folders) -> None:
    evaluator = DocumentEvaluator(structured={"three": False})
    done = compare_folders({"a.md": CUT}, evaluator, one={"a.md": UNCUT}, two={"a.md": CUT})
    whole, one, two = (make_paper(done.folder, only).warnings for only in ((), ("one",), ("two",)))
    assert [warning.partition(":")[0] for warning in whole[1:]] == ["one"]
    assert one == whole
    assert two == whole[:1]
    assert "names three" in whole[0]
