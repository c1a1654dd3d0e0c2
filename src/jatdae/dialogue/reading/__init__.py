"""From text to mentions: concepts found in an answer, each with its value and how it is meant."""
