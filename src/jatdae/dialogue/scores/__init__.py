"""Dialogue scores: one module for each score of an answer or conversation, and one for their weighted mean."""
