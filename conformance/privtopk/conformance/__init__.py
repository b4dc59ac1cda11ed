"""The test oracle for other implementations; not landed yet, the specification comes first."""
