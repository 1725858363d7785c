"""Views of a turn and of a replay: all values are computed here for one viewer; templates only arrange them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, NamedTuple

from wongar_dsl.base.markup import Tag
from wongar_dsl.engine import Move, State
from wongar_dsl.engine.events import EVERYTHING
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.story import headed_messages
from wongar_dsl.nlg.words import Listing, Text, Translator
from wongar_dsl.nlg.words.translator import HEADING
from wongar_dsl.render.position_svg import boards, laid_cards
from wongar_dsl.render.position_svg.render_context import RenderContext, place_key
from wongar_dsl.render.rulebook_page import section_anchor
from wongar_dsl.session.changes import Digest, Replay, ReplayPosition, changes_since
from wongar_dsl.session.decisions import (
    MIN_REPEATS,
    chosen_cards,
    cited_sentences,
    open_cards,
    repeat_limits,
    rule_card,
    with_cards,
)
from wongar_dsl.session.forecast import ForecastWorker, costly_choice_question, full_text, one_line
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import Menu, MenuEntry, group_options
from wongar_dsl.session.puzzle import Puzzle, PuzzleLayout, last_lost_puzzle
from wongar_dsl.session.scene import BoardArea, FieldCopy, Scene, areas_of_value, typed_arguments
from wongar_dsl.session.tutorial import TutorialRunner, TutorialText

from . import ending_view, zone_views
from .ending_view import EndingView, ending


@dataclass(frozen=True)
class Person:
    """The occupant of a seat: kind (`human`, `easy` …), whether a page is open, and whether a guest has ever joined."""

    kind: str
    here: bool
    joined: bool = True


@dataclass(frozen=True)
class ClockView:
    """The time limit of a decision in ms: remaining and total."""

    left: int
    whole: int


@dataclass(frozen=True)
class UndoRequest:
    """An undo request: seat, step to undo, seats that have not agreed yet, and version of the request."""

    seat: int
    step: int
    waiting: tuple[int, ...]
    version: int


@dataclass(frozen=True)
class UndoneView:
    """An undone decision: seat, step, and move; the move is empty if the viewer may not know it."""

    seat: int
    step: int
    move: tuple[int, ...]


#: The chosen first parts of a move, as raw numbers.
Parts = tuple[int, ...]


def write_parts(parts: Parts) -> str:
    """Format the parts of a move for a form or query."""
    return ",".join(map(str, parts))


@dataclass(frozen=True, kw_only=True)
class RenderRequest:
    """Request for a page of a table, with everything that it needs in addition to the snapshot of the game.

    `viewer` is a seat, or None for spectators. `version` counts changes, `key` is the path prefix of the table
    (`/t/4f`). `since` is the number of steps after the viewer's last decision. `chosen` are the parts of a choice made
    so far, `waiting` the seats that the game waits for. `languages` are codes with names. `undo` is true if the viewer
    may request an undo, and `undo_request` is an open request. `undone` are decisions undone since `since`. `note` is
    an error message. `replay` is the step of a finished game to show, and whether to show hidden information. `learn`
    is true for a guided first game.
    """

    page: str = "table"
    viewer: int | None
    language: str = ""
    version: int
    key: str
    persons: Sequence[Person]
    since: int | None = None
    is_deciding: bool = False
    chosen: Parts = ()
    clock: ClockView | None = None
    waiting: Sequence[int] = ()
    undo: bool = False
    undo_request: UndoRequest | None = None
    languages: Sequence[tuple[str, str]] = ()
    host: bool = False
    scheme: str = "auto"
    foretell: bool = True
    note: str = ""
    replay: tuple[int, bool] = (0, False)
    learn: bool = False
    undone: Sequence[UndoneView] = ()


@dataclass(frozen=True, kw_only=True)
class TableView(RenderRequest):
    """A table as one viewer sees it: what was requested, with what is needed to show it.

    `session` uses the viewer's language; its match is shared and must not be changed. `menu` and `puzzle` are None if
    the viewer is not asked. `guide` is the tutorial runner for a learner.
    """

    session: GameSession
    since: int
    menu: Menu | None = None
    puzzle: Puzzle | None = None
    forecasts: ForecastWorker | None = None
    guide: TutorialRunner | None = None

    @property
    def narrator(self) -> Narrator:
        """The narrator in the viewer's language."""
        return self.session.narrator

    @property
    def words(self) -> Translator:
        """The texts of the viewer's language."""
        return self.session.words

    @property
    def unfinished(self) -> bool:
        """True if a later request shows more forecasts."""
        return self.forecasts is not None and not self.forecasts.complete

    @property
    def again(self) -> bool:
        """True if the viewer may start a rematch: players and the host."""
        return self.host or (self.viewer is not None and self.persons[self.viewer].kind == "human")


#: Prefix of the field names, followed by the notation of the option.
FIELD = "count "
#: Maximum number of fields.
MAX_FIELDS = 40


def counts(state: State, menu: Menu) -> dict[str, Any] | None:
    """Return the form with a count for each option; None if the question is not predictably repeated."""
    decision = state.decision
    if decision is None or decision.simultaneous or state.clock is not None:
        return None
    if menu.part is not None or not 2 <= len(menu.entries) <= MAX_FIELDS:
        return None
    times, most = repeat_limits(state)
    if times < MIN_REPEATS:
        return None
    entries = menu.entries
    fields = [{"field": f"{FIELD}{e.notation}", "text": e.text, "most": most.get(e.move, times)} for e in entries]
    return {"times": times, "counts": fields}


#: Maximum number of steps searched for the beginning of the round.
MAX_LOOKBACK = 400


def present_round(match: Match, narrator: Narrator, viewer: int | None) -> str:
    """Return the heading of the current round; empty in a game without rounds."""
    headed, last = headed_messages(narrator), len(match.steps)
    for part in range(last, max(-1, last - MAX_LOOKBACK), -1) if headed else ():
        for event in reversed(match.events_leading_to(part)):
            seen = narrator.narrated(event, viewer) if event.spec.message in headed else None
            spoken = narrator.spoken_event(seen) if seen is not None else None
            if spoken is not None:
                return narrator.words.say(f"{event.spec.message}{HEADING}", narrator.scope, **spoken.values)
    return ""


#: Maximum lengths of option texts for display in a row and in columns, and of the longest word for columns.
MAX_ROW_TEXT, MAX_COLUMN_TEXT, MAX_COLUMN_WORD = 4, 24, 12
#: Minimum number of options with the same forecast for which it is shown once.
SHARED = 3


@dataclass(frozen=True)
class OptionView:
    """An option: number, text under its heading, full text, and value to submit.

    `places` are the locations it names, `near` those it only affects according to the forecast. `forecast` is short,
    `lines` is the full text, and `warning` is confirmed before the move (empty: none). `cards` are the texts of its
    cards, `picture` shows its effect.
    """

    number: int
    text: str
    whole: str
    value: str
    places: tuple[str, ...]
    near: tuple[str, ...]
    forecast: str
    warning: str
    cards: tuple[tuple[str, str], ...]
    picture: Tag | None = None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class OptionGroupView:
    """Options with a common heading.

    `kind` is their layout: `short` ones in a row, `narrow` ones in columns, `wide` ones below each other. `forecast` is
    set if it is the same for all.
    """

    heading: str
    choices: tuple[OptionView, ...]
    kind: str
    forecast: str = ""


@dataclass(frozen=True)
class ForecastView:
    """Forecast of an option: short text, affected locations, warning, and full text.

    `outcome` is true if the text describes more than the options that follow.
    """

    text: str = ""
    places: frozenset[BoardArea] = frozenset()
    warning: str = ""
    lines: tuple[str, ...] = ()
    outcome: bool = False


NOTHING = ForecastView()


def groups(
    session: GameSession, context: RenderContext, menu: Menu, forecasts: Mapping[int, ForecastView],
    touched: Mapping[int, frozenset[BoardArea]], pictures: Mapping[int, Tag], common: str = "",
) -> Iterator[OptionGroupView]:  # fmt: skip
    """Yield the groups of a menu; the mappings are keyed by option number.

    A `common` forecast of all options is shown elsewhere.
    """
    for group in group_options(menu.entries, session.words):
        choices = []
        shared = common or shared_forecast([forecasts.get(entry.number, NOTHING) for entry in group.entries])
        for entry, text in zip(group.entries, group.texts, strict=True):
            number = entry.number
            forecast = forecasts.get(number, NOTHING)
            named = touched.get(number, frozenset())
            places = tuple(sorted(map(place_key, named)))
            near = tuple(sorted(map(place_key, forecast.places - named)))
            cards = tuple(card_texts(session, context, entry)) if menu.part is None else ()
            label = text if group.heading or len(text) <= MAX_ROW_TEXT else session.words.capital(text)
            choices.append(
                OptionView(
                    number, label, entry.text, entry.notation, places, near, "" if shared else forecast.text,
                    forecast.warning, cards, pictures.get(number), forecast.lines,
                )
            )  # fmt: skip
        longest = max(len(c.text) + 3 * len(c.forecast) // 2 + 8 * bool(c.picture) for c in choices)
        word = max(len(word) for c in choices for word in re.split(r"[\s-]", c.text))
        kind = (
            "short"
            if longest <= MAX_ROW_TEXT
            else "narrow"
            if longest <= MAX_COLUMN_TEXT and word <= MAX_COLUMN_WORD
            else "wide"
        )
        yield OptionGroupView(
            group.heading, tuple(choices), kind if len(choices) > 1 else "wide", "" if common else shared
        )


def shared_forecast(forecasts: Collection[ForecastView]) -> str:
    """Return the forecast text shared by all of at least `SHARED` options, otherwise an empty string."""
    texts = {forecast.text for forecast in forecasts}
    return texts.pop() if len(forecasts) >= SHARED and len(texts) == 1 else ""


# ---- locations of an option ---------------------------------------------------------------------------------------


def touched_places(session: GameSession, menu: Menu) -> dict[int, frozenset[BoardArea]]:
    """Return the locations that each option names, by number: areas, placed cards, cards in hand, rows."""
    state = session.match.state
    places_by_option = {}
    for entry in menu.entries:
        places: set[BoardArea] = set()
        for kind, value in islice(typed_arguments(state, entry.move), menu.part):
            areas = {*areas_of_value(state, kind, value)}
            is_located = areas or value < 0 or kind.kind not in ("cards", "enum")
            places |= areas if is_located else {(kind.name, value)}
        places_by_option[entry.number] = frozenset(places)
    return places_by_option


def placement_sites(session: GameSession, context: RenderContext, menu: Menu) -> dict[int, tuple[BoardArea, int]]:
    """Return, for each option that places a card beside another, the empty area and the card, by option number.

    Such an option names a placed card and one of the board's directions.
    """
    state = session.match.state
    targets: dict[int, tuple[BoardArea, int]] = {}
    if menu.part is not None:
        return targets
    for name, board, layout in context.scene.card_maps:
        where = {laid.face: laid.area for laid in context.scene.placed_cards(layout)}
        for entry in menu.entries:
            new, beside, direction = None, None, None
            for kind, value in typed_arguments(state, entry.move):
                if kind == layout.type and value in where:
                    beside = where[value]
                elif kind == layout.type:
                    new = value
                elif kind.kind in ("enum", "direction"):
                    name_of_value = state.game.model.value_name(kind, value)
                    names = board.direction_names
                    direction = names.index(name_of_value) if name_of_value in names else None
            if new is not None and beside is not None and direction is not None and board.steps[beside][direction] >= 0:
                targets[entry.number] = ((name, board.steps[beside][direction]), new)
    return targets


# ---- texts to read -------------------------------------------------------------------------------------------------


def card_texts(session: GameSession, context: RenderContext, entry: MenuEntry) -> Iterator[tuple[str, str]]:
    """Yield an option that only its name describes, and the cards that it refers to, with their effects."""
    state, narrator = session.match.state, context.scene.narrator
    if rule := narrator.option_rule(state, entry.move):
        yield entry.text, rule
    for name in dict.fromkeys([*chosen_cards(state, entry.move), *open_cards(context.scene, entry.move)]):
        text = card_text(context, name)
        if text:
            yield narrator.words.capital(narrator.term(name)), text


def card_text(context: RenderContext, name: str) -> str:
    """Return the effect of a card; empty if it has none."""
    return context.cached(("card text", name), lambda: context.scene.narrator.card(name) or "")


def decision_text(session: GameSession, context: RenderContext) -> Sequence[str]:
    """Return the texts on the decision: the card whose rule asks for it, and the sources cited."""
    match, words, decision = session.match, session.words, session.match.state.decision
    if decision is None:
        return ()
    face = rule_card(match)
    text = card_text(context, face) if face is not None else ""
    lines = [words.label(words.capital(context.scene.narrator.term(face))) + text] if face is not None and text else []
    return (
        *lines,
        *context.cached(("cited", decision.name, decision.rule), lambda: cited_sentences(match, session.narrator)),
    )


def tutorial_view(view: TableView) -> Iterator[dict[str, Any]]:
    """Yield the hints for a viewer, with areas to highlight; none for other players than the learner."""
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
        shown = {
            "text": text,
            "rules": (*rules, *teacher.sources(hint)),
            "advice": teacher.advice(hint, view.menu or Menu(())),
        }
        if any(shown.values()):
            section = teacher.section(hint)
            link = {"heading": section.heading, "anchor": section_anchor(section.key)} if section is not None else None
            yield {**shown, "places": places, "section": link}


#: Maximum number of locations highlighted for a forecast or a sentence; more would say nothing.
MAX_LIT_PLACES = 12


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
    touched = touched_places(view.session, menu) if menu is not None else {}
    for number, laid in placements.items():
        touched[number] = touched.get(number, frozenset()) | {laid.place}
    named = _named_places(touched, placements)
    context = RenderContext(scene, news.changed if news is not None else frozenset(), named)
    forecasts = _forecasts(view, menu)
    common = shared_forecast(forecasts.values())
    option_groups = (
        groups(view.session, context, menu, forecasts, touched, _pictures(context, placements), common)
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
        "boards": list(boards.boards(context)),
        "lines": list(zone_views.lines(context)),
        "holdings": zone_views.hand(context),
        "question": _question(view, context),
        "uncovered": list(_uncovered(context)),
        "groups": list(option_groups),
        "direct": _moves_on_click(view, menu),
        "numbers": _numbers(menu, context) if menu is not None and menu.numbers else None,
        "counts": counts(match.state, menu) if menu is not None else None,
        "chosen": write_parts(view.chosen),
        "part": menu is not None and menu.part is not None,
        "common_forecast": common,
        "foretold": any(forecast.outcome for forecast in forecasts.values()),
        "about": decision_text(view.session, context) if view.menu is not None else (),
        "clock": view.clock,
        "puzzle": ending_view.puzzle_view(view.puzzle, context) if view.puzzle is not None else None,
        "lesson": list(tutorial_view(view)),
        "solution": _solution(view, context),
        "players": zone_views.players(context, view.waiting),
        "states": [_state(person, context) if seat != view.viewer else "" for seat, person in enumerate(view.persons)],
        "wish": _undo_prompt(view, context),
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
        choice = view.narrator.option(before, Move.from_raw(undone.move))
        yield view.words.say("web.taken_back", None, player=player, choice=Text(choice))


def _solution(view: TableView, context: RenderContext) -> dict[str, Any] | None:
    """Return a solution of the puzzle that the viewer has just lost."""
    lost = last_lost_puzzle(view.session.match, view.viewer, view.since, view.puzzle)
    if lost is None or view.viewer is None:
        return None
    heading = view.words.say("ending.solution", None, player=view.narrator.player(view.viewer))
    return ending_view.solution_view(PuzzleLayout.of(lost, next(iter(lost.solutions))), context, heading)


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


def _undo_prompt(view: TableView, context: RenderContext) -> dict[str, Any] | None:
    """Return an undo request: its text, whether the viewer must agree, and the players that it waits for."""
    request = view.undo_request
    if request is None:
        return None
    is_own = request.seat == view.viewer
    text = context.say("wish.own") if is_own else context.say("wish", player=view.narrator.player(request.seat))
    waiting = _waiting(view, context, request.waiting) if request.waiting else ""
    return {"text": text, "must_agree": view.viewer in request.waiting, "waiting": waiting}


# ---- options -------------------------------------------------------------------------------------------------------


def _forecasts(view: TableView, menu: Menu | None) -> Mapping[int, ForecastView]:
    """Return the forecast of each option by number."""
    views: dict[int, ForecastView] = {}
    for entry in menu.entries if menu is not None else ():
        forecast = view.forecasts.of(entry.move) if view.forecasts is not None and menu and menu.part is None else None
        if forecast is None:
            views[entry.number] = NOTHING
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
    for number, (place, face) in placement_sites(view.session, context, menu).items():
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
    for name, board, layout in scene.card_maps:
        for place in scene.fields:
            if not place.traits.single or place.indices or place.type != layout.type:
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


def _numbers(menu: Menu, context: RenderContext) -> dict[str, Any]:
    """Return the numbers to choose from: minimum, maximum, and all of them in words."""
    ranges = (context.say("from.to", low=low, high=high) if low < high else str(low) for low, high in menu.ranges()[:8])
    text = context.scene.narrator.words.value(Listing(tuple(map(Text, ranges))))
    return {"low": min(menu.numbers), "high": max(menu.numbers), "text": text}


# ---- replay --------------------------------------------------------------------------------------------------------


def replay_values(view: TableView, number: int, everything: bool) -> dict[str, Any]:
    """Return the template values of a step; step 0 is the start.

    `everything` shows hidden information too. A number beyond the last step means the last one.
    """
    match, narrator = view.session.match, view.narrator
    replay = Replay(match, narrator, EVERYTHING if everything else view.viewer)
    last = len(replay)
    shown = replay.at(min(number, last))
    step_number = shown.number

    def context_for(viewer: int | None) -> RenderContext:
        return RenderContext(Scene(shown.state, narrator, view.session.letters, viewer), shown.marked)

    context = context_for(None if everything else view.viewer)
    seats = range(match.game.seats) if everything else () if view.viewer is None else (view.viewer,)
    hands = ((narrator.names[seat], zone_views.hand(context_for(seat))) for seat in seats)
    return {
        "key": view.key,
        "game": narrator.title(),
        "number": step_number,
        "last": last,
        "heading": _step_heading(view, shown, last),
        "told": [line for line in shown.lines if line.text],
        "solution": _step_solution(view, shown, context),
        "ways": (
            {"name": "first", "number": 0, "exists": step_number > 0},
            {"name": "before", "number": max(0, step_number - 1), "exists": step_number > 0},
            {"name": "next", "number": min(last, step_number + 1), "exists": step_number < last},
            {"name": "last", "number": last, "exists": step_number < last},
        ),
        "view": "all" if everything else "own",
        # Without hidden information both views are the same.
        "views": bool(match.game.knowledge.has_secrets),
        "boards": list(boards.boards(context)),
        "lines": list(zone_views.lines(context)),
        "held": [{"name": name, "holdings": hand} for name, hand in hands if any(holding["cards"] for holding in hand)],
        "players": zone_views.players(context, () if step_number == last else (shown.state.seat,)),
        "states": [""] * match.game.seats,
        "tracks": list(zone_views.tracks(context)),
        "common": zone_views.common(context),
    }


def _step_heading(view: TableView, shown: ReplayPosition, last: int) -> str:
    say, n = view.words.say, shown.number
    if shown.seat is None:
        return say("cli.replay.start", None, of=last)
    player = view.narrator.player(shown.seat)
    if not shown.choice:
        return say("cli.replay.step", None, n=n, of=last, player=player)
    return say("cli.replay.choice", None, n=n, of=last, player=player, choice=Text(shown.choice))


def _step_solution(view: TableView, shown: ReplayPosition, context: RenderContext) -> dict[str, Any] | None:
    """Return the solution given for a puzzle, or a possible one."""
    if shown.layout is None or shown.seat is None:
        return None
    lost = view.words.say("ending.solution", None, player=view.narrator.player(shown.seat)) if shown.lost else ""
    return ending_view.solution_view(shown.layout, context, lost)
