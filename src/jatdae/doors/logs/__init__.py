"""Sample logs of other harnesses as results: what they measured is taken as it is and scored by nobody again."""
