"""Published benchmarks of document parsers: their folders as input, their own numbers beside ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jatdae.documents.benchmarks import docling_eval, dp_bench, omnidocbench, opendataloader
from jatdae.documents.benchmarks.benchmark import NO_VALUE, Benchmark, text_of

__all__ = ["BENCHMARKS", "NO_VALUE", "Benchmark", "text_of"]

BENCHMARKS: Final[Mapping[str, Benchmark]] = {
    module.BENCHMARK.name: module.BENCHMARK for module in (opendataloader, omnidocbench, docling_eval, dp_bench)
}
"""By name, in the order in which a folder is asked whether it fits."""
