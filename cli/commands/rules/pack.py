"""`wongar pack`: a variant packed into one file, to share with others."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import click

from wongar_dsl.base.storage.files import FileError, write_bytes
from wongar_dsl.nlg.words import Translator, WordsError, quoted

from ...errors import UserError, write_error
from ...exit_codes import FAILURE, SUCCESS, USAGE
from ...terminal.screen import echo
from ..options import game_argument, text_option


def command(words: Translator) -> click.Command:
    """Return the click command `wongar pack`."""
    say = words.say

    def run(game: str, out: str | None) -> int:
        from wongar_dsl.engine.library.builtin_games import PACK_SUFFIX

        name, data = _packed(game, words)
        path = Path(out) if out is not None else Path(f"{name}{PACK_SUFFIX}")
        if path.suffix != PACK_SUFFIX:
            raise UserError(say("cli.pack.suffix", file=quoted(str(path)), suffix=quoted(PACK_SUFFIX)), USAGE)
        _write(path, data, words)
        echo(say("cli.new.written", path=quoted(str(path))))
        echo(say("cli.pack.given"))
        echo(f"  {shlex.join(['wongar', 'play', path.name])}")
        return SUCCESS

    return click.Command(
        "pack",
        callback=run,
        help=say("cli.pack.help"),
        params=[game_argument(words), text_option(words, ["--out"], "cli.file.metavar", "cli.pack.out.help")],
    )


def _packed(game: str, words: Translator) -> tuple[str, bytes]:
    """Return the name of a pack and its content.

    Raises `RulesError`, or `UserError` if the game cannot be packed.
    """
    from wongar_dsl.engine.library.pack_writer import PackError, pack

    try:
        return pack(game)
    except PackError as error:
        code = USAGE if error.reason == "nothing" else FAILURE
        raise UserError(words.say(f"cli.pack.{error.reason}", file=quoted(error.file or game)), code) from None
    except WordsError as error:
        raise UserError(words.say(error.name, None, **error.details)) from None
    except (FileError, OSError):
        raise UserError(words.say("cli.pack.unreadable", file=quoted(game))) from None


def _write(path: Path, data: bytes, words: Translator) -> None:
    """Write the file; raise `UserError` if it fails or would replace a file that is no pack."""

    if os.path.lexists(path) and not _is_pack(path):
        raise UserError(words.say("cli.new.there", path=quoted(str(path))), USAGE)
    try:
        write_bytes(path, data)
    except OSError as error:
        raise write_error(path, error, words) from None


def _is_pack(path: Path) -> bool:
    """Return whether a pack exists at the path, which may be overwritten."""
    from wongar_dsl.engine.library.pack import Pack, read_pack

    return not path.is_symlink() and isinstance(read_pack(path, str(path))[1], Pack)
