"""The subcommands, one in each file."""
