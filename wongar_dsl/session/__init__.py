"""Game session shared by all front ends: a match with its seats and language, and the reading of typed input.

Modules of this package neither print nor read keys; errors are values or exceptions that a front end words.
"""
