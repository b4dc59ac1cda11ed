"""The address of a PostgreSQL database, and what of it may appear in messages: no password.

Messages of the URL parser are not passed on, because they quote the text that they cannot parse.
"""

from typing import TYPE_CHECKING, Final

from privtopk.impl.extras import import_extra
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine

EXTRA: Final = "postgresql"
"""The extra that installs the driver."""

NAMES: Final = ("postgresql", "postgres")
"""The schemes of a URL; libpq accepts both."""

DRIVER: Final = "postgresql+psycopg"

TIMEOUTS: Final = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}
"""Limits, most of them in seconds, after which a host that does not answer is given up.

Without them a client waits for minutes, or for hours if the network fails during a query. A
setting in the URL takes precedence.
"""


def engine_of(address: "str | Engine") -> "Engine":
    """Return the caller's engine, or a new one that keeps one connection."""
    sqlalchemy = import_extra("sqlalchemy", EXTRA)
    import_extra("psycopg", EXTRA)
    if isinstance(address, sqlalchemy.Engine):
        caller: Engine = address
        require_driver(caller)
        return caller
    url = parse_url(address)
    engine = None if url is None else create_engine(url)
    if engine is None:
        # Raised outside of any handler, so that no error of the parser becomes its context.
        raise SelectionError(
            Reason.WRONG_TYPE,
            "the address must be an engine of SQLAlchemy or a URL like "
            "postgresql://user:password@host/database; within a name or password an @ must be "
            "written as %40 and a / as %2F",
        )
    return engine


def require_driver(engine: "Engine") -> None:
    """Refuse an engine for another database or with another driver."""
    found = f"{engine.dialect.name}+{engine.dialect.driver}"
    if found != DRIVER:
        raise SelectionError(Reason.WRONG_TYPE, f"the engine must use {DRIVER}, got {found}")


def parse_url(address: object) -> "URL | None":
    """Return the parts of a URL, or None if it cannot be parsed.

    A password with an unescaped @ would end up in the host, and so in messages.
    """
    sqlalchemy = import_extra("sqlalchemy", EXTRA)
    try:
        url: URL = sqlalchemy.make_url(address)
    except (sqlalchemy.exc.ArgumentError, ValueError):
        return None
    if url.drivername.partition("+")[0] not in NAMES:
        raise SelectionError(
            Reason.WRONG_TYPE,
            f"the address must begin with {NAMES[0]}://, got {url.drivername}://",
        )
    return None if "@" in f"{url.host}{url.database}" else url


def create_engine(url: "URL") -> "Engine | None":
    """Return an engine that keeps one connection and logs no values, or None for a bad URL.

    Concurrent selections have one connection each; one of these connections is kept.
    """
    sqlalchemy = import_extra("sqlalchemy", EXTRA)
    try:
        engine: Engine = sqlalchemy.create_engine(
            url.set(drivername=DRIVER),
            pool_size=1,
            max_overflow=-1,
            pool_pre_ping=True,
            connect_args={name: TIMEOUTS[name] for name in TIMEOUTS if name not in url.query},
            hide_parameters=True,
            use_native_hstore=False,
        )
    except sqlalchemy.exc.ArgumentError:
        return None
    return engine


def place_of(engine: "Engine") -> str:
    """Return the parts of an address that may appear in messages: host, port and database."""
    url = engine.url
    return str(type(url).create(NAMES[0], host=url.host, port=url.port, database=url.database))
