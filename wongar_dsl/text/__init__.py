"""What comes from outside: text, places in it, and what is wrong with it."""
