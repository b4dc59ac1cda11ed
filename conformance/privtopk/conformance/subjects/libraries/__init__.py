"""Other libraries that select, as subjects: one module each, and each imports its library late.

A library is called as its documentation says, and with the scale that its own accounting
gives for a question; where it has none, the module says whose is used. All of them must see
every score, so they are samplers.
"""
