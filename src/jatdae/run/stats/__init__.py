"""Statistics of a run: averages, confidence intervals and comparisons, from the sums of its parts."""
