"""Theorems that CrossHair confirms, searches or refutes: one module a topic.

The prefix of a theorem is its policy: `thm_` must be confirmed over all paths, `search_`
must not be refuted within its budget, `refuted_` must be refuted by a call that replays.
"""
