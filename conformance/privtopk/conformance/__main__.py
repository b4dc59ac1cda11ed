"""`privtopk-conformance`, also as `python -m privtopk.conformance`."""

import sys


def main() -> int:
    """Run the command, or say what is missing to run it."""
    try:
        from privtopk.conformance import cli
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("privtopk"):
            raise
        print(
            f"privtopk-conformance: {error}; pip install 'privtopk[conformance]'", file=sys.stderr
        )
        return 2
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
