"""Seeded bugs in statements and definitions of the Coq files: Coq must then reject a proof."""
