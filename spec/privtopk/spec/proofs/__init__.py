"""The proof gate: the evidence for every claim, and the command that runs it.

`theorems` has theorems for CrossHair, `checks` all other checks, `bugs` wrong lines that they must
refute, and `gate` the program that runs them. The folders of the first three mirror those of
the specification. This package needs the extra `prove`; the specification proper never imports it.
"""
