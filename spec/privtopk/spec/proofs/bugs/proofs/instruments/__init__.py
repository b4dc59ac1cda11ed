"""Seeded bugs of `privtopk.spec.proofs.instruments`."""
