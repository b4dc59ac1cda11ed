"""The benchmark behind `privtopk bench`: every number that the engines promise, measured.

Speed is a ratio of times that were taken in turns in one run, because machines are noisy and
differ. Growth is an exponent with its confidence interval. Needs the extra `bench`.
"""
