"""Theorems about `privtopk.spec.accounting`."""
