"""One-line bugs, seeded into copies of the specification.

There is one file per module of the specification: `bugs/model/access.py` has the bugs of
`privtopk.spec.model.access`. Each bug names the theorems and checks that must reject it,
because a proof that accepts a wrong program proves nothing.
"""
