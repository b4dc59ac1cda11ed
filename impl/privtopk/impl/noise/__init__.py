"""Noise for whole arrays, and noise lists with both doors."""
