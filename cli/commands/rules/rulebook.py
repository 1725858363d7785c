"""`wongar rulebook`: the rulebook of a game, generated from its executable rules."""

from __future__ import annotations

import click

from wongar_dsl.nlg.words import Translator

from ...errors import unplayable
from ...exit_codes import SUCCESS
from ...language import load_unfiltered
from ...terminal.screen import Screen, echo, echo_file
from ..options import format_option, game_argument, number_option


def command(words: Translator) -> click.Command:
    """Return the click command `wongar rulebook`."""
    say = words.say

    def run(game: str, form: str, players: int | None) -> int:
        from wongar_dsl.nlg.narration.narrator import title
        from wongar_dsl.nlg.prose.document.outline import rulebook
        from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
        from wongar_dsl.session.seats import SessionSetupError, check_seats

        from ...arguments.load_game import open_game

        opened = open_game(game, words)
        rules = opened.rules
        try:
            check_seats(rules, players or rules.model.players[0])
        except SessionSetupError as error:
            raise unplayable(error, words) from None
        # A file has its own encoding, independent of the terminal.
        shown = opened.words if form == "text" else load_unfiltered(words.language, rules.words_beside)
        book = rulebook(rules.model, shown, players)
        reading = RealisedRulebook(book, shown, title(shown, rules.name))
        if form == "md":
            from wongar_dsl.nlg.prose.render.markdown import markdown

            echo_file("".join(f"{line}\n" for line in markdown(reading)))
        elif form == "html":
            from wongar_dsl.render.pages import page

            echo_file(page(reading, rules.model))
        else:
            from wongar_dsl.nlg.prose.render.render_text import render_text

            screen = Screen()
            for paragraph in render_text(reading, screen.width - 1 if screen.stream.isatty() else None):
                screen.text(paragraph.text, paragraph.style, paragraph.indent)
            screen.stream.flush()
        if reading.missing_line_count:
            echo(say("rulebook.missing", n=reading.missing_line_count), err=True)
        return SUCCESS

    return click.Command(
        "rulebook",
        callback=run,
        help=say("cli.rulebook.help"),
        params=[
            game_argument(words),
            format_option(words, "text", "md", "html"),
            number_option(words, "--players", "cli.rulebook.players.help"),
        ],
    )
