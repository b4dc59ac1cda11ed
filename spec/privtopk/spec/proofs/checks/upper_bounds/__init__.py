"""Checks of `privtopk.spec.upper_bounds`."""
