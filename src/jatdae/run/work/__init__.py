"""Scoring of shards into parts: in this process, in local processes, or by the workers of a Dask scheduler."""
