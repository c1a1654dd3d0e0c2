"""Load, shard, execute, store, aggregate, compare: the same for every evaluator."""
