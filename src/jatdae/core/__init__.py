"""The contract of evaluators: samples in, outcomes out. Imports no other part of jatdae."""
