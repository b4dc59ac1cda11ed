"""Trials, e-processes, requirements and verdicts."""
