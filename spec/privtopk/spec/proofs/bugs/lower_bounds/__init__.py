"""Bugs of `privtopk.spec.lower_bounds`."""
