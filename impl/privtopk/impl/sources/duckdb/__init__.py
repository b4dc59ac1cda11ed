"""Scores and votes that DuckDB reads: tables, CSV and Parquet files."""
