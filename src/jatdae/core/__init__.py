"""The contract: samples in, outcomes out. Imports nothing else of jatdae."""
