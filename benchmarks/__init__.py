"""Benchmarks (`make bench`), long-running tests and measurements of quality."""
