"""`wongar diff`: the differences between two games, in words, under the headings of the rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wongar_dsl.nlg.words import Text, Translator

from ...exit_codes import SUCCESS
from ...terminal.screen import Screen, terminal_width
from ..options import number_option

if TYPE_CHECKING:
    from wongar_dsl.base.diagnostics import Diagnostic
    from wongar_dsl.engine.library import Rules

#: With more than this many changes, the most important ones are listed first; maximum number of those.
MAX_UNSUMMARISED, MAX_SUMMARISED = 20, 5


def new_warnings(old: Rules, new: Rules) -> list[Diagnostic]:
    """Return the warnings about the course of the game (R04..) that only the later rules have."""
    return [w for w in new.warnings if w.code.startswith("R04") and w not in old.warnings]


def command(words: Translator) -> click.Command:
    """Return the click command `wongar diff`."""
    say = words.say

    def run(one: str, other: str, players: int | None, position: bool, seed: int) -> int:
        from wongar_dsl.nlg.prose.render.change_summary import number_of_changes, summary
        from wongar_dsl.nlg.prose.render.differences import differences

        from ...arguments.load_game import open_game
        from .diff_view import rulebook_reading, show_part, summary_of_changes

        screen = Screen()
        first, second = open_game(one, words), open_game(other, words)
        old, new = (rulebook_reading(opened.rules, opened.words, players) for opened in (first, second))
        screen.text(say("diff.title", one=Text(old.title), other=Text(new.title)), "strong")
        parts = list(differences(old, new))
        if number_of_changes(parts) > MAX_UNSUMMARISED and all(part.key != "short" for part, _ in summary(parts)):
            # Otherwise the author's own summary comes first anyway.
            screen.text("")
            screen.text(say("diff.in_short"), "strong")
            for line in summary_of_changes(parts, words, MAX_SUMMARISED):
                screen.text(line, indent="  ")
        for part in parts:
            screen.text("")
            show_part(part, screen, words)
        if not parts:
            screen.text(say("diff.none"))
        if warnings := new_warnings(first.rules, second.rules):
            from wongar_dsl.nlg.diagnostic_text.diagnostics import render_text

            screen.text("")
            screen.stream.write(render_text(warnings, say, terminal_width(), total=False) + "\n")
        if position:
            screen.text("")
            from .divergence_view import show_divergence

            show_divergence(screen, first, second, players, seed, words)
        screen.stream.flush()
        return SUCCESS

    return click.Command(
        "diff",
        callback=run,
        help=say("cli.diff.help"),
        params=[
            click.Argument(["one"], metavar=say("cli.diff.one")),
            click.Argument(["other"], metavar=say("cli.diff.other")),
            number_option(words, "--players", "cli.rulebook.players.help"),
            click.Option(["--position"], is_flag=True, help=say("cli.diff.position.help")),
            number_option(words, "--seed", "cli.diff.seed.help", default=1),
        ],
    )
