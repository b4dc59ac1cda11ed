"""Theorems that CrossHair confirms, searches or refutes.

Every file is named for the module of the specification that it is about:
`theorems/model/access.py` has the theorems about `privtopk.spec.model.access`.

The prefix of a theorem is its policy: `thm_` must be confirmed over all paths, `search_`
must not be refuted within its budget, `refuted_` must be refuted by a call that replays.
"""
