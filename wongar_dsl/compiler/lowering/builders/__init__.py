"""Builders of programs: state layout, coroutines, loops, turn counters."""
