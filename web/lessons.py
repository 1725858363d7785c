"""View of the tutorial: hints above the learner's options, and at the end of the game."""

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
    """View of a hint: written text, rules with their source, suggestion, and areas to highlight."""

    text: str
    rules: tuple[str, ...]
    advice: str
    places: str


def taught(v: Viewing) -> Iterator[Taught]:
    """Yield the hints for a viewer; none for other players than the learner."""
    guide, match = v.guide, v.table.match
    if guide is None or not (match.state.over or v.menu is not None):
        return
    teacher = Teacher(guide.lesson, match, v.narrator, guide.seat)
    for hint in guide.hints():
        text = teacher.text(hint)
        rules = tuple(
            f"{paragraph.indent}{paragraph.text}".strip() for paragraph in teacher.rules(hint) if paragraph.text
        )
        places = " ".join(sorted(map(place_key, teacher.places(hint))))
        yield Taught(text, (*rules, *teacher.sources(hint)), _advice(v, teacher, hint), places)


def _advice(v: Viewing, teacher: Teacher, hint: Hint) -> str:
    """Return the suggested move with its number in the menu, or the areas to look at."""
    table, move, state = v.table, teacher.suggestion(hint), v.table.match.state
    if move is not None:
        menu = v.menu if v.menu is not None else Menu(())
        number = next((str(entry.number) for entry in menu.entries if menu.part is None and entry.move == move), "")
        option = quoted(v.narrator.option(state, move))
        return v.words.say("learn.try", None, n=Text(number or state.write(move)), option=option)
    boards = table.match.game.model.boards
    places = [Text(v.narrator.term(boards[board].areas[area])) for board, area in teacher.places(hint)]
    return v.words.say("learn.look", None, places=Listing(tuple(places))) if places else ""
