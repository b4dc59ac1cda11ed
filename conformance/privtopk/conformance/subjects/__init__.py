"""The implementations under test: their kinds, how each is called, and what it is given."""
