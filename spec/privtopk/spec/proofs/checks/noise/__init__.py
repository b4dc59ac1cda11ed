"""Checks of `privtopk.spec.noise`."""
