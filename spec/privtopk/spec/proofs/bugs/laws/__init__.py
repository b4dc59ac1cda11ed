"""Bugs of `privtopk.spec.laws`, one file per module."""
