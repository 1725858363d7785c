"""Many games at once: counting and measuring."""
