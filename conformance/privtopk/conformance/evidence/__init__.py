"""Evidence and decisions: trials, e-processes, requirements and verdicts."""
