"""Seeded bugs of `privtopk.spec.proofs.checks.algorithms`."""
