"""Wrong selectors."""
