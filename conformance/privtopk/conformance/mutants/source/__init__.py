"""Wrong data sources."""
