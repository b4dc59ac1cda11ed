"""Checks of `privtopk.spec.algorithms`, one file per topic."""
