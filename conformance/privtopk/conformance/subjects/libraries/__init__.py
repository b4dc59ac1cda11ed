"""Other libraries as subjects, one module per library; each imports its library on first use.

A library is called as its documentation says, with the scale that its own accounting gives for
a question. If it has no accounting, the module says which one is used. All of these libraries
must see every score, so they are samplers.
"""
