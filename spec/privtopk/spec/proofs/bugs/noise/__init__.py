"""Bugs of `privtopk.spec.noise`, one file per module."""
