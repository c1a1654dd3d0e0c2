"""The work: shards are scored into parts, in this process, in others, or on a cluster."""
