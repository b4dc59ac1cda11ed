"""Checks of `privtopk.spec.upper_bounds`, one file per topic."""
