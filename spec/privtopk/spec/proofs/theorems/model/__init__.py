"""Theorems about `privtopk.spec.model`."""
