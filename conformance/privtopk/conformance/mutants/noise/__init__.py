"""Wrong noise samplers, lists and order statistics."""
