"""Checks of `privtopk.spec.laws`."""
