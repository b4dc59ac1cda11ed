"""Subjects that raise, hang, die or answer nonsense."""
