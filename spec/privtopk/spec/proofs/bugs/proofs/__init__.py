"""Seeded bugs in the proofs themselves."""
