"""The gate: runs checks, theorems and seeded bugs, and reports whether every claim holds up."""
