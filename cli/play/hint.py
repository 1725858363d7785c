"""`hint`: the options that look best, with their chances in words."""

from __future__ import annotations

from wongar_dsl.bots import Budget
from wongar_dsl.narration.chances import chance
from wongar_dsl.table.hint import hint, refusal
from wongar_dsl.table.menu import Menu
from wongar_dsl.words import Text

from .display import Display

#: So long is thought about a hint.
BUDGET = Budget(0, seconds=1.0)


def tell_hint(display: Display, menu: Menu) -> None:
    """Tell who decides what looks best from their seat, or why nobody tells."""
    table, words = display.table, display.table.words
    why = refusal(table.match)
    if why is not None:
        display.say(f"hint.{why}", "faint")
        return
    found = hint(table.match, BUDGET)
    if found.even:
        display.say("hint.even", chance=chance(words, found.best[0].share, found.best[0].certain))
        return
    chances = [chance(words, one.share, one.certain) for one in found.best]
    alike = len(set(chances)) == 1 < len(chances)
    if alike:
        display.say("hint.alike", chance=chances[0])
    else:
        display.say("hint.best")
    numbers = {entry.move: entry.number for entry in menu.entries} if menu.part is None else {}
    for one, likely in zip(found.best, chances, strict=True):
        state = table.match.state
        said = table.narrator.option(state, one.move)
        told = said if alike else words.say("hint.option", None, option=Text(said), chance=likely)
        mark = f"{numbers[one.move]:>3}" if one.move in numbers else f"  [{state.write(one.move)}]"
        display.screen.text(f"{mark} {told}", indent="    ")
