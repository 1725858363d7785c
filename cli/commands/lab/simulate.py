"""`wongar simulate`: many games played by bots, and their statistics."""

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

from wongar_dsl.nlg.words import Text, Translator, quoted

from ...arguments.load_game import warn_slow_backend, words_for
from ...errors import UserError, write_error
from ...exit_codes import SUCCESS, USAGE
from ...language import load_unfiltered
from ...terminal.progress import Progress
from ...terminal.screen import Screen, echo, echo_data, echo_file
from ...terminal.signals import interrupt_code, raise_on_signal
from ..options import format_option, game_argument, number_option, table_options, text_option
from . import simulation_options
from .simulation_options import SimulationOptions

if TYPE_CHECKING:
    from wongar_dsl.lab.reports.report_data import Report
    from wongar_dsl.lab.simulation.checkpoint import Checkpoint
    from wongar_dsl.lab.simulation.runner import SimulationRun
    from wongar_dsl.lab.simulation.simulator import Simulator
    from wongar_dsl.lab.workers.cluster import Cluster
    from wongar_dsl.lab.workers.processes import ProcessExecutor

#: Default number of games.
GAMES = 100
#: Seconds between two writes of a running simulation to its file.
CHECKPOINT_INTERVAL_S = 60.0
#: Options that may be given when a simulation is resumed.
_RESUME_OPTIONS = frozenset({"games", "jobs", "cluster", "form", "save", "resume"})


def command(words: Translator) -> click.Command:
    """Return the click command `wongar simulate`."""

    def run(
        game: str | None, games: int | None, bots: str | None, seats: str | None, seed: int | None, jobs: int | None,
        other: str | None, until: str | None, sweep: str | None, save: str | None, resume: str | None,
        cluster: str | None, form: str, options: tuple[str, ...], backend: str,
    ) -> int:  # fmt: skip
        path, in_default_folder = simulation_options.checkpoint_path(save, words), False
        if resume is not None:
            simulation, saved_path = _resumed(resume, games, words)
            in_default_folder = path is None and saved_path.parent == simulation_options.folder()
            path = path or saved_path
        elif game is None:
            raise UserError(words.say("cli.simulation.no_game"), USAGE)
        else:
            from wongar_dsl.lab.simulation.runner import MAX_GAMES

            narrow = simulation_options.read_until(until, words)
            request = SimulationOptions(game, bots, seats, seed or 0, options, backend, other, sweep)
            simulation = simulation_options.prepare_run(
                request, games or (GAMES if narrow is None else MAX_GAMES), narrow, words
            )
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
                words, ["--bots"], "cli.bots.metavar", "cli.simulation.bots.help", known=simulation_options.known_bots()
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
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _resumed(text: str, games: int | None, words: Translator) -> tuple[Checkpoint, Path]:
    """Return the simulation to resume and its file; raise `UserError` if an option conflicts with it."""
    from wongar_dsl.lab.simulation.checkpoint import Checkpoint

    context = click.get_current_context()
    for parameter in context.command.params:
        name = parameter.name or ""
        free = name in _RESUME_OPTIONS or not parameter.expose_value
        if not free and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option_name = parameter.opts[0] if parameter.opts[0].startswith("-") else words.say("cli.game.metavar")
            raise UserError(words.say("cli.simulation.as_begun", option=Text(option_name)), USAGE)
    simulation, path = simulation_options.load_checkpoint(text, words)
    if games is not None and games != simulation.run.requested:
        if games < simulation.run.totals.games:
            raise UserError(words.say("cli.simulation.fewer_games", n=simulation.run.totals.games), USAGE)
        simulation = Checkpoint(simulation.run.with_games(games), simulation.sweep, simulation.found_as)
    return simulation, path


def _executor(cluster: str | None, jobs: int, words: Translator) -> ProcessExecutor | Cluster:
    """Return an executor with local processes or a cluster; raise `UserError` if the cluster is unavailable."""
    if cluster is None:
        from wongar_dsl.lab.workers.processes import ProcessExecutor

        return ProcessExecutor(jobs, time.monotonic)
    from wongar_dsl.lab.workers.cluster import Cluster, ClusterLibraryMissing, ClusterUnreachable

    try:
        return Cluster(cluster)
    except ClusterLibraryMissing:
        command = Text("pip install 'wongar[cluster]'")
        raise UserError(words.say("cli.simulation.no_library", command=command)) from None
    except ClusterUnreachable:
        raise UserError(words.say("cli.simulation.no_cluster", address=quoted(cluster))) from None


def _play(
    save: Checkpoint, executor: ProcessExecutor | Cluster, path: Path | None, words: Translator
) -> BaseException | None:
    """Run the games; return the exception that stopped the run, or None.

    This can be Ctrl-C, SIGTERM, a fault in the rules, lost workers or a failed write. The results so far are saved.
    """
    from wongar_dsl.engine import PlayFault
    from wongar_dsl.lab.workers.processes import ProcessExecutor, WorkersLost

    run = save.run
    progress = Progress(words, run.expected, run.totals.counted, run.until is not None)
    written = time.monotonic()
    ended: BaseException | None = None
    try:
        with raise_on_signal():
            for done in run.resume(executor, progress, time.monotonic):
                progress.done, progress.n = done, run.expected
                progress()
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
        path = path or simulation_options.new_file(run.simulator.plan.arms[0].rules)
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
    if path.parent != simulation_options.folder():
        call.append(str(path))
    # Before the pilot run has set the usual length, a run with fewer games is not the same run.
    if fault and run.totals.games:
        call += ["--games", str(run.totals.games)]
    return shlex.join(call)


def _write_results(save: Checkpoint, path: Path, words: Translator) -> None:
    """Write the results to a file; raise `UserError` if that fails."""
    from wongar_dsl.lab.simulation.checkpoint import write

    try:
        write(save, path)
    except (OSError, ValueError) as error:
        raise write_error(path, error, words) from None


# ---- what is shown -------------------------------------------------------------------------------------------------


def _show(save: Checkpoint, form: str, words: Translator) -> None:
    """Print the report in the requested format."""
    from wongar_dsl.lab.reports import report_export
    from wongar_dsl.lab.reports.build_report import build_report
    from wongar_dsl.lab.reports.report_data import Sweep

    run, sweep = save.run, None
    if save.sweep:
        plan = run.simulator.plan
        values = tuple(dict(arm.settings)[save.sweep] for arm in plan.arms)
        sweep = Sweep(save.sweep, run.simulator.rules[0].model.settings[save.sweep].type, values, plan.baseline)
    report = build_report(run, sweep, stopped=not run.is_complete())
    if form == "json":
        echo_data(json.dumps(report_export.as_json(report), indent=2))
    elif form == "csv":
        echo_data(report_export.as_csv(report).removesuffix("\n"))
    else:
        _print_report(report, run.simulator, form, words)


def _print_report(report: Report, simulator: Simulator, form: str, words: Translator) -> None:
    """Print the report as text or as an HTML page."""
    from wongar_dsl.lab import reports

    if form == "html":
        # A file has its own encoding, independent of the terminal.
        shown = load_unfiltered(words.language, [root for rules in simulator.rules for root in rules.words_beside])
        echo_file(reports.html_page(reports.build_document(report, simulator.games, shown), shown))
        return
    shown = words_for(simulator.rules[0], words, *simulator.rules[1:])
    screen = Screen()
    document = reports.build_document(report, simulator.games, shown)
    screen.lines([(style, line)] for style, line in reports.lines(document, shown, screen.width - 1))
