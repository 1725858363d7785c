"""Charts as pictures: static, with no script, and with every value in words beside them.

They know nothing of games: they are drawn of labelled numbers with intervals.  Everything is told by its place, shape
or pattern as well as by its colour.
"""

from __future__ import annotations

from wongar_dsl.charts.bars import bars, stacked
from wongar_dsl.charts.columns import columns
from wongar_dsl.charts.curves import curves
from wongar_dsl.charts.dots import dots, dumbbells
from wongar_dsl.charts.frame import Caption
from wongar_dsl.charts.scales import Axis
from wongar_dsl.charts.values import Column, Estimate, Line, Mark, Pair, Parted, Row

__all__ = [
    "Axis", "Caption", "Column", "Estimate", "Line", "Mark", "Pair", "Parted", "Row", "bars", "columns", "curves",
    "dots", "dumbbells", "stacked",
]  # fmt: skip
