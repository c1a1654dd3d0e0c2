"""One module for each score of an answer or a conversation, and `overall`, their weighted mean."""
