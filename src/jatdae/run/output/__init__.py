"""What comes out: parts on disk, and their sums."""
