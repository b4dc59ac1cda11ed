"""Bugs of `privtopk.spec.upper_bounds`, one file per module."""
