"""Seeded bugs of `privtopk.spec.proofs.checks.noise`."""
