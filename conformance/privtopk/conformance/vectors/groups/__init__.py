"""The groups of test vectors, one module each."""
