"""Mutations of the shipped rules: how many of those that change a game do the rule cases notice?"""

from __future__ import annotations

from benchmarks.mutants.judging import FLOOR, names, run

__all__ = ["FLOOR", "names", "run"]
