"""`privtopk-conformance`, also as `python -m privtopk.conformance`."""

import sys

from privtopk.conformance.subjects.extras import installation_advice


def main() -> int:
    """Run the command, or print what to install to run it."""
    try:
        from privtopk.conformance.commands import cli
        from privtopk.conformance.processes import hide_memory
    except KeyboardInterrupt:
        return 130
    except ModuleNotFoundError as error:
        print(f"privtopk-conformance: {installation_advice(error, 'conformance')}", file=sys.stderr)
        return 2
    hide_memory()
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
