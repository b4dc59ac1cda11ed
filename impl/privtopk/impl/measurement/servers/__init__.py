"""Database servers that are started for a measurement or a test, and removed afterwards."""
