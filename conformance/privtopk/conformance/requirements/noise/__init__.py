"""Requirements on noise: samplers, lists and order statistics."""
