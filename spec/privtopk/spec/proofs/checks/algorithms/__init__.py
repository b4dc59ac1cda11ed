"""Checks of `privtopk.spec.algorithms`."""
