"""Checks of `privtopk.spec.laws`, one file per topic."""
