"""View models of the pages, each for one viewer in one language: the interface between server and templates.

Nothing here reveals more than its viewer may know. Every page is HTML that works without a script. Requests are forms
(`application/x-www-form-urlencoded`) with the fields listed for each path:

- `KEY/move`: `version`, `once`, `choice` (a notation or a number), `part` if the choice is made part by part, `back`,
  `drawing`; or `several` with a `count OPTION` for each option of a repeated question;
- `KEY/undo`: request to undo; `KEY/answer`: `answer` (`yes` or `no`) to such a request, or `never` to withdraw it;
- `KEY/settings`: `lang`, `name`, `scheme`, `forecasts`; `KEY/rematch`; `KEY/leave`;
- `KEY/seat` (host only): `seat`, `do` (`link`: a new link; `bot` with `kind`: a bot plays; `human`: a human again);
- `KEY/close` (host only); `/tables` (host only): as on the page `new_page`; `/saves` (host only): `file`.

A script sends the same forms with the header `X-Part: 1`. The answer is the inside of `<main>`: 200 on success (with a
message if saving failed), 409 if the form was stale, 422 if it was invalid (see `TableView.note`). Without that header
the answer is a whole page, or 303. `GET KEY/part` is the inside of `<main>`, with `?part=…` after the choice of those
parts. With `?version=N`, the version shown by the script, it is 204 if nothing has changed. `GET KEY/events` sends
server-sent events with the data `{"version": 7}`, and `GET KEY/version` the same JSON for clients that poll. `GET
KEY/replay` is a step of a finished game, with `?n=…` and `view` (`own` or `all`).

The module `pages` turns them into texts: `table_page`, `table_part`, `story_page` (of a `TableView`), `book_page`,
`join_page`, `lobby_page`, `new_page` and `message_page`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wongar_dsl.base.markup import Tag

# ---- joining -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FreeSeat:
    """A seat on offer: number from 0, name, whether it is free, the guest's own, or has already made a decision."""

    seat: int
    name: str
    free: bool
    own: bool = False
    played: bool = False


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
    """A playable game: form value, title, numbers of players, and the first sentences of its summary, if any.

    `facts` are for how many players a game is, and its age and its length if they are declared.
    """

    value: str
    title: str
    low: int
    high: int
    about: str = ""
    facts: Sequence[str] = ()


@dataclass(frozen=True)
class SaveRow:
    """A save that is not open: form value, game, players, and time of writing."""

    value: str
    title: str
    players: Sequence[str]
    when: str
    over: bool


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
