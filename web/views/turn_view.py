"""View of a turn: all values are computed here for one viewer; templates only arrange them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from wongar_dsl.base.text.markup import Tag
from wongar_dsl.engine import Move, State
from wongar_dsl.nlg.words import Listing, Text
from wongar_dsl.render.position_svg import laid_cards, position
from wongar_dsl.render.position_svg.render_context import RenderContext, place_key
from wongar_dsl.session.board.board_refs import BoardArea
from wongar_dsl.session.board.puzzle import PuzzleLayout
from wongar_dsl.session.board.scene import FieldCopy, Scene
from wongar_dsl.session.changes.changes_since import Digest, changes_since
from wongar_dsl.session.forecast.forecast_text import costly_choice_question, full_text, one_line
from wongar_dsl.session.options.decision_context import with_cards
from wongar_dsl.session.options.menu import Menu

from . import option_view, puzzle_view, zone_views
from .ending_view import EndingView, ending
from .option_view import ForecastView
from .repeat_form import counts
from .round_heading import present_round
from .tutorial_view import tutorial_view
from .view_models import Person, TableView

#: Maximum number of locations highlighted for a forecast or a sentence; more would say nothing.
MAX_LIT_PLACES = 12


@dataclass(frozen=True)
class NumberChoices:
    """The numbers to choose from: minimum, maximum, and all of them in words."""

    low: int
    high: int
    text: str


@dataclass(frozen=True)
class UndoPrompt:
    """View of an undo request: text, whether the viewer must agree, and the players it waits for."""

    text: str
    must_agree: bool
    waiting: str


class PlacementView(NamedTuple):
    """Placement of a card by an option: location, card, and rotation in edges (None: not known yet)."""

    place: BoardArea
    face: int
    turned: int | None


def turn(view: TableView) -> dict[str, Any]:
    """Return the template values for the part of the page that changes."""
    narrator, match = view.narrator, view.session.match
    scene = Scene(match.state, narrator, view.session.letters, view.viewer)
    plain = RenderContext(scene)
    menu = with_cards(view.menu, scene) if view.menu is not None and view.menu.part is None else view.menu
    summary = changes_since(match, narrator, view.viewer, min(view.since, len(match.steps)))
    news = summary if summary.lines or view.since < len(match.steps) else None
    placements = _placements(view, plain, menu)
    touched = option_view.touched_places(view.session, plain, menu) if menu is not None else {}
    for number, laid in placements.items():
        touched[number] = touched.get(number, frozenset()) | {laid.place}
    named = _named_places(touched, placements)
    context = RenderContext(scene, news.changed if news is not None else frozenset(), named)
    forecasts = _forecasts(view, menu)
    common = option_view.shared_forecast(forecasts.values())
    groups = (
        option_view.groups(view.session, context, menu, forecasts, touched, _pictures(context, placements), common)
        if menu is not None and menu.entries
        else ()
    )
    ended = ending(match, context) if match.state.over else None
    return {
        "v": view,
        "key": view.key,
        "game": narrator.title(),
        "round": present_round(match, narrator, view.viewer),
        "notes": () if match.state.over else zone_views.notes(context),
        "over": match.state.over,
        "mine": view.menu is not None or view.puzzle is not None,
        "news": news if news is not None and news.lines else None,
        "told": [*(_news(news, ended) if news is not None else ()), *((line, "") for line in _undone(view))],
        "boards": list(position.boards(context)),
        "lines": list(zone_views.lines(context)),
        "hand": zone_views.hand(context),
        "question": _question(view, context),
        "uncovered": list(_uncovered(context)),
        "groups": list(groups),
        "direct": _moves_on_click(view, menu),
        "numbers": _numbers(menu, context) if menu is not None and menu.numbers else None,
        "counts": counts(match.state, menu) if menu is not None else None,
        "chosen": view.chosen,
        "part": menu is not None and menu.part is not None,
        "common_forecast": common,
        "foretold": any(forecast.outcome for forecast in forecasts.values()),
        "about": option_view.decision_text(view.session, context) if view.menu is not None else (),
        "clock": view.clock,
        "puzzle": puzzle_view.puzzle_view(view.puzzle, context) if view.puzzle is not None else None,
        "lesson": list(tutorial_view(view)),
        "solution": _solution(view, context),
        "players": zone_views.players(context, view.waiting),
        "states": [_state(person, context) if seat != view.viewer else "" for seat, person in enumerate(view.persons)],
        "wish": _undo_prompt(view, context) if view.undo_request is not None else None,
        "tracks": list(zone_views.tracks(context)),
        "common": zone_views.common(context),
        "ending": ended,
    }


def _question(view: TableView, context: RenderContext) -> str:
    """Return the question, or the players the game waits for."""
    state = view.session.match.state
    if state.over:
        return context.say("over")
    if view.menu is not None or view.puzzle is not None:
        return view.narrator.prompt(state)
    return _waiting(view, context, view.waiting or (state.seat,))


def _waiting(view: TableView, context: RenderContext, seats: Sequence[int]) -> str:
    """Return the players the game waits for; empty seats take precedence over thinking players."""
    away = [seat for seat in seats if view.persons[seat].kind == "human" and not view.persons[seat].joined]
    players = Listing(tuple(view.narrator.player(seat) for seat in away or seats))
    return context.say("waiting.nobody" if away else "waiting", players=players)


def _news(news: Digest, ended: EndingView | None) -> Iterator[tuple[str, str]]:
    """Yield the sentences of the news, each with its locations unless there are too many.

    Sentences already shown with the end of the game are left out.
    """
    for sentence, line, places in zip(news.sentences, news.lines, news.about, strict=True):
        if ended is not None and ended.says(sentence.text):
            continue
        yield line, " ".join(sorted(map(place_key, places))) if len(places) <= MAX_LIT_PLACES else ""


def _undone(view: TableView) -> Iterator[str]:
    """Yield sentences about undone decisions."""
    game = view.session.match.game
    for undone in view.undone:
        player = view.narrator.player(undone.seat)
        if not undone.move:
            yield view.words.say("web.taken_back.unseen", None, player=player)
            continue
        before = State(game, view.session.match.state_before(undone.step))
        choice = view.narrator.option(before, Move(undone.move[0], undone.move[1:]))
        yield view.words.say("web.taken_back", None, player=player, choice=Text(choice))


def _solution(view: TableView, context: RenderContext) -> puzzle_view.PuzzleSolutionView | None:
    """Return a solution of the puzzle that the viewer has just lost."""
    lost_puzzle = puzzle_view.last_lost_puzzle(view.session.match, view.viewer, view.since, view.puzzle)
    if lost_puzzle is None or view.viewer is None:
        return None
    heading = view.words.say("ending.solution", None, player=view.narrator.player(view.viewer))
    return puzzle_view.solution_view(PuzzleLayout.of(lost_puzzle, next(iter(lost_puzzle.solutions))), context, heading)


def _moves_on_click(view: TableView, menu: Menu | None) -> bool:
    """Return whether one click makes the move: against the clock, or if there is only one option, but never for
    puzzles.
    """
    if menu is None or view.puzzle is not None:
        return False
    return view.clock is not None or (len(menu.entries) == 1 and not menu.numbers)


def _state(person: Person, context: RenderContext) -> str:
    """Return the state of a seat: a bot, away, or not joined yet."""
    if person.kind != "human":
        return context.say("bot")
    return "" if person.here else context.say("away" if person.joined else "lobby.nobody")


def _undo_prompt(view: TableView, context: RenderContext) -> UndoPrompt:
    assert view.undo_request is not None
    is_own = view.undo_request.seat == view.viewer
    text = (
        context.say("wish.own") if is_own else context.say("wish", player=view.narrator.player(view.undo_request.seat))
    )
    return UndoPrompt(
        text,
        view.undo_request.must_agree,
        _waiting(view, context, view.undo_request.waiting) if view.undo_request.waiting else "",
    )


# ---- options -------------------------------------------------------------------------------------------------------


def _forecasts(view: TableView, menu: Menu | None) -> Mapping[int, ForecastView]:
    """Return the forecast of each option by number."""
    views: dict[int, ForecastView] = {}
    for entry in menu.entries if menu is not None else ():
        forecast = view.forecasts.of(entry.move) if view.forecasts is not None and menu and menu.part is None else None
        if forecast is None:
            views[entry.number] = option_view.NOTHING
            continue
        places = forecast.places if len(forecast.places) <= MAX_LIT_PLACES else frozenset()
        sure = costly_choice_question(forecast, view.narrator) if forecast.risky else ""
        text = one_line(forecast, view.narrator) if view.foretell else ""
        is_told = text or (sure and view.foretell)
        lines = full_text(forecast, view.narrator, view.session.match.state.seat) if is_told else ()
        outcome = bool(text) and bool(one_line(replace(forecast, next_moves=()), view.narrator))
        views[entry.number] = ForecastView(text, places, sure, tuple(lines), outcome)
    return views


def _placements(view: TableView, context: RenderContext, menu: Menu | None) -> Mapping[int, PlacementView]:
    """Return the placements of the options that place a card, by number.

    They come from the forecast, otherwise from the card and direction that the option names.
    """
    placements: dict[int, PlacementView] = {}
    if menu is None or menu.part is not None:
        return placements
    for number, (place, face) in option_view.placement_sites(view.session, context, menu).items():
        placements[number] = PlacementView(place, face, None)
    model = view.session.match.game.model
    for entry in menu.entries:
        forecast = view.forecasts.of(entry.move) if view.forecasts is not None else None
        for event in forecast.immediate_events if forecast is not None else ():
            if event.spec.kind != "card_laid":
                continue
            fields = event.fields()
            (_, card), (board, area), (_, turned) = fields["card"], fields["area"], fields["turned"]
            if isinstance(card, int) and isinstance(area, int) and isinstance(turned, int):
                sides = model.boards[board.name].directions
                placements[entry.number] = PlacementView((board.name, area), card, turned % sides)
                break
    return placements


def _uncovered(context: RenderContext) -> Iterator[Tag]:
    """Yield the face-up cards beside a map that are to be placed on it."""
    scene = context.scene
    for name, board in scene.state.game.model.boards.items():
        layout = context.scene.layout_on(name)
        for place in scene.fields if layout is not None else ():
            if layout is None or place.kind != "slot" or place.indices or place.type != layout.type:
                continue
            for card in scene.things(FieldCopy(place)):
                yield laid_cards.single_card(context, layout, name, board, card, small=False)


def _pictures(context: RenderContext, placements: Mapping[int, PlacementView]) -> Mapping[int, Tag]:
    """Return the picture of the card that each option places, in its orientation."""
    pictures = {}
    for number, laid in placements.items():
        name = laid.place[0]
        layout = context.scene.layout_on(name)
        if layout is not None and laid.turned is not None:
            board = context.scene.state.game.model.boards[name]
            pictures[number] = laid_cards.single_card(context, layout, name, board, laid.face, laid.turned)
    return pictures


def _named_places(
    touched: Mapping[int, frozenset[BoardArea]], placements: Mapping[int, PlacementView]
) -> Mapping[BoardArea, tuple[int, ...]]:
    """Return the option numbers by location; an option that places a card belongs to its target only."""
    options_by_place: dict[BoardArea, tuple[int, ...]] = {}
    for number, places in touched.items():
        for place in [placements[number].place] if number in placements else places:
            options_by_place[place] = (*options_by_place.get(place, ()), number)
    return options_by_place


def _numbers(menu: Menu, context: RenderContext) -> NumberChoices:
    ranges = menu.ranges()
    listing = Listing(tuple(_range(ranges, context)))
    return NumberChoices(min(menu.numbers), max(menu.numbers), context.scene.narrator.words.value(listing))


def _range(ranges: list[tuple[int, int]], context: RenderContext) -> Iterator[Text]:
    for low, high in ranges[:8]:
        yield Text(context.say("from.to", low=low, high=high) if low < high else str(low))
