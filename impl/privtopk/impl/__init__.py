"""Fast engines for private top-k selection; none has landed yet, the specification comes first."""
