"""HTML pages, each rendered for one viewer in one language, and the addresses of static files.

Every page works without a script: a menu is a form. The script fetches `table_part` when it is notified of a new
version, and replaces the old part of the page. The address of a static file contains the version of its content, so it
can be cached for ever, and a page never runs with an older script.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from wongar_dsl.nlg.narration.story import retell
from wongar_dsl.nlg.words import Text, Translator
from wongar_dsl.render.position_svg import STYLESHEET
from wongar_dsl.render.rulebook_page import linked_stylesheet

from .views.turn_view import TableView, replay_values, turn
from .views.view_models import FreeSeat, GameChoice, HostedTable, SaveRow, SeatRow, SettingField

#: Folder of the files, their media types, and the path prefix of their addresses.
FOLDER = Path(__file__).parent / "static"
MEDIA_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
PATH_PREFIX = "/static"
#: Name of the style sheet of rulebooks, which is no file of the folder.
BOOK_STYLE = "book.css"
#: Cache lifetime in seconds of a versioned address.
CACHE_TTL_S = 31_536_000


def names() -> frozenset[str]:
    """Return the names of the files."""
    return frozenset(file.name for file in FOLDER.iterdir() if file.suffix in MEDIA_TYPES) | {BOOK_STYLE}


def content(name: str) -> bytes:
    """Return the content of a file; the style sheet begins with that of pictures of positions."""
    if name == BOOK_STYLE:
        return linked_stylesheet().encode()
    return (STYLESHEET.read_bytes() if name == "table.css" else b"") + (FOLDER / name).read_bytes()


def version_of(data: bytes) -> str:
    """Return the version of a content: a short hash."""
    return sha256(data).hexdigest()[:16]


@cache
def address(name: str) -> str:
    """Return the address of a file with the version of its content at the first call."""
    return f"{PATH_PREFIX}/{name}?v={version_of(content(name))}"


@cache
def combined_version() -> str:
    """Return a version of all files together; a page with a different one was loaded before an update."""
    return version_of("".join(address(name) for name in sorted(names())).encode())


#: The space between a word and a short number after it.
_NUMBERED = re.compile(r"(?<=\w) (?=\d{1,3}(?!\w))")


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # The elements of a picture escape their own contents.
    environment.filters["markup"] = lambda picture: Markup(str(picture))
    environment.filters["nbsp"] = no_break_before_numbers
    return environment


def no_break_before_numbers(text: str) -> str:
    """Replace spaces before short numbers by no-break spaces, so that *place 1* stays together."""
    return _NUMBERED.sub("\u00a0", text)


def _say(words: Translator, message: str, **arguments: object) -> str:
    """Return a message of the web catalog with texts and numbers filled in."""
    values: dict[str, Any] = {k: Text(value) if isinstance(value, str) else value for k, value in arguments.items()}
    return words.say(f"web.{message}", None, **values)


def _page(template: str, words: Translator, scheme: str = "auto", **values: Any) -> str:
    """Render a template; every page has the language and its messages available."""
    common = {
        "t": partial(_say, words),
        "lang": words.language.replace("_", "-"),
        "dir": "rtl" if words.lexicon.right_to_left else "ltr",
        "scheme": scheme,
        "file": address,
        "style": "table.css",
        "made": combined_version(),
        "kind": "page",
        "once": secrets.token_urlsafe(9),
    }
    return _templates().get_template(template).render({**common, **values})


# ---- table ---------------------------------------------------------------------------------------------------------


def table_page(view: TableView) -> str:
    """Return the complete page of a table for a viewer."""
    return _page("table.html", view.words, view.scheme, **_table(view), kind=_kind(view))


def table_part(view: TableView) -> str:
    """Return the part of the page that changes, as a replacement for the old one."""
    return _page("part.html", view.words, view.scheme, **_table(view))


def story_page(view: TableView) -> str:
    """Return the whole log as the viewer knows it."""
    lines = retell(view.narrator, view.session.match, view.viewer)
    return _page("story.html", view.words, view.scheme, key=view.key, title=_say(view.words, "story"), lines=lines)


def book_page(words: Translator, title: str, content: str, back: str, scheme: str = "auto") -> str:
    """Return the page of a rulebook with its content as HTML; `back` is the path of a table, or `/` for all tables."""
    values = {"title": title, "content": Markup(content), "back": back, "style": BOOK_STYLE}
    return _page("book.html", words, scheme, **values)


def replay_page(view: TableView, number: int, everything: bool) -> str:
    """Return a step of a finished game; `everything` shows hidden information too."""
    values = replay_values(view, number, everything)
    return _page("replay.html", view.words, view.scheme, **values, title=values["game"], kind=_kind(view))


def _table(view: TableView) -> dict[str, Any]:
    name = None if view.viewer is None else view.narrator.names[view.viewer]
    return {**turn(view), "title": _title(view), "languages": view.languages, "name": name, "forecasts": view.foretell}


def _title(view: TableView) -> str:
    """Return the title of the browser tab: whether it is the viewer's turn, and the game."""
    to_move = view.menu is not None or view.puzzle is not None
    game = view.narrator.title()
    return _say(view.words, "title.turn", title=game) if to_move else game


def _kind(view: TableView) -> str:
    return "spectator" if view.viewer is None else "seated"


# ---- joining and hosting -------------------------------------------------------------------------------------------


def join_page(
    words: Translator, title: str, action: str, places: Sequence[FreeSeat], watch: bool,
    languages: Sequence[tuple[str, str]], name: str = "", problem: str = "", host: bool = False,
) -> str:  # fmt: skip
    """Return the page of an invitation: a form with `seat` (a number, or `watch`), `name` and `lang`, sent to `action`.

    `places` are the seats of the invitation: one, all of the table, or none for watching only. `watch` allows watching.
    `problem` is an error message. With `host`, the invitation is for the host and asks for no seat.
    """
    free = [place for place in places if place.free]
    own = [p for p in free if p.own] or [p for p in free if p.name.casefold() == name.casefold()]
    suggested = own or [p for p in free if not p.played or len(free) == 1]
    # Seats of others that have already played are chosen deliberately.
    first = suggested[0].seat if suggested else None if free else "watch"
    return _page(
        "join.html", words, title=title, action=action, places=places, watch=watch, languages=languages, name=name,
        problem=problem, host=host, first=first,
    )  # fmt: skip


def lobby_page(
    words: Translator, tables: Sequence[HostedTable], games: Sequence[GameChoice], saves: Sequence[SaveRow],
    levels: Sequence[tuple[str, str]], scheme: str = "auto", problem: str = "",
) -> str:  # fmt: skip
    """Return the lobby of the host: tables with links, games, and saves; `levels` are kinds of bots with names."""
    kinds = {seat.kind: "" for table in tables for seat in table.seats} | {
        "human": _say(words, "human"),
        **dict(levels),
    }
    return _page(
        "lobby.html", words, scheme, title=_say(words, "lobby.title"), tables=tables, games=games, saves=saves,
        levels=levels, problem=problem, kinds=kinds,
    )  # fmt: skip


def new_page(
    words: Translator, game: GameChoice, seats: Sequence[SeatRow], settings: Sequence[SettingField],
    scheme: str = "auto", problem: str = "", lesson: bool = False,
) -> str:  # fmt: skip
    """Return the form for a new table, sent to `/tables`.

    Its fields are `game`, `kind-0`, `name-0` … for each seat, and the settings; or `learn` for a guided first game, if
    there is a `lesson`.
    """
    return _page(
        "choosing.html", words, scheme, title=game.title, game=game, seats=seats, settings=settings, problem=problem,
        lesson=lesson,
    )  # fmt: skip


def message_page(
    words: Translator, title: str, lines: Sequence[str] = (), link: str = "", link_text: str = "", scheme: str = "auto"
) -> str:
    """Return a page with a message, and optionally a link."""
    return _page("message.html", words, scheme, title=title, lines=lines, link=link, link_text=link_text or title)
