"""Predecessor indexes: the neighbours of a number in a set of integers."""
