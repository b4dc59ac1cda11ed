"""Checks of `privtopk.spec.accounting`, one file per topic."""
