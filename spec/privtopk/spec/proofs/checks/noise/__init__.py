"""Checks of `privtopk.spec.noise`, one file per topic."""
