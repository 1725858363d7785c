"""Properties of every shipped game, on many random positions."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from tests.properties.play import game, names, play, positions, tables
from wongar_dsl.compiler import ir
from wongar_dsl.compiler.backends import BACKENDS
from wongar_dsl.compiler.backends.rng import Generator
from wongar_dsl.engine import Game, IllegalMove, Move, State, library
from wongar_dsl.engine.hidden_information.determinization import determinize
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves import SaveFile, lines_of, read_save, replay

#: Each game with the fewest seats. With all seats: the goldens, and `python -m benchmarks.soak --only matches`.
FEWEST_SEATS = dict(reversed(list(tables())))
on_each_game = pytest.mark.parametrize(("name", "seats"), list(FEWEST_SEATS.items()))
#: Further classic games, to which the backends agree too.
EXTRA_GAMES = [
    (str(path), library.load(path).model.players[0])
    for path in sorted((Path(__file__).resolve().parents[1] / "games" / "classics" / "extra").glob("*.rules"))
]
#: Longest part of a match that is undone.
MAX_UNDONE = 40


def is_large(played: Game) -> bool:
    """Return whether playing and comparing positions of a game takes long."""
    return played.program.size > 200


@cache
def sampled(name: str, seats: int) -> tuple[State, ...]:
    """Return positions of six random games, which no test changes."""
    played = game(name, seats)
    return tuple(state for seed in range(6) for state in positions(played, seed, 6 if is_large(played) else 2))


@on_each_game
def test_legal_moves_can_be_applied_written_and_read(name: str, seats: int) -> None:
    generator = Generator(77)
    for state in sampled(name, seats):
        moves = state.legal_moves()
        assert len(set(moves)) == len(moves)
        for move in moves:
            assert state.read(state.write(move)) == move
        for move in {moves[0], moves[-1], moves[generator.below(len(moves))]}:
            state.copy().apply(move)


@on_each_game
def test_illegal_move_changes_nothing(name: str, seats: int) -> None:
    generator = Generator(77)
    for state in sampled(name, seats)[::3]:
        before, legal = list(state.cells), set(state.legal_moves())
        assert state.decision is not None
        illegal_moves = [Move(99), Move(-1), Move(0, (1, 2, 3, 4, 5))]
        for number, option in enumerate(state.decision.options):
            kinds = [t for _, t in option.parameters]
            sizes = [9 if t.kind == "number" else max(1, state.game.model.size(t, seats)) for t in kinds]
            argument_lists = [tuple(generator.below(n + 2) - 1 for n in sizes) for _ in range(4)]
            illegal_moves += [m for a in argument_lists if (m := Move(number, a)) not in legal]
        for move in illegal_moves:
            with pytest.raises(IllegalMove):
                state.apply(move)
            assert state.cells == before
        for text in ("", "(", "nothing_of_the_kind", "take(", "take(1,2,3,4,5,6)", "\x00", "9" * 500):
            with pytest.raises(IllegalMove):
                state.read(text)
        assert state.cells == before


@on_each_game
def test_copy_is_independent(name: str, seats: int) -> None:
    generator = Generator(77)
    for state in sampled(name, seats)[::3]:
        before, copy = list(state.cells), state.copy()
        assert copy.legal_moves() == state.legal_moves()
        for _ in range(5):
            if copy.over:
                break
            moves = copy.legal_moves()
            copy.apply(moves[generator.below(len(moves))])
        assert state.cells == before
        assert State(state.game, before).legal_moves() == state.legal_moves()


@pytest.mark.parametrize(("name", "seats"), [(n, s) for n, s in FEWEST_SEATS.items() if "/" not in n])
def test_match_is_undone_to_its_start_and_replayed(name: str, seats: int) -> None:
    """Going back restores every state, and the same moves give the same states and events again."""
    played = game(name, seats)
    match = Match.begin(played, [Seat("human")] * seats, 5, "hash")
    generator, states = Generator(5), []
    while not match.state.over and len(states) < MAX_UNDONE:
        states.append(list(match.state.cells))
        moves = match.state.legal_moves()
        match.play(moves[generator.below(len(moves))])
    texts = [step.text for step in match.steps]
    end, events = list(match.state.cells), [step.events for step in match.steps]
    # A step that revealed something is final: the start is reached through the differences of states.
    assert [match.state_before(number) for number in reversed(range(len(states)))] == states[::-1]
    replayed = Match.begin(played, [Seat("human")] * seats, 5, "hash")
    for text, expected, step_events in zip(texts, states, events, strict=True):
        assert replayed.state.cells == expected
        assert replayed.play(replayed.state.read(text)).events == step_events
    assert replayed.state.cells == end
    undone = Match.begin(played, [Seat("human")] * seats, 5, "hash")
    for text in texts:
        before = list(undone.state.cells)
        step = undone.play(undone.state.read(text))
        assert step.undo_barrier == undone.undo_barrier()
        if undone.undo() is None:
            assert undone.state.cells == before
            undone.play(undone.state.read(text))
    assert undone.state.cells == end
    while undone.undo() is None:
        assert undone.state.cells == states[len(undone.steps)]
    assert undone.undo_barrier() is not None


@on_each_game
def test_save_resumes_at_any_decision(name: str, seats: int, tmp_path: Path) -> None:
    played, generator = game(name, seats), Generator(3)
    match = Match.begin(played, [Seat("random")] * seats, 11, "hash")
    path = tmp_path / "save.json"
    save = SaveFile(path)
    while not match.state.over:
        if generator.below(60) == 0:
            save.write(match)
            loaded = replay(played, "hash", read_save(path), path)
            assert loaded.state.cells == match.state.cells
            assert list(lines_of(loaded)) == list(lines_of(match))
            assert loaded.state.legal_moves() == match.state.legal_moves()
        moves = match.state.legal_moves()
        match.play(moves[generator.below(len(moves))])
    save.write(match)
    save.close()
    assert read_save(path).over
    assert replay(played, "hash", read_save(path), path).state.winners == match.state.winners


@on_each_game
def test_view_shows_nothing_hidden(name: str, seats: int) -> None:
    """States that differ only in hidden information look the same to a seat and offer it the same moves."""
    differing = compared = 0
    generator = Generator(77)
    for state in sampled(name, seats)[:: 8 if is_large(game(name, seats)) else 1]:
        for viewer in (*range(seats), None):
            view = json.dumps(observe(state, viewer), ensure_ascii=False)
            for _ in range(2):
                determinized = determinize(state, viewer, generator)
                compared += 1
                differing += determinized.cells[ir.FIRST_FREE :] != state.cells[ir.FIRST_FREE :]
                assert json.dumps(observe(determinized, viewer), ensure_ascii=False) == view
                if viewer == state.seat:
                    # A sampled state can be played on.
                    for move in (moves := determinized.legal_moves()):
                        determinized.copy().apply(move)
                    assert moves == state.legal_moves()
    hidden = any(p.seen not in ("all",) for p in game(name, seats).program.fields)
    assert compared
    assert differing or not hidden


@pytest.mark.parametrize(("name", "seats"), [*FEWEST_SEATS.items(), *EXTRA_GAMES])
def test_backends_agree(name: str, seats: int) -> None:
    """States, options and events are the same on all backends, decision by decision."""
    assert set(BACKENDS) >= {"reference", "python"}
    # Large games are slow to step through, so that only one beginning of them is played. Whole games are compared in
    # tests/cli/test_games.py and tests/compiler/backends/test_native.py.
    large = game(name, seats).program.size > 500
    for seed in range(1 if large else 2):
        generator, remaining = Generator(seed), 25 if large else 100_000
        tables = [game(name, seats, backend).start(seed) for backend in BACKENDS]
        (state, opening), *others = tables
        assert all(events == opening and o.cells == state.cells for o, events in others)
        while not state.over and remaining:
            remaining -= 1
            moves = state.legal_moves()
            assert all(o.legal_moves() == moves for o, _ in others)
            move = moves[generator.below(len(moves))]
            events = state.apply(move)
            for other_state, _ in others:
                assert other_state.apply(move) == events
                assert other_state.cells == state.cells
        assert all(o.winners == state.winners for o, _ in others)


@pytest.mark.parametrize("name", list(names()))
def test_every_value_of_a_setting_can_be_played(name: str) -> None:
    rules = library.load(name)
    values = {n: sorted({low, high, start}) for n, (_, start, low, high) in rules.model.settings.items()}
    low, high = rules.model.players
    for number in range(max(map(len, values.values()), default=1)):
        options = {setting: every[number % len(every)] for setting, every in values.items()}
        play(rules.game(low + number % (high - low + 1), options), 1, lambda _cells, _options: None)
