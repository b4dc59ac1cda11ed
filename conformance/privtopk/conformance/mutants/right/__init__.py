"""The right subjects that mutants deviate from."""
