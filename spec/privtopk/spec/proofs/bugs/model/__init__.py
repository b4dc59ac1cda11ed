"""Bugs of `privtopk.spec.model`, one file per module."""
