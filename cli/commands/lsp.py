"""`wongar lsp`: the language server, which an editor starts and talks to."""

from __future__ import annotations

import logging
import os
import sys
from importlib.metadata import version

import click

from wongar_dsl.words import Text, Words

from ..errors import Refusal

#: What has to be there, and how it is installed.
NEEDED, INSTALL = "pygls", "pip install 'wongar[lsp]'"
#: What an editor is told by that ends the server without having said that it is done, as the protocol has it.
CUT_OFF = 1
#: After so many seconds a thread lets another one go on.
SWITCH = 0.001


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run() -> int:
        try:
            from ..editor.server import make
        except ImportError:
            raise Refusal(say("cli.lsp.missing", name=Text(NEEDED), command=Text(INSTALL)), 2) from None
        if sys.stdin.isatty():
            raise Refusal(say("cli.lsp.terminal"), 2)
        # What the libraries have to say is not the user's business.
        logging.disable(logging.CRITICAL)
        # Who asks while a text is read waits for that thread to let go.
        sys.setswitchinterval(SWITCH)
        server = make(words, version("wongar"))
        try:
            # The library closes what it writes to, and the standard output is not its own.
            with open(os.dup(sys.stdout.fileno()), "wb") as out:
                server.start_io(sys.stdin.buffer, out)
        finally:
            server.documents.stop()
        return 0 if server.done else CUT_OFF

    return click.Command(
        "lsp",
        callback=run,
        help=say("cli.lsp.help"),
        params=[click.Option(["--stdio"], is_flag=True, expose_value=False, help=say("cli.lsp.stdio.help"))],
    )
