"""Scores in databases: each store gives every selection one consistent snapshot."""
