"""The curtain between people who share a keyboard: nobody sees what is meant for somebody else."""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl.table.news import news

from .display import Display


def fall(display: Display, asked: Callable[[str], object], after: int | None) -> None:
    """Hand the keyboard on at a terminal, from who looks now to another seat, or to everybody with None.

    Whoever leaves it sees once what they alone have come to know since they decided; `asked` puts a question and waits.
    Each is spoken to in their own language.
    """
    screen, table, before = display.screen, display.table, display.looking
    if before is not None and after is not None:
        told = news(table.match, table.narrator, before)
        if told:
            screen.line()
            display.say("curtain.new", "strong", player=table.narrator.player(before))
            for text in told:
                screen.text(text, "card", "  ")
            asked(table.words.say("curtain.seen"))
    screen.clear()
    table.speak_to(after)
    if after is None:
        return
    narrator, say = table.narrator, table.words.say
    if before is None:
        asked(say("cli.your_turn", player=narrator.player(after)))
    else:
        screen.text(say("curtain.pass", player=narrator.player(after), hidden=narrator.player(before)), "question")
        asked(say("curtain.ready"))
    screen.clear()
