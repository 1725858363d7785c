"""Terminal output, and key input with a timer."""
