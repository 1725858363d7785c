"""`wongar replay`: interactive replay of a saved game, forwards and backwards."""

from __future__ import annotations

import click

from wongar_dsl.nlg.words import Translator

from ...errors import UserError
from ...exit_codes import USAGE
from ...terminal.screen import Screen
from ..options import backend_option, save_argument, text_option


def command(words: Translator) -> click.Command:
    """Return the click command `wongar replay`."""

    def run(file: str | None, who: str | None, backend: str) -> int:
        from wongar_dsl.engine.events import EVERYTHING

        from ...arguments import save_paths
        from ...arguments.load_game import reopen
        from ...arguments.seats import read_viewer, report_spectator_view
        from .replay_view import run_replay

        session = reopen(save_paths.named_save(file, words), words, backend)
        viewer = read_viewer(who, session, words)
        if viewer == EVERYTHING and not session.match.state.over and session.match.game.knowledge.has_secrets:
            raise UserError(words.say("cli.replay.running"), USAGE)
        report_spectator_view(who, session, words)
        return run_replay(session, viewer, Screen())

    say = words.say
    return click.Command(
        "replay",
        callback=run,
        help=say("cli.replay.help"),
        params=[
            save_argument(words),
            text_option(words, ["--for", "who"], "cli.seat.metavar", "cli.for.help"),
            backend_option(words),
        ],
    )
