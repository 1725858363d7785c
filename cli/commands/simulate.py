"""`wongar simulate`: many games by bots, and what comes of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import click

from wongar_dsl.words import Text, Words

from ..language import Refusal
from ..terminal.screen import Screen, echo
from .options import backend_option, format_option, number_option, seed_option, set_option


@dataclass(frozen=True, slots=True)
class Task:
    """Some of the games of a simulation, so that it can travel to another process."""

    rules: str
    kinds: tuple[str, ...]
    options: tuple[tuple[str, int], ...]
    backend: str
    seed: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one game: the share of the win and the score of each seat, and the number of decisions."""

    shares: tuple[float, ...]
    scores: tuple[int, ...]
    length: int


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(
        game: str, games: int, seats: str | None, seed: int | None, jobs: int, other: str | None, form: str,
        options: tuple[str, ...], backend: str,
    ) -> int:  # fmt: skip
        results = {}
        for name in [game] if other is None else [game, other]:
            results[name] = measure(name, seats, games, seed or 0, jobs, options, backend, words)
        if form == "json":
            echo(json.dumps({name: summary(played) for name, played in results.items()}, indent=2))
            return 0
        screen = Screen()
        for name, played in results.items():
            show(screen, words, name, summary(played))
        return 0

    return click.Command(
        "simulate",
        callback=run,
        help=say("cli.simulate.help"),
        params=[
            click.Argument(["game"], metavar=say("cli.game.metavar")),
            number_option(words, "--games", "cli.howmany.help", 1, 100_000_000, default=100),
            click.Option(["--seats"], metavar=say("cli.seats.metavar"), help=say("cli.seats.help")),
            seed_option(words),
            number_option(words, "--jobs", "cli.jobs.help", 1, 256, default=1),
            click.Option(["--vs", "other"], metavar=say("cli.game.metavar"), help=say("cli.vs.help")),
            format_option(words, "text", "json"),
            set_option(words),
            backend_option(words),
        ],
    )


def measure(
    name: str, seats: str | None, games: int, seed: int, jobs: int, options: Sequence[str], backend: str, words: Words
) -> list[Played]:
    """Play so many games, on several processors if wanted; the result does not depend on how many."""
    from ..opening import deal, load, read_options
    from ..seats import read_seats

    rules = load(name)
    kinds = tuple(s.kind for s in read_seats(seats, words)) if seats else ("random",) * rules.model.players[0]
    if "human" in kinds:
        raise Refusal(words.say("cli.only_bots"), 2)
    chosen = read_options(rules, options, words)
    deal(rules, len(kinds), chosen, backend, words)
    size = -(-games // (jobs * 4)) if jobs > 1 else games
    tasks = [
        Task(name, kinds, tuple(chosen.items()), backend, seed, first, min(first + size, games))
        for first in range(0, games, size)
    ]
    if jobs == 1:
        return [p for task in tasks for p in work(task)]
    from multiprocessing import get_context

    with get_context("spawn").Pool(jobs) as pool:
        return [p for played in pool.imap(work, tasks) for p in played]


def work(task: Task) -> list[Played]:
    """Play the games of a task."""
    from wongar_dsl import library
    from wongar_dsl.backends.chance import derive
    from wongar_dsl.bots import bot, luck, thinking_time, time_luck
    from wongar_dsl.engine import State
    from wongar_dsl.engine.past import Past

    game = library.load(task.rules).game(len(task.kinds), dict(task.options), task.backend)
    bots = [bot(kind) for kind in task.kinds]
    played = []
    for number in range(task.first, task.last):
        seed = derive(task.seed, number)
        first = game.backend.start(seed)
        state = State(game, first.copy())
        state.proceed()
        past = Past(game, first)
        length = 0
        while not state.over:
            seat = state.seat
            time = thinking_time(state, task.kinds[seat], time_luck(seed, seat, length))
            move = bots[seat].choose(state, luck(seed, seat, length), past)
            past.add(state.cells, move.raw, time)
            state.apply(move, time=time)
            length += 1
        share = 1 / len(state.winners) if state.winners else 0.0
        shares = tuple(share if p in state.winners else 0.0 for p in range(game.seats))
        played.append(Played(shares, state.scores, length))
    return played


def summary(played: Sequence[Played]) -> dict[str, object]:
    """Means over games, by seat where they differ by it."""
    games, seats = len(played), len(played[0].shares)
    lengths = sorted(p.length for p in played)
    return {
        "games": games,
        "win_shares": [_mean(p.shares[s] for p in played) for s in range(seats)],
        "mean_scores": [_mean(p.scores[s] for p in played) for s in range(seats)],
        "shared_wins": sum(sum(1 for s in p.shares if s) > 1 for p in played),
        "decisions": {"mean": _mean(lengths), "shortest": lengths[0], "longest": lengths[-1]},
    }


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), 4)


def show(screen: Screen, words: Words, name: str, found: dict[str, object]) -> None:
    """A summary as text."""
    shares, means, lengths = found["win_shares"], found["mean_scores"], found["decisions"]
    assert isinstance(shares, list)
    assert isinstance(means, list)
    assert isinstance(lengths, dict)
    games = found["games"]
    assert isinstance(games, int)
    screen.text(words.say("cli.simulated", rules=Text(name), n=games), "strong")
    for seat, (share, mean) in enumerate(zip(shares, means, strict=True), 1):
        won, score = Text(words.percent(share, 1)), Text(words.decimal(mean, 2))
        screen.text(words.say("cli.simulated.seat", seat=seat, share=won, score=score))
    shown = {k: Text(words.decimal(v, 1) if v % 1 else words.number(int(v))) for k, v in lengths.items()}
    screen.text(words.say("cli.simulated.length", None, **shown))
