"""Scores and votes that DuckDB reads from its own tables and from CSV and Parquet files."""
