"""The words of the page in both languages, so that a reader can switch without us."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jatdae.core.messages import LANGUAGES, phrases, says

WORDS: Final = (
    "all_samples", "baselines", "baselines_note", "by_slice", "clusters", "count", "interval", "issue", "issues",
    "macro", "meaning", "metric", "micro", "na_count", "no_samples", "no_value", "paired_by", "per_unit",
    "regressions", "sample", "samples", "system", "unpaired", "win_tie_loss",
    "page_actual", "page_and_left_out", "page_any", "page_better_higher", "page_better_lower",
    "page_bibliography", "page_blank",
    "page_cell_changed", "page_cell_extra", "page_cell_missing", "page_close", "page_comparison", "page_confusions",
    "page_contradictions", "page_copied", "page_copy", "page_dark", "page_deletions", "page_differences",
    "page_distribution", "page_distribution_note", "page_evidence_absent", "page_expected", "page_extra_fields",
    "page_extra_table", "page_field", "page_fields", "page_filter_issue", "page_filter_text", "page_headline",
    "page_index", "page_insertions", "page_interval_note", "page_keys", "page_language", "page_light", "page_matches",
    "page_missing_fields", "page_next", "page_no_issue", "page_no_match", "page_none_left", "page_not_understood",
    "page_of", "page_open", "page_outcome", "page_outcome_both_absent", "page_outcome_empty_instead",
    "page_outcome_extra",
    "page_outcome_match", "page_outcome_mismatch", "page_outcome_missing", "page_outcome_null_instead", "page_p_note",
    "page_painted_places", "page_painted_script", "page_paper", "page_prediction", "page_previous",
    "page_reference", "page_regressions", "page_schema_errors", "page_scope",
    "page_script_missing", "page_shown_of", "page_similarity", "page_slices_note", "page_span_hallucinated",
    "page_span_missing", "page_span_supported", "page_span_used", "page_span_violated", "page_step",
    "page_substitutions", "page_table", "page_theme", "page_tradeoff", "page_turn", "page_type", "page_units",
    "page_where",
)  # fmt: skip
"""Keys of the catalogue that the page says."""


def page_words(issues: Iterable[str]) -> dict[str, dict[str, str]]:
    """Texts by language: the page's own, and what each issue means that occurs in it."""
    known = [f"issue_{code}" for code in sorted(set(issues)) if says(f"issue_{code}")]
    return {language: phrases(language, (*WORDS, *known)) for language in LANGUAGES}
