"""Tables of documents: extraction, and TEDS and other measures of similarity."""

from __future__ import annotations

from jatdae.tables.cell_similarity import cell_f1
from jatdae.tables.evaluator import TableEvaluator
from jatdae.tables.extraction import Table, extract
from jatdae.tables.tree_similarity import teds

__all__ = ["Table", "TableEvaluator", "cell_f1", "extract", "teds"]
