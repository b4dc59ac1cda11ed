"""Theorems about `privtopk.spec.accounting`, one file per module."""
