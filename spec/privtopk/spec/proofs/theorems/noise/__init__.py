"""Theorems about `privtopk.spec.noise`, one file per module."""
