"""Declaration of commands, and the arguments and options that several of them share."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from wongar_dsl.compiler.backends import CHOICES
from wongar_dsl.nlg.words import Text, Translator, Value, quoted

from ..errors import USAGE, UserError

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


def command(
    message: str, *parameters: Parameter
) -> Callable[[Callable[..., int]], Callable[[Translator, str], click.Command]]:
    """Declare a function as a subcommand: its help message and its parameters.

    The function receives the texts of the language and the values of the parameters, and returns the exit code. It is
    replaced by one that returns the click command, given the texts and the name.
    """

    def declare(run: Callable[..., int]) -> Callable[[Translator, str], click.Command]:
        def build(words: Translator, name: str) -> click.Command:
            params = [parameter(words) for parameter in parameters]
            return click.Command(name, callback=partial(run, words), help=words.say(message), params=params)

        return build

    return declare


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
    names: str,
    metavar: str,
    message: str,
    given: Mapping[str, Value] = MappingProxyType({}),
    **settings: Any,
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


def forecast_option(words: Translator) -> click.Option:
    """Return the option `--forecast/--no-forecast`."""
    return click.Option(["--forecast/--no-forecast"], default=True, help=words.say("cli.forecast.help"))


#: Options about the output of a game at the terminal.
OUTPUT = (EVERY_STEP, forecast_option, PLAIN, DRAWN)


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
