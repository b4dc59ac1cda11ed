"""The figures of the study, drawn from its tables and from nothing else."""
