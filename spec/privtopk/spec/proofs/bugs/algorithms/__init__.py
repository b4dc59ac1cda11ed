"""Bugs of `privtopk.spec.algorithms`, one file per module."""
