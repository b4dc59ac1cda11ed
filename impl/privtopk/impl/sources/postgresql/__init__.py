"""Scores in PostgreSQL."""
