"""`wongar games`: what can be played, and what of a game a variant can change."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wongar_dsl.words import Text, Words

from .options import game_argument

if TYPE_CHECKING:
    from wongar_dsl.library import Rules
    from wongar_dsl.variants.contents import DeckContents, TrackContents

    from ..terminal.screen import Screen


def command(words: Words) -> click.Command:
    """The click command."""

    def run(game: str | None) -> int:
        from ..terminal.screen import Screen

        screen = Screen()
        if game is not None:
            show(game, screen, words)
            return 0
        for name, text in listing(words):
            screen.line([("strong", words.pad(name, 24)), ("", f"  {text}")])
        return 0

    return click.Command(
        "games", callback=run, help=words.say("cli.games.help"), params=[game_argument(words, required=False)]
    )


def listing(words: Words) -> list[tuple[str, str]]:
    """The names of all games and variants, with what they are called and for how many they are."""
    from wongar_dsl import library

    from ..cache import cache

    return [(name, about(library.load(name, cache()), words)) for name in library.shipped_names()]


def about(rules: Rules, words: Words) -> str:
    """What a game is called, and for how many it is."""
    from wongar_dsl.narration.narrator import title

    low, high = rules.model.players
    many = words.say("cli.players.exact", n=low) if low == high else words.say("cli.players", low=low, high=high)
    return words.chain((title(words, rules.name), many))


def show(name: str, screen: Screen, words: Words) -> None:
    """What of a game a variant can change: options, tables, decks, tracks, choices; and which variants there are."""
    from wongar_dsl.variants.contents import contents

    from ..opening import opening

    opened = opening(name, words)
    words, rules = opened.words, opened.rules
    screen.text(about(rules, words), "strong")
    found = contents(rules.model.merged)
    options = []
    for option in found.options:
        low, high = option.range or (0, 0)
        span = words.say("cli.games.range", low=low, high=high) if option.range is not None else ""
        if option.value in ("yes", "no"):
            span = words.chain(("yes", "no"))
        options.append((option.name, option.value, span))
    _section(screen, words.say("cli.games.options"), _columns(options, words))
    tables = (_columns([(table.name, *table.columns), *table.rows], words) for table in found.tables)
    _section(screen, words.say("cli.games.tables"), _blocks(tables))
    _section(screen, words.say("cli.games.decks"), _blocks(_deck(deck, words) for deck in found.decks))
    _section(screen, words.say("cli.games.tracks"), _blocks(_track(track, words) for track in found.tracks))
    choices = [(choice.name, " ".join(choice.options)) for choice in found.choices]
    _section(screen, words.say("cli.games.choices"), _columns(choices, words))
    variants = (_variant(known, variant, _base(variant, rules), words) for known, variant in _variants(name, rules))
    _section(screen, words.say("cli.games.variants"), _blocks(variants))


def _deck(deck: DeckContents, words: Words) -> list[str]:
    """A deck with its cards."""
    many = sum(n for n, _ in deck.copies)
    head = words.say("cli.games.deck", deck=Text(deck.name), cards=Text(deck.cards), n=many)
    return [head, *(f"  {line}" for line in _columns([(str(n), face) for n, face in deck.copies], words))]


def _track(track: TrackContents, words: Words) -> list[str]:
    """A track with its stretches."""
    many = sum(n for n, _ in track.stretches)
    head = words.say("cli.games.track", track=Text(track.name), n=many)
    return [head, *(f"  {line}" for line in _columns([(str(n), phase) for n, phase in track.stretches], words))]


def _base(variant: Rules, rules: Rules) -> Rules:
    """What a variant is one of: what comes with the program, else the rules that are shown."""
    from wongar_dsl import library

    from ..cache import cache

    names = variant.model.merged.names[:-1]
    chains = ("/".join(names[:end]) for end in range(len(names), 0, -1))
    known = next((chain for chain in chains if chain in library.shipped_names()), None)
    return library.load(known, cache()) if known is not None else rules


def _variant(name: str, rules: Rules, base: Rules, words: Words) -> list[str]:
    """A variant with what it is called, a sentence or two of what it does, and the articles that it changes."""
    from wongar_dsl.prose.differences import differences
    from wongar_dsl.prose.summary import number_of_changes
    from wongar_dsl.variants.contents import changes

    from ..differing import in_short, reading
    from ..opening import words_for

    own = words_for(rules, words)
    parts = list(differences(reading(base, own), reading(rules, own)))
    told = in_short(parts, own)
    more = number_of_changes(parts) - len(told)
    if told and more > 0:
        command = Text(shlex.join(["wongar", "diff", base.name, name]))
        told.append(own.say("cli.games.more", n=more, command=command))
    things = own.chain(changes(rules.model.merged))
    return [
        f"{name}  {about(rules, own)}",
        *(f"  {line}" for line in (*told, own.say("cli.games.changes", things=Text(things)))),
    ]


def _section(screen: Screen, heading: str, lines: Iterable[str]) -> None:
    """A heading with a free line above it, and lines below it; nothing where there is nothing to say."""
    shown = list(lines)
    if shown and heading:
        screen.line()
        screen.line([("strong", heading)])
    for line in shown:
        screen.text(f"  {line}" if line else "", indent="      ")


def _columns(rows: Iterable[tuple[str, ...]], words: Words) -> list[str]:
    """Rows with their cells below each other."""
    cells = [(row[0], *row[1:]) for row in rows]
    most = max(map(len, cells), default=0)
    widths = [max((words.width(row[at]) for row in cells if at < len(row)), default=0) for at in range(most)]
    return [
        "  ".join(words.pad(cell, width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in cells
    ]


def _blocks(blocks: Iterable[list[str]]) -> list[str]:
    """The lines of several blocks, with a free line between them."""
    lines = [line for block in blocks for line in (*block, "")]
    return lines[:-1]


def _variants(name: str, rules: Rules) -> Iterator[tuple[str, Rules]]:
    """The variants of a game: those that come with the program, then those that lie beside it, or here."""
    from wongar_dsl import library
    from wongar_dsl.library.naming import rule_files_in, shelf_of, with_own_folders
    from wongar_dsl.text.files import path_from_here

    from ..cache import cache
    from ..opening import neighbours

    game = rules.model.merged.names[0]
    for known in library.shipped().get(game, ()):
        yield f"{game}/{known}", library.load(f"{game}/{known}", cache())
    files = [Path(file) for file in library.located(name) if Path(file).is_absolute()]
    own = [folder for file in files for folder in (file.parent, shelf_of(file)) if folder is not None] or [Path()]
    beside = (file for folder in own for file in (*rule_files_in(folder), *with_own_folders(folder)))
    for file, found in neighbours(dict.fromkeys(beside), cache()):
        names = found.model.merged.names if found is not None else ()
        if found is not None and len(names) > 1 and names[0] == game:
            yield path_from_here(str(file)), found
