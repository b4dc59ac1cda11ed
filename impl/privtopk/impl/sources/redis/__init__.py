"""Scores in Redis."""
