"""The exact engine: pure differential privacy on a real computer, still sublinear.

Every item owns an endless string of fair bits, the binary digits of a uniform V; its noise is
the quantile of V. The selection is a function of scores and bits, and the engine reveals bits
until that function is decided: no noise is ever rounded.
"""
