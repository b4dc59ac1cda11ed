"""Theorems about `privtopk.spec.algorithms`, one file per module."""
