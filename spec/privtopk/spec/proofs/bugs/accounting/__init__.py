"""Bugs of `privtopk.spec.accounting`."""
