"""What must hold for every input of a fuzz target."""

from privtopk.spec.console.escaping import printable


def require_line(text: str) -> None:
    """Require that a message is one line that a terminal can show."""
    assert text, "a message is empty"
    assert text == printable(text), f"a message has a control character: {text!a}"


def texts_of(data: bytes) -> list[str]:
    """Return arguments as a process gets them: separated by zero bytes, undecodable bytes kept."""
    return [part.decode("utf-8", "surrogateescape") for part in data.split(b"\0")]
