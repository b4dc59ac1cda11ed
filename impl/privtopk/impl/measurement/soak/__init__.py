"""The soak: many selections at once from databases that are written to, killed and restarted."""
