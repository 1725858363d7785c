"""`wongar perft`: how many histories of so many decisions a game has, to compare engines and rules by."""

from __future__ import annotations

from collections.abc import Iterator

import click

from wongar_dsl.engine import Game, State
from wongar_dsl.words import Words

from .play import backend_option, seed_option, set_option


class _MoreChance(Exception):
    """One more outcome of chance is needed, one of `count`."""

    def __init__(self, count: int) -> None:
        self.count = count


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(
        game: str, depth: int, chance: bool, seats: int | None, seed: int | None, options: tuple[str, ...], backend: str
    ) -> int:
        from .table import deal, load, read_options

        rules = load(game)
        made = deal(rules, seats or rules.model.players[0], read_options(rules, options, words), backend, words)
        for steps in range(1, depth + 1):
            count = histories(made, steps, seed or 0, chance)
            click.echo(f"{steps} {count}")
        return 0

    return click.Command(
        "perft",
        callback=run,
        help=say("cli.perft.help"),
        params=[
            click.Argument(["game"], metavar=say("cli.game.metavar")),
            click.Option(
                ["--depth"],
                type=click.IntRange(1, 60),
                default=2,
                metavar=say("cli.number.metavar"),
                help=say("cli.depth.help"),
            ),
            click.Option(["--chance"], is_flag=True, help=say("cli.chance.help")),
            click.Option(["--seats"], type=int, metavar=say("cli.number.metavar"), help=say("cli.seatcount.help")),
            seed_option(words),
            set_option(words),
            backend_option(words),
        ],
    )


def histories(game: Game, steps: int, seed: int, chance: bool) -> int:
    """The number of histories of exactly `steps` decisions; with `chance`, each outcome of chance is a step as well."""
    if not chance:
        return _count(game.start(seed)[0], steps)
    return sum(_count_chance(state, steps - used) for state, used in _openings(game, steps))


def _count(state: State, steps: int) -> int:
    if steps == 0:
        return 1
    moves = state.legal_moves()
    if steps == 1:
        return len(moves)
    total = 0
    for move in moves:
        after = state.copy()
        after.apply(move)
        total += _count(after, steps - 1)
    return total


def _count_chance(state: State, steps: int) -> int:
    """As `_count`; a history that ends amid of chance counts too."""
    if steps <= 0:
        return 1
    total = 0
    for move in state.legal_moves():
        for after, used in _outcomes(state, move, steps - 1):
            total += _count_chance(after, steps - 1 - used)
    return total


def _scripted(script: list[int]) -> object:
    at = 0

    def dice(n: int) -> int:
        nonlocal at
        if n <= 1:
            return 0
        if at == len(script):
            raise _MoreChance(n)
        at += 1
        return script[at - 1]

    return dice


def _outcomes(state: State, move: object, most: int) -> Iterator[tuple[State, int]]:
    """The states after a move, for all outcomes of chance, and how many outcomes it took; at most `most`."""
    from wongar_dsl.engine import Move

    assert isinstance(move, Move)
    scripts: list[list[int]] = [[]]
    while scripts:
        script = scripts.pop()
        after = state.copy()
        try:
            after.apply(move, dice=_scripted(script))  # type: ignore[arg-type]
        except _MoreChance as more:
            if len(script) == most:
                yield after, len(script)
            else:
                scripts += [[*script, i] for i in reversed(range(more.count))]
            continue
        yield after, len(script)


def _openings(game: Game, most: int) -> Iterator[tuple[State, int]]:
    scripts: list[list[int]] = [[]]
    while scripts:
        script = scripts.pop()
        state = State(game, game.runner.start(0))
        try:
            state.proceed(_scripted(script))  # type: ignore[arg-type]
        except _MoreChance as more:
            if len(script) == most:
                yield state, len(script)
            else:
                scripts += [[*script, i] for i in reversed(range(more.count))]
            continue
        yield state, len(script)
