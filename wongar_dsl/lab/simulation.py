"""Many games by bots.  A task travels to another process, and its result does not depend on which one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import get_context

from wongar_dsl import library
from wongar_dsl.backends.chance import Generator
from wongar_dsl.bots import bot, thinking_time
from wongar_dsl.lab.statistics import Played


@dataclass(frozen=True, slots=True)
class Task:
    """Some of the games of a simulation: `rules` by name or path, the kinds of the bots, and which games of the row."""

    rules: str
    kinds: tuple[str, ...]
    settings: tuple[tuple[str, int], ...]
    backend: str
    seed: int
    first: int
    last: int


def simulate(whole: Task, jobs: int = 1) -> Iterator[Played]:
    """Play the games of a task in their order, on several processors if wanted."""
    if jobs == 1:
        yield from work(whole)
        return
    with get_context("spawn").Pool(jobs) as pool:
        for played in pool.imap(_worked, parts(whole, jobs)):
            yield from played


def parts(whole: Task, jobs: int) -> Sequence[Task]:
    """A task cut for so many processors: into more pieces than these are, since games are not equally long."""
    size = -(-(whole.last - whole.first) // (jobs * 4))
    return [
        Task(
            whole.rules,
            whole.kinds,
            whole.settings,
            whole.backend,
            whole.seed,
            first,
            min(first + size, whole.last),
        )
        for first in range(whole.first, whole.last, size)
    ]


def _worked(task: Task) -> list[Played]:
    return list(work(task))


def work(task: Task) -> Iterator[Played]:
    """Play the games of a task."""
    game = library.load(task.rules).game(len(task.kinds), dict(task.settings), task.backend)
    bots = [bot(kind) for kind in task.kinds]
    for number in range(task.first, task.last):
        state, _ = game.start(task.seed * 1_000_003 + number)
        generator = Generator(task.seed * 7_919 + number)
        length = 0
        while not state.over:
            seat = state.seat
            time = thinking_time(state, task.kinds[seat], generator)
            state.apply(bots[seat].choose(state, generator), time=time)
            length += 1
        share = 1 / len(state.winners) if state.winners else 0.0
        shares = tuple(share if p in state.winners else 0.0 for p in range(game.seats))
        yield Played(shares, state.scores, length)
