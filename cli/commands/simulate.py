"""`wongar simulate`: many games by bots, and what comes of them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from wongar_dsl.text.escapes import printable
from wongar_dsl.words import Text, Words

from ..errors import Refusal
from ..terminal.output import output
from ..terminal.screen import Screen, dumb, echo, echo_data
from .options import format_option, game_argument, number_option, seats_option, table_options, text_option

if TYPE_CHECKING:
    from wongar_dsl.lab.statistics import Summary

STOPPED = 130
#: How often progress is told, in seconds.
AGAIN = 0.2


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(
        game: str, games: int, seats: str | None, seed: int | None, jobs: int, other: str | None, form: str,
        options: tuple[str, ...], backend: str,
    ) -> int:  # fmt: skip
        results: dict[str, Summary] = {}
        stopped = False
        for name in [game] if other is None else [game, other]:
            progress = Progress(words, games)
            found = measure(name, seats, games, seed or 0, jobs, options, backend, words, progress)
            stopped = progress.stopped
            if found is not None:
                results[name] = found
            if stopped:
                echo(words.say("cli.simulated.stopped", done=progress.done, n=games), err=True)
                break
        code = STOPPED if stopped else 0
        if form == "json":
            echo_data(json.dumps({name: found.data() for name, found in results.items()}, indent=2))
            return code
        screen = Screen()
        for name, found in results.items():
            show(screen, words, name, found)
        return code

    return click.Command(
        "simulate",
        callback=run,
        help=say("cli.simulate.help"),
        params=[
            game_argument(words),
            number_option(words, "--games", "cli.howmany.help", 1, 100_000_000, default=100),
            seats_option(words),
            number_option(words, "--jobs", "cli.jobs.help", 1, 256, default=1),
            text_option(words, ["--vs", "other"], "cli.game.metavar", "cli.vs.help"),
            format_option(words, "text", "json"),
            *table_options(words),
        ],
    )


class Progress:
    """How far a simulation is, on a line of the error stream that is written over; only where somebody looks."""

    def __init__(self, words: Words, games: int) -> None:
        self.done, self.stopped = 0, False
        self._words, self._games = words, games
        self._looked = sys.stderr.isatty() and not dumb()
        self._began = self._told = time.monotonic()

    def __call__(self) -> None:
        """Time goes by."""
        now = time.monotonic()
        if self._looked and now - self._told > AGAIN:
            self._told = now
            seconds = int(now - self._began)
            text = self._words.say("cli.simulating", done=self.done, n=self._games, seconds=seconds)
            output(sys.stderr).codes(f"\r\x1b[K{printable(text)}")
            sys.stderr.flush()

    def over(self) -> None:
        """The line is not needed any more."""
        if self._looked and self._told > self._began:
            output(sys.stderr).codes("\r\x1b[K")
            sys.stderr.flush()


def measure(
    name: str, seats: str | None, games: int, seed: int, jobs: int, options: Sequence[str], backend: str, words: Words,
    progress: Progress,
) -> Summary | None:  # fmt: skip
    """Play so many games, on several processors if wanted; the result does not depend on how many.

    Where somebody stops it, the games that were played count; None if there are none.
    """
    from wongar_dsl.lab.simulation import Task, simulate
    from wongar_dsl.lab.statistics import summary

    from ..opening import opening
    from ..seats import read_seats

    opened = opening(name, words)
    kinds = tuple(seat.kind for seat in read_seats(seats, words) or opened.seats("random", "random"))
    if "human" in kinds:
        raise Refusal(words.say("cli.only_bots"), 2)
    game = opened.deal(len(kinds), options, backend)
    task = Task(name, kinds, tuple(game.settings.items()), backend, seed, 0, games)
    played = []
    try:
        for one in simulate(task, jobs, progress):
            played.append(one)
            progress.done = len(played)
    except KeyboardInterrupt:
        progress.stopped = True
    finally:
        progress.over()
    return summary(played, game.score_place() is not None) if played else None


def show(screen: Screen, words: Words, name: str, found: Summary) -> None:
    """A summary as text."""
    screen.text(words.say("cli.simulated", rules=Text(name), n=found.games), "strong")
    if found.unfinished:
        screen.text(words.say("cli.simulated.unfinished", n=found.unfinished))
        if found.unfinished == found.games:
            return
    for seat, (share, mean) in enumerate(zip(found.win_shares, found.mean_scores, strict=True), 1):
        won, score = Text(words.percent(share, 1)), Text(words.decimal(mean, 2))
        if found.scored:
            screen.text(words.say("cli.simulated.seat", seat=seat, share=won, score=score))
        else:
            screen.text(words.say("cli.simulated.seat.won", seat=seat, share=won))
    lengths = {"mean": found.mean_length, "shortest": found.shortest, "longest": found.longest}
    shown = {k: Text(words.decimal(v, 1) if v % 1 else words.number(int(v))) for k, v in lengths.items()}
    screen.text(words.say("cli.simulated.length", None, **shown))
