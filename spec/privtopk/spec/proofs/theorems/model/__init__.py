"""Theorems about `privtopk.spec.model`, one file per module."""
