"""Deliberately wrong implementations: each must be killed by the requirement that it names."""
