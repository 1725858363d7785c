"""`wongar play --from`: continue from the position of a save under other rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from wongar_dsl.engine import notation
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.library.game_ids import PLUS
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.engine.saves import SaveContents, SaveError, read_save
from wongar_dsl.nlg.narration import Narrator, illegal_move
from wongar_dsl.nlg.words import Listing, Text, Translator, quoted
from wongar_dsl.session.game_session import GameSession, reopen_save
from wongar_dsl.session.migrate_save import Incompatibility, IncompatibleSaveError, migrate
from wongar_dsl.session.seats import names_of

from .. import save_paths
from ..errors import USAGE, UserError
from ..language import cache
from ..load_game import OpenedGame, open_game, warn_slow_backend


def migrated_table(
    game: str | None,
    source: str,
    chosen_seats: Sequence[Seat] | None,
    options: Sequence[str],
    backend: str,
    path: Path | None,
    words: Translator,
) -> tuple[GameSession, list[str]]:
    """Return a session with the position of a save under other rules, and notes to show first.

    Without `game`, the current version of the save's own rules is used. Raises `UserError` and `SaveError`. The
    save is not changed.
    """
    place = save_paths.named_save(source, words)
    if path is not None and path.resolve() == place.resolve():
        raise UserError(words.say("cli.from.itself", path=quoted(str(place))), USAGE)
    saved = read_save(place)
    old = _old(place, backend)
    opened = open_game(game or (PLUS.join(saved.file.split("\n")) if saved.file else saved.game), words)
    words, rules = opened.words, opened.rules
    seats = tuple(chosen_seats) if chosen_seats is not None else saved.seats
    if len(seats) != len(saved.seats):
        raise UserError(words.say("cli.from.seats", n=len(saved.seats), given=len(seats)), USAGE)
    low, high = rules.model.players
    if not low <= len(seats) <= high:
        message = "cli.bad_number_of_seats" if low < high else "cli.from.other_number"
        raise UserError(words.say(message, n=len(seats), low=low, high=high))
    dealt = opened.create_game(len(seats), [*_inherited_settings(opened, saved, old, options), *options], backend)
    if backend == "native":
        warn_slow_backend(dealt, backend, words)
    try:
        match = migrate(dealt, rules.hash, saved, seats, old[1] if old is not None else None)
    except IncompatibleSaveError as error:
        explanation = [words.say("cli.from.misfit", path=quoted(str(place)))]
        narrator = Narrator(dealt, words, names_of(seats))
        explanation += [f"  {line}" for misfit in error.misfits for line in _misfit_lines(misfit, words, narrator)]
        raise UserError("\n".join(explanation)) from None
    session = GameSession(rules, match, words, opened.file, path or save_paths.new_file(dealt.name))
    return session, list(_notes(place, saved, old, match, words))


def _old(place: Path, backend: str) -> tuple[Rules, Match] | None:
    """Return the match of a save under its original rules, or None if they have changed or are missing.

    Raises `SaveError` for any other fault.
    """
    try:
        saved_game = reopen_save(place, backend, cache())
    except SaveError as error:
        if error.reason not in ("other_rules", "unknown_game"):
            raise
        return None
    return saved_game.rules, saved_game.match


def _inherited_settings(
    opened: OpenedGame, saved: SaveContents, old: tuple[Rules, Match] | None, options: Sequence[str]
) -> Iterator[str]:
    """Yield the non-default settings of the saved game that `options` does not override.

    Raises `UserError` if a setting no longer exists. Defaults may differ between old and new rules, so they are left to
    the new ones.
    """
    overridden = {text.partition("=")[0].strip() for text in options}
    for name, value in saved.settings.items():
        if old is None or name in overridden or value == old[0].model.settings[name][1]:
            continue
        if name not in opened.rules.model.settings:
            raise UserError(opened.words.say("cli.from.option_gone", option=quoted(name)))
        model = old[0].model
        yield f"{name}={notation.write_value(model, model.settings[name][0], value)}"


def _notes(
    place: Path, saved: SaveContents, old: tuple[Rules, Match] | None, match: Match, words: Translator
) -> Iterator[str]:
    """Yield the notes shown before the game continues: the source of the position, and changed settings."""
    yield words.say("cli.from.begun", n=len(saved.choices), path=quoted(str(place)))
    if old is None and saved.rules != match.rules_hash:
        yield words.say("cli.from.made_again")
    settings: Mapping[str, int] = match.game.settings
    model = match.game.model
    for name, value in saved.settings.items():
        if name in settings and settings[name] != value:
            kind = model.settings[name][0]
            before, now = (notation.write_value(model, kind, v) for v in (value, settings[name]))
            yield words.say("cli.from.option", option=quoted(name), before=Text(before), now=Text(now))


def _misfit_lines(misfit: Incompatibility, words: Translator, narrator: Narrator) -> Iterator[str]:
    """Yield the lines that explain why part of a save does not fit the new rules."""
    name, failure = Text(misfit.name), misfit.failure
    if failure is None:
        yield words.say(f"cli.from.{misfit.reason}", None, name=name, number=Text(str(misfit.number)))
        if misfit.illegal is not None and misfit.state is not None:
            yield from (f"  {line}" for line in illegal_move.explain(misfit.illegal, misfit.state, narrator))
        return
    arguments = failure.arguments
    match failure.code:
        case "cases.unknown_place":
            yield words.say("cli.from.place_gone", name=name)
        case "cases.unknown_value":
            yield words.say("cli.from.value_gone", name=name, value=Text(str(arguments["name"])))
        case "cases.too_many":
            yield words.say("cli.from.no_room", name=name, limit=Text(str(arguments["limit"])))
        case "cases.content":
            listings = {key: Listing(tuple(map(Text, v))) for key, v in arguments.items() if isinstance(v, tuple)}
            yield words.say("cli.from.not_the_same", name=name, was=listings["expected"], now=listings["found"])
        case _:
            yield words.say("cli.from.other_sort", name=name)
