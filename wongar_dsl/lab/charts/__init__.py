"""Static charts as SVG pictures, without scripts, with every value also in words.

Charts know nothing about games: they draw labelled numbers with intervals. Colour is never the only distinction;
position, shape or pattern shows the same.
"""

from __future__ import annotations

from wongar_dsl.lab.charts.axes import Caption
from wongar_dsl.lab.charts.bars import bars, stacked
from wongar_dsl.lab.charts.columns import columns
from wongar_dsl.lab.charts.curves import curves
from wongar_dsl.lab.charts.dots import dots, dumbbells
from wongar_dsl.lab.charts.scales import Axis
from wongar_dsl.lab.charts.values import (
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
