"""The command `privtopk` and its subcommands."""
