"""The study of `privtopk evaluate`: measured costs against every proven bound.

A study is a list of *cells*: named measurements, each with its own seed. Finished cells are saved,
so that an interrupted study continues where it stopped. Their rows become tables (CSV and Parquet),
the tables become figures (SVG and PNG) and a page, and every mean is checked against its bound.
It needs the extra `evaluate`.
"""
