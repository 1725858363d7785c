"""Arguments and options shared by several commands, and the integer type they use."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from wongar_dsl.nlg.words import Text, Translator, Value, quoted

from ..errors import UserError
from ..exit_codes import USAGE

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


def number_option(
    words: Translator, name: str, message: str, low: int = 1, high: int = MAX_INTEGER, default: int | None = None
) -> click.Option:
    """Return an option that takes an integer; its help text names the `default`, if there is one."""
    kind = BoundedNumber(words, low, high)
    help_text = words.say(message) if default is None else words.say(message, n=Text(str(default)))
    return click.Option([name], type=kind, default=default, metavar=words.say("cli.number.metavar"), help=help_text)


def text_option(words: Translator, names: list[str], metavar: str, message: str, **given: Value) -> click.Option:
    """Return an option that takes a text and has no default.

    `given` are arguments of the help message.
    """
    return click.Option(names, metavar=words.say(metavar), help=words.say(message, None, **given))


def game_argument(words: Translator, required: bool = True) -> click.Argument:
    """Return the argument for the name of a game or the path of its rules."""
    metavar = words.say("cli.game.metavar")
    return click.Argument(["game"], required=required, metavar=metavar if required else f"[{metavar}]")


def paths_argument(words: Translator) -> click.Argument:
    """Return the argument for paths of rule files and folders."""
    return click.Argument(["paths"], nargs=-1, required=True, metavar=words.say("report.paths"))


def save_argument(words: Translator) -> click.Argument:
    """Return the optional argument for the path of a save; without it, the newest save is used."""
    return click.Argument(["file"], required=False, metavar=f"[{words.say('cli.file.metavar')}]")


def seats_option(words: Translator) -> click.Option:
    """Return the option `--seats`, which names the occupant of each seat."""
    return text_option(words, ["--seats"], "cli.seats.metavar", "cli.seats.help")


def table_options(words: Translator) -> list[click.Option]:
    """Return the options `--seed`, `--set` and `--backend`, which configure a session."""
    seed = number_option(words, "--seed", "cli.seed.help", low=0, high=2**64 - 1)
    return [seed, set_option(words), backend_option(words)]


def backend_option(words: Translator) -> click.Option:
    """Return the option `--backend`."""
    from wongar_dsl.compiler.backends import CHOICES

    return click.Option(["--backend"], type=click.Choice(CHOICES), default="auto", help=words.say("cli.backend.help"))


def forecast_option(words: Translator) -> click.Option:
    """Return the option `--forecast/--no-forecast`."""
    return click.Option(["--forecast/--no-forecast"], default=True, help=words.say("cli.forecast.help"))


def plain_option(words: Translator) -> click.Option:
    """Return the option `--plain`."""
    return click.Option(["--plain"], is_flag=True, help=words.say("screen.plain.help"))


def pictures_option(words: Translator) -> click.Option:
    """Return the option `--drawn`."""
    return click.Option(["--drawn"], is_flag=True, help=words.say("cli.drawn.help"))


def every_step_option(words: Translator) -> click.Option:
    """Return the option `--every-step`."""
    return click.Option(["--every-step"], is_flag=True, help=words.say("cli.every_step.help"))


def set_option(words: Translator) -> click.Option:
    """Return the option `--set`, which may be repeated."""
    return click.Option(
        ["--set", "options"], multiple=True, metavar=words.say("cli.set.metavar"), help=words.say("cli.set.help")
    )


def format_option(words: Translator, *formats: str) -> click.Option:
    """Return the option `--format`; the first format is the default."""
    return click.Option(
        ["--format", "form"], type=click.Choice(formats), default=formats[0], help=words.say("cli.format.help")
    )


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
