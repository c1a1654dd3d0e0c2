"""Runs, the same for every evaluator: read input, cut it into shards, score, store, summarise, compare."""
