"""`wongar simulate`: many games played by bots, their statistics, and the files of interrupted simulations."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from platformdirs import user_state_path

from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.bots import depends_on_time, is_bot
from wongar_dsl.lab import reports
from wongar_dsl.lab.processes import ProcessExecutor, WorkersLost
from wongar_dsl.lab.reports import report_export
from wongar_dsl.lab.reports.report_data import Sweep, build_report
from wongar_dsl.lab.runner import (
    MAX_GAMES,
    Checkpoint,
    CheckpointError,
    SimulationRun,
    absolute_rules_name,
    is_checkpoint,
    read_checkpoint,
    write_checkpoint,
)
from wongar_dsl.lab.simulator import Arm, SimulationPlan, Simulator
from wongar_dsl.nlg.words import Listing, Text, Translator, quoted

from .. import save_paths
from ..declarations import known_bots
from ..errors import SUCCESS, USAGE, UserError, write_error
from ..language import cache, load_unfiltered
from ..load_game import OpenedGame, open_game, read_seats, warn_slow_backend, words_for
from ..terminal.screen import Progress, Screen, echo, echo_data, echo_file
from ..terminal.signals import interrupt_code, raise_on_signal

if TYPE_CHECKING:
    from wongar_dsl.lab.cluster import Cluster

#: Maximum number of option values in a sweep.
MAX_SWEEP_VALUES = 50
#: Limits of the requested width of a confidence interval in percent.
NARROWEST, WIDEST = 0.001, 49.0
_RANGE = re.compile(r"(-?\d{1,18})\.\.(-?\d{1,18})(?:/(\d{1,18}))?")
_PERCENT = re.compile(r"(\d{1,3}(?:[.,]\d{1,6})?)\s*%?")


def _new_run(
    words: Translator, games: int, until: float | None, game: str, bots: str | None, seats: str | None,
    seed: int | None, options: tuple[str, ...], backend: str, other: str | None, sweep: str | None,
) -> Checkpoint:  # fmt: skip
    """Return a new simulation that has not run yet.

    Raises `UserError` if the arguments are invalid.
    """
    if other is not None and sweep is not None:
        raise UserError(words.say("cli.simulation.one_question"), USAGE)
    opened = [(name, open_game(name, words)) for name in (game, other) if name is not None]
    kinds, rotate = _bots(bots, seats, opened[0][1], words)
    option, values = _sweep(sweep, opened[0][1], words) if sweep is not None else ("", ())
    settings = [(*options, f"{option}={value}") for value in values] or [options]
    arms, rules, names = [], [], []
    for name, loaded in opened:
        for chosen in settings:
            arm = Arm(name, tuple(loaded.create_game(len(kinds), chosen, backend).settings.items()))
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
    plan = SimulationPlan(tuple(arms), kinds, rotate, backend, seed or 0, usual)
    return Checkpoint(SimulationRun.new(Simulator(plan, tuple(rules), cache()), games, until), option, tuple(names))


def _bots(bots: str | None, seats: str | None, opened: OpenedGame, words: Translator) -> tuple[tuple[str, ...], bool]:
    """Return the bots by seat, and whether they rotate.

    Raises `UserError` if a seat is no bot.
    """
    if bots is None:
        kinds = tuple(seat.kind for seat in read_seats(seats) or opened.seats("random", "random"))
        if "human" in kinds:
            raise UserError(words.say("cli.only_bots"), USAGE)
        _require_bots(kinds, words)
        return kinds, False
    if seats is not None:
        raise UserError(words.say("cli.simulation.bots_or_seats"), USAGE)
    names = tuple(part.strip() for part in bots.split(","))
    _require_bots(names, words)
    if len(names) == 1:
        names *= opened.rules.model.players[0]
    return names, len(set(names)) > 1


def _require_bots(names: Sequence[str], words: Translator) -> None:
    """Raise `UserError` for an unknown bot, or one that searches by time, whose moves are not reproducible."""
    for name in names:
        if not is_bot(name):
            raise UserError(words.say("cli.no_such_bot", bot=quoted(name), known=known_bots("1000")), USAGE)
        if depends_on_time(name):
            raise UserError(words.say("cli.simulation.by_time", bot=quoted(name)), USAGE)


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
    return user_state_path("wongar", appauthor=False) / "simulations"


def load_checkpoint(text: str, words: Translator) -> tuple[Checkpoint, Path]:
    """Return the simulation in a file, by default the one interrupted last.

    Raises `UserError` if there is none or it cannot be used.
    """
    if text:
        path = save_paths.resolve_path(text, words)
    else:
        try:
            files = [(f.stat().st_mtime_ns, f) for f in folder().iterdir() if f.suffix == ".json" and f.is_file()]
            path = max(files)[1]
        except (OSError, ValueError):
            raise UserError(words.say("cli.simulation.none")) from None
    try:
        return read_checkpoint(path, cache()), path
    except CheckpointError as error:
        raise _refused(error, path, words) from None


def _refused(error: CheckpointError, path: Path, words: Translator) -> UserError:
    if error.reason == "unreadable" and not os.path.lexists(path):
        why = Text(words.say("cli.os.missing"))
        return UserError(words.say("cli.save.unreadable", path=quoted(str(path)), why=why))
    return UserError(words.say(f"cli.simulation.{error.reason}", path=quoted(str(path)), rules=quoted(error.rules)))


def checkpoint_path(text: str | None, words: Translator) -> Path | None:
    """Return the path to save a simulation at.

    Raises `UserError` if another file exists there.
    """
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


#: Default number of games.
GAMES = 100
#: Seconds between two writes of a running simulation to its file.
CHECKPOINT_INTERVAL_S = 60.0
#: Options that may be given when a simulation is resumed.
_RESUME_OPTIONS = frozenset({"games", "jobs", "cluster", "form", "save", "resume"})


def simulate_command(
    words: Translator, games: int | None, jobs: int | None, until: str | None, save: str | None, resume: str | None,
    cluster: str | None, form: str, **wanted: Any,
) -> int:  # fmt: skip
    """Run `wongar simulate`."""
    path, in_default_folder = checkpoint_path(save, words), False
    if resume is not None:
        simulation, saved_path = _resumed(resume, games, words)
        in_default_folder = path is None and saved_path.parent == folder()
        path = path or saved_path
    elif wanted["game"] is None:
        raise UserError(words.say("cli.simulation.no_game"), USAGE)
    else:
        narrow = read_until(until, words)
        simulation = _new_run(words, games or (GAMES if narrow is None else MAX_GAMES), narrow, **wanted)
    if cluster is None:
        simulator = simulation.run.simulator
        warn_slow_backend(simulator.games[0], simulator.plan.backend, words)
    with _executor(cluster, jobs or _processors(), words) as executor:
        ended = _play(simulation, executor, path, words)
    if simulation.run.totals.counted:
        _show(simulation, form, words)
    if ended is None:
        if in_default_folder and path is not None:
            # A finished run that has been reported need not be saved.
            with contextlib.suppress(OSError):
                path.unlink()
        return SUCCESS
    if isinstance(ended, KeyboardInterrupt):
        return interrupt_code(ended)
    raise ended


def _processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _resumed(text: str, games: int | None, words: Translator) -> tuple[Checkpoint, Path]:
    """Return the simulation to resume and its file; raise `UserError` if an option conflicts with it."""
    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        free = name in _RESUME_OPTIONS or not parameter.expose_value
        if not free and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option_name = parameter.opts[0] if parameter.opts[0].startswith("-") else words.say("cli.game.metavar")
            raise UserError(words.say("cli.simulation.as_begun", option=Text(option_name)), USAGE)
    simulation, path = load_checkpoint(text, words)
    if games is not None and games != simulation.run.requested:
        if games < simulation.run.totals.games:
            raise UserError(words.say("cli.simulation.fewer_games", n=simulation.run.totals.games), USAGE)
        simulation = Checkpoint(simulation.run.with_games(games), simulation.sweep, simulation.found_as)
    return simulation, path


def _executor(cluster: str | None, jobs: int, words: Translator) -> ProcessExecutor | Cluster:
    """Return an executor with local processes or a cluster; raise `UserError` if the cluster is unavailable."""
    if cluster is None:
        return ProcessExecutor(jobs, time.monotonic)
    try:
        from wongar_dsl.lab.cluster import Cluster, ClusterUnreachable
    except ImportError:
        command = Text("pip install 'wongar[cluster]'")
        raise UserError(words.say("cli.simulation.no_library", command=command)) from None
    try:
        return Cluster(cluster)
    except ClusterUnreachable:
        raise UserError(words.say("cli.simulation.no_cluster", address=quoted(cluster))) from None


def _play(
    save: Checkpoint, executor: ProcessExecutor | Cluster, path: Path | None, words: Translator
) -> BaseException | None:
    """Run the games; return the exception that stopped the run, or None.

    This can be Ctrl-C, SIGTERM, a fault in the rules, lost workers or a failed write. The results so far are saved.
    """
    run = save.run
    progress = Progress(words, run.expected, run.totals.counted, run.until is not None)
    written = time.monotonic()
    ended: BaseException | None = None
    try:
        with raise_on_signal():
            for done in run.resume(executor, progress, time.monotonic):
                progress.n = run.expected
                progress(done)
                if path is not None and time.monotonic() - written > CHECKPOINT_INTERVAL_S:
                    # A failed write may succeed later; only the last one is reported.
                    with contextlib.suppress(UserError):
                        _write_results(save, path, words)
                    written = time.monotonic()
    except WorkersLost:
        lost = "workers_lost" if isinstance(executor, ProcessExecutor) else "cluster_lost"
        ended = UserError(words.say(f"cli.simulation.{lost}"))
    except (KeyboardInterrupt, Exception) as cause:  # In every case, the games played so far are saved.
        ended = cause
    finally:
        progress.erase()
    if ended is not None:
        name = "cli.simulated.stopped" if run.until is None else "cli.simulated.stopped.open"
        echo(words.say(name, done=run.totals.counted, n=run.requested), err=True)
        if not run.totals.counted:
            return ended
        path = path or save_paths.new_file(run.simulator.plan.arms[0].rules, folder())
    if path is None:
        return None
    try:
        _write_results(save, path, words)
    except UserError as unwritten:
        if ended is None or isinstance(ended, KeyboardInterrupt):
            return unwritten
        echo(unwritten.text, err=True)
        return ended
    if ended is not None:
        fault = isinstance(ended, PlayFault)
        name = "cli.simulated.kept.fault" if fault else "cli.simulated.kept"
        command = Text(_resume_command(run, path, fault))
        echo(words.say(name, path=quoted(str(path)), command=command), err=True)
    return ended


def _resume_command(run: SimulationRun, path: Path, fault: bool) -> str:
    """Return the command that resumes a saved run or, after a fault, reports the games played before it."""
    call = ["wongar", "simulate", "--resume"]
    if path.parent != folder():
        call.append(str(path))
    # Before the pilot run has set the usual length, a run with fewer games is not the same run.
    if fault and run.totals.games:
        call += ["--games", str(run.totals.games)]
    return shlex.join(call)


def _write_results(save: Checkpoint, path: Path, words: Translator) -> None:
    """Write the results to a file; raise `UserError` if that fails."""
    try:
        write_checkpoint(save, path)
    except (OSError, ValueError) as error:
        raise write_error(path, error, words) from None


# ---- what is shown -------------------------------------------------------------------------------------------------


def _show(save: Checkpoint, form: str, words: Translator) -> None:
    """Print the report in the requested format."""
    run, simulator, sweep = save.run, save.run.simulator, None
    if save.sweep:
        plan = simulator.plan
        values = tuple(dict(arm.settings)[save.sweep] for arm in plan.arms)
        kind = simulator.rules[0].model.settings[save.sweep].type
        sweep = Sweep(save.sweep, kind, values, plan.baseline)
    report = build_report(run, sweep, stopped=not run.is_complete())
    if form == "json":
        echo_data(json.dumps(report_export.as_json(report), indent=2))
    elif form == "csv":
        echo_data(report_export.as_csv(report).removesuffix("\n"))
    elif form == "html":
        # A file has its own encoding, independent of the terminal.
        shown = load_unfiltered(words.language, [root for rules in simulator.rules for root in rules.words_beside])
        echo_file(reports.html_page(reports.build_document(report, simulator.games, shown), shown))
    else:
        shown, screen = words_for(simulator.rules[0], words, *simulator.rules[1:]), Screen()
        document = reports.build_document(report, simulator.games, shown)
        screen.lines([(style, line)] for style, line in reports.lines(document, shown, screen.width - 1))
