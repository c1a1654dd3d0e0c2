"""Input of a run: files of any format, read as rows, joined by id and cut into shards."""
