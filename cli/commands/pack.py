"""`wongar pack` and `wongar compile`: a variant as one file to share, and a game as C source for other programs."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from wongar_dsl.base.storage.files import PACK_SUFFIX, FileError, read_text
from wongar_dsl.engine.library.pack import Pack, read_pack
from wongar_dsl.nlg.words import Translator, quoted

from ..errors import FAILURE, SUCCESS, USAGE, UserError, write_file
from ..load_game import open_game
from ..main import installed_version
from ..terminal.screen import echo, echo_file


def pack_command(words: Translator, game: str, out: str | None) -> int:
    """Run `wongar pack`."""
    name, data = _packed(game, words)
    path = Path(out) if out is not None else Path(f"{name}{PACK_SUFFIX}")
    if path.suffix != PACK_SUFFIX:
        raise UserError(words.say("cli.pack.suffix", file=quoted(str(path)), suffix=quoted(PACK_SUFFIX)), USAGE)
    if os.path.lexists(path) and (path.is_symlink() or not isinstance(read_pack(path, str(path))[1], Pack)):
        raise UserError(words.say("cli.new.there", path=quoted(str(path))), USAGE)
    write_file(path, data, words)
    echo(words.say("cli.new.written", path=quoted(str(path))))
    echo(words.say("cli.pack.given"))
    echo(f"  {shlex.join(['wongar', 'play', path.name])}")
    return SUCCESS


def _packed(game: str, words: Translator) -> tuple[str, bytes]:
    """Return the name of a pack and its content.

    Raises `RulesError`, or `UserError` if the game cannot be packed.
    """
    from wongar_dsl.engine.library.pack_writer import PackError, pack  # `wongar compile` does not need the parser.

    try:
        return pack(game)
    except PackError as error:
        code = USAGE if error.reason == "nothing" else FAILURE
        raise UserError(words.say(f"cli.pack.{error.reason}", file=quoted(error.file or game)), code) from None
    except (FileError, OSError):
        raise UserError(words.say("cli.pack.unreadable", file=quoted(game))) from None


SOURCE, HEADER = ".c", ".h"
#: Value of `--out` that means standard output.
STREAM = "-"
#: Size limit in bytes when checking whether an existing file was generated; generated files are never longer.
MAX_FILE_BYTES = 64_000_000


def compile_command(
    words: Translator, game: str, seats: int | None, options: tuple[str, ...], out: str | None, prefix: str | None
) -> int:
    """Run `wongar compile`."""
    from wongar_dsl.adapters.c import PREFIX, embed, is_embedded  # `wongar pack` does not need the generator.

    def may_replace(file: Path) -> bool:
        try:
            return not file.is_symlink() and is_embedded(read_text(file, MAX_FILE_BYTES))
        except FileError:
            return False

    opened = open_game(game, words)
    created = opened.create_game(seats, options, "python")
    try:
        generated = embed(created, installed_version(), opened.rules.hash, PREFIX if prefix is None else prefix)
    except ValueError:
        raise UserError(words.say("cli.compile.bad_prefix", prefix=quoted(prefix or "")), USAGE) from None
    if out == STREAM:
        echo_file(generated.source)
        return SUCCESS
    path = Path(out if out is not None else created.name.replace("/", "_") + SOURCE)
    if path.suffix != SOURCE:
        raise UserError(words.say("cli.pack.suffix", file=quoted(str(path)), suffix=quoted(SOURCE)), USAGE)
    files = {path.with_suffix(HEADER): generated.header, path: generated.source}
    for file in files:
        if os.path.lexists(file) and not may_replace(file):
            raise UserError(words.say("cli.new.there", path=quoted(str(file))), USAGE)
    for file, text in files.items():
        write_file(file, text.encode(), words)
        echo(words.say("cli.new.written", path=quoted(str(file))))
    return SUCCESS
