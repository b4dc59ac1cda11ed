"""Exact laws of what a selector returns, right and with common mistakes."""
