"""Bugs of `privtopk.spec.laws`."""
