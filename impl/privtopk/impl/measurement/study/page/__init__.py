"""The page of the study, written from its tables and figures."""
