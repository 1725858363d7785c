"""View of a turn: all values are computed here for one viewer; templates only arrange them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from wongar_dsl.engine import Move, State
from wongar_dsl.table.digest import Digest, digest
from wongar_dsl.table.foretelling import at_length, brief, warning
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.puzzle import Laying
from wongar_dsl.table.scene import Scene
from wongar_dsl.table.subject import with_cards
from wongar_dsl.text.markup import Tag
from wongar_dsl.words import Listing, Text

from . import asking, puzzles, tables
from .asking import Foreseen
from .counts import counts
from .ending import Ending, ending
from .lessons import taught
from .pictures import laid_cards, position
from .pictures.look import Look, Place, place_key
from .rounds import present_round
from .viewing import Person, Viewing

#: Maximum number of locations highlighted for a forecast or a sentence; more would say nothing.
MOST_LIT = 12


@dataclass(frozen=True)
class Numbers:
    """The numbers to choose from: minimum, maximum, and all of them in words."""

    low: int
    high: int
    told: str


@dataclass(frozen=True)
class Wished:
    """View of an undo request: text, whether the viewer must agree, and the players it waits for."""

    told: str
    asked: bool
    waiting: str


class Lying(NamedTuple):
    """Placement of a card by an option: location, card, and rotation in edges (None: not known yet)."""

    place: Place
    face: int
    turned: int | None


def turn(v: Viewing) -> dict[str, Any]:
    """Return the template values for the part of the page that changes."""
    narrator, match = v.narrator, v.table.match
    scene = Scene(match.state, narrator, v.table.letters, v.viewer)
    plain = Look(scene)
    menu = with_cards(v.menu, scene) if v.menu is not None and v.menu.part is None else v.menu
    summary = digest(match, narrator, v.viewer, min(v.since, len(match.steps)))
    news = summary if summary.lines or v.since < len(match.steps) else None
    lying = _lying(v, plain, menu)
    touched = asking.touched_places(v.table, plain, menu) if menu is not None else {}
    for number, laid in lying.items():
        touched[number] = touched.get(number, frozenset()) | {laid.place}
    named = _named_places(touched, lying)
    look = Look(scene, news.changed if news is not None else frozenset(), named)
    foreseen = _foreseen(v, menu)
    common = asking.shared_forecast(foreseen.values())
    groups = (
        asking.groups(v.table, look, menu, foreseen, touched, _pictures(look, lying), common)
        if menu is not None and menu.entries
        else ()
    )
    ended = ending(match, look) if match.state.over else None
    return {
        "v": v,
        "key": v.key,
        "game": narrator.title(),
        "round": present_round(match, narrator, v.viewer),
        "notes": () if match.state.over else tables.notes(look),
        "over": match.state.over,
        "mine": v.menu is not None or v.puzzle is not None,
        "news": news if news is not None and news.lines else None,
        "told": [*(_told(news, ended) if news is not None else ()), *((line, "") for line in _taken_back(v))],
        "boards": list(position.boards(look)),
        "lines": list(tables.lines(look)),
        "hand": tables.hand(look),
        "question": _question(v, look),
        "uncovered": list(_uncovered(look)),
        "groups": list(groups),
        "direct": _direct(v, menu),
        "numbers": _numbers(menu, look) if menu is not None and menu.numbers else None,
        "counts": counts(match.state, menu) if menu is not None else None,
        "chosen": v.chosen,
        "part": menu is not None and menu.part is not None,
        "common_forecast": common,
        "foretold": any(forecast.outcome for forecast in foreseen.values()),
        "about": asking.about(v.table, look) if v.menu is not None else (),
        "clock": v.clock,
        "puzzle": puzzles.asked(v.puzzle, look) if v.puzzle is not None else None,
        "lesson": list(taught(v)),
        "solution": _solution(v, look),
        "players": tables.players(look, v.waiting),
        "states": [_state(person, look) if seat != v.viewer else "" for seat, person in enumerate(v.persons)],
        "wish": _wish(v, look) if v.wish is not None else None,
        "tracks": list(tables.tracks(look)),
        "common": tables.common(look),
        "ending": ended,
    }


def _question(v: Viewing, look: Look) -> str:
    """Return the question, or the players the game waits for."""
    state = v.table.match.state
    if state.over:
        return look.say("over")
    if v.menu is not None or v.puzzle is not None:
        return v.narrator.prompt(state)
    return _waiting(v, look, v.waiting or (state.seat,))


def _waiting(v: Viewing, look: Look, seats: Sequence[int]) -> str:
    """Return the players the game waits for; empty seats take precedence over thinking players."""
    away = [seat for seat in seats if v.persons[seat].kind == "human" and not v.persons[seat].joined]
    players = Listing(tuple(v.narrator.player(seat) for seat in away or seats))
    return look.say("waiting.nobody" if away else "waiting", players=players)


def _told(news: Digest, ended: Ending | None) -> Iterator[tuple[str, str]]:
    """Yield the sentences of the news, each with its locations unless there are too many.

    Sentences already shown with the end of the game are left out.
    """
    for sentence, line, places in zip(news.told, news.lines, news.about, strict=True):
        if ended is not None and ended.says(sentence.text):
            continue
        yield line, " ".join(sorted(map(place_key, places))) if len(places) <= MOST_LIT else ""


def _taken_back(v: Viewing) -> Iterator[str]:
    """Yield sentences about undone decisions."""
    game = v.table.match.game
    for undone in v.taken:
        player = v.narrator.player(undone.seat)
        if not undone.move:
            yield v.words.say("web.taken_back.unseen", None, player=player)
            continue
        before = State(game, v.table.match.before(undone.step))
        choice = v.narrator.option(before, Move(undone.move[0], undone.move[1:]))
        yield v.words.say("web.taken_back", None, player=player, choice=Text(choice))


def _solution(v: Viewing, look: Look) -> puzzles.Solved | None:
    """Return a solution of the puzzle that the viewer has just lost."""
    lost_puzzle = puzzles.lost_before(v.table.match, v.viewer, v.since, v.puzzle)
    if lost_puzzle is None or v.viewer is None:
        return None
    heading = v.words.say("ending.solution", None, player=v.narrator.player(v.viewer))
    return puzzles.solved(Laying.of(lost_puzzle, next(iter(lost_puzzle.solutions))), look, heading)


def _direct(v: Viewing, menu: Menu | None) -> bool:
    """Return whether one click makes the move: against the clock, or if there is only one option, but never for
    puzzles.
    """
    if menu is None or v.puzzle is not None:
        return False
    return v.clock is not None or (len(menu.entries) == 1 and not menu.numbers)


def _state(person: Person, look: Look) -> str:
    """Return the state of a seat: a bot, away, or not joined yet."""
    if person.kind != "human":
        return look.say("bot")
    return "" if person.here else look.say("away" if person.joined else "lobby.nobody")


def _wish(v: Viewing, look: Look) -> Wished:
    assert v.wish is not None
    is_own = v.wish.seat == v.viewer
    text = look.say("wish.own") if is_own else look.say("wish", player=v.narrator.player(v.wish.seat))
    return Wished(text, v.wish.asked, _waiting(v, look, v.wish.waiting) if v.wish.waiting else "")


# ---- options -------------------------------------------------------------------------------------------------------


def _foreseen(v: Viewing, menu: Menu | None) -> Mapping[int, Foreseen]:
    """Return the forecast of each option by number."""
    views: dict[int, Foreseen] = {}
    for entry in menu.entries if menu is not None else ():
        forecast = v.forecasts.of(entry.move) if v.forecasts is not None and menu and menu.part is None else None
        if forecast is None:
            views[entry.number] = asking.NOTHING
            continue
        places = forecast.places if len(forecast.places) <= MOST_LIT else frozenset()
        sure = warning(forecast, v.narrator) if forecast.risky else ""
        text = brief(forecast, v.narrator) if v.foretell else ""
        lines = at_length(forecast, v.narrator, v.table.match.state.seat) if text or (sure and v.foretell) else ()
        outcome = bool(text) and bool(brief(replace(forecast, ahead=()), v.narrator))
        views[entry.number] = Foreseen(text, places, sure, tuple(lines), outcome)
    return views


def _lying(v: Viewing, look: Look, menu: Menu | None) -> Mapping[int, Lying]:
    """Return the placements of the options that place a card, by number.

    They come from the forecast, otherwise from the card and direction that the option names.
    """
    placements: dict[int, Lying] = {}
    if menu is None or menu.part is not None:
        return placements
    for number, (place, face) in asking.sites(v.table, look, menu).items():
        placements[number] = Lying(place, face, None)
    model = v.table.match.game.model
    for entry in menu.entries:
        forecast = v.forecasts.of(entry.move) if v.forecasts is not None else None
        for event in forecast.now if forecast is not None else ():
            if event.spec.kind != "card_laid":
                continue
            fields = event.fields()
            (_, card), (board, area), (_, turned) = fields["card"], fields["area"], fields["turned"]
            if isinstance(card, int) and isinstance(area, int) and isinstance(turned, int):
                sides = model.boards[board.name].directions
                placements[entry.number] = Lying((board.name, area), card, turned % sides)
                break
    return placements


def _uncovered(look: Look) -> Iterator[Tag]:
    """Yield the face-up cards beside a map that are to be placed on it."""
    scene = look.scene
    for name, board in scene.state.game.model.boards.items():
        layout = laid_cards.layout_on(look, name)
        for place in scene.places if layout is not None else ():
            if layout is None or place.kind != "slot" or place.indices or place.type != layout.type:
                continue
            if scene.state.cells[place.base] >= 0:
                yield laid_cards.alone(look, layout, name, board, scene.state.cells[place.base], small=False)


def _pictures(look: Look, lying: Mapping[int, Lying]) -> Mapping[int, Tag]:
    """Return the picture of the card that each option places, in its orientation."""
    pictures = {}
    for number, laid in lying.items():
        name = laid.place[0]
        layout = laid_cards.layout_on(look, name)
        if layout is not None and laid.turned is not None:
            board = look.scene.state.game.model.boards[name]
            pictures[number] = laid_cards.alone(look, layout, name, board, laid.face, laid.turned)
    return pictures


def _named_places(
    touched: Mapping[int, frozenset[Place]], lying: Mapping[int, Lying]
) -> Mapping[Place, tuple[int, ...]]:
    """Return the option numbers by location; an option that places a card belongs to its target only."""
    options_by_place: dict[Place, tuple[int, ...]] = {}
    for number, places in touched.items():
        for place in [lying[number].place] if number in lying else places:
            options_by_place[place] = (*options_by_place.get(place, ()), number)
    return options_by_place


def _numbers(menu: Menu, look: Look) -> Numbers:
    ranges = menu.ranges()
    listing = Listing(tuple(_range(ranges, look)))
    return Numbers(min(menu.numbers), max(menu.numbers), look.scene.narrator.words.value(listing))


def _range(ranges: list[tuple[int, int]], look: Look) -> Iterator[Text]:
    for low, high in ranges[:8]:
        yield Text(look.say("from.to", low=low, high=high) if low < high else str(low))
