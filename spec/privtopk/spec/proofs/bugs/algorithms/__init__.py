"""Bugs of `privtopk.spec.algorithms`."""
