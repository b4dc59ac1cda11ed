"""Seeded bugs of `privtopk.spec.proofs.checks.lower_bounds`."""
