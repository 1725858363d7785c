"""`wongar simulate`: many games by bots, and what comes of them."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from wongar_dsl.words import Text, Words, quoted

from .. import simulations
from ..errors import Refusal
from ..language import whole
from ..opening import tell_backend, words_for
from ..saves import not_written
from ..simulations import Wanted
from ..terminal.ending import Ended, told_to_end
from ..terminal.progress import Progress
from ..terminal.screen import Screen, echo, echo_data, echo_file
from .options import format_option, game_argument, number_option, table_options, text_option

if TYPE_CHECKING:
    from wongar_dsl.lab.cluster import Cluster
    from wongar_dsl.lab.keeping import Kept
    from wongar_dsl.lab.processes import Processes
    from wongar_dsl.lab.report import Report
    from wongar_dsl.lab.running import Run
    from wongar_dsl.lab.simulation import Laboratory

STOPPED, TOLD_TO_END = 130, 143
#: So many games are played where nobody says how many.
GAMES = 100
#: How often, in seconds, a run is written to the file that it is kept in.
AGAIN = 60.0
#: What may be said of a simulation that is gone on with.
_STILL = frozenset({"games", "jobs", "cluster", "form", "save", "resume"})


def command(words: Words) -> click.Command:
    """The click command."""

    def run(
        game: str | None, games: int | None, bots: str | None, seats: str | None, seed: int | None, jobs: int | None,
        other: str | None, until: str | None, sweep: str | None, save: str | None, resume: str | None,
        cluster: str | None, form: str, options: tuple[str, ...], backend: str,
    ) -> int:  # fmt: skip
        path, own = simulations.place_for(save, words), False
        if resume is not None:
            kept, found = _resumed(resume, games, words)
            own = path is None and found.parent == simulations.folder()
            path = path or found
        elif game is None:
            raise Refusal(words.say("cli.simulation.no_game"), 2)
        else:
            from wongar_dsl.lab.running import MOST_GAMES

            narrow = simulations.read_until(until, words)
            wanted = Wanted(game, bots, seats, seed or 0, options, backend, other, sweep)
            kept = simulations.prepared(wanted, games or (GAMES if narrow is None else MOST_GAMES), narrow, words)
        if cluster is None:
            laboratory = kept.run.laboratory
            tell_backend(laboratory.games[0], laboratory.plan.backend, words)
        with _executor(cluster, jobs or _processors(), words) as executor:
            ended = _play(kept, executor, path, words)
        if kept.run.done.counted:
            _show(kept, form, words)
        if ended is None:
            if own and path is not None:
                # What is over, and has been told, need not be kept.
                with contextlib.suppress(OSError):
                    path.unlink()
            return 0
        if isinstance(ended, KeyboardInterrupt):
            return TOLD_TO_END if isinstance(ended, Ended) else STOPPED
        raise ended

    resume_option = text_option(words, ["--resume"], "cli.file.metavar", "cli.simulation.resume.help")
    resume_option.flag_value, resume_option._flag_needs_value = "", True
    return click.Command(
        "simulate",
        callback=run,
        help=words.say("cli.simulate.help"),
        params=[
            game_argument(words, required=False),
            number_option(words, "--games", "cli.simulation.games.help", 1, 100_000_000),
            text_option(
                words, ["--bots"], "cli.bots.metavar", "cli.simulation.bots.help", known=simulations.known_bots()
            ),
            text_option(words, ["--seats"], "cli.seats.metavar", "cli.simulation.seats.help"),
            number_option(words, "--jobs", "cli.simulation.jobs.help", 1, 256),
            text_option(words, ["--vs", "other"], "cli.game.metavar", "cli.vs.help"),
            text_option(words, ["--until"], "cli.simulation.until.metavar", "cli.simulation.until.help"),
            text_option(words, ["--sweep"], "cli.simulation.sweep.metavar", "cli.simulation.sweep.help"),
            text_option(words, ["--save"], "cli.file.metavar", "cli.simulation.save.help"),
            resume_option,
            text_option(words, ["--cluster"], "cli.simulation.cluster.metavar", "cli.simulation.cluster.help"),
            format_option(words, "text", "json", "csv", "html"),
            *table_options(words),
        ],
    )


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _resumed(text: str, games: int | None, words: Words) -> tuple[Kept, Path]:
    """The simulation that is gone on with, and its file; raises `Refusal`."""
    from wongar_dsl.lab.keeping import Kept

    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        free = name in _STILL or not parameter.expose_value
        if not free and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            told = parameter.opts[0] if parameter.opts[0].startswith("-") else words.say("cli.game.metavar")
            raise Refusal(words.say("cli.simulation.as_begun", option=Text(told)), 2)
    kept, path = simulations.kept(text, words)
    if games is not None and games != kept.run.asked:
        if games < kept.run.done.games:
            raise Refusal(words.say("cli.simulation.fewer_games", n=kept.run.done.games), 2)
        kept = Kept(kept.run.with_games(games), kept.sweep, kept.found_as)
    return kept, path


def _executor(cluster: str | None, jobs: int, words: Words) -> Processes | Cluster:
    """What plays: processes of this machine, or a cluster; raises `Refusal` where that cannot be had."""
    if cluster is None:
        from wongar_dsl.lab.processes import Processes

        return Processes(jobs, time.monotonic)
    from wongar_dsl.lab.cluster import Cluster, ClusterMissing, NoCluster

    try:
        return Cluster(cluster)
    except ClusterMissing:
        command = Text("pip install 'wongar[cluster]'")
        raise Refusal(words.say("cli.simulation.no_library", command=command)) from None
    except NoCluster:
        raise Refusal(words.say("cli.simulation.no_cluster", address=quoted(cluster))) from None


def _play(kept: Kept, executor: Processes | Cluster, path: Path | None, words: Words) -> BaseException | None:
    """Play on; return what went wrong: Ctrl-C, SIGTERM, a fault in the rules, lost processes, a file that cannot be
    written, or anything else.

    What was played until then is kept.
    """
    from wongar_dsl.engine import PlayFault
    from wongar_dsl.lab.processes import Processes, WorkersLost

    run = kept.run
    progress = Progress(words, run.expected, run.done.counted, run.until is not None)
    written = time.monotonic()
    ended: BaseException | None = None
    try:
        with told_to_end():
            for done in run.go_on(executor, progress, time.monotonic):
                progress.done, progress.n = done, run.expected
                progress()
                if path is not None and time.monotonic() - written > AGAIN:
                    # What cannot be written now may be later: only at the end it is told.
                    with contextlib.suppress(Refusal):
                        _keep(kept, path, words)
                    written = time.monotonic()
    except WorkersLost:
        lost = "workers_lost" if isinstance(executor, Processes) else "cluster_lost"
        ended = Refusal(words.say(f"cli.simulation.{lost}"))
    except (KeyboardInterrupt, Exception) as cause:  # Whatever happens, hours of games are not lost with it.
        ended = cause
    finally:
        progress.over()
    if ended is not None:
        name = "cli.simulated.stopped" if run.until is None else "cli.simulated.stopped.open"
        echo(words.say(name, done=run.done.counted, n=run.asked), err=True)
        if not run.done.counted:
            return ended
        path = path or simulations.new_file(run.laboratory.plan.arms[0].rules)
    if path is None:
        return None
    try:
        _keep(kept, path, words)
    except Refusal as unwritten:
        if ended is None or isinstance(ended, KeyboardInterrupt):
            return unwritten
        echo(unwritten.text, err=True)
        return ended
    if ended is not None:
        fault = isinstance(ended, PlayFault)
        name = "cli.simulated.kept.fault" if fault else "cli.simulated.kept"
        command = Text(_again(run, path, fault))
        echo(words.say(name, path=quoted(str(path)), command=command), err=True)
    return ended


def _again(run: Run, path: Path, fault: bool) -> str:
    """The command that goes on with a run in a file, or after a fault of the rules shows what was played once more."""
    call = ["wongar", "simulate", "--resume"]
    if path.parent != simulations.folder():
        call.append(str(path))
    # Before it is known what is usual, no smaller number of games is the same run.
    if fault and run.done.games:
        call += ["--games", str(run.done.games)]
    return shlex.join(call)


def _keep(kept: Kept, path: Path, words: Words) -> None:
    """Write what was done to a file; raises `Refusal`."""
    from wongar_dsl.lab.keeping import write

    try:
        write(kept, path)
    except (OSError, ValueError) as error:
        raise not_written(path, error, words) from None


# ---- what is shown -------------------------------------------------------------------------------------------------


def _show(kept: Kept, form: str, words: Words) -> None:
    """Tell what was found out, in the form that was asked for."""
    from wongar_dsl.lab import data
    from wongar_dsl.lab.report import Sweep
    from wongar_dsl.lab.reports import made

    run, sweep = kept.run, None
    if kept.sweep:
        plan = run.laboratory.plan
        values = tuple(dict(arm.settings)[kept.sweep] for arm in plan.arms)
        sweep = Sweep(kept.sweep, run.laboratory.rules[0].model.settings[kept.sweep].type, values, plan.usual)
    report = made(run, sweep, stopped=not run.enough())
    if form == "json":
        echo_data(json.dumps(data.as_json(report), indent=2))
    elif form == "csv":
        echo_data(data.as_csv(report).removesuffix("\n"))
    else:
        _tell(report, run.laboratory, form, words)


def _tell(report: Report, laboratory: Laboratory, form: str, words: Words) -> None:
    """What was found out, as text or as a page."""
    from wongar_dsl import reports

    if form == "html":
        # A file has an encoding of its own, whatever that of the terminal is.
        shown = whole(words.language, [root for rules in laboratory.rules for root in rules.words_beside])
        echo_file(reports.page(reports.document(report, laboratory.games, shown), shown))
        return
    shown = words_for(laboratory.rules[0], words, *laboratory.rules[1:])
    screen = Screen()
    document = reports.document(report, laboratory.games, shown)
    screen.lines([(style, line)] for style, line in reports.lines(document, shown, screen.width - 1))
