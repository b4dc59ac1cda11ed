"""A child process that answers every line that it hears with the next line of a file."""

import sys
from pathlib import Path


def main() -> None:
    """Answer until the lines or the input end."""
    for line in Path(sys.argv[1]).read_bytes().split(b"\n"):
        if not sys.stdin.buffer.readline():
            return
        sys.stdout.buffer.write(line + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
