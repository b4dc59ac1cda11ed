"""Checks of `privtopk.spec.accounting`."""
