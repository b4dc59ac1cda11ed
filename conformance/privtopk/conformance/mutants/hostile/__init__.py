"""Subjects that raise, hang, die, answer nonsense, forge their verdict or take too much."""
