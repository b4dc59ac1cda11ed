"""Bugs of `privtopk.spec.model`."""
