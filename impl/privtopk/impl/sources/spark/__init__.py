"""Scores and votes in Spark."""
