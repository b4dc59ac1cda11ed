"""Checks of `privtopk.spec.lower_bounds`."""
