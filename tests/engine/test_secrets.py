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
from wongar_dsl.engine.bots import decision_rng
from wongar_dsl.engine.bots.search import GreedyBot
from wongar_dsl.engine.hidden_information.determinization import SampledWorlds
from wongar_dsl.engine.library import load
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves import lines

DATA = Path(__file__).resolve().parents[1] / "data"


def load_data_game(name: str, seats: int = 1) -> Game:
    return load(str(DATA / f"{name}.rules")).game(seats)


@pytest.mark.parametrize(
    ("name", "seats", "games", "chances"),
    [
        ("letsecret", "greedy", 160, (1 / 9,)), ("mastermind", "greedy", 160, (1 / 3,)),
        ("parameter", "greedy greedy", 160, (1 / 4,)), ("die", "greedy", 160, (1 / 6,)),
        ("which_hand", "greedy random", 300, (1 / 2,)), ("mines", "random greedy", 120, (1 / 4, 1 / 2)),
    ],
)  # fmt: skip
def test_bot_wins_no_more_than_chance_allows(name: str, seats: str, games: int, chances: tuple[float, ...]) -> None:
    """The first greedy bot has a chance of each point against a random one, else of the win."""
    kinds = [Seat(kind) for kind in seats.split()]
    played, greedy, gained = load_data_game(name, len(kinds)), seats.split().index("greedy"), 0
    for number in range(games):
        match, luck = Match.begin(played, kinds, derive(0, number), "hash"), Generator(number)
        while not match.state.over:
            moves, seat = match.state.legal_moves(), match.state.seat
            if kinds[seat].kind == "random":
                match.play(moves[luck.below(len(moves))])
            else:
                own_luck = decision_rng(match.seed, seat, len(match.steps))
                match.play(GreedyBot().choose(match.state.copy(), own_luck, match.past))
        gained += match.state.scores[greedy] if "random" in seats else greedy in match.state.winners
    deviation = (games * sum(chance * (1 - chance) for chance in chances)) ** 0.5
    assert gained < games * sum(chances) + 4 * deviation


def test_choice_of_a_hidden_value_is_masked_in_records() -> None:
    match = Match.begin(load_data_game("which_hand", 2), [Seat("human")] * 2, 1, "hash")
    match.play(match.state.read("hide(left_hand)"))
    for viewer, text, changed in ((0, "hide(left_hand)", ["hidden[1]"]), (1, "hide(?)", []), (None, "hide(?)", [])):
        step = json.loads(list(lines(match, viewer))[2])
        assert step["taken"] == text
        assert [event["what"] for event in step["events"]] == changed


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


def test_hands_hidden_choices_and_searches_are_private_information(tmp_path: Path) -> None:
    private = {
        "tongiaki": False, "nim": False, "goofspiel": True, "kuhn_poker": True, str(DATA / "stash.rules"): True,
        str(DATA / "mines.rules"): True,
    }  # fmt: skip
    assert {name: game(name, 2).knowledge.has_private_information for name in private} == private
    assert not load_data_game("die").knowledge.has_private_information
    for seen, hidden in (("seen by all", False), ("seen as a number", True)):
        searched = load(write_rules(tmp_path, LOOKING.format(seen))).game(2)
        assert searched.knowledge.has_private_information is hidden


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
    state, _ = load(write_rules(tmp_path, FAULTY)).game(2).start(1)
    address = state.game.fields["key"].base
    worlds, generator = SampledWorlds(state, 0), Generator(1)
    assert {worlds.sample(generator).cells[address] for _ in range(20)} == {0, 1, 2}
    for number in range(10):
        assert state.write(GreedyBot().choose(state.copy(), decision_rng(number, 0, 0))) == "try_it"
    guess = SampledWorlds._guess

    def impossible(self: SampledWorlds, new: State, generator: Generator) -> None:
        guess(self, new, generator)
        new.cells[address] = 0

    # The bot chooses even if every world faults.
    monkeypatch.setattr(SampledWorlds, "_guess", impossible)
    assert GreedyBot().choose(state.copy(), decision_rng(1, 0, 0)) in state.legal_moves()


SAMPLED = """
enum shape = rock, paper
remember secret: number 0 to 9 = 0, seen by nobody
remember named: number = 0
setup
    set secret to random n in 1 to 3
play
{}
    nobody wins
"""
ASKED = """    if secret = 1
        player(1) chooses low
            stop
                nothing
    otherwise
        player(1) chooses high
            stop
                nothing"""
OFFERED = """    player(1) chooses opening
        open(n: 1 to 3 where n is not secret)
            nothing
        stay
            nothing"""
NAMED = """    if secret = 1
        player(1) chooses turn
            stop
                nothing
    player(1) chooses naming
        name(n: 1 to 300)
            set named to n
    player(2) chooses ending
        stop
            nothing"""
LEFT = """    if secret = 1
        player(1) chooses turn
            leave
                end game
    player(2) chooses ending
        stop
            nothing"""
SHAPED = """    each p in player chooses shaping at once
        show(s: shape)
            nothing"""


@pytest.mark.parametrize(
    ("play", "moves", "seat", "place", "values"),
    [
        # The question itself excludes values, and so do its options for the seat that answers.
        (ASKED, (), 0, "secret", {2, 3}), (OFFERED, (), 0, "secret", {3}), (OFFERED, (), 1, "secret", {1, 2, 3}),
        # A later public choice does not make the bot forget that a question was left out.
        (NAMED, ("name(40)",), 1, "secret", {2, 3}),
        # Even without the history a world is one in which the game gets to this question.
        (LEFT, None, 1, "secret", {2, 3}),
        # A choice made at once with the own one is unknown to all other seats.
        (SHAPED, ("show(rock)",), 1, None, {0, 1}), (SHAPED, ("show(rock)",), 0, None, {0}),
    ],
)  # fmt: skip
def test_sampled_worlds_are_those_that_a_seat_cannot_exclude(
    play: str, moves: tuple[str, ...] | None, seat: int, place: str | None, values: set[int], tmp_path: Path
) -> None:
    match = Match.begin(load(write_rules(tmp_path, SAMPLED.format(play))).game(2), [Seat("human")] * 2, 2, "hash")
    for move in moves or ():
        match.play(match.state.read(move))
    game = match.game
    address = game.fields[place].base if place else game.program.simultaneous_cells[0][1] + 2
    worlds, generator = SampledWorlds(match.state, seat, match.past if moves is not None else None), Generator(2)
    assert {worlds.sample(generator).cells[address] for _ in range(40)} == values


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
MOVES = ["move held of player(1) to lifted", "move held of other to held of player(1)", "move lifted to held of other"]


@pytest.mark.parametrize("told", [1, 2])
@pytest.mark.parametrize("lifted", ["all", "nobody"])
@pytest.mark.parametrize("held", ["owner", "nobody"])
def test_owner_of_a_zone_in_a_move_is_public_in_its_message(held: str, lifted: str, told: int, tmp_path: Path) -> None:
    said = [f"{move} {'as traded(partner: other)' if n == told else 'quietly'}" for n, move in enumerate(MOVES)]
    rules = write_rules(tmp_path, TRADE.format(held=held, lifted=lifted, said=said), players="3")
    state, _ = load(rules).game(3).start(1)
    [event] = [event for event in state.apply(Move(0, (1,))) if event.spec.message == "traded"]
    for seat in (0, 1, 2, None):
        visible = state.game.knowledge.visible_event(event, seat)
        assert visible is not None
        assert visible.slots()["partner"][1] == 1


SEEN = ("by all", "by owner", "as a number", "by nobody")
#: Each pair of zones, and whether a number is moved or all.
MOVES_OF_TOKENS = list(product(range(4), range(4), ("3 bone from", "all of")))
COUNTED = "\n".join(
    (
        "enum relic = bone",
        *(f"tokens {name}{n} of each player holds relic, seen {SEEN[n]}" for name in ("s", "t") for n in range(4)),
        "setup\n    for each p in player",
        *(f"        fill s{n} of p with 9 bone" for n in range(4)),
        "play\n    player(2) chooses digging",
        *(
            f"        dig_{n}\n            move {what} s{source} of player(2) to t{target} of player(2)"
            for n, (source, target, what) in enumerate(MOVES_OF_TOKENS)
        ),
        "    nobody wins",
    )
)


def test_number_of_moved_tokens_is_told_if_the_size_of_a_zone_is_public(tmp_path: Path) -> None:
    played = load(write_rules(tmp_path, COUNTED)).game(2)
    for number, (source, target, _) in enumerate(MOVES_OF_TOKENS):
        state, _ = played.start(1)
        [event] = [e for e in state.apply(Move(number, ())) if e.spec.kind in ("tokens_moved", "all_moved")]
        visible = played.knowledge.visible_event(event, 0)
        assert visible is not None
        told = visible.fields()["n"][1]
        assert (told is not None) == (not SEEN[source] == SEEN[target] == "by nobody")
