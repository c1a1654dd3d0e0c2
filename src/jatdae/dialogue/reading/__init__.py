"""Reading of answers: the concepts that a text mentions, each with its value and how it is meant."""
