"""Measurements: the benchmark, the race of databases, and the study."""
