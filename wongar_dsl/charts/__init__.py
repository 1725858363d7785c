"""Static charts as SVG pictures, without scripts, with every value also in words.

Charts know nothing about games: they draw labelled numbers with intervals. Colour is never the only distinction;
position, shape or pattern shows the same.
"""

from __future__ import annotations

from wongar_dsl.charts.bars import bars, stacked
from wongar_dsl.charts.columns import columns
from wongar_dsl.charts.curves import curves
from wongar_dsl.charts.dots import dots, dumbbells
from wongar_dsl.charts.frame import Caption
from wongar_dsl.charts.scales import Axis
from wongar_dsl.charts.values import (
    ChartEstimate,
    ChartLine,
    ChartMark,
    ChartRow,
    HistogramColumn,
    PairedRow,
    StackedRow,
)

__all__ = [
    "Axis",
    "Caption",
    "ChartEstimate",
    "ChartLine",
    "ChartMark",
    "ChartRow",
    "HistogramColumn",
    "PairedRow",
    "StackedRow",
    "bars",
    "columns",
    "curves",
    "dots",
    "dumbbells",
    "stacked",
]
