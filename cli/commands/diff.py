"""`wongar diff`: what one game changes of another, in words under the headings of the rulebook."""

from __future__ import annotations

import click

from wongar_dsl.words import Text, Words

from .options import number_option

#: What stands before a line that is new, gone, or says something else.
SIGNS = {"new": "+ ", "gone": "- ", "changed": "  "}


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(one: str, other: str, players: int | None, position: bool, seed: int) -> int:
        from wongar_dsl.narration.narrator import title
        from wongar_dsl.prose.differences import differences
        from wongar_dsl.prose.outline import rulebook
        from wongar_dsl.prose.reading import Reading

        from ..opening import opening
        from ..terminal.screen import Screen

        screen = Screen()
        first, second = opening(one, words), opening(other, words)
        readings = [
            Reading(rulebook(o.rules.model, o.words, players), o.words, title(o.words, o.rules.name))
            for o in (first, second)
        ]
        titles = [Text(reading.title) for reading in readings]
        screen.text(say("diff.title", one=titles[0], other=titles[1]), "strong")
        parts = list(differences(*readings))
        for part in parts:
            screen.text("")
            heading = Text(part.heading)
            screen.text(say(f"diff.{part.whole}", heading=heading) if part.whole else part.heading, "strong")
            for change in part.changes:
                sign = SIGNS[change.sort] + "  " * change.depth
                screen.text(sign + change.text, "faint" if change.sort == "gone" else "", " " * len(sign))
        if not parts:
            screen.text(say("diff.none"))
        if position:
            screen.text("")
            from ..parting import show

            show(screen, first, second, players, seed, words)
        screen.stream.flush()
        return 0

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
