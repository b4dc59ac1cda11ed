"""Seeded bugs of `privtopk.spec.proofs.checks.upper_bounds`."""
