"""Exact laws of what a selector returns, for right implementations and for usual mistakes."""
