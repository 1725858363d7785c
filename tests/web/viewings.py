"""Views of running games for tests of pages and pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import TypeVar

from wongar_dsl.engine import Game, Move, library
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.words import Translator
from wongar_dsl.render.position_svg.translation_cache import CachedTranslator
from wongar_dsl.session.changes import last_decision_of
from wongar_dsl.session.forecast import ForecastWorker
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import Menu
from wongar_dsl.session.puzzle import Puzzle
from wongar_dsl.web.views.turn_view import ClockView, Person, TableView

T = TypeVar("T")

LANGUAGES = ("de", "nl", "it", "en")
NAMES = ("Anna", "Ben", "Cleo", "Dario", "Eva", "Finn")


class KeptTexts(CachedTranslator):
    """Cached texts of a language; a cached drawing would hide that it depends on hidden information."""

    def cached(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        return super().cached(key, make) if key[0] in ("say", "term") else make()


@cache
def rules(name: str) -> library.Rules:
    return library.load(name)


@cache
def game(name: str, seats: int) -> Game:
    return rules(name).game(seats)


@cache
def words(language: str) -> Translator:
    return KeptTexts.load(language)


def match(name: str, seats: int, steps: int, seed: int = 1, names: tuple[str, ...] = NAMES) -> Match:
    """Return a match after `steps` random choices, or at its end."""
    positions = random_positions(name, seats, seed, names)
    return next(sample for sample in positions if len(sample.steps) == steps or sample.state.over)


def until(
    name: str, seats: int, there: Callable[[Match], bool], seed: int = 1, names: tuple[str, ...] = NAMES
) -> Match:
    """Return a match at the first position where `there` holds."""
    return next(filter(there, random_positions(name, seats, seed, names)))


def random_positions(name: str, seats: int, seed: int, names: tuple[str, ...]) -> Iterator[Match]:
    """Yield the same match at its start and after each random choice."""
    seated = [Seat("human", names[seat]) for seat in range(seats)]
    sample = Match.begin(game(name, seats), seated, seed, rules(name).hash)
    random = Random(seed)
    yield sample
    while not sample.state.over:
        sample.play(random.choice(sample.state.legal_moves()), 1500 if sample.state.clock else 0)
        yield sample


def of_decision(name: str, seats: int, decision: str, seed: int = 1, names: tuple[str, ...] = NAMES) -> Match:
    """Return a match at a decision with a name."""
    return until(name, seats, lambda m: m.state.decision is not None and m.state.decision.name == decision, seed, names)


@lru_cache(maxsize=8)
def _forecasts(of: Match, steps: int, cells: tuple[int, ...], moves: tuple[Move, ...]) -> ForecastWorker:
    """Return all forecasts for a decision of a match, which the views of this position share."""
    worker = ForecastWorker(of, moves)
    worker.work(lambda: False)
    return worker


def viewing(
    of: Match, language: str = "en", viewer: int | None = -1, rules_name: str = "", foretell: bool = True,
    host: bool = False, since: int | None = None, loaded: library.Rules | None = None,
) -> TableView:  # fmt: skip
    """Return the view of a viewer; -1 is the deciding seat, or the first seat at the end.

    `loaded` are the rules of a generated game.
    """
    state = of.state
    seat = (0 if state.over else state.seat) if viewer == -1 else viewer
    table = GameSession(loaded or rules(rules_name or of.game.name), of, words(language), "", Path())
    is_asked = not state.over and seat == state.seat
    menu = Menu.of(state, table.narrator) if is_asked else None
    moves = tuple(entry.move for entry in menu.entries) if menu is not None and menu.part is None else None
    forecasts = None if moves is None else _forecasts(of, len(of.steps), tuple(state.cells), moves)
    return TableView(
        session=table, viewer=seat, version=7, key="/t/4f", persons=tuple(Person("human", True) for _ in of.seats),
        since=last_decision_of(of, seat) if since is None else since,
        menu=menu,
        puzzle=Puzzle.of(state) if is_asked else None,
        forecasts=forecasts,
        clock=ClockView(42_000, 60_000) if is_asked and state.clock is not None else None,
        waiting=() if state.over else (state.seat,),
        undo=bool(of.steps),
        languages=(("de", "Deutsch"), ("nl", "Nederlands"), ("it", "Italiano"), ("en", "English")),
        host=host,
        foretell=foretell,
    )  # fmt: skip


def has_risky_option(of: Match) -> bool:
    """Return whether a turn of Tongiaki has an option that costs much."""
    if of.state.over or of.state.decision is None or of.state.decision.name != "turn":
        return False
    v = viewing(of, "en", rules_name="tongiaki")
    assert v.menu is not None
    assert v.forecasts is not None
    return any(f.risky for e in v.menu.entries if (f := v.forecasts.of(e.move)) is not None)


def steady(page: str) -> str:
    """Return the page without its token, which differs each time."""
    return re.sub(r'name="once" value="[^"]*"', "", page)
