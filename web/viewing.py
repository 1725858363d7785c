"""What the pages are made of, each for one viewer in one language: the interface between the server and the pages.

Nothing here says more than its viewer may know.  Every page is HTML that works without a script; what is sent back is a
form (`application/x-www-form-urlencoded`), each with the fields that its value here tells:

- `KEY/move`: `version`, `once`, `choice` (a notation or a number), `part` where parts are chosen, `back`, `drawing`; or
  `several` with a `count OPTION` for each option that is chosen so often;
- `KEY/undo`: asks to take back; `KEY/answer`: `answer` (`yes` or `no`) to who asks that;
- `KEY/settings`: `lang`, `name`, `scheme`, `forecasts`; `KEY/rematch`; `KEY/leave`;
- `KEY/seat` (who hosts): `seat`, `do` (`link`: a new link; `bot` with `kind`: a bot plays; `human`: a person again);
- `KEY/close` (who hosts); `/tables` (who hosts): as on the page of `Choosing`; `/saves` (who hosts): `file`.

A script sends the same forms with the header `X-Part: 1`.  It is answered with the inside of `<main>`: 200 when it is
done (with a note where it cannot be kept now), 409 where the form was stale, 422 where what was sent is wrong
(`Viewing.note` says why).  Without that header the answer is a whole page, or 303.  `GET KEY/part` is the inside of
`<main>`, with `?part=…` the one after those parts, and `?version=N` what the script believes to show: 204 where
nothing has changed since then.  `GET KEY/events` are server-sent events whose data is `{"version": 7}`, `GET
KEY/version` the same JSON for who polls.  `GET KEY/replay` is a step of a game that is over, with `?n=…` and `view`
(`own` or `all`).

`pages` makes of them `table_page`, `table_part`, `story_page`, `rules_page` (of a `Viewing`), `join_page` (`Joining`),
`lobby_page` (`Lobby`), `new_page` (`Choosing`) and `message_page(words, title, lines, link="", link_text="",
scheme="auto")`, all as texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl.narration import Narrator
from wongar_dsl.table.forecast import Forecasts
from wongar_dsl.table.lesson import Guide
from wongar_dsl.table.menu import Menu
from wongar_dsl.table.puzzle import Puzzle
from wongar_dsl.table.table import Table
from wongar_dsl.text.markup import Tag
from wongar_dsl.words import Words


@dataclass(frozen=True)
class Person:
    """Who sits on a seat: the kind of seat (`human`, `easy` …), whether a page of theirs is open, and whether anybody
    has ever come to sit there."""

    kind: str
    here: bool
    joined: bool = True


@dataclass(frozen=True)
class Clock:
    """The time that a decision has: what is left of it, and all of it, in milliseconds."""

    left: int
    whole: int


@dataclass(frozen=True)
class Wish:
    """Somebody wishes to take back their last decision: which seat, whether the viewer is asked whether they agree, and
    who is still to be heard."""

    seat: int
    asked: bool
    waiting: Sequence[int]


@dataclass(frozen=True)
class TakenBack:
    """Somebody has taken back a decision: which seat, with which step, and what it was; empty where the viewer may not
    know that."""

    seat: int
    step: int
    move: tuple[int, ...]


@dataclass(frozen=True)
class Viewing:
    """A table as one viewer is shown it now.

    `table` speaks the viewer's language; its match is shared, and stays as it is.  `viewer` is a seat, or None for
    somebody who only watches; `version` counts what happened; `key` is what paths of this table begin with (`/t/4f`);
    `since` is how many steps there were when the viewer had last decided.  `menu` and `puzzle` are None for who is not
    asked; `chosen` are the parts of a choice that is made part by part, as they are sent back; `waiting` are the seats
    that are waited for.  `languages` are codes with names.  `undo`: there is a decision of the viewer's that they can
    ask to take back; `wish`: somebody asks that now.  `unfinished`: forecasts are still worked out, and a page that is
    fetched a moment later has more of them.  `taken` are decisions that were taken back since then.  `note` says what
    was wrong with what the viewer sent.  `guide` follows a guided first game for the viewer who learns in it.
    """

    table: Table
    narrator: Narrator
    words: Words
    viewer: int | None
    version: int
    key: str
    persons: Sequence[Person]
    since: int
    menu: Menu | None = None
    chosen: str = ""
    puzzle: Puzzle | None = None
    forecasts: Forecasts | None = None
    clock: Clock | None = None
    waiting: Sequence[int] = ()
    undo: bool = False
    wish: Wish | None = None
    unfinished: bool = False
    languages: Sequence[tuple[str, str]] = ()
    host: bool = False
    scheme: str = "auto"
    foretell: bool = True
    note: str = ""
    guide: Guide | None = None
    taken: Sequence[TakenBack] = ()

    @property
    def again(self) -> bool:
        """Whether the viewer can begin another game when this one is over: whoever plays, and who hosts."""
        return self.host or (self.viewer is not None and self.persons[self.viewer].kind == "human")


# ---- before one sits down ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """A seat that somebody could sit down on: its number from 0, its name, whether it is free, and whether it is theirs
    already."""

    seat: int
    name: str
    free: bool
    own: bool = False


@dataclass(frozen=True)
class Joining:
    """Who has opened an invitation: a form with `seat` (a number, or `watch`), `name` and `lang`, sent to `action`.

    `places` are the seats that it is for: one, all of the table, or none where it is for watching only; `watch`: one
    may watch.  `problem` says what was wrong with what was sent.  With `host` it is for who hosts: then no seat is
    asked for.
    """

    words: Words
    title: str
    action: str
    places: Sequence[Place]
    watch: bool
    languages: Sequence[tuple[str, str]]
    name: str = ""
    problem: str = ""
    host: bool = False


# ---- for who hosts -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HostedSeat:
    """A seat for who hosts: who sits there, and the link that leads there, as long as nobody has used it."""

    seat: int
    name: str
    kind: str
    here: bool
    joined: bool
    link: str = ""


@dataclass(frozen=True)
class Hosted:
    """A table as its host sees it: `link` leads to any free seat, `code` is its code if that is shown, `watch` leads
    to no seat; `inviting`: there is a free seat, and the host has none at this table."""

    key: str
    title: str
    seats: Sequence[HostedSeat]
    link: str
    watch: str
    code: Tag | None
    over: bool
    inviting: bool = False


@dataclass(frozen=True)
class Offered:
    """A game that can be played: the value that a form sends for it, its title, its numbers of players, and the first
    sentences of its rules in short, if there are any."""

    value: str
    title: str
    low: int
    high: int
    about: str = ""


@dataclass(frozen=True)
class Kept:
    """A save of a game that is on no table now: what is sent for it, the game, who plays, and when it was written."""

    value: str
    title: str
    players: Sequence[str]
    when: str
    over: bool


@dataclass(frozen=True)
class Lobby:
    """The page of who hosts: the tables, the games, each with a link to `/new?game=VALUE`, and the saves.

    `levels` are kinds of bots with what they are called.
    """

    words: Words
    tables: Sequence[Hosted]
    games: Sequence[Offered]
    saves: Sequence[Kept]
    levels: Sequence[tuple[str, str]]
    languages: Sequence[tuple[str, str]]
    scheme: str = "auto"
    problem: str = ""


@dataclass(frozen=True)
class Setting:
    """A setting of a game, sent as `set-NAME`: what it is called, and its values with their names; a number has none,
    and goes from `low` to `high`."""

    name: str
    title: str
    value: str
    values: Sequence[tuple[str, str]]
    low: int = 0
    high: int = 0


@dataclass(frozen=True)
class SeatRow:
    """A seat in the form of a new table: the kind and the name that are chosen now, and the kinds with their titles.

    The empty kind is offered for each seat that the game does not need: nobody sits there.
    """

    kind: str
    name: str
    kinds: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Choosing:
    """The form of a new table, sent to `/tables`: `game`, for each seat `kind-0`, `name-0` …, and the settings; or
    `learn` for a guided first game, where there is a `lesson`."""

    words: Words
    game: Offered
    seats: Sequence[SeatRow]
    settings: Sequence[Setting]
    scheme: str = "auto"
    problem: str = ""
    lesson: bool = False
