"""Scores in databases: each store shows one consistent snapshot a selection."""
