"""`wongar fmt`: formatter for rule files."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from wongar_dsl.base.storage.files import write_bytes
from wongar_dsl.nlg.words import Translator, quoted

from ...errors import write_error
from ...exit_codes import FAILURE, SUCCESS
from ...terminal.screen import echo, echo_file
from ..options import paths_argument, rule_files

#: Path that means standard input and standard output.
STREAM = "-"


def command(words: Translator) -> click.Command:
    """Return the click command `wongar fmt`."""
    say = words.say

    def run(paths: tuple[str, ...], check: bool) -> int:
        from ...main import print_diagnostics

        code, still = 0, True
        for path in dict.fromkeys(file for argument in paths for file in rule_files(argument, words)):
            old, new, diagnostics = _formatted(path)
            if new is None:
                code = print_diagnostics(diagnostics, words)
            elif path == STREAM and not check:
                echo_file(new)
                still = False
            elif old != new.encode():
                still = False
                code = max(code, _change(path, new, check, words))
        if still and not code:
            echo(say("cli.fmt.nothing"))
        return code

    return click.Command(
        "fmt",
        callback=run,
        help=say("cli.fmt.help"),
        params=[
            paths_argument(words),
            click.Option(["--check"], is_flag=True, help=say("cli.fmt.check.help")),
        ],
    )


def _formatted(path: str) -> tuple[bytes, str | None, tuple[object, ...]]:
    """Return a file's content, its formatted text (None if it cannot be parsed), and the diagnostics."""
    from wongar_dsl.base.diagnostics import Diagnostic
    from wongar_dsl.engine.library.source_files import MAX_BYTES, read_file, source_of
    from wongar_dsl.language.printer import format_source

    if path == STREAM:
        data: bytes | None = sys.stdin.buffer.read(MAX_BYTES + 1)
        source = source_of(data or b"", path)
    else:
        data, source = read_file(Path(path), path)
    if isinstance(source, Diagnostic):
        return data or b"", None, (source,)
    formatted = format_source(source)
    return data or b"", formatted.text, formatted.diagnostics


def _change(path: str, text: str, check: bool, words: Translator) -> int:
    """Write the formatted text atomically (through symbolic links), or only report that the file would change.

    Returns the exit code.
    """

    if check:
        echo(words.say("cli.fmt.would_change", file=quoted(path)))
        return FAILURE
    try:
        write_bytes(Path(path).resolve(), text.encode())
    except OSError as error:
        raise write_error(path, error, words) from None
    echo(words.say("cli.fmt.changed", file=quoted(path)))
    return SUCCESS
