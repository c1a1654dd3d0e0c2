"""Scoring of shards into parts: in this process, in local processes, or on a Dask cluster."""
