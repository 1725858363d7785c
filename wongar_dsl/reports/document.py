"""A report as it is read: chapters of sentences and figures, whatever they are shown on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from wongar_dsl.pictures.svg import Picture


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its name, the heading of each column, and its rows, each with a heading and its cells."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A table, and the charts that show the same; `draw` makes them.

    One that is a `detail` is left out where there is little room, such as at a terminal.
    """

    grid: Grid
    draw: Callable[[], tuple[Picture, ...]] = tuple
    detail: bool = False


@dataclass(frozen=True, slots=True)
class Chapter:
    """A part of a report: its heading, what it says first and for short, what it says more, and its figures.

    `listed` are things of one sort, each in a line of its own.
    """

    key: str
    title: str
    gist: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    listed: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A report: its title, a line on what it is made of, and its chapters in their order."""

    title: str
    subtitle: str
    chapters: tuple[Chapter, ...]

    def gists(self) -> Iterator[str]:
        """What is said for short of everything."""
        for chapter in self.chapters:
            yield from chapter.gist
