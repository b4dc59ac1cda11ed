"""Requirements on selectors."""
