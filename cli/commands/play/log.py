"""`wongar log`: the log of a saved game in any language, or as data."""

from __future__ import annotations

import click

from wongar_dsl.nlg.words import Translator

from ...errors import UserError
from ...exit_codes import SUCCESS, USAGE
from ...terminal.screen import Screen, echo_data
from ..options import backend_option, every_step_option, format_option, save_argument, text_option


def command(words: Translator) -> click.Command:
    """Return the click command `wongar log`."""

    def run(file: str | None, form: str, who: str | None, every_step: bool, articles: bool, backend: str) -> int:
        from wongar_dsl.engine.events import EVERYTHING

        from ...arguments import save_paths
        from ...arguments.load_game import reopen
        from ...arguments.seats import read_viewer, report_spectator_view

        path = save_paths.named_save(file, words)
        session = reopen(path, words, backend, marked=articles)
        viewer, narrator, match = read_viewer(who, session, words), session.narrator, session.match
        if articles and viewer != EVERYTHING and match.game.knowledge.has_secrets:
            # The name of the rule can reveal hidden information.
            raise UserError(words.say("cli.articles.secret"), USAGE)
        screen = Screen()
        if form == "jsonl":
            from wongar_dsl.engine.saves.match_records import lines

            for data in lines(match, viewer, narrator.article) if articles else lines(match, viewer):
                echo_data(data)
            return SUCCESS
        from wongar_dsl.nlg.narration.replay_log import written_story
        from wongar_dsl.session.ending import final_rows

        from ...play.results import scores
        from ...play.timed_decisions.puzzles import solutions

        report_spectator_view(who, session, words)
        state, history = match.state, list(match.history()) if articles else []
        screen.text(narrator.opening(), "strong")
        drawn = list(solutions(match, narrator, viewer))
        for line in written_story(narrator, match, viewer, every_step):
            screen.text(line.text, "strong" if line.heading else "", "  ")
            if articles and line.told:
                for origin in narrator.origins([history[index] for index in line.told]):
                    screen.text(origin, "faint", "    ")
            while drawn and line.told and drawn[0][0] <= max(line.told):
                screen.lines(drawn.pop(0)[1])
        for _, solution in drawn:
            screen.lines(solution)
        if state.over:
            screen.lines(scores(narrator, final_rows(state, narrator), state.winners, screen.width))
        return SUCCESS

    say = words.say
    return click.Command(
        "log",
        callback=run,
        help=say("cli.log.help"),
        params=[
            save_argument(words),
            format_option(words, "text", "jsonl"),
            text_option(words, ["--for", "who"], "cli.seat.metavar", "cli.for.help"),
            every_step_option(words),
            click.Option(["--articles"], is_flag=True, help=say("cli.articles.help")),
            backend_option(words),
        ],
    )
