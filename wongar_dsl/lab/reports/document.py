"""Document model of a report: chapters of sentences and figures, independent of the output medium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wongar_dsl.render.component_svg.svg import Picture


@dataclass(frozen=True, slots=True)
class ReportGrid:
    """Table: its title, the column headings, and the rows, each with a heading and its cells."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """Table, and the charts of the same data that `draw` makes.

    A figure marked as `detail` is omitted if there is little room, such as in a terminal.
    """

    grid: ReportGrid
    draw: Callable[[], tuple[Picture, ...]] = tuple
    detail: bool = False


@dataclass(frozen=True, slots=True)
class Chapter:
    """Chapter: its heading, its summary (`gist`), further sentences, and figures.

    `listed` are similar items, each on its own line.
    """

    key: str
    title: str
    gist: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    figures: tuple[ReportFigure, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportDocument:
    """Report: its title, a subtitle on the data, and its chapters."""

    title: str
    subtitle: str
    chapters: tuple[Chapter, ...]

    def summaries(self) -> Iterator[str]:
        """Yield the summary sentences of all chapters."""
        for chapter in self.chapters:
            yield from chapter.gist
