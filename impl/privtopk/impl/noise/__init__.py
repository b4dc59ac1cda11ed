"""Noise for whole arrays, and the lists of noise behind two doors."""
