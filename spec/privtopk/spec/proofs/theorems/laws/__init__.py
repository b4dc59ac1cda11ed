"""Theorems about `privtopk.spec.laws`, one file per module."""
