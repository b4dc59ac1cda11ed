"""Bugs of `privtopk.spec.accounting`, one file per module."""
