"""Checks of `privtopk.spec.model`."""
