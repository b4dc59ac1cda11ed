"""Random numbers, drawn in blocks from a secure or a seeded generator."""
