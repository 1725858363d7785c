"""`wongar compile`: a game as C, for programs of one's own."""

from __future__ import annotations

import os
from pathlib import Path

import click

from wongar_dsl.words import Words, quoted

from ..errors import Refusal
from ..terminal.screen import echo, echo_file
from .options import game_argument, number_option, set_option, text_option

SOURCE, HEADER = ".c", ".h"
#: Instead of a file: the standard output.
STREAM = "-"
#: Longer files are none of these.
MOST = 64_000_000


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(game: str, seats: int | None, options: tuple[str, ...], out: str | None, prefix: str | None) -> int:
        from importlib.metadata import version

        from wongar_dsl.embedding import PREFIX, embed

        from ..opening import opening

        opened = opening(game, words)
        made = opened.deal(seats, options, "python")
        try:
            written = embed(made, version("wongar"), opened.rules.hash, PREFIX if prefix is None else prefix)
        except ValueError:
            raise Refusal(say("cli.compile.bad_prefix", prefix=quoted(prefix or "")), 2) from None
        if out == STREAM:
            echo_file(written.source)
            return 0
        path = Path(out if out is not None else made.name.replace("/", "_") + SOURCE)
        if path.suffix != SOURCE:
            raise Refusal(say("cli.pack.suffix", file=quoted(str(path)), suffix=quoted(SOURCE)), 2)
        files = {path.with_suffix(HEADER): written.header, path: written.source}
        for file in files:
            if os.path.lexists(file) and not _made_here(file):
                raise Refusal(say("cli.new.there", path=quoted(str(file))), 2)
        for file, text in files.items():
            _write(file, text, words)
        return 0

    return click.Command(
        "compile",
        callback=run,
        help=say("cli.compile.help"),
        params=[
            game_argument(words),
            number_option(words, "--seats", "cli.seatcount.help"),
            set_option(words),
            text_option(words, ["--out"], "cli.file.metavar", "cli.compile.out.help"),
            text_option(words, ["--prefix"], "cli.compile.prefix.metavar", "cli.compile.prefix.help"),
        ],
    )


def _made_here(file: Path) -> bool:
    """Whether a file was written by this command, and may be written anew."""
    from wongar_dsl.embedding import is_embedded
    from wongar_dsl.text.files import FileError, read_text

    try:
        return not file.is_symlink() and is_embedded(read_text(file, MOST))
    except FileError:
        return False


def _write(file: Path, text: str, words: Words) -> None:
    """Write a file; raises `Refusal`."""
    from wongar_dsl.text.files import write_bytes

    from ..saves import not_written

    try:
        write_bytes(file, text.encode())
    except OSError as error:
        raise not_written(file, error, words) from None
    echo(words.say("cli.new.written", path=quoted(str(file))))
