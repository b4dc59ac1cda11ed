"""Bugs of `privtopk.spec.noise`."""
