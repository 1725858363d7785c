"""The language server: what an editor asks, and what it is answered, over its protocol."""
