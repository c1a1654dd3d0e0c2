"""docling-eval, its evaluation of Markdown texts: edit distance of words, and BLEU.

    edit_distance = Levenshtein(words) / longer number of words
    BLEU          = min(1, e^(1 − |r| / |p|)) · (P1 · P2 · P3 · P4)^(1/4)    Pn the clipped precision of n-grams

The words of the edit distance are those of NLTK: sentences, then the rules of the Penn Treebank (`treebank`). Those of
BLEU are the tokens of mteval-v13a; nothing is smoothed, so a text without a common 4-gram is 0.

Sources: https://github.com/docling-project/docling-eval; Papineni et al., BLEU, ACL 2002.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rapidfuzz.distance import Levenshtein

from jatdae.core.contract import Metric, add_up
from jatdae.core.errors import DataError
from jatdae.core.messages import speaker
from jatdae.documents.benchmarks.benchmark import Benchmark, Row, metrics_of, read_json, text_of
from jatdae.documents.benchmarks.treebank import spelling_of, words_of

say = speaker(__name__)

VERSION: Final = "2025.05r3"
"""Of the benchmark, and the revision of how its words are found here."""
ORDERS: Final = 4

_FILES: Final = "evaluation_*_markdown_text.json"
_ENTITIES: Final = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}
_MTEVAL: Final = tuple(
    (re.compile(pattern), spaced)
    for pattern, spaced in (
        (r"([{-~\[-` -&(-+:-@/])", r" \1 "),  # every sign of ASCII but ' , - .
        (r"([^0-9])([.,])", r"\1 \2 "),
        (r"([.,])([^0-9])", r" \1 \2"),
        (r"([0-9])(-)", r"\1 \2 "),
    )
)


def fits(path: Path) -> bool:
    """Whether a path is an evaluation of Markdown texts, or a folder with some."""
    return bool(_evaluations(path))


def systems(path: Path) -> list[str]:
    """A system for each evaluation: the folder it lies in, and what its name says where that does not tell it apart."""
    return list(_evaluations(path))


def rows(path: Path, system: str) -> Iterator[Row]:
    """The pages of an evaluation."""
    file = _evaluations(path)[system]
    pages = read_json(file, dict).get("evaluations")
    for number, page in enumerate(pages if isinstance(pages, list) else [None]):
        if not isinstance(page, dict) or not {"doc_id", "true_md", "pred_md"} <= page.keys():
            raise DataError(say("benchmark_page", place=file, number=number, keys="doc_id, true_md, pred_md"))
        name = str(page["doc_id"]).removesuffix(".pdf")
        yield {"id": name, "prediction": page["pred_md"], "reference": page["true_md"]}


def score(given: Any, gold: Any) -> dict[str, float | None]:
    """Every number of the benchmark for one page."""
    prediction, reference = text_of(given), text_of(gold)
    if not reference.strip():
        return {"edit_distance": None, "bleu": None}
    return {"edit_distance": edit_distance(prediction, reference), "bleu": bleu(prediction, reference)}


def edit_distance(prediction: str, reference: str) -> float:
    """Levenshtein distance of words, by the longer number of words."""
    spelling = spelling_of(prediction, reference)
    return Levenshtein.normalized_distance(words_of(prediction, spelling), words_of(reference, spelling))


def bleu(prediction: str, reference: str) -> float:
    """BLEU-4 of one text, unsmoothed."""
    found, expected = _tokens(prediction), _tokens(reference)
    logs = []
    for n in range(1, ORDERS + 1):
        common = sum((_ngrams(found, n) & _ngrams(expected, n)).values())
        if not common:
            return 0.0
        logs.append(math.log(common / (len(found) - n + 1)) / ORDERS)
    brevity = min(0.0, 1.0 - len(expected) / len(found))
    return math.exp(add_up(logs) + brevity)


def _ngrams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(n)), strict=False))


def _tokens(text: str) -> list[str]:
    """Tokens of mteval-v13a: words broken at a line end are joined, signs stand apart, . and , stay in numbers."""
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, sign in _ENTITIES.items():
        text = text.replace(entity, sign)
    text = f" {text} "
    for pattern, spaced in _MTEVAL:
        text = pattern.sub(spaced, text)
    return text.split()


def _evaluations(path: Path) -> dict[str, Path]:
    found = [path] if path.is_file() and path.suffix == ".json" else sorted(path.rglob(_FILES))
    number = Counter(file.parent for file in found)
    return {_system(file, alone=number[file.parent] == 1): file for file in found}


def _system(file: Path, *, alone: bool) -> str:
    """The folder that was named with a file; else, or beside others, what its own name says."""
    named = file.stem.removeprefix("evaluation_").removesuffix("_markdown_text")
    folder = file.parent.name
    return (folder if alone else f"{folder} {named}") if folder else named


_METRICS: Final[tuple[Metric, ...]] = (
    *metrics_of("docling-eval", better="lower", names=("edit_distance",)),
    *metrics_of("docling-eval", better="higher", names=("bleu",)),
)

BENCHMARK: Final = Benchmark(
    "docling-eval",
    VERSION,
    fits,
    systems,
    rows,
    _METRICS,
    score,
    of_texts=True,
)
