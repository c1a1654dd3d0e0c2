"""Safety rules and requirements by turn, read from YAML files and checked when they are loaded."""
