"""Privacy screen between players who share a keyboard."""

from __future__ import annotations

from collections.abc import Callable

from wongar_dsl.session.changes import news

from .display import Display


def show_privacy_screen(display: Display, ask: Callable[[str], object], after: int | None) -> None:
    """Hand the keyboard from the current viewer to another seat, or to all players (None).

    The viewer who leaves is first shown the private news since their last decision. `ask` shows a question and waits.
    Each player is addressed in their own language.
    """
    screen, session, before = display.screen, display.session, display.viewer
    if before is not None and after is not None:
        private_news = news(session.match, session.narrator, before)
        if private_news:
            screen.line()
            display.say("curtain.new", "strong", player=session.narrator.player(before))
            for text in private_news:
                screen.text(text, "card", "  ")
            ask(session.words.say("curtain.seen"))
    screen.clear()
    session.switch_to_viewer_language(after)
    if after is None:
        return
    narrator, say = session.narrator, session.words.say
    if before is None:
        ask(say("cli.your_turn", player=narrator.player(after)))
    else:
        screen.text(say("curtain.pass", player=narrator.player(after), hidden=narrator.player(before)), "question")
        ask(say("curtain.ready"))
    screen.clear()
