"""Tables: extraction, TEDS and its kin."""

from __future__ import annotations

from jatdae.tables.evaluator import TableEvaluator
from jatdae.tables.reading import Table, extract
from jatdae.tables.similarity import teds

__all__ = ["Table", "TableEvaluator", "extract", "teds"]
