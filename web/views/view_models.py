"""View models of the pages, each for one viewer in one language: the interface between server and templates.

Nothing here reveals more than its viewer may know. Every page is HTML that works without a script. Requests are forms
(`application/x-www-form-urlencoded`) with the fields listed for each path:

- `KEY/move`: `version`, `once`, `choice` (a notation or a number), `part` if the choice is made part by part, `back`,
  `drawing`; or `several` with a `count OPTION` for each option of a repeated question;
- `KEY/undo`: request to undo; `KEY/answer`: `answer` (`yes` or `no`) to such a request, or `never` to withdraw it;
- `KEY/settings`: `lang`, `name`, `scheme`, `forecasts`; `KEY/rematch`; `KEY/leave`;
- `KEY/seat` (host only): `seat`, `do` (`link`: a new link; `bot` with `kind`: a bot plays; `human`: a human again);
- `KEY/close` (host only); `/tables` (host only): as on the page of `NewTableView`; `/saves` (host only): `file`.

A script sends the same forms with the header `X-Part: 1`. The answer is the inside of `<main>`: 200 on success (with a
message if saving failed), 409 if the form was stale, 422 if it was invalid (see `TableView.note`). Without that header
the answer is a whole page, or 303. `GET KEY/part` is the inside of `<main>`, with `?part=…` after the choice of those
parts. With `?version=N`, the version shown by the script, it is 204 if nothing has changed. `GET KEY/events` sends
server-sent events with the data `{"version": 7}`, and `GET KEY/version` the same JSON for clients that poll. `GET
KEY/replay` is a step of a finished game, with `?n=…` and `view` (`own` or `all`).

The module `pages` turns them into texts: `table_page`, `table_part`, `story_page`, `rules_page` (of a `TableView`),
`join_page` (`JoinView`), `lobby_page` (`Lobby`), `new_page` (`NewTableView`) and
`message_page(words, title, lines, link="", link_text="", scheme="auto")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl.base.text.markup import Tag
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.words import Translator
from wongar_dsl.session.forecast import ForecastWorker
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import Menu
from wongar_dsl.session.puzzle import Puzzle
from wongar_dsl.session.tutorial import TutorialRunner


@dataclass(frozen=True)
class Person:
    """The occupant of a seat: kind (`human`, `easy` …), whether a page is open, and whether a guest has ever joined."""

    kind: str
    here: bool
    joined: bool = True


@dataclass(frozen=True)
class ClockView:
    """The time limit of a decision in ms: remaining and total."""

    left: int
    whole: int


@dataclass(frozen=True)
class UndoRequestView:
    """An undo request: the seat, whether the viewer is asked to agree, and the seats that have not agreed yet."""

    seat: int
    must_agree: bool
    waiting: Sequence[int]


@dataclass(frozen=True)
class UndoneView:
    """An undone decision: seat, step, and move; the move is empty if the viewer may not know it."""

    seat: int
    step: int
    move: tuple[int, ...]


#: The chosen first parts of a move, as raw numbers.
Parts = tuple[int, ...]


def write_parts(parts: Parts) -> str:
    """Format the parts of a move for a form or query."""
    return ",".join(map(str, parts))


@dataclass(frozen=True, kw_only=True)
class RenderRequest:
    """Request for a page of a table, with everything that it needs in addition to the snapshot of the game.

    `viewer` is a seat, or None for spectators. `version` counts changes, `key` is the path prefix of the table
    (`/t/4f`). `since` is the number of steps after the viewer's last decision. `chosen` are the parts of a choice made
    so far, `waiting` the seats that the game waits for. `languages` are codes with names. `undo` is true if the viewer
    may request an undo, and `undo_request` is an open request. `undone` are decisions undone since `since`. `note` is
    an error message. `replay` is the step of a finished game to show, and whether to show hidden information. `learn`
    is true for a guided first game.
    """

    page: str = "table"
    viewer: int | None
    language: str = ""
    version: int
    key: str
    persons: Sequence[Person]
    since: int | None = None
    is_deciding: bool = False
    chosen: Parts = ()
    clock: ClockView | None = None
    waiting: Sequence[int] = ()
    undo: bool = False
    undo_request: UndoRequestView | None = None
    languages: Sequence[tuple[str, str]] = ()
    host: bool = False
    scheme: str = "auto"
    foretell: bool = True
    note: str = ""
    replay: tuple[int, bool] = (0, False)
    learn: bool = False
    undone: Sequence[UndoneView] = ()


@dataclass(frozen=True, kw_only=True)
class TableView(RenderRequest):
    """A table as one viewer sees it: what was requested, with what is needed to show it.

    `session` uses the viewer's language; its match is shared and must not be changed. `menu` and `puzzle` are None if
    the viewer is not asked. `guide` is the tutorial runner for a learner.
    """

    session: GameSession
    since: int
    menu: Menu | None = None
    puzzle: Puzzle | None = None
    forecasts: ForecastWorker | None = None
    guide: TutorialRunner | None = None

    @property
    def narrator(self) -> Narrator:
        """The narrator in the viewer's language."""
        return self.session.narrator

    @property
    def words(self) -> Translator:
        """The texts of the viewer's language."""
        return self.session.words

    @property
    def unfinished(self) -> bool:
        """True if a later request shows more forecasts."""
        return self.forecasts is not None and not self.forecasts.complete

    @property
    def again(self) -> bool:
        """True if the viewer may start a rematch: players and the host."""
        return self.host or (self.viewer is not None and self.persons[self.viewer].kind == "human")


# ---- joining -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FreeSeat:
    """A seat on offer: number from 0, name, whether it is free, the guest's own, or has already made a decision."""

    seat: int
    name: str
    free: bool
    own: bool = False
    played: bool = False


@dataclass(frozen=True)
class JoinView:
    """View of the join page: a form with `seat` (a number, or `watch`), `name` and `lang`, sent to `action`.

    `places` are the seats of the invitation: one, all of the table, or none for watching only. `watch` allows watching.
    `problem` is an error message. With `host`, the invitation is for the host and asks for no seat.
    """

    words: Translator
    title: str
    action: str
    places: Sequence[FreeSeat]
    watch: bool
    languages: Sequence[tuple[str, str]]
    name: str = ""
    problem: str = ""
    host: bool = False


# ---- hosting -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HostedSeat:
    """A seat in the lobby: its occupant, and its unused invitation link."""

    seat: int
    name: str
    kind: str
    here: bool
    joined: bool
    link: str = ""


@dataclass(frozen=True)
class HostedTable:
    """A table in the lobby: `link` leads to any free seat, `watch` to none, and `code` is the QR code if shown.

    `inviting` is true if a seat is free and the host has none at this table.
    """

    key: str
    title: str
    seats: Sequence[HostedSeat]
    link: str
    watch: str
    code: Tag | None
    over: bool
    inviting: bool = False


@dataclass(frozen=True)
class GameChoice:
    """A playable game: form value, title, numbers of players, and the first sentences of its summary, if any."""

    value: str
    title: str
    low: int
    high: int
    about: str = ""


@dataclass(frozen=True)
class SaveRow:
    """A save that is not open: form value, game, players, and time of writing."""

    value: str
    title: str
    players: Sequence[str]
    when: str
    over: bool


@dataclass(frozen=True)
class Lobby:
    """The lobby: tables, games (each with a link to `/new?game=VALUE`), and saves.

    `levels` are the kinds of bots with their names.
    """

    words: Translator
    tables: Sequence[HostedTable]
    games: Sequence[GameChoice]
    saves: Sequence[SaveRow]
    levels: Sequence[tuple[str, str]]
    languages: Sequence[tuple[str, str]]
    scheme: str = "auto"
    problem: str = ""


@dataclass(frozen=True)
class SettingField:
    """A setting of a game, sent as `set-NAME`: title, and values with names.

    A number has no values, but a range from `low` to `high`.
    """

    name: str
    title: str
    value: str
    values: Sequence[tuple[str, str]]
    low: int = 0
    high: int = 0


@dataclass(frozen=True)
class SeatRow:
    """A seat in the form of a new table: selected kind and name, and available kinds with titles.

    The empty kind means no player; it is offered for each seat that the game does not need.
    """

    kind: str
    name: str
    kinds: Sequence[tuple[str, str]]


@dataclass(frozen=True)
class NewTableView:
    """The form of a new table, sent to `/tables`.

    Its fields are `game`, `kind-0`, `name-0` … for each seat, and the settings; or `learn` for a guided first game, if
    there is a `lesson`.
    """

    words: Translator
    game: GameChoice
    seats: Sequence[SeatRow]
    settings: Sequence[SettingField]
    scheme: str = "auto"
    problem: str = ""
    lesson: bool = False
