"""Command line arguments of a simulation, and the files of interrupted ones."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from wongar_dsl.nlg.words import Listing, Text, Translator, quoted

from ...arguments import save_paths
from ...arguments.load_game import OpenedGame, open_game
from ...arguments.seats import read_seats
from ...cache import cache
from ...errors import UserError, write_error
from ...exit_codes import USAGE

if TYPE_CHECKING:
    from wongar_dsl.lab.simulation.checkpoint import Checkpoint, CheckpointError

#: Maximum number of option values in a sweep.
MAX_SWEEP_VALUES = 50
#: Limits of the requested width of a confidence interval in percent.
NARROWEST, WIDEST = 0.001, 49.0
_RANGE = re.compile(r"(-?\d{1,18})\.\.(-?\d{1,18})(?:/(\d{1,18}))?")
_PERCENT = re.compile(r"(\d{1,3}(?:[.,]\d{1,6})?)\s*%?")


@dataclass(frozen=True, slots=True)
class SimulationOptions:
    """The arguments of a simulation, as typed."""

    game: str
    bots: str | None
    seats: str | None
    seed: int
    options: tuple[str, ...]
    backend: str
    other: str | None
    sweep: str | None


def prepare_run(wanted: SimulationOptions, games: int, until: float | None, words: Translator) -> Checkpoint:
    """Return a new simulation that has not run yet.

    Raises `UserError` if the arguments are invalid.
    """
    from wongar_dsl.lab.simulation.checkpoint import Checkpoint, absolute_rules_name
    from wongar_dsl.lab.simulation.runner import SimulationRun
    from wongar_dsl.lab.simulation.simulator import Arm, SimulationPlan, Simulator

    if wanted.other is not None and wanted.sweep is not None:
        raise UserError(words.say("cli.simulation.one_question"), USAGE)
    opened = [(name, open_game(name, words)) for name in (wanted.game, wanted.other) if name is not None]
    bots, rotate = _bots(wanted, opened[0][1], words)
    option, values = _sweep(wanted.sweep, opened[0][1], words) if wanted.sweep is not None else ("", ())
    settings = [(*wanted.options, f"{option}={value}") for value in values] or [wanted.options]
    arms, rules, names = [], [], []
    for name, loaded in opened:
        for chosen in settings:
            game = loaded.create_game(len(bots), chosen, wanted.backend)
            arm = Arm(name, tuple(game.settings.items()))
            if option and arm in arms:
                continue
            arms.append(arm)
            rules.append(loaded.rules)
            names.append(absolute_rules_name(loaded.file.split("\n") if loaded.file else [], name))
    before, after = ([source.text for source in item[1].rules.sources] for item in (opened[-1], opened[0]))
    # Rules are compared with those that they build on, in either order of the arguments.
    usual = int(len(before) < len(after) and after[: len(before)] == before)
    if option:
        default = rules[0].model.settings[option].start
        usual = next((index for index, arm in enumerate(arms) if dict(arm.settings)[option] == default), 0)
    plan = SimulationPlan(tuple(arms), bots, rotate, wanted.backend, wanted.seed, usual)
    return Checkpoint(SimulationRun.new(Simulator(plan, tuple(rules), cache()), games, until), option, tuple(names))


def _bots(wanted: SimulationOptions, opened: OpenedGame, words: Translator) -> tuple[tuple[str, ...], bool]:
    """Return the bots by seat, and whether they rotate.

    Raises `UserError` if a seat is no bot.
    """
    if wanted.bots is None:
        kinds = tuple(seat.kind for seat in read_seats(wanted.seats, words) or opened.seats("random", "random"))
        if "human" in kinds:
            raise UserError(words.say("cli.only_bots"), USAGE)
        _require_bots(kinds, words)
        return kinds, False
    if wanted.seats is not None:
        raise UserError(words.say("cli.simulation.bots_or_seats"), USAGE)
    names = tuple(part.strip() for part in wanted.bots.split(","))
    _require_bots(names, words)
    if len(names) == 1:
        names *= opened.rules.model.players[0]
    return names, len(set(names)) > 1


def _require_bots(names: Sequence[str], words: Translator) -> None:
    """Raise `UserError` for an unknown bot, or one that searches by time, whose moves are not reproducible."""
    from wongar_dsl.engine.bots import depends_on_time, is_bot

    for name in names:
        if not is_bot(name):
            raise UserError(words.say("cli.no_such_bot", bot=quoted(name), known=known_bots()), USAGE)
        if depends_on_time(name):
            raise UserError(words.say("cli.simulation.by_time", bot=quoted(name)), USAGE)


def known_bots() -> Listing:
    """Return the bots available in simulations, with an example of one that searches by number of games."""
    from wongar_dsl.engine.bots import BOTS, MCTS_PREFIX

    return Listing(tuple(Text(name) for name in (*BOTS, f"{MCTS_PREFIX}1000")))


def _sweep(text: str, opened: OpenedGame, words: Translator) -> tuple[str, tuple[str, ...]]:
    """Parse `option=4..12/2` or `option=4,6,no` into the option and its values as texts."""
    option, sign, written = (part.strip() for part in text.partition("="))
    values: list[str] = []
    for part in written.split(","):
        values += _values(part.strip())
        if len(values) > MAX_SWEEP_VALUES:
            raise UserError(words.say("cli.simulation.many_values", n=MAX_SWEEP_VALUES), USAGE)
    if not sign or not option or not values or not all(values):
        raise UserError(words.say("cli.simulation.bad_sweep", text=quoted(text)), USAGE)
    settings = opened.rules.model.settings
    if settings and option not in settings:
        listed = Listing(tuple(Text(name) for name in settings))
        raise UserError(words.say("cli.simulation.no_option", option=quoted(option), known=listed), USAGE)
    return option, tuple(dict.fromkeys(values))


def _values(part: str) -> Iterator[str]:
    match = _RANGE.fullmatch(part)
    if match is None:
        yield part
        return
    first, last = int(match[1]), int(match[2])
    step = int(match[3] or 1)
    # A reversed range or a step of 0 is empty; the caller detects too many values.
    for number, value in enumerate(range(first, last + 1, step) if step else ()):
        if number > MAX_SWEEP_VALUES:
            return
        yield str(value)


def read_until(text: str | None, words: Translator) -> float | None:
    """Parse a target interval width such as `1%` or `0,5 %` into a fraction.

    Raises `UserError` if it is out of range.
    """
    if text is None:
        return None
    match = _PERCENT.fullmatch(text.strip())
    percent = float(match[1].replace(",", ".")) if match is not None else 0.0
    if not NARROWEST <= percent <= WIDEST:
        low, high = Text(words.percent(NARROWEST / 100, 3)), Text(words.percent(WIDEST / 100, 0))
        raise UserError(words.say("cli.simulation.bad_until", text=quoted(text), low=low, high=high), USAGE)
    return percent / 100


# ---- files ---------------------------------------------------------------------------------------------------------


def folder() -> Path:
    """Return the default folder of interrupted simulations."""
    from platformdirs import user_state_path

    return user_state_path("wongar", appauthor=False) / "simulations"


def new_file(game: str) -> Path:
    """Return a path for a simulation that is interrupted now."""
    name = re.sub(r"[^A-Za-z0-9_]+", "-", game)
    return folder() / f"{datetime.now():%Y-%m-%d-%H%M%S}-{name}-{os.getpid()}.json"


def load_checkpoint(text: str, words: Translator) -> tuple[Checkpoint, Path]:
    """Return the simulation in a file, by default the one interrupted last.

    Raises `UserError` if there is none or it cannot be used.
    """
    from wongar_dsl.lab.simulation.checkpoint import CheckpointError, read

    path = save_paths.resolve_path(text, words) if text else _newest()
    if path is None:
        raise UserError(words.say("cli.simulation.none"))
    try:
        return read(path, cache()), path
    except CheckpointError as error:
        raise _refused(error, path, words) from None


def _newest() -> Path | None:
    try:
        files = [(f.stat().st_mtime_ns, f) for f in folder().iterdir() if f.suffix == ".json" and f.is_file()]
    except OSError:
        return None
    return max(files)[1] if files else None


def _refused(error: CheckpointError, path: Path, words: Translator) -> UserError:
    if error.reason == "unreadable" and not os.path.lexists(path):
        why = Text(words.say("cli.os.missing"))
        return UserError(words.say("cli.save.unreadable", path=quoted(str(path)), why=why))
    return UserError(words.say(f"cli.simulation.{error.reason}", path=quoted(str(path)), rules=quoted(error.rules)))


def checkpoint_path(text: str | None, words: Translator) -> Path | None:
    """Return the path to save a simulation at.

    Raises `UserError` if another file exists there.
    """
    from wongar_dsl.lab.simulation.checkpoint import is_checkpoint

    if text is None:
        return None
    path = save_paths.resolve_path(text, words)
    try:
        foreign_file = (path.exists() or path.is_symlink()) and not (path.is_file() and is_checkpoint(path))
    except (OSError, ValueError) as error:
        raise write_error(path, error, words) from None
    if foreign_file:
        raise UserError(words.say("cli.simulation.not_replaced", path=quoted(str(path))), USAGE)
    return path
