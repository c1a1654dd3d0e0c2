"""Output of a run: parts on disk, and their sums."""
