"""Benchmarks: ratios against a baseline measured in the same run. Not tests: `python -m tests.benchmarks`."""
