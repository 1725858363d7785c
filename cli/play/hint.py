"""The metacommand `hint`: the best options with their chances in words."""

from __future__ import annotations

from threading import Timer

from wongar_dsl.engine.bots import SearchBudget
from wongar_dsl.nlg.narration.narrator import probability_text
from wongar_dsl.nlg.words import Text
from wongar_dsl.session.forecast import hint, hint_refusal
from wongar_dsl.session.menu import Menu

from .display import Display

#: Search time for a hint, and the seconds after which a longer search is announced.
BUDGET, NOTICE_DELAY_S = SearchBudget(0, seconds=1.0), 1.1


def show_hint(display: Display, menu: Menu) -> None:
    """Print the best options for the player to move, or the reason why no hint is available."""
    session, words = display.session, display.session.words
    why = hint_refusal(session.match)
    if why is not None:
        display.say(f"hint.{why}", "faint")
        return
    notice = Timer(NOTICE_DELAY_S, display.screen.announce, [words.say("hint.searching")])
    if display.screen.interactive:
        notice.start()
    try:
        recommendation = hint(session.match, BUDGET)
    finally:
        notice.cancel()
        if notice.is_alive():
            notice.join()
    chances = [probability_text(words, candidate.share, candidate.certain) for candidate in recommendation.best]
    if recommendation.even:
        display.say("hint.even", chance=chances[0])
        return
    alike = len(set(chances)) == 1 < len(chances)
    if alike:
        display.say("hint.alike", chance=chances[0])
    else:
        display.say("hint.best")
    numbers = {entry.move: entry.number for entry in menu.entries} if menu.part is None else {}
    for candidate, likely in zip(recommendation.best, chances, strict=True):
        state = session.match.state
        option_text = session.narrator.option(state, candidate.move)
        line = option_text if alike else words.say("hint.option", None, option=Text(option_text), chance=likely)
        mark = f"{numbers[candidate.move]:>3}" if candidate.move in numbers else f"  [{state.write(candidate.move)}]"
        display.screen.text(f"{mark} {line}", indent="    ")
