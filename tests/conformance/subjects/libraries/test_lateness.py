"""No adapter needs its library before it is called."""

import subprocess
import sys

import pytest

LIBRARIES = ("opendp", "diffprivlib", "pipeline_dp", "pydp", "snsynth")
ADAPTERS = ("opendp", "diffprivlib", "pipeline_dp", "python_dp", "smartnoise")


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_adapter_is_imported_without_its_library(adapter: str) -> None:
    """An adapter can be imported without its library."""
    program = (
        "import sys; "
        f"import privtopk.conformance.subjects.libraries.{adapter}; "
        f"print([name for name in {LIBRARIES} if name in sys.modules])"
    )
    printed = subprocess.check_output([sys.executable, "-c", program], text=True)
    assert printed.strip() == "[]"
