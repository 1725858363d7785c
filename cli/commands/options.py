"""What several commands are asked with: their arguments and options, and the sort of number that they take."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from wongar_dsl.words import Text, Value, Words, quoted

from ..errors import Refusal

MOST = 2**63 - 1
#: How many files one command looks at, and how many folders it goes through to find them.
MOST_FILES, MOST_FOLDERS = 1000, 20_000


class Number(click.ParamType[int]):
    """A whole number within limits."""

    def __init__(self, words: Words, low: int = 0, high: int = MOST) -> None:
        self.name = words.say("cli.number.name")
        self._words, self._low, self._high = words, low, high

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number that a text stands for."""
        text = str(value)
        digits = text.removeprefix("-")
        if len(text) < 30 and digits.isascii() and digits.isdigit() and self._low <= int(text) <= self._high:
            return int(text)
        say = self._words.say
        self.fail(say("cli.bad_number", text=quoted(text), low=self._low, high=self._high), param, ctx)
        raise AssertionError


def number_option(
    words: Words, name: str, message: str, low: int = 1, high: int = MOST, default: int | None = None
) -> click.Option:
    """An option that takes a number; its help names the `default`, if there is one."""
    kind = Number(words, low, high)
    told = words.say(message) if default is None else words.say(message, n=Text(str(default)))
    return click.Option([name], type=kind, default=default, metavar=words.say("cli.number.metavar"), help=told)


def text_option(words: Words, names: list[str], metavar: str, message: str, **given: Value) -> click.Option:
    """An option that takes a text; without it there is none.  Its help tells what was `given` too."""
    return click.Option(names, metavar=words.say(metavar), help=words.say(message, None, **given))


def game_argument(words: Words, required: bool = True) -> click.Argument:
    """The name of a game, or the path of its rules."""
    metavar = words.say("cli.game.metavar")
    return click.Argument(["game"], required=required, metavar=metavar if required else f"[{metavar}]")


def paths_argument(words: Words) -> click.Argument:
    """The paths of rule files and of folders with some."""
    return click.Argument(["paths"], nargs=-1, required=True, metavar=words.say("report.paths"))


def save_argument(words: Words) -> click.Argument:
    """The path of a save; without it the newest one is meant."""
    return click.Argument(["file"], required=False, metavar=f"[{words.say('cli.file.metavar')}]")


def seats_option(words: Words) -> click.Option:
    """`--seats`, where it is said who sits on each."""
    return text_option(words, ["--seats"], "cli.seats.metavar", "cli.seats.help")


def table_options(words: Words) -> list[click.Option]:
    """`--seed`, `--set` and `--backend`: how a table is set up, whatever is done at it."""
    seed = number_option(words, "--seed", "cli.seed.help", low=0, high=2**64 - 1)
    return [seed, set_option(words), backend_option(words)]


def backend_option(words: Words) -> click.Option:
    """`--backend`."""
    from wongar_dsl.backends import CHOICES

    return click.Option(["--backend"], type=click.Choice(CHOICES), default="auto", help=words.say("cli.backend.help"))


def forecast_option(words: Words) -> click.Option:
    """`--forecast` or `--no-forecast`."""
    return click.Option(["--forecast/--no-forecast"], default=True, help=words.say("cli.forecast.help"))


def plain_option(words: Words) -> click.Option:
    """`--plain`."""
    return click.Option(["--plain"], is_flag=True, help=words.say("screen.plain.help"))


def drawn_option(words: Words) -> click.Option:
    """`--drawn`."""
    return click.Option(["--drawn"], is_flag=True, help=words.say("cli.drawn.help"))


def every_step_option(words: Words) -> click.Option:
    """`--every-step`."""
    return click.Option(["--every-step"], is_flag=True, help=words.say("cli.every_step.help"))


def set_option(words: Words) -> click.Option:
    """`--set`."""
    return click.Option(
        ["--set", "options"], multiple=True, metavar=words.say("cli.set.metavar"), help=words.say("cli.set.help")
    )


def format_option(words: Words, *formats: str) -> click.Option:
    """`--format`, of which the first is what there is without it."""
    return click.Option(
        ["--format", "form"], type=click.Choice(formats), default=formats[0], help=words.say("cli.format.help")
    )


def rule_files(path: str, words: Words) -> Iterator[str]:
    """The rule files that a path means: those below a folder, else the path itself.

    Raises `Refusal` where a folder has none, or too many.
    """
    if not os.path.isdir(path):
        yield path
        return
    found = files_below(Path(path), ".rules", words)
    if not found:
        raise Refusal(words.say("report.no_files", path=quoted(path)), 2)
    yield from map(str, found)


def files_below(folder: Path, suffix: str, words: Words) -> list[Path]:
    """The files with an ending in a folder and all below it; raises `Refusal` where that is too much.

    Links to folders are not followed, so that a ring of them ends.
    """
    found: list[Path] = []
    for number, (at, _, names) in enumerate(os.walk(folder)):
        found += (Path(at) / name for name in names if name.endswith(suffix))
        if number >= MOST_FOLDERS or len(found) > MOST_FILES:
            raise Refusal(words.say("report.too_much", path=quoted(str(folder))), 2)
    return sorted(found)
