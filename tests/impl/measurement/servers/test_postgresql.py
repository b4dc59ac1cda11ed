"""Facts about the PostgreSQL servers of tests: they are separate, and leave nothing."""

import os

import pytest

from privtopk.impl.measurement.servers.postgresql import programs, running_postgresql


@pytest.mark.slow
def test_servers_do_not_meet() -> None:
    """Two servers run side by side, each with its own tables, and are removed afterwards."""
    found = programs()
    if found is None:
        pytest.skip("PostgreSQL is not installed")
    with running_postgresql(found) as one, running_postgresql(found) as other:
        servers = [one, other]
        for server in servers:
            server.execute("CREATE TABLE own AS SELECT pg_backend_pid() AS n")
        assert one.ask("TABLE own") != other.ask("TABLE own")
        folders = [server.folder for server in servers]
        processes = [
            int((folder / "cluster/postmaster.pid").read_text().split()[0]) for folder in folders
        ]
    assert [folder.exists() for folder in folders] == [False, False]
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)
