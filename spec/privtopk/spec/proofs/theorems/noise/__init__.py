"""Theorems about `privtopk.spec.noise`."""
