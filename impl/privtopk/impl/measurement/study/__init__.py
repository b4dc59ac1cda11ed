"""The study behind `privtopk evaluate`: measured costs against every bound that is proven.

A study is a list of *cells*, named units of work with their own seed. Finished cells are kept,
so that an interrupted study goes on where it stopped. Their rows become tables (CSV and Parquet),
the tables become figures (SVG and PNG) and a page, and every mean is checked against its bound.
Needs the extra `evaluate`.
"""
