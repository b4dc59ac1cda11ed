"""Where a PostgreSQL is and how it is reached; what is shown of an address has no password.

Messages of the parser are not passed on, because they quote what they could not read.
"""

from typing import TYPE_CHECKING, Final

from privtopk.impl.extras import import_extra
from privtopk.spec.model.errors import Reason, SelectionError

if TYPE_CHECKING:
    from sqlalchemy import URL, Engine

EXTRA: Final = "postgresql"
"""What installs the driver."""

NAMES: Final = ("postgresql", "postgres")
"""How an address may begin; libpq knows both."""

DRIVER: Final = "postgresql+psycopg"

HABITS: Final = {
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}
"""Seconds until a host that does not answer is given up: by itself a client waits for minutes, and
for hours if the network is lost in the middle. What an address says itself comes first."""


def engine_of(address: "str | Engine") -> "Engine":
    """Return the engine of the caller, or a new one that keeps one connection."""
    sqlalchemy = import_extra("sqlalchemy", EXTRA)
    import_extra("psycopg", EXTRA)
    if isinstance(address, sqlalchemy.Engine):
        caller: Engine = address
        require_driver(caller)
        return caller
    url = parsed(address)
    engine = None if url is None else created(url)
    if engine is None:
        # Raised here, where no error of the parser can become its context.
        raise SelectionError(
            Reason.WRONG_TYPE,
            "the address must be an engine of SQLAlchemy or a URL like "
            "postgresql://user:password@host/database; within a name or password an @ must be "
            "written as %40 and a / as %2F",
        )
    return engine


def require_driver(engine: "Engine") -> None:
    """Refuse an engine that speaks to another database, or through another driver."""
    found = f"{engine.dialect.name}+{engine.dialect.driver}"
    if found != DRIVER:
        raise SelectionError(Reason.WRONG_TYPE, f"the engine must be one of {DRIVER}, got {found}")


def parsed(address: object) -> "URL | None":
    """Return the parts of an address, or None if it cannot be read.

    Half a password with an @ in it would be taken for a part of the host, and shown.
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


def created(url: "URL") -> "Engine | None":
    """Return an engine that keeps one connection and shows no values, or None if none can be.

    Selections at the same time have connections of their own, of which one stays.
    """
    sqlalchemy = import_extra("sqlalchemy", EXTRA)
    try:
        engine: Engine = sqlalchemy.create_engine(
            url.set(drivername=DRIVER),
            pool_size=1,
            max_overflow=-1,
            pool_pre_ping=True,
            connect_args={name: HABITS[name] for name in HABITS if name not in url.query},
            hide_parameters=True,
            use_native_hstore=False,
        )
    except sqlalchemy.exc.ArgumentError:
        return None
    return engine


def place_of(engine: "Engine") -> str:
    """Return what may be shown of an address: host, port and database."""
    url = engine.url
    return str(type(url).create(NAMES[0], host=url.host, port=url.port, database=url.database))
