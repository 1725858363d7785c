"""The subcommands of `wongar`, one module each."""
