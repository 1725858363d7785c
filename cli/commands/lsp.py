"""`wongar lsp`: the language server, which an editor starts and talks to."""

from __future__ import annotations

import logging
import os
import sys

from wongar_dsl.nlg.words import Translator

from ..editor.server import make_server
from ..errors import FAILURE, SUCCESS, USAGE, UserError
from ..main import installed_version

#: Interval after which the interpreter switches threads.
SWITCH_INTERVAL_S = 0.001


def lsp_command(words: Translator) -> int:
    """Run `wongar lsp`."""
    if sys.stdin.isatty():
        raise UserError(words.say("cli.lsp.terminal"), USAGE)
    # Log messages of the libraries do not concern the user.
    logging.disable(logging.CRITICAL)
    # With a short interval, requests are answered while another thread parses a text.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    server = make_server(words, installed_version())
    try:
        # The library closes its output stream, and standard output must stay open.
        with open(os.dup(sys.stdout.fileno()), "wb") as out:
            server.start_io(sys.stdin.buffer, out)
    finally:
        server.documents.stop()
    # The protocol prescribes a failure if the editor ends the server without a shutdown request.
    return SUCCESS if server.shutdown_requested else FAILURE
