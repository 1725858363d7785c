"""All subcommands with their help messages and parameters; their modules are imported only to run them.

The arguments and options that several commands share are declared here once.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from wongar_dsl.compiler import CHOICES
from wongar_dsl.nlg.words import Listing, Text, Translator, Value, quoted

from .errors import USAGE, UserError

#: Default port of the web server, and upper limits of options.
PORT = 8642
MAX_ITERATIONS, MAX_PLAYOUTS, MAX_TOURNAMENT_GAMES = 10_000_000, 100_000, 10_000_000
#: Output formats of `wongar validate`.
FORMATS = ("text", "json", "github")
MAX_INTEGER = 2**63 - 1
#: Limits for a search of folders: files found, and folders visited.
MAX_FILES, MAX_FOLDERS = 1000, 20_000


class BoundedNumber(click.ParamType[int]):
    """Click parameter type of an integer within limits."""

    def __init__(self, words: Translator, low: int = 0, high: int = MAX_INTEGER) -> None:
        self.name = words.say("cli.number.name")
        self._words, self._low, self._high = words, low, high

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Parse the integer, or fail with a usage error."""
        text = str(value)
        digits = text.removeprefix("-")
        if len(text) < 30 and digits.isascii() and digits.isdigit() and self._low <= int(text) <= self._high:
            return int(text)
        say = self._words.say
        self.fail(say("cli.bad_number", text=quoted(text), low=self._low, high=self._high), param, ctx)
        raise AssertionError


#: A click parameter, given the texts of the language.
Parameter = Callable[[Translator], click.Parameter]


def number_option(
    name: str, message: str, low: int = 1, high: int = MAX_INTEGER, default: int | None = None
) -> Parameter:
    """Return an option that takes an integer; its help text names the `default`, if there is one."""

    def build(words: Translator) -> click.Option:
        help_text = words.say(message) if default is None else words.say(message, n=Text(str(default)))
        kind, metavar = BoundedNumber(words, low, high), words.say("cli.number.metavar")
        return click.Option([name], type=kind, default=default, metavar=metavar, help=help_text)

    return build


def text_option(
    names: str, metavar: str, message: str, given: Mapping[str, Value] = MappingProxyType({}), **settings: Any
) -> Parameter:
    """Return an option that takes a text; `names` are the option and, if it differs, the name of its value.

    `given` are arguments of the help message, `settings` are further arguments of `click.Option`.
    """
    return lambda words: click.Option(
        names.split(), metavar=words.say(metavar), help=words.say(message, None, **given), **settings
    )


def flag(names: str, message: str, **settings: Any) -> Parameter:
    """Return an option without a value."""
    return lambda words: click.Option(names.split(), is_flag=True, help=words.say(message), **settings)


def choice_option(names: str, message: str, choices: Sequence[str], **settings: Any) -> Parameter:
    """Return an option with one of several values."""
    return lambda words: click.Option(names.split(), type=click.Choice(choices), help=words.say(message), **settings)


def format_option(*formats: str) -> Parameter:
    """Return the option `--format`; the first format is the default."""
    return choice_option("--format form", "cli.format.help", formats, default=formats[0])


def argument(name: str, metavar: str, required: bool = True, **settings: Any) -> Parameter:
    """Return an argument; the message `metavar` names it in the usage line."""

    def build(words: Translator) -> click.Argument:
        shown = words.say(metavar) if required else f"[{words.say(metavar)}]"
        return click.Argument([name], required=required, metavar=shown, **settings)

    return build


#: The name of a game or the path of its rules, paths of rule files and folders, and the path of a save (by default the
#: newest one).
GAME, OPTIONAL_GAME = argument("game", "cli.game.metavar"), argument("game", "cli.game.metavar", required=False)
PATHS = argument("paths", "report.paths", nargs=-1)
SAVE = argument("file", "cli.file.metavar", required=False)
#: The occupants of the seats, or their number; settings of a session.
SEATS = text_option("--seats", "cli.seats.metavar", "cli.seats.help")
SEAT_COUNT = number_option("--seats", "cli.seatcount.help")
SEED = number_option("--seed", "cli.seed.help", low=0, high=2**64 - 1)
SET = text_option("--set options", "cli.set.metavar", "cli.set.help", multiple=True)
BACKEND = choice_option("--backend", "cli.backend.help", CHOICES, default="auto")
TABLE = (SEED, SET, BACKEND)
#: The path to save a new game at.
SAVE_TO = text_option("--save", "cli.file.metavar", "cli.saveto.help")
#: The seat that a saved game is shown to, and the number of players that a rulebook is for.
VIEWER = text_option("--for who", "cli.seat.metavar", "cli.for.help")
PLAYERS = number_option("--players", "cli.rulebook.players.help")
#: Output of a game.
EVERY_STEP = flag("--every-step", "cli.every_step.help")
PLAIN, DRAWN = flag("--plain", "screen.plain.help"), flag("--drawn", "cli.drawn.help")


#: Options about the output of a game at the terminal.
OUTPUT = (EVERY_STEP, flag("--forecast/--no-forecast", "cli.forecast.help", default=True), PLAIN, DRAWN)


class Command:
    """A subcommand: its module, its help message, and its parameters.

    The function that runs the command `games` is `games_command`.  It receives the texts of the language and the values
    of the parameters, and returns the exit code.  If the module imports an optional `library`, `missing` is the message
    for its absence.
    """

    def __init__(self, module: str, help: str, *parameters: Parameter, library: str = "", missing: str = "") -> None:
        self.module, self.help, self.parameters = module, help, parameters
        self.library, self.missing = library, missing

    def build(self, name: str, words: Translator) -> click.Command:
        """Return the click command."""

        def run(**values: Any) -> int:
            try:
                module = importlib.import_module(f".commands.{self.module}", __package__)
            except ImportError:
                if not self.library:
                    raise
                install = Text(f"pip install 'wongar[{name}]'")
                raise UserError(words.say(self.missing, name=Text(self.library), command=install), USAGE) from None
            code: int = getattr(module, f"{name}_command")(words, **values)
            return code

        params = [parameter(words) for parameter in self.parameters]
        return click.Command(name, callback=run, help=words.say(self.help), params=params)


def known_bots(*budgets: str) -> Listing:
    """Return the names of bots, with examples of search budgets."""
    from wongar_dsl.engine.bots import BOTS, MCTS_PREFIX

    return Listing(tuple(map(Text, (*BOTS, *(f"{MCTS_PREFIX}{budget}" for budget in budgets)))))


def _bots_option(message: str, *budgets: str, **settings: Any) -> Parameter:
    """Return the option `--bots`; its help message lists `known_bots`."""
    return lambda words: text_option(
        "--bots", "cli.bots.metavar", message, {"known": known_bots(*budgets)}, **settings
    )(words)


#: Subcommands by name, in the order of the help text.
COMMANDS = {
    "play": Command(
        "play",
        "cli.play.help",
        OPTIONAL_GAME,
        SEATS,
        SAVE_TO,
        text_option("--from source", "cli.file.metavar", "cli.from.help"),
        *TABLE,
        *OUTPUT,
    ),
    "learn": Command("play", "learn.help", OPTIONAL_GAME, SAVE_TO, PLAIN, DRAWN),
    "resume": Command("play", "cli.resume.help", SAVE, BACKEND, *OUTPUT),
    "saves": Command(
        "saves",
        "cli.saves.help",
        format_option("text", "json"),
        flag("--prune", "cli.saves.prune.help"),
        flag("--yes", "cli.saves.yes.help"),
    ),
    "serve": Command(
        "serve",
        "cli.serve.help",
        OPTIONAL_GAME,
        SEATS,
        SEED,
        SET,
        number_option("--port", "cli.serve.port.help", low=0, high=65535, default=PORT),
        text_option("--host address", "cli.serve.address.metavar", "cli.serve.host.help"),
        flag("--lan", "cli.serve.lan.help"),
        text_option("--save-dir folder", "cli.folder.metavar", "cli.serve.folder.help"),
        BACKEND,
        library="starlette",
        missing="cli.serve.missing",
    ),
    "replay": Command("replay", "cli.replay.help", SAVE, VIEWER, BACKEND),
    "log": Command(
        "replay",
        "cli.log.help",
        SAVE,
        format_option("text", "jsonl"),
        VIEWER,
        EVERY_STEP,
        flag("--articles", "cli.articles.help"),
        BACKEND,
    ),
    "analyse": Command(
        "analyse",
        "cli.analyse.help",
        SAVE,
        number_option("--iterations", "cli.iterations.help", 1, MAX_ITERATIONS, default=1000),
        VIEWER,
        format_option("text", "json"),
        BACKEND,
    ),
    "games": Command("games", "cli.games.help", OPTIONAL_GAME),
    "rulebook": Command(
        "rulebook",
        "cli.rulebook.help",
        GAME,
        choice_option("--style", "cli.rulebook.style.help", ("teach", "reference"), default="teach"),
        format_option("text", "md", "html", "pdf"),
        choice_option("--paper", "cli.rulebook.paper.help", ("a4", "a5"), default="a4"),
        PLAYERS,
    ),
    "diff": Command(
        "diff",
        "cli.diff.help",
        argument("one", "cli.diff.one"),
        argument("other", "cli.diff.other"),
        PLAYERS,
        flag("--position", "cli.diff.position.help"),
        number_option("--seed", "cli.diff.seed.help", default=1),
    ),
    "new": Command(
        "new",
        "cli.new.help",
        argument("name", "cli.new.name.metavar"),
        text_option("--from game", "cli.game.metavar", "cli.new.from.help", required=True),
        text_option("--dir folder", "cli.folder.metavar", "cli.new.dir.help"),
    ),
    "pack": Command("pack", "cli.pack.help", GAME, text_option("--out", "cli.file.metavar", "cli.pack.out.help")),
    "compile": Command(
        "pack",
        "cli.compile.help",
        GAME,
        SEAT_COUNT,
        SET,
        text_option("--out", "cli.file.metavar", "cli.compile.out.help"),
        text_option("--prefix", "cli.compile.prefix.metavar", "cli.compile.prefix.help"),
    ),
    "watch": Command("validate", "cli.watch.help", GAME),
    "validate": Command(
        "validate",
        "report.validate_help",
        PATHS,
        flag("--write-words", "report.write_words_help"),
        choice_option("--format form", "report.format_help", FORMATS, default="text", show_default=True),
    ),
    "fmt": Command("text", "cli.fmt.help", PATHS, flag("--check", "cli.fmt.check.help")),
    "show": Command("text", "cli.show.help", GAME, flag("--plain", "cli.show.plain.help")),
    "words": Command(
        "words",
        "cli.words.help",
        argument("language", "cli.words.metavar", required=False),
        text_option("--game", "cli.game.metavar", "cli.words.game.help"),
        text_option("--say message", "cli.message.metavar", "cli.words.say.help"),
        flag("--update renew", "cli.words.update.help"),
    ),
    "explain": Command(
        "explain",
        "report.explain_help",
        lambda words: click.Argument(["code"], required=False, metavar="[R0000]"),
        text_option("--pipeline", "cli.game.metavar", "cli.pipeline.help"),
    ),
    "test": Command(
        "test",
        "cli.test.help",
        lambda words: click.Argument(["paths"], nargs=-1, metavar=words.say("cli.test.metavar")),
        text_option("--only", "cli.test.only.metavar", "cli.test.only", default=""),
        BACKEND,
        flag("--coverage", "cli.test.coverage"),
        number_option("--playouts", "cli.test.playouts", low=0, high=MAX_PLAYOUTS),
    ),
    "perft": Command(
        "analyse",
        "cli.perft.help",
        GAME,
        number_option("--depth", "cli.depth.help", 1, 60, default=2),
        flag("--chance", "cli.chance.help"),
        SEAT_COUNT,
        *TABLE,
    ),
    "simulate": Command(
        "simulate",
        "cli.simulate.help",
        OPTIONAL_GAME,
        number_option("--games", "cli.simulation.games.help", 1, 100_000_000),
        _bots_option("cli.simulation.bots.help", "1000"),
        text_option("--seats", "cli.seats.metavar", "cli.simulation.seats.help"),
        number_option("--jobs", "cli.simulation.jobs.help", 1, 256),
        text_option("--vs other", "cli.game.metavar", "cli.vs.help"),
        text_option("--until", "cli.simulation.until.metavar", "cli.simulation.until.help"),
        text_option("--sweep", "cli.simulation.sweep.metavar", "cli.simulation.sweep.help"),
        text_option("--save", "cli.file.metavar", "cli.simulation.save.help"),
        text_option("--resume", "cli.file.metavar", "cli.simulation.resume.help", is_flag=False, flag_value=""),
        text_option("--cluster", "cli.simulation.cluster.metavar", "cli.simulation.cluster.help"),
        format_option("text", "json", "csv", "html"),
        *TABLE,
    ),
    "tournament": Command(
        "tournament",
        "cli.tournament.help",
        GAME,
        _bots_option("cli.bots.help", "1000", "1s", required=True),
        number_option("--games", "cli.tournament.games.help", 1, MAX_TOURNAMENT_GAMES, default=100),
        SEAT_COUNT,
        number_option("--jobs", "cli.jobs.help", 1, 256, default=1),
        format_option("text", "json", "csv"),
        *TABLE,
    ),
    "lsp": Command(
        "lsp",
        "cli.lsp.help",
        flag("--stdio", "cli.lsp.stdio.help", expose_value=False),
        library="pygls",
        missing="cli.lsp.missing",
    ),
}


def rule_files(path: str, words: Translator) -> Iterator[str]:
    """Yield the rule files below a folder, or the path itself if it is no folder.

    Raises `UserError` if a folder contains none or too many.
    """
    if not os.path.isdir(path):
        yield path
        return
    files = files_below(Path(path), ".rules", words)
    if not files:
        raise UserError(words.say("report.no_files", path=quoted(path)), USAGE)
    yield from map(str, files)


def files_below(folder: Path, suffix: str, words: Translator) -> list[Path]:
    """Return the files with a suffix in a folder and its subfolders, sorted.

    Raises `UserError` if there are too many. Symbolic links to folders are not followed, so that cycles end.
    """
    files: list[Path] = []
    for number, (directory, _, names) in enumerate(os.walk(folder)):
        files += (Path(directory) / name for name in names if name.endswith(suffix))
        if number >= MAX_FOLDERS or len(files) > MAX_FILES:
            raise UserError(words.say("report.too_much", path=quoted(str(folder))), USAGE)
    return sorted(files)
