"""Builders of programs: numbered parts, state layout, coroutines, loops over constants, loop counters."""
