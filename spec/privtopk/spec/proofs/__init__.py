"""The proof gate: what stands behind every claim, and the command that runs it.

Theorems for CrossHair live in `theorems`, other checks in `checks`, deliberately wrong
variants of the specification in `bugs`: one module a topic. This subpackage needs the
extra `prove`; the specification proper never imports it.
"""
