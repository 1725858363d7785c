"""`wongar show`: the merged rules of a game and its variants, with the origin of each line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

import click

from wongar_dsl.nlg.words import Translator

from ...cache import cache
from ...exit_codes import SUCCESS
from ...terminal.screen import Screen, echo_file
from ..options import game_argument

if TYPE_CHECKING:
    from wongar_dsl.base.span import Source

#: Separates the origin of a line from the origins of other parts of it.
ALSO = " + "


def command(words: Translator) -> click.Command:
    """Return the click command `wongar show`."""
    say = words.say

    def run(game: str, plain: bool) -> int:
        from wongar_dsl.engine import library
        from wongar_dsl.language.printer import merged_lines

        rules = library.load(game, cache())
        lines = list(merged_lines(rules.model.merged, rules.sources))
        if plain:
            echo_file("".join(f"{line.text}\n" for line in lines))
            return SUCCESS
        names = names_of(rules.sources)
        margins = [ALSO.join(f"{names[place.source.name]}:{place.line}" for place in line.places) for line in lines]
        room = max(map(len, margins))
        screen = Screen()
        # Lines that come only from the base are shown faint, behind the changes of a variant.
        base = names[rules.sources[0].name]
        for line, margin in zip(lines, margins, strict=True):
            changed = any(names[place.source.name] != base for place in line.places)
            screen.line([("number" if changed else "faint", margin.ljust(room)), ("", f"  {line.text}")])
        return SUCCESS

    return click.Command(
        "show",
        callback=run,
        help=say("cli.show.help"),
        params=[
            game_argument(words),
            click.Option(["--plain"], is_flag=True, help=say("cli.show.plain.help")),
        ],
    )


def names_of(sources: Sequence[Source]) -> dict[str, str]:
    """Return the name of each file for the margin: the last path component if unique, otherwise the full name."""
    last = {source.name: PurePath(source.name).name for source in sources}
    counts = Counter(last.values())
    return {name: short if counts[short] == 1 else name for name, short in last.items()}
