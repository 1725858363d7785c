"""The compiler: from a checked model to a program, and the backends that run it."""
