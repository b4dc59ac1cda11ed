"""The benchmark of `privtopk bench`: it measures every number that the engines promise.

Speed is a ratio of times that were taken in turns in one run, because machines differ and are
noisy. Growth is an exponent with its confidence interval. It needs the extra `bench`.
"""
