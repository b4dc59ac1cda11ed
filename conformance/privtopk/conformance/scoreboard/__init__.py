"""The scoreboard: the oracle on other libraries and on ours, requirement by subject."""
