"""View of the tutorial: hints above the learner's options, and at the end of the game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from wongar_dsl.nlg.words import Listing, Text, quoted
from wongar_dsl.render.position_svg.render_context import place_key
from wongar_dsl.session.options.menu import Menu
from wongar_dsl.session.tutorial.tutorial import TutorialHint
from wongar_dsl.session.tutorial.tutorial_text import TutorialText

from .view_models import TableView


@dataclass(frozen=True)
class TutorialView:
    """View of a hint: written text, rules with their source, suggestion, and areas to highlight."""

    text: str
    rules: tuple[str, ...]
    advice: str
    places: str


def tutorial_view(view: TableView) -> Iterator[TutorialView]:
    """Yield the hints for a viewer; none for other players than the learner."""
    guide, match = view.guide, view.session.match
    if guide is None or not (match.state.over or view.menu is not None):
        return
    teacher = TutorialText(guide.lesson, match, view.narrator, guide.seat)
    for hint in guide.hints():
        text = teacher.text(hint)
        rules = tuple(
            f"{paragraph.indent}{paragraph.text}".strip() for paragraph in teacher.rules(hint) if paragraph.text
        )
        places = " ".join(sorted(map(place_key, teacher.places(hint))))
        shown = TutorialView(text, (*rules, *teacher.sources(hint)), _advice(view, teacher, hint), places)
        if shown.text or shown.rules or shown.advice:
            yield shown


def _advice(view: TableView, teacher: TutorialText, hint: TutorialHint) -> str:
    """Return the suggested move with its number in the menu, or the areas to look at."""
    session, move, state = view.session, teacher.suggestion(hint), view.session.match.state
    if move is not None:
        menu = view.menu if view.menu is not None else Menu(())
        number = next((str(entry.number) for entry in menu.entries if menu.part is None and entry.move == move), "")
        option = quoted(view.narrator.option(state, move))
        return view.words.say("learn.try", None, n=Text(number or state.write(move)), option=option)
    boards = session.match.game.model.boards
    places = [Text(view.narrator.term(boards[board].areas[area])) for board, area in teacher.places(hint)]
    return view.words.say("learn.look", None, places=Listing(tuple(places))) if places else ""
