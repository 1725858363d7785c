"""One table for every front end: a match with its seats and its language, and what is found in what people type.

Nothing here prints or reads keys, and nothing is said: what goes wrong is a value.
"""
