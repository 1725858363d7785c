"""One chart of each kind, with labels of German length."""

from __future__ import annotations

from wongar_dsl.lab import charts
from wongar_dsl.lab.inference import Estimate
from wongar_dsl.render.component_svg import Picture

LONG = "Einen eigenen Spielstein dieser Sorte aus einem angrenzenden Gebiet ins Gebiet der Zeremonie holen"
CAPTION = charts.Caption("Anteil der gewonnenen Partien", "Platz 1: 31 %. Platz 2: 22 %.")


def share(value: float, places: int) -> str:
    """Format a share as a percentage."""
    return f"{100 * value:.{max(places - 2, 0)}f} %"


def number(value: float, places: int) -> str:
    """Format a number."""
    return f"{value:.{places}f}"


SHARES, NUMBERS = charts.Axis("Anteil an den Partien", share, 0.0), charts.Axis("Unterschied in Prozentpunkten", number)
ROWS = [
    charts.ChartRow("Platz 1 (beginnt)", Estimate(0.31, 0.29, 0.33), "31 % (29 bis 33 %)"),
    charts.ChartRow(LONG, Estimate(0.22, 0.2, 0.24), "22 % (20 bis 24 %)", marked=False),
]
SERIES = ["Zeremonien in Phase 1", "Zeremonien in Phase 2", LONG, "Skorpione", "Mehrheiten an Gebietskarten"]


def bars() -> Picture:
    """Return a chart with one bar per row."""
    return charts.bars(CAPTION, SHARES, ROWS, [charts.ChartMark(0.25, "gleiche Chancen: 25 %")])


def stacked() -> Picture:
    """Return a chart of stacked bars with one negative part."""
    parts = (16.0, 20.5, 36.0, -4.25, 0.0)
    rows = [
        charts.StackedRow(name, parts, tuple(f"{part:.1f}" for part in parts), "68,3") for name in ("Platz 1", LONG)
    ]
    return charts.stacked(CAPTION, NUMBERS, rows, SERIES)


def dots() -> Picture:
    """Return a chart of points with intervals, significant and not."""
    rows = [
        charts.ChartRow(LONG, Estimate(1.9, 1.1, 2.7), "+1,9 (+1,1 bis +2,7)"),
        charts.ChartRow("Länge", Estimate(-0.4, -1.2, float("inf")), "-0,4", marked=False),
    ]
    return charts.dots(
        CAPTION, NUMBERS, rows, [charts.ChartMark(0.0, "kein Unterschied")], ("signifikant", "kann Zufall sein")
    )


def dumbbells() -> Picture:
    """Return a chart with two values per row."""
    rows = [charts.PairedRow(LONG, (12.5, 9.1), "12,5 / 9,1"), charts.PairedRow("Ziehen", (3.0, 3.0), "3,0 / 3,0")]
    return charts.dumbbells(CAPTION, NUMBERS, rows, ("Angeboten", "Gewählt"))


def columns() -> Picture:
    """Return a histogram of lengths."""
    spans = [
        charts.HistogramColumn(200 + 20 * n, 220 + 20 * n, share, f"{share}")
        for n, share in enumerate((0.1, 0.5, 0.0, 0.4))
    ]
    return charts.columns(
        CAPTION, charts.Axis("Entscheidungen", number, whole=True), SHARES, spans, [charts.ChartMark(231.0, "Median")]
    )


def curves() -> Picture:
    """Return a chart of two lines, one with a band."""
    banded = charts.ChartLine(LONG, tuple((n / 20, Estimate(n / 20, n / 25, min(1.0, n / 15))) for n in range(21)))
    plain = charts.ChartLine("Entschieden", tuple((n / 20, Estimate(n / 40, n / 40, n / 40)) for n in range(21)))
    across = charts.Axis("Teil der Entscheidungen einer Partie", share, 0.0, 1.0)
    return charts.curves(CAPTION, across, SHARES, [banded, plain], levels=[charts.ChartMark(0.25, "gleiche Chancen")])


ALL = {"bars": bars, "stacked": stacked, "dots": dots, "dumbbells": dumbbells, "columns": columns, "curves": curves}
