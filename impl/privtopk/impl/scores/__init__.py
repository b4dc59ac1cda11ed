"""Scores as engines read them: sources, one selection's reader, and scores in memory."""
