"""Checks by enumeration, exact arithmetic, z3, algebra, Arb and statistics: one module a topic."""
