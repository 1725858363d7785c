"""A guided first game: what is explained to who learns, above the options of their question and at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.table.lesson import Hint
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.teaching import Teacher
from wongar_dsl.words import Listing, Text, quoted

from .pictures.look import place_key
from .viewing import Viewing


@dataclass(frozen=True)
class Taught:
    """A hint: what somebody wrote for it, what the rules say with where that stands, what to try or to look at, and the
    places that it speaks of."""

    text: str
    rules: tuple[str, ...]
    advice: str
    places: str


def taught(v: Viewing) -> Iterator[Taught]:
    """What is explained to a viewer now; nothing to who does not learn."""
    guide, match = v.guide, v.table.match
    if guide is None or not (match.state.over or v.menu is not None):
        return
    teacher = Teacher(guide.lesson, match, v.narrator, guide.seat)
    for hint in guide.hints():
        text = teacher.text(hint)
        rules = tuple(f"{one.indent}{one.text}".strip() for one in teacher.rules(hint) if one.text)
        places = " ".join(sorted(map(place_key, teacher.places(hint))))
        yield Taught(text, (*rules, *teacher.sources(hint)), _advice(v, teacher, hint), places)


def _advice(v: Viewing, teacher: Teacher, hint: Hint) -> str:
    """What is worth a try, with its number in the menu, or a look."""
    table, move, state = v.table, teacher.suggestion(hint), v.table.match.state
    if move is not None:
        menu = v.menu if v.menu is not None else Menu(())
        number = next((str(entry.number) for entry in menu.entries if menu.part is None and entry.move == move), "")
        option = quoted(v.narrator.option(state, move))
        return v.words.say("learn.try", None, n=Text(number or state.write(move)), option=option)
    boards = table.match.game.model.boards
    places = [Text(v.narrator.term(boards[board].areas[area])) for board, area in teacher.places(hint)]
    return v.words.say("learn.look", None, places=Listing(tuple(places))) if places else ""
