"""Doors to programs that people already use: thin, and none scores anything itself."""
