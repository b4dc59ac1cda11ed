"""Theorems about `privtopk.spec.laws`."""
