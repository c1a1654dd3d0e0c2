"""From sums to numbers: averages, intervals, comparisons."""
