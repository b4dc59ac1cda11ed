"""Requirements on data sources."""
