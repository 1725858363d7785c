"""Parts of a game that a variant can change, shown by `wongar games GAME`."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from wongar_dsl.base.storage.files import relative_path
from wongar_dsl.engine import library
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.library.game_ids import folder_above_own, rule_files_in, rule_files_in_own_folders
from wongar_dsl.language.variants.scaffold import DeckTunables, TrackTunables, changes, tunables_of
from wongar_dsl.nlg.words import Text, Translator

from ..language import cache
from ..load_game import neighbours, open_game, words_for
from ..terminal.screen import Screen, columns
from .games import game_line


def show(name: str, screen: Screen, words: Translator) -> None:
    """Print the options, tables, decks, tracks and choices of a game that a variant can change, and its variants."""
    opened = open_game(name, words)
    words, rules = opened.words, opened.rules
    screen.text(game_line(rules, words), "strong")
    tunables = tunables_of(rules.model.merged)
    options = []
    for option in tunables.options:
        low, high = option.range or (0, 0)
        span = words.say("cli.games.range", low=low, high=high) if option.range is not None else ""
        if option.value in ("yes", "no"):
            span = words.chain(("yes", "no"))
        options.append((option.name, option.value, span))
    _section(screen, words.say("cli.games.options"), columns(options, words))
    tables = (columns([(table.name, *table.columns), *table.rows], words) for table in tunables.tables)
    _section(screen, words.say("cli.games.tables"), _blocks(tables))
    _section(screen, words.say("cli.games.decks"), _blocks(_deck(deck, words) for deck in tunables.decks))
    _section(screen, words.say("cli.games.tracks"), _blocks(_track(track, words) for track in tunables.tracks))
    choices = [(choice.name, " ".join(choice.options)) for choice in tunables.choices]
    _section(screen, words.say("cli.games.choices"), columns(choices, words))
    variants = (
        _variant(variant_name, variant, _base(variant, rules), words)
        for variant_name, variant in _variants(name, rules)
    )
    _section(screen, words.say("cli.games.variants"), _blocks(variants))


def _deck(deck: DeckTunables, words: Translator) -> list[str]:
    """Return the lines that list a deck with its cards."""
    many = sum(n for n, _ in deck.copies)
    head = words.say("cli.games.deck", deck=Text(deck.name), cards=Text(deck.cards), n=many)
    return [head, *(f"  {line}" for line in columns([(str(n), face) for n, face in deck.copies], words))]


def _track(track: TrackTunables, words: Translator) -> list[str]:
    """Return the lines that list a track with its sections."""
    many = sum(n for n, _ in track.phases)
    head = words.say("cli.games.track", track=Text(track.name), n=many)
    return [head, *(f"  {line}" for line in columns([(str(n), phase) for n, phase in track.phases], words))]


def _base(variant: Rules, rules: Rules) -> Rules:
    """Return the rules that a variant is compared with: its built-in base if there is one, otherwise `rules`."""
    names = variant.model.merged.names[:-1]
    chains = ("/".join(names[:end]) for end in range(len(names), 0, -1))
    base_name = next((chain for chain in chains if chain in library.builtin_names()), None)
    return library.load(base_name, cache()) if base_name is not None else rules


def _variant(name: str, rules: Rules, base: Rules, words: Translator) -> list[str]:
    """Return the lines about a variant: title, the most important differences, and the declarations it changes."""
    # Imported here because the list of games does not need them.
    from wongar_dsl.nlg.prose.render.differences import differences, number_of_changes

    from .diff import rulebook_reading, summary_of_changes

    variant_words = words_for(rules, words)
    parts = list(differences(rulebook_reading(base, variant_words), rulebook_reading(rules, variant_words)))
    summary_lines = summary_of_changes(parts, variant_words)
    omitted = number_of_changes(parts) - len(summary_lines)
    if summary_lines and omitted > 0:
        command = Text(shlex.join(["wongar", "diff", base.name, name]))
        summary_lines.append(variant_words.say("cli.games.more", n=omitted, command=command))
    # A variant may change only the number of players, or the age, which belong to no declaration.
    if changed := changes(rules.model.merged):
        summary_lines.append(variant_words.say("cli.games.changes", things=Text(variant_words.chain(changed))))
    return [f"{name}  {game_line(rules, variant_words)}", *(f"  {line}" for line in summary_lines)]


def _section(screen: Screen, heading: str, lines: Iterable[str]) -> None:
    """Print a heading with an empty line before it, and the indented lines; nothing if there are no lines."""
    shown = list(lines)
    if shown and heading:
        screen.line()
        screen.line([("strong", heading)])
    for line in shown:
        screen.text(f"  {line}" if line else "", indent="      ")


def _blocks(blocks: Iterable[list[str]]) -> list[str]:
    """Join blocks of lines with an empty line between them."""
    lines = [line for block in blocks for line in (*block, "")]
    return lines[:-1]


def _variants(name: str, rules: Rules) -> Iterator[tuple[str, Rules]]:
    """Yield the variants of a game: built-in ones, then those beside its files or, for a built-in game, in the current
    folder.
    """
    game = rules.model.merged.names[0]
    for variant in library.builtin_games().get(game, ()):
        yield f"{game}/{variant}", library.load(f"{game}/{variant}", cache())
    files = [Path(file) for file in library.resolved_pieces(name) if Path(file).is_absolute()]
    folders = [folder for file in files for folder in (file.parent, folder_above_own(file)) if folder is not None] or [
        Path()
    ]
    adjacent = (file for folder in folders for file in (*rule_files_in(folder), *rule_files_in_own_folders(folder)))
    for file, variant_rules in neighbours(dict.fromkeys(adjacent), cache()):
        names = variant_rules.model.merged.names if variant_rules is not None else ()
        if variant_rules is not None and len(names) > 1 and names[0] == game:
            yield relative_path(str(file)), variant_rules
