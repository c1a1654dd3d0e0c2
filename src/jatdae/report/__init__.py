"""Renders a run; knows nothing of how it was scored."""
