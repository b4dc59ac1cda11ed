"""Databases of SQLite that several test modules write."""

import sqlite3
from contextlib import closing
from pathlib import Path


def database(folder: Path, *statements: str) -> Path:
    """Return a new database after some statements."""
    path = folder / "votes.db"
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return path
