"""The page of all commands, from the parsers that read them."""

import argparse
from collections.abc import Iterator

from privtopk.conformance.commands import cli as oracle
from privtopk.impl.commands import cli as selection
from privtopk.spec import __main__ as gate

HEAD = """# Commands

<!-- Written by `make docs`; do not edit. -->

The arguments of each command. `--help` after a command prints them too. The exit code is 0 on
success. It is 1 if a requirement fails, a target is missed or a claim is not confirmed. It is 2 if
the command could not do its work: one line on the error stream says why. It is 130 after Ctrl-C,
and 141 if the reader of the output has gone, as in `| head -n 1`. A file is written whole or not at
all."""


def page() -> str:
    """Return the page."""
    programs = (
        ("privtopk", selection.command_parser()),
        ("privtopk-conformance", oracle.command_parser()),
        ("python -m privtopk.spec", gate.command_parser()),
    )
    sections = (line for name, parser in programs for line in program(name, parser))
    return "\n".join((HEAD, *sections)) + "\n"


def program(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the section of a program, with one part per command."""
    yield from ("", f"## {name}", "", parser.description or "")
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help for choice in action._choices_actions}
            for command, inner in action.choices.items():
                yield from ("", f"### {name} {command}", "", f"{sentence(helps[command])}")
                yield from arguments(inner)
            return
    yield from arguments(parser)


def arguments(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield a table of the arguments of a parser."""
    rows = [row(action) for action in parser._actions if action.dest != "help"]
    if rows:
        yield from ("", "| argument | meaning | default |", "|---|---|---|", *rows)


def row(action: argparse.Action) -> str:
    """Return the line of one argument."""
    value = "" if action.nargs == 0 else placeholder(action)
    names = ", ".join(f"`{name}{value and ' ' + value}`" for name in action.option_strings)
    choices = ", ".join(f"`{choice}`" for choice in action.choices or ())
    meaning = "; ".join(
        part for part in (action.help or "", choices and f"one of {choices}") if part
    )
    is_plain = action.default is None or action.default is False or action.default in ([], ())
    is_required = action.required and action.nargs != "*"
    default = "required" if is_required else "" if is_plain else f"`{action.default}`"
    return f"| {names or f'`{value}`'} | {meaning} | {default} |".replace("  ", " ")


def placeholder(action: argparse.Action) -> str:
    """Return the placeholder of the value of an argument."""
    word = action.metavar or action.dest.replace("-", "_").upper()
    many = {"+": " ...", "*": " ..."}.get(str(action.nargs), "")
    return f"{word}{many}"


def sentence(text: str | None) -> str:
    """Return a help text as a sentence."""
    return f"{text[0].upper()}{text[1:]}." if text else ""
