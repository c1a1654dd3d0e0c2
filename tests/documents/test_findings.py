"""What is wrong in a document, in words."""

from __future__ import annotations

from jatdae import DocumentEvaluator
from jatdae.core.contract import Sample

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"


def test_each_part_that_differs_is_told_by_its_room() -> None:
    reference = f"# Title\n\nThe cat sat.\n\n{TABLE}"
    sample = Sample("1", reference.replace("cat", "bat").replace("2", "7").replace("# ", ""), reference)
    found = list(DocumentEvaluator.findings(DocumentEvaluator().score(sample).evidence))
    assert found[0] == "Text:" and "Tables:" in found and "Structure:" in found
    assert "    row 2, column 2: text differs: 2 → 7" in found
    assert "  headings: 1 missing, 0 extra" in found
