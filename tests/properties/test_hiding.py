"""Generated games with all zones and boards: no front end shows hidden information."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from math import prod
from pathlib import Path

import pytest

from tests.properties.hiding import (
    BOARDS,
    MORE_INDICES,
    ROUNDS,
    VALUES,
    Spec,
    all_specs,
    begun_match,
    load_rules,
    match_with_contents,
    rules_text,
    specs,
    with_hidden_changed,
)
from tests.properties.permuter import random_match, twin, visible
from tests.properties.shown import everything_shown
from tests.session.test_changes import whole_story
from tests.web.viewings import steady, viewing, words
from wongar_dsl.engine.hidden_information.observation import observe, visible_state
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.match import Match
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.render.text.lines import line_text
from wongar_dsl.render.text.position import picture, signs
from wongar_dsl.render.text.scene import TextScene
from wongar_dsl.render.text.screen_reader import spoken_table
from wongar_dsl.session.decisions import with_cards
from wongar_dsl.session.menu import Menu, OptionNumbers, assign_numbers
from wongar_dsl.web import pages

WORDS = words("en")
#: Width, height, and whether more than ASCII can be shown.
SCREENS = ((40, 0, True), (60, 24, False), (80, 24, True), (160, 60, True))
VIEWERS = (0, 1, None)
NOTHING, EMPTY, HIDDEN = (WORDS.say(name) for name in ("drawing.nothing", "web.empty", "drawing.hidden"))
#: Permitted uses of the whole position.
_HANDED_ON = (
    r"(provisional_scores|counted_now|option_targets|visible_state|ScreenReaderScene)\((scene|self)\.position, |"
    r"position\.legal_moves\(\)|if shows_size\(field\)"
)
#: The number of generated games with a single zone or value, per board.
ALONE = 3
#: The number of generated games with moves, per board, and of zones and values in each.
GAMES, PLACES = 2, 12


def renderings(
    match: Match, seat: int | None, rules: Rules, screens: Sequence[tuple[int, int, bool]]
) -> Iterator[tuple[str, object]]:
    """Yield every text and picture of a position on some screens, with its name."""
    state = match.state
    narrator = Narrator(match.game, WORDS, ("Ann", "Bob"))
    mine = assign_numbers(state, OptionNumbers()) if state.seat == seat else {}
    for width, height, fancy in screens:
        scene = TextScene(state, narrator, "AB", seat, width, fancy, height, offers=mine)
        yield f"picture {width}", [line_text(line) for line in picture(scene)]
        yield f"signs {width}", signs(scene)
    yield "read out", spoken_table(scene)
    if seat is not None and mine:
        yield "options", [(e.number, e.text, e.card) for e in with_cards(Menu.of(state, narrator), scene).entries]
    yield "log", [line.text for line in whole_story(match, narrator, seat, 0)]
    view = viewing(match, viewer=seat, loaded=rules)
    yield "page", steady(pages.table_page(view))
    # The replays of seats are compared for shipped games.
    yield "replay", "" if seat is not None else steady(pages.replay_page(view, len(match.steps), False))


def same(both: Iterable[object]) -> bool:
    first, second = both
    return first == second


def unequal(
    both: list[Match], seat: int | None, rules: Rules, screens: Sequence[tuple[int, int, bool]]
) -> Iterator[str]:
    """Yield the name of each rendering that differs between two matches."""
    for (name, first), (_, second) in zip(*(renderings(m, seat, rules, screens) for m in both), strict=True):
        if first != second:
            yield name


def differing_renderings(folder: Path, board: str, chosen: list[Spec], seed: int, everything: bool) -> Iterator[str]:
    """Yield the name of each rendering that differs between positions that look the same to the viewer."""
    rules = load_rules(folder, rules_text(board, chosen))
    # Hardly any moves are played, for which code would be generated.
    played = rules.game(2, backend="reference")
    dice = random.Random(seed)
    for number, viewer in enumerate(VIEWERS):
        screens = SCREENS[number : number + 2]
        match = match_with_contents(played, dice)
        if number == 0:
            # The seat that does not decide views a match in which the other seat has chosen.
            match.play(dice.choice(match.state.legal_moves()))
        changed_match = with_hidden_changed(match, viewer, dice)
        match_copy = Match(played, match.seats, match.seed, match.rules_hash, match.state.cells.copy())
        assert observe(match_copy.state, viewer) == observe(changed_match.state, viewer)
        assert visible(played, match_copy.state.cells, viewer) == visible(played, changed_match.state.cells, viewer)
        assert visible_state(match_copy.state, viewer).cells == visible_state(changed_match.state, viewer).cells
        compared = [match_copy, changed_match]
        yield from (f"{name} for {viewer}" for name in unequal(compared, viewer, rules, screens))
        if everything and viewer is not None and not same(everything_shown(m, viewer) for m in compared):
            yield f"shown to {viewer}"


def games(board: str, dice: random.Random) -> Iterator[tuple[list[Spec], bool]]:
    """Yield zones and values of games, and whether everything shown is compared.

    All that the language allows together, some hidden ones alone, and some with other indices.
    """
    yield list(all_specs(board)), True
    for spec in dice.sample(hidden_ones(all_specs(board)), ALONE):
        yield [spec], False
    yield dice.sample(hidden_ones(specs(MORE_INDICES)), PLACES), True


def hidden_ones(every: Iterable[Spec]) -> list[Spec]:
    return [spec for spec in every if spec.seen not in ("", "seen by all")]


@pytest.mark.parametrize("board", BOARDS)
def test_renderings_do_not_depend_on_hidden_information(board: str, tmp_path: Path) -> None:
    for number, (chosen, everything) in enumerate(games(board, random.Random(board))):
        assert list(differing_renderings(tmp_path, board, chosen, number, everything)) == [], chosen


@pytest.mark.parametrize("board", BOARDS)
def test_hidden_moves_are_not_shown(board: str, tmp_path: Path) -> None:
    """Games in which players move things between zones of all kinds; events count too."""
    dice, compared, screens = random.Random(board), 0, cycle(SCREENS)
    for _ in range(GAMES):
        rules = load_rules(tmp_path, rules_text(board, dice.sample(list(all_specs(board)), PLACES), dice))
        played = rules.game(2)
        match = random_match(played, dice.getrandbits(20), dice.randint(1, 2 * ROUNDS - 1))
        for viewer, screen in zip((0, 1), screens, strict=False):
            twin_match = twin(match, viewer, dice)
            # The chosen option is public unless it sets something hidden.
            if twin_match is None or [s.move.option for s in match.steps] != [s.move.option for s in twin_match.steps]:
                continue
            compared += 1
            both = [match, twin_match]
            assert list(unequal(both, viewer, rules, [screen])) == []
            assert same(everything_shown(seen, viewer) for seen in both)
    assert compared >= GAMES / 2


def shown_alone(folder: Path, board: str, spec: Spec, viewer: int | None) -> tuple[str, str, str]:
    """Return the start of a game with one zone or value: read out, drawn, and as a page."""
    rules = load_rules(folder, rules_text(board, [spec]))
    match = begun_match(rules)
    scene = TextScene(match.state, Narrator(match.game, WORDS, ("Ann", "Bob")), "AB", viewer, 80, True, 24)
    page = steady(pages.table_page(viewing(match, viewer=viewer, loaded=rules)))
    return "\n".join(spoken_table(scene)), "\n".join(map(line_text, picture(scene))), page


@pytest.mark.parametrize("board", [board for board in BOARDS if board not in ("bricks", "rings")])
def test_hidden_contents_are_told_as_hidden_and_not_as_none(board: str, tmp_path: Path) -> None:
    """Compare a zone or value that all seats see with the same one that no seat sees."""
    told, (_, _, on_cards) = 0, BOARDS[board]
    for spec in all_specs(board):
        if "area" not in spec.indices or spec.seen != "seen by nobody":
            continue
        open_to_all = shown_alone(tmp_path, board, replace(spec, seen="seen by all"), None)
        assert all(HIDDEN not in shown for shown in open_to_all), spec
        read_out, drawn, page = shown_alone(tmp_path, board, spec, None)
        assert f": {EMPTY}" not in page, spec
        if on_cards and spec.kind == "tokens" and "player" in spec.indices:
            told += 1
            assert all(f"Tokens 0: {HIDDEN}" in shown for shown in (read_out, drawn, page)), spec
        elif (board not in ("track", "none") and not on_cards) or (spec.is_zone and "player" not in spec.indices):
            told += 1
            assert NOTHING not in read_out, spec
            assert all(HIDDEN in shown for shown in (read_out, drawn, page)), spec
    assert told


@pytest.mark.parametrize("kind", sorted(VALUES))
def test_hidden_value_of_another_player_is_told_as_hidden(kind: str, tmp_path: Path) -> None:
    spec = Spec(kind, "seen by owner", ("player",))
    read_out, drawn, page = shown_alone(tmp_path, "none", spec, 0)
    assert f"Bob: {kind.capitalize()} 0: {HIDDEN}" in read_out
    assert read_out.count(HIDDEN) == 1
    assert re.search(r"Bob.*\?", drawn)
    assert not re.search(r"Ann.*\?", drawn)
    assert page.count(f"<dd>{HIDDEN}</dd>") == 1


def test_compared_positions_differ_in_hidden_zones(tmp_path: Path) -> None:
    """Without a difference, the other tests here would prove nothing."""
    for board in BOARDS:
        played = load_rules(tmp_path, rules_text(board, list(all_specs(board)))).game(2)
        match = match_with_contents(played, random.Random(1))
        changed_match = with_hidden_changed(match, None, random.Random(2))
        hidden = [f for f in played.program.fields if f.seen != "all"]
        cells = [
            [candidate.state.cells[f.base : f.base + f.width * prod(f.sizes)] for f in hidden]
            for candidate in (match, changed_match)
        ]
        assert sum(candidate == two for candidate, two in zip(*cells, strict=True)) < len(hidden) / 3


def test_front_ends_read_the_view_and_not_the_position() -> None:
    """The whole position is only passed on to functions that compute points and targets of options."""
    root = Path(__file__).resolve().parents[2]
    wrong = [
        f"{path.relative_to(root)}: {line.strip()}"
        for folder in ("cli", "web", "wongar_dsl/session", "wongar_dsl/render")
        for path in root.glob(f"{folder}/**/*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"(scene|self)\.position\b", line) and not re.search(_HANDED_ON, line)
    ]
    assert wrong == []
