"""From YAML to tests: safety rules and requirements by turn, checked when they are loaded."""
