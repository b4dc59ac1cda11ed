"""Facts about the public names of the specification."""

from collections import Counter

from privtopk import spec


def test_no_two_folders_export_one_name() -> None:
    """Every public name comes from one folder."""
    assert [name for name, count in Counter(spec.__all__).items() if count > 1] == []


def test_every_public_name_is_there() -> None:
    """Whatever a folder exports can be imported from the root."""
    assert [name for name in spec.__all__ if not hasattr(spec, name)] == []
