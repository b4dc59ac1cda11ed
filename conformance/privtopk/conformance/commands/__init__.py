"""The command `privtopk-conformance`, and the pytest plugin."""
