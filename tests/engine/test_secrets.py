"""Hidden information stays hidden from bots, from records and through undo.

Independence of all output from it is tested in `tests/properties/test_secrets.py`.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from tests.properties.play import game
from tests.small_games import write_rules
from wongar_dsl.compiler.backends.rng import Generator, derive
from wongar_dsl.engine import Game, Move, State
from wongar_dsl.engine.bots import GreedyBot, decision_rng
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds, determinize
from wongar_dsl.engine.hidden_information.observation import observe
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves.match_records import lines

DATA = Path(__file__).resolve().parents[1] / "data"


def load_data_game(name: str, seats: int = 1) -> Game:
    return load(str(DATA / f"{name}.rules")).game(seats)


def test_hidden_choice_does_not_change_bot_moves() -> None:
    played = load_data_game("which_hand", 2)
    chosen = []
    for hidden in ("hide(left_hand)", "hide(right_hand)"):
        match = Match.begin(played, [Seat("random"), Seat("greedy")], 1, "hash")
        match.play(match.state.read(hidden))
        match.play(match.state.read("hide(left_hand)"))
        match.play(match.state.read("guess(left_hand)"))
        moves = [GreedyBot().choose(match.state.copy(), decision_rng(n, 1, 3), match.past) for n in range(6)]
        chosen.append([match.state.write(move) for move in moves])
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize(
    ("name", "seats", "place"), [("letsecret", 1, None), ("mastermind", 1, "secret"), ("parameter", 2, None)]
)
def test_sampled_states_vary_and_have_the_same_observation(name: str, seats: int, place: str | None) -> None:
    match = Match.begin(load_data_game(name, seats), [Seat("greedy")] * seats, 5, "hash")
    if name == "mastermind":
        match.play(match.state.legal_moves()[0])
    generator, values = Generator(1), set()
    for _ in range(60):
        sample = determinize(match.state, 0, generator, match.past)
        assert observe(sample, 0) == observe(match.state, 0)
        base = match.game.fields[place].base if place is not None else None
        values.add(tuple(sample.cells[min(match.game.knowledge.flow.hidden) :]) if base is None else sample.cells[base])
    assert len(values) >= (4 if name == "parameter" else 6)


@pytest.mark.parametrize(
    ("name", "seats", "fair"),
    [("letsecret", 1, 1 / 9), ("mastermind", 1, 1 / 3), ("parameter", 2, 1 / 4), ("die", 1, 1 / 6)],
)
def test_bot_wins_no_more_than_chance_allows(name: str, seats: int, fair: float) -> None:
    played, won, games = load_data_game(name, seats), 0, 160
    for number in range(games):
        match = Match.begin(played, [Seat("greedy")] * seats, derive(0, number), "hash")
        while not match.state.over:
            seat = match.state.seat
            generator = decision_rng(match.seed, seat, len(match.steps))
            match.play(GreedyBot().choose(match.state.copy(), generator, match.past))
        won += 0 in match.state.winners
    deviation = (games * fair * (1 - fair)) ** 0.5
    assert won < games * fair + 4 * deviation


def test_bot_guesses_a_hidden_hand_no_better_than_chance() -> None:
    played, points, games = load_data_game("which_hand", 2), 0, 300
    for number in range(games):
        match = Match.begin(played, [Seat("greedy"), Seat("random")], number, "hash")
        generator = Generator(number)
        while not match.state.over:
            moves, seat = match.state.legal_moves(), match.state.seat
            own_luck = decision_rng(number, seat, len(match.steps))
            greedy = seat == 0
            bot = GreedyBot()
            match.play(
                bot.choose(match.state.copy(), own_luck, match.past) if greedy else moves[generator.below(len(moves))]
            )
        points += match.state.scores[0]
    assert points < games / 2 + 35


def test_bot_finds_hidden_objects_no_better_than_chance() -> None:
    played, points, games = load_data_game("mines", 2), 0, 120
    for number in range(games):
        match = Match.begin(played, [Seat("random"), Seat("greedy")], number, "hash")
        generator = Generator(number)
        while not match.state.over:
            moves = match.state.legal_moves()
            if match.state.seat == 0:
                match.play(moves[generator.below(len(moves))])
            else:
                match.play(
                    GreedyBot().choose(match.state.copy(), decision_rng(number, 1, len(match.steps)), match.past)
                )
        points += match.state.scores[1]
    assert points < games * (1 / 4 + 1 / 2) + 35


def test_choice_of_a_hidden_value_is_masked_in_records() -> None:
    match = Match.begin(load_data_game("which_hand", 2), [Seat("human")] * 2, 1, "hash")
    match.play(match.state.read("hide(left_hand)"))
    for viewer, text in ((0, "hide(left_hand)"), (1, "hide(?)"), (None, "hide(?)")):
        step = json.loads(list(lines(match, viewer))[2])
        assert step["taken"] == text


LOOKING = """
cards card
    one
    two
deck pack of card
    1 one, 1 two
heap stock holds card, {}
heap taken holds card, seen by all
setup
    fill stock with pack
play
    player(1) chooses taking
        take(c: stock)
            move c from stock to taken
        otherwise
            impossible
    nobody wins
"""


@pytest.mark.parametrize(("seen", "private"), [("seen by all", False), ("seen as a number", True)])
def test_searching_a_hidden_zone_is_private_information(tmp_path: Path, seen: str, private: bool) -> None:
    assert load(write_rules(tmp_path, LOOKING.format(seen))).game(2).knowledge.has_private_information is private


@pytest.mark.parametrize(
    ("name", "seats", "private"),
    [
        ("tongiaki", 2, False), ("nim", 2, False), (str(DATA / "die.rules"), 1, False), ("goofspiel", 2, True),
        ("kuhn_poker", 2, True), (str(DATA / "stash.rules"), 2, True), (str(DATA / "mines.rules"), 2, True),
    ],
)  # fmt: skip
def test_hands_and_hidden_choices_are_private_information(name: str, seats: int, private: bool) -> None:
    assert game(name, seats).knowledge.has_private_information is private


def test_changes_of_hidden_values_are_not_recorded_for_other_seats() -> None:
    records: dict[tuple[str, str], list[list[str]]] = {}
    for choices in (("mine(mound)", "find(ditch)", "arm"), ("mine(ford)", "find(ditch)", "leave_it")):
        match = Match.begin(load_data_game("mines", 2), [Seat("human")] * 2, 1, "hash")
        for choice in choices:
            match.play(match.state.read(choice))
        records[choices] = [list(lines(match, viewer))[2:] for viewer in (0, 1, None)]
    (owner, *other_viewers), (owner_twin, *other_viewers_twin) = records.values()
    assert owner != owner_twin
    assert other_viewers == other_viewers_twin
    assert [json.loads(line)["events"] for line in other_viewers[0]] == [[], [], []]
    assert json.loads(owner[2])["events"] == [{"event": "changed", "what": "armed[1]", "value": True}]


def test_wrong_guess_cannot_be_undone() -> None:
    match = Match.begin(load_data_game("mastermind"), [Seat("human")], 3, "hash")
    match.play(match.state.legal_moves()[0])
    final = match.undo()
    assert final is not None
    assert final.reason == "looked"
    assert final.event is not None
    assert final.event.spec.message == "wrong"
    assert len(match.steps) == 1


def test_bot_answer_does_not_make_a_step_final() -> None:
    match = Match.begin(game("connect_four", 2), [Seat("human"), Seat("random")], 1, "hash")
    before = list(match.state.cells)
    match.play(match.state.legal_moves()[0])
    match.play(match.state.legal_moves()[3])
    assert match.undo() is None
    assert match.state.cells == before


def test_answer_time_is_hidden_as_long_as_the_choice() -> None:
    match = Match.begin(game("ubongo", 2), [Seat("human"), Seat("greedy")], 1, "hash")
    while not (match.state.decision is not None and match.state.decision.simultaneous):
        match.play(match.state.legal_moves()[0])
    first = match.state.seat
    match.play(match.state.legal_moves()[0], 12_345)
    seat = match.state.seat
    assert seat != first
    number, base, width, _ = match.game.program.simultaneous_cells[0]
    assert match.state.cells[2] == number
    time_address = base + first * width + 1
    assert match.state.cells[time_address] == 12_345
    worlds, generator = SampledWorlds(match.state, seat, match.past), Generator(1)
    assert len({worlds.sample(generator).cells[time_address] for _ in range(6)}) > 3
    assert "time" not in json.loads(list(lines(match, seat))[-1])
    assert json.loads(list(lines(match, first))[-1])["time"] == 12_345


FAULTY = """
remember key: number 0 to 2 = 1, seen by nobody
table opens
    1 yes
    2 yes
setup
    set key to random n in 1 to 2
play
    player(1) chooses turn
        wait
            if key = 0
                player(1) wins
        try_it
            if opens of key
                player(1) wins
    player(2) wins
"""


def test_faulting_sampled_world_counts_for_no_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Values that no other playout gives are drawn from the whole range, including 0, which the rules never assign.
    monkeypatch.setattr("wongar_dsl.engine.hidden_information.determinization.MAX_RANDOM_GAMES", 0)
    match = Match.begin(load(write_rules(tmp_path, FAULTY)).game(2), [Seat("greedy")] * 2, 1, "hash")
    address = match.game.fields["key"].base
    worlds, generator = SampledWorlds(match.state, 0), Generator(1)
    assert {worlds.sample(generator).cells[address] for _ in range(20)} == {0, 1, 2}
    for number in range(10):
        chosen = GreedyBot().choose(match.state.copy(), decision_rng(number, 0, 0))
        assert match.state.write(chosen) == "try_it"


def test_bot_chooses_even_if_every_sampled_world_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wongar_dsl.engine.hidden_information.determinization.MAX_RANDOM_GAMES", 0)
    match = Match.begin(load(write_rules(tmp_path, FAULTY)).game(2), [Seat("greedy")] * 2, 1, "hash")
    address = match.game.fields["key"].base
    guess = SampledWorlds._guess

    def impossible(self: SampledWorlds, new: State, generator: Generator) -> None:
        guess(self, new, generator)
        new.cells[address] = 0

    monkeypatch.setattr(SampledWorlds, "_guess", impossible)
    assert GreedyBot().choose(match.state.copy(), decision_rng(1, 0, 0)) in match.state.legal_moves()


TRADE = """
cards card
    duke
    earl
    lord
deck pack of card total 3
    1 duke, 1 earl, 1 lord
pile stock holds card
slot held of each player holds card, seen by {held}
slot lifted holds card, seen by {lifted}
setup
    fill stock with pack
    for each p in player
        move top of stock to held of p quietly
play
    player(1) chooses turn
        trade(other: player where other is not player(1))
            {said[0]}
            {said[1]}
            {said[2]}
        keep
            nothing
    nobody wins
"""
MOVES = (
    "move held of player(1) to lifted",
    "move held of other to held of player(1)",
    "move lifted to held of other",
)


@pytest.mark.parametrize("said", [1, 2])
@pytest.mark.parametrize("lifted", ["all", "nobody"])
@pytest.mark.parametrize("held", ["owner", "nobody"])
def test_owner_of_a_zone_in_a_move_is_public_in_its_message(held: str, lifted: str, said: int, tmp_path: Path) -> None:
    endings = [" as traded(partner: other)" if number == said else " quietly" for number in range(len(MOVES))]
    lines_said = [line + ending for line, ending in zip(MOVES, endings, strict=True)]
    rules = write_rules(tmp_path, TRADE.format(held=held, lifted=lifted, said=lines_said), players="3")
    state, _ = load(rules).game(3).start(1)
    told = [event for event in state.apply(Move(0, (1,))) if event.spec.message == "traded"]
    assert told
    for seat in (0, 1, 2, None):
        for event in told:
            visible = state.game.knowledge.visible_event(event, seat)
            assert visible is not None
            assert visible.slots()["partner"][1] == 1


COUNTED = """
enum relic = bone
tokens sack of each player holds relic, seen {source}
tokens buried of each player holds relic, seen {target}

setup
    for each p in player
        fill sack of p with 9 bone
play
    player(2) chooses digging
        dig(n: 1 to 4)
            {statement}
        wait
            nothing
    nobody wins
"""
SEEN = ("by all", "by owner", "as a number", "by nobody")


@pytest.mark.parametrize("what", ["3 bone", "all"])
@pytest.mark.parametrize(("source", "target"), list(product(SEEN, SEEN)))
def test_number_of_moved_tokens_is_told_if_the_size_of_a_zone_is_public(
    source: str, target: str, what: str, tmp_path: Path
) -> None:
    statement = f"move {what} of" if what == "all" else f"move {what} from"
    statement += " sack of player(2) to buried of player(2)"
    state, _ = (
        load(write_rules(tmp_path, COUNTED.format(source=source, target=target, statement=statement))).game(2).start(1)
    )
    for event in state.apply(Move(0, (1,))):
        if event.spec.kind in ("tokens_moved", "all_moved"):
            visible = state.game.knowledge.visible_event(event, 0)
            assert visible is not None
            told = visible.fields()["n"][1]
            assert (told is not None) == (not source == target == "by nobody")
