"""Theorems about `privtopk.spec.upper_bounds`."""
