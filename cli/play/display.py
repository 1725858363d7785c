"""A table and the screen before it: what is shown and said there, to whom, and that it is saved."""

from __future__ import annotations

from wongar_dsl.engine.saves import SaveError
from wongar_dsl.words import Listing, Text

from .. import saves
from ..language import quoted
from ..opening import Table
from ..pictures.puzzle import Laying
from ..pictures.scene import Scene
from ..terminal.screen import Screen
from .menu import Menu

#: At a terminal, no more than this is told of how the table was laid.
MOST_TOLD = 10


class Display:
    """What everything at a table shares.  `looking` is the seat that the screen is for, None while it is for nobody."""

    def __init__(self, table: Table, screen: Screen) -> None:
        self.table, self.screen = table, screen
        self.told: dict[int | None, int] = {}
        self.looking: int | None = None
        self.saving_failed = False
        self.layings: dict[int, Laying] = {}
        # What was told since a player last answered, for screens that cover it.
        self.recent: list[str] = []
        self.told_how = False

    @property
    def humans(self) -> tuple[int, ...]:
        """The seats of people."""
        return self.table.humans()

    def scene(self, viewer: int | None) -> Scene:
        """What a viewer sees now."""
        return Scene(
            self.table.match.state,
            self.table.narrator,
            self.table.letters,
            viewer,
            self.screen.width,
            self.screen.unicode,
        )

    def say(self, message: str, style: str = "", **arguments: Text | Listing | int) -> None:
        """A message of the program."""
        self.screen.text(self.table.words.say(message, None, **arguments), style)

    def no_such_number(self, menu: Menu) -> None:
        """Which numbers there are."""
        n = len(menu.entries)
        self.say("cli.no_such_number" if n > 1 else "cli.only_option", "wrong", n=n)

    def tell(self, viewer: int | None) -> None:
        """What happened since this viewer was last told."""
        history = self.table.match.history()
        start = min(self.told.get(viewer, 0), len(history))
        texts = [t for t in (self.table.narrator.event(e, viewer) for e in history[start:]) if t]
        if self.screen.interactive and len(texts) > MOST_TOLD and not start:
            self.say("cli.earlier", "faint")
            texts = texts[-MOST_TOLD:]
        self.recent += texts
        for text in texts:
            self.screen.text(text, indent="  ")
        self.told[viewer] = len(history)
        self.screen.stream.flush()

    def save(self) -> None:
        """Save, and say once if that fails."""
        try:
            self.table.save()
            self.saving_failed = False
        except SaveError as error:
            if not self.saving_failed:
                self.screen.text(saves.refusal(error, self.table.words).text, "wrong")
            self.saving_failed = True
        except OSError as error:
            if not self.saving_failed:
                self.say(
                    "cli.cannot_save",
                    "wrong",
                    path=quoted(str(self.table.path)),
                    why=quoted(saves.reason(error, self.table.words)),
                )
            self.saving_failed = True
