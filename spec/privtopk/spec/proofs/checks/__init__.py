"""Checks by enumeration, exact arithmetic, z3, algebra, Arb and statistics.

The folders are those of the specification, and a folder has one file per topic.

Many checks have a control: a statement slightly stronger than the claim, which must fail.
It shows that the check would notice a wrong claim.
"""
