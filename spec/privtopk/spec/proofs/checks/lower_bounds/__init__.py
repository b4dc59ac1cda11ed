"""Checks of `privtopk.spec.lower_bounds`, one file per topic."""
