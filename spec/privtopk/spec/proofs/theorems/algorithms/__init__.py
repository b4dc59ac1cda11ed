"""Theorems about `privtopk.spec.algorithms`."""
