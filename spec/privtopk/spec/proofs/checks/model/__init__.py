"""Checks of `privtopk.spec.model`, one file per topic."""
