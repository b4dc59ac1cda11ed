"""Random bits, and what is drawn from them in blocks."""
