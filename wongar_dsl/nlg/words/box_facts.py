"""The number of players, the minimum age and the length of a game in words, as its box has them."""

from __future__ import annotations

from collections.abc import Mapping

from wongar_dsl.nlg.words.translator import Translator


def box_facts(words: Translator, box: Mapping[str, tuple[int, int]]) -> dict[str, str]:
    """Return the facts that are declared for a game, `age` before `minutes`: `from age 12`, `about 60 minutes`.

    `box` has the smallest and the greatest value of each.
    """
    texts: dict[str, str] = {}
    if "age" in box:
        texts["age"] = words.say("engine.box.age", None, n=box["age"][0])
    if "minutes" in box:
        low, high = box["minutes"]
        if low == high:
            texts["minutes"] = words.say("engine.box.minutes.exact", None, n=low)
        else:
            texts["minutes"] = words.say("engine.box.minutes", None, low=low, high=high)
    return texts


def players_fact(words: Translator, low: int, high: int) -> str:
    """Return for how many players a game is: `for 3 to 5 players`."""
    if low == high:
        return words.say("engine.box.players.exact", None, n=low)
    return words.say("engine.box.players", None, low=low, high=high)
