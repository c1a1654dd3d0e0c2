"""What was given: files of any form, read as rows, joined and cut into shards."""
