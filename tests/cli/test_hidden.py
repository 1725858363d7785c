"""What a player is shown does not depend on what they may not see: in positions from random games, with everything
hidden dealt anew, the picture, the options, the help, and the answers to every move that anybody could name stay the
same."""

from __future__ import annotations

from itertools import product

import pytest
from wongar_dsl.cli.pictures.position import picture
from wongar_dsl.cli.pictures.scene import Scene
from wongar_dsl.cli.play.help import explain_menu, explain_option
from wongar_dsl.cli.play.menu import lines as menu_lines
from wongar_dsl.cli.terminal.screen import plain

from wongar_dsl.backends.chance import Generator
from wongar_dsl.engine import IllegalMove, State, notation
from wongar_dsl.engine.determinization import determinize
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.library import load
from wongar_dsl.narration import illegal
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.table import Table
from wongar_dsl.words import Words

NAMES = ("Anna", "Bert", "Carl")


def table_of(game: str, seed: int) -> Table:
    rules = load(game)
    seats = [Seat("human", name) for name in NAMES]
    match = Match.begin(rules.game(len(seats)), seats, seed, rules.hash)
    return Table(rules, match, Words.load("de"), "", None)  # type: ignore[arg-type]


def every_notation(state: State) -> list[str]:
    """Every move of the decision that can be written, legal or not."""
    model, decision = state.game.model, state.decision
    assert decision is not None
    found = []
    for number, option in enumerate(decision.options):
        ranges = [range(model.size(kind, state.game.seats)) for _, kind in option.parameters]
        found += [notation.write(model, decision, (number, *values)) for values in product(*ranges)]
    return found


def shown(table: Table, state: State, viewer: int) -> list[str]:
    """Everything that the viewer can get to see in this position."""
    kept, table.match.state = table.match.state, state
    try:
        scene = Scene(state, table.narrator, table.letters, viewer, 80, True)
        lines = [plain(line) for line in picture(scene)]
        if state.seat == viewer:
            menu = Menu.of(state, table.narrator)
            lines += [plain(line) for line in menu_lines(menu, table.words, 80)]
            lines += [text for _, text in explain_menu(table, menu, scene)]
            lines += [text for entry in menu.entries for _, text in explain_option(table, entry)]
            for text in every_notation(state):
                try:
                    state.read(text)
                except IllegalMove as error:
                    lines += illegal.explain(error, state, table.narrator)
        return lines
    finally:
        table.match.state = kept


@pytest.mark.parametrize("game", ["wongar", "wongar/initiated"])
def test_what_is_shown_depends_only_on_what_may_be_seen(game: str) -> None:
    checked = 0
    for seed in range(3):
        table = table_of(game, seed)
        generator = Generator(seed)
        while not table.match.state.over:
            state = table.match.state
            if generator.below(12) == 0:
                for viewer in {state.seat, generator.below(len(NAMES))}:
                    other = determinize(state, viewer, generator)
                    assert shown(table, other, viewer) == shown(table, state, viewer)
                    checked += other.cells != state.cells
            moves = state.legal_moves()
            table.match.play(moves[generator.below(len(moves))])
    assert checked > 20


def test_what_is_told_names_no_card_that_a_reader_may_not_see() -> None:
    table = table_of("wongar", 5)
    generator = Generator(5)
    while not table.match.state.over:
        moves = table.match.state.legal_moves()
        table.match.play(moves[generator.below(len(moves))])
    for viewer in (0, 1, 2, None):
        hidden = 0
        for event in table.match.history():
            told = table.narrator.event(event, viewer)
            if told is not None and any(event.spec.secret) and not event.sees(viewer):
                assert "„" not in told, told
                hidden += 1
        assert hidden
