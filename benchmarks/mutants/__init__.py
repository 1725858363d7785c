"""Mutation testing of the built-in rules: the share of relevant mutants that the rule cases notice."""

from __future__ import annotations

from benchmarks.mutants.verdict import FLOOR, names, run

__all__ = ["FLOOR", "names", "run"]
