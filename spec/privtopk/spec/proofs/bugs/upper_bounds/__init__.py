"""Bugs of `privtopk.spec.upper_bounds`."""
