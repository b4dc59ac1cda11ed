"""One-line bugs seeded into copies of the specification: one module a topic.

A proof that accepts a wrong program proves nothing; every bug names the theorems and
checks that must reject it.
"""
