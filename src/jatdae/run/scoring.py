"""Scoring what is planned, part by part, and adding up each part as soon as it is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from jatdae.core.evaluator import spec_of
from jatdae.run.baselines import baseline_samples, choose, score_baseline
from jatdae.run.choice import Candidate, likely_bound
from jatdae.run.engine import Engine
from jatdae.run.model import Job, Plan, Survey
from jatdae.run.parts import part_is_ours, read_part, schema
from jatdae.run.score import hook
from jatdae.run.shard import score_shard, survey_shard
from jatdae.run.store import RunFolder
from jatdae.run.tally import Tally

Progress = Callable[[Literal["plan", "survey", "score"], int, int], None]
"""Told the phase, what is done and how much there is."""


class Scoring:
    """The parts of a run: scored by the engine where they are missing, added up here in the order of the plan."""

    def __init__(
        self, at: Engine, evaluator: Any, plan: Plan, folder: RunFolder, slices: Iterable[str], progress: Progress
    ) -> None:
        self._at, self._evaluator, self._plan, self._folder, self._progress = at, evaluator, plan, folder, progress
        metrics = spec_of(evaluator).metrics
        self._columns = [name for name in schema(metrics).names if name not in ("id", "evidence")]
        self.tally = Tally(metrics, tuple(slices))

    def run(self, job: Job) -> int:
        """Score everything; returns how many parts were there already."""
        if hasattr(self._evaluator, "survey"):
            job = replace(job, survey=self._survey(job))
        if not hasattr(self._evaluator, "baseline_predictions"):
            return self._score(job)[0]
        job = replace(job, bound=likely_bound(self._plan.rows))
        resumed, noted = self._score(job)
        self._score_baselines(job, noted)
        return resumed

    def _survey(self, job: Job) -> Survey:
        sums: dict[str, Counter[str]] = {}
        shards = self._plan.shards
        for done, found in enumerate(self._at.map(survey_shard, [(job, shard) for shard in shards]), 1):
            for system, facts in found.items():
                sums.setdefault(system, Counter()).update(facts)
            self._progress("survey", done, len(shards))
        return {system: dict(facts) for system, facts in sums.items()}

    def _score(self, job: Job) -> tuple[int, dict[int, list[Candidate]]]:
        """How many parts were there, and what was noted of the shards that were not."""
        parts = {shard: self._folder.part(shard.number) for shard in self._plan.shards}
        ours = {shard for shard, part in parts.items() if part_is_ours(part, job.stamp)}
        done = sum(shard.rows for shard in ours)
        self._progress("score", done, self._plan.rows)
        tasks = [(job, shard, str(part.absolute())) for shard, part in parts.items() if shard not in ours]
        scored = self._at.map(score_shard, tasks)
        noted: dict[int, list[Candidate]] = {}
        for shard, part in parts.items():
            if shard not in ours:
                noted[shard.number] = next(scored)
                done += shard.rows
                self._progress("score", done, self._plan.rows)
            self._add(part)
        return len(ours), noted

    def _score_baselines(self, job: Job, noted: dict[int, list[Candidate]]) -> None:
        """Parts for the baselines, after those of the plan."""
        unread = [shard for shard in self._plan.shards if shard.number not in noted]
        chosen = choose(self._at.map, job, self._plan, [each for found in noted.values() for each in found], unread)
        with hook(self._evaluator, "baseline_predictions"):
            pieces = baseline_samples(self._evaluator, chosen)
        targets = [self._folder.part(number) for number, _ in enumerate(pieces, len(self._plan.shards))]
        missing = [not part_is_ours(part, job.stamp) for part in targets]
        planned = zip(pieces, targets, missing, strict=True)
        tasks = [(job, piece, str(part.absolute())) for piece, part, lacks in planned if lacks]
        for _ in self._at.map(score_baseline, tasks):
            pass
        for part in targets:
            self._add(part)

    def _add(self, part: Path) -> None:
        self.tally.add(read_part(part, self._columns))
