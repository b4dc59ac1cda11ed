"""Theorems about `privtopk.spec.lower_bounds`."""
