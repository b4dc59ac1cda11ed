"""Theorems about `privtopk.spec.upper_bounds`, one file per module."""
