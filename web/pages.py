"""HTML pages of a table, each rendered for one viewer in one language.

Every page works without a script: a menu is a form. The script fetches `table_part` when it is notified of a new
version, and replaces the old part of the page.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from wongar_dsl.narration.in_short import in_short
from wongar_dsl.narration.retelling import retold
from wongar_dsl.text.markup import Tag
from wongar_dsl.words import Text, Value, Words

from . import assets
from .replaying import replayed
from .turn import turn
from .viewing import Choosing, Joining, Lobby, Viewing

#: The space between a word and a short number after it.
_NUMBERED = re.compile(r"(?<=\w) (?=\d{1,3}(?!\w))")


@dataclass(frozen=True)
class Paragraph:
    """A paragraph or heading of a text page."""

    text: str
    heading: bool


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["drawn"] = drawn
    environment.filters["kept"] = kept
    return environment


def drawn(picture: Tag) -> Markup:
    """Return a picture as markup; elements escape their own contents."""
    return Markup(str(picture))


def kept(text: str) -> str:
    """Replace spaces before short numbers by no-break spaces, so that *place 1* stays together."""
    return _NUMBERED.sub("\u00a0", text)


def _said(words: Words, message: str, **arguments: object) -> str:
    """Return a message of the web catalog with texts and numbers filled in."""
    values: dict[str, Value] = {}
    for name, value in arguments.items():
        values[name] = Text(value) if isinstance(value, str) else value  # type: ignore[assignment]
    return words.say(f"web.{message}", None, **values)


def _page(template: str, words: Words, scheme: str = "auto", **values: Any) -> str:
    """Render a template; every page has the language and its messages available."""
    return (
        _templates()
        .get_template(template)
        .render(
            {
                "t": partial(_said, words),
                "lang": words.language.replace("_", "-"),
                "dir": "rtl" if words.right_to_left else "ltr",
                "scheme": scheme,
                "file": assets.address,
                "made": assets.all_of_them(),
                "kind": "page",
                "once": secrets.token_urlsafe(9),
                **values,
            }
        )
    )


# ---- table ---------------------------------------------------------------------------------------------------------


def table_page(v: Viewing) -> str:
    """Return the complete page of a table for a viewer."""
    return _page("table.html", v.words, v.scheme, **_table(v), kind=_kind(v))


def table_part(v: Viewing) -> str:
    """Return the part of the page that changes, as a replacement for the old one."""
    return _page("part.html", v.words, v.scheme, **_table(v))


def story_page(v: Viewing) -> str:
    """Return the whole log as the viewer knows it."""
    lines = retold(v.narrator, v.table.match, v.viewer)
    return _page("story.html", v.words, v.scheme, key=v.key, title=_said(v.words, "story"), lines=lines)


def rules_page(v: Viewing) -> str:
    """Return a summary of the rules."""
    lines = [Paragraph(p.text, p.style == "strong") for p in in_short(v.table.match.game, v.words)]
    return _page("story.html", v.words, v.scheme, key=v.key, title=v.narrator.title(), lines=lines)


def replay_page(v: Viewing, number: int, everything: bool) -> str:
    """Return a step of a finished game; `everything` shows hidden information too."""
    values = replayed(v, number, everything)
    return _page("replay.html", v.words, v.scheme, **values, title=values["game"], kind=_kind(v))


def _table(v: Viewing) -> dict[str, Any]:
    name = None if v.viewer is None else v.narrator.names[v.viewer]
    return {**turn(v), "title": _title(v), "languages": v.languages, "name": name, "forecasts": v.foretell}


def _title(v: Viewing) -> str:
    """Return the title of the browser tab: whether it is the viewer's turn, and the game."""
    to_move = v.menu is not None or v.puzzle is not None
    game = v.narrator.title()
    return _said(v.words, "title.turn", title=game) if to_move else game


def _kind(v: Viewing) -> str:
    return "spectator" if v.viewer is None else "seated"


# ---- joining and hosting -------------------------------------------------------------------------------------------


def join_page(j: Joining) -> str:
    """Return the page of an invitation."""
    first = next((place.seat for place in sorted(j.places, key=lambda place: not place.own) if place.free), None)
    return _page("join.html", j.words, title=j.title, j=j, first=first)


def lobby_page(lobby: Lobby) -> str:
    """Return the lobby of the host: tables with links, games, and saves."""
    kinds = {seat.kind: "" for table in lobby.tables for seat in table.seats}
    kinds |= {"human": _said(lobby.words, "human"), **dict(lobby.levels)}
    return _page("lobby.html", lobby.words, lobby.scheme, title=_said(lobby.words, "lobby.title"), l=lobby, kinds=kinds)


def new_page(c: Choosing) -> str:
    """Return the form for seats and settings of a new table."""
    return _page("choosing.html", c.words, c.scheme, title=c.game.title, c=c)


def message_page(
    words: Words, title: str, lines: Sequence[str] = (), link: str = "", link_text: str = "", scheme: str = "auto"
) -> str:
    """Return a page with a message, and optionally a link."""
    return _page("message.html", words, scheme, title=title, lines=lines, link=link, link_text=link_text or title)
