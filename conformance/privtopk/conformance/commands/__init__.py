"""The command `privtopk-conformance`."""
