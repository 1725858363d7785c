"""`wongar words`: completeness and errors of a translation, previews of messages, and updates of its files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from wongar_dsl.base.diagnostics import Diagnostic
from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.storage.files import relative_path
from wongar_dsl.engine import Game, library
from wongar_dsl.nlg.diagnostic_text import advice, message
from wongar_dsl.nlg.translation import (
    MessageInventory,
    known_messages,
    language_faults,
    messages_of,
    missing_texts,
    preview,
    state_of,
    sync_catalog,
    words_fault,
)
from wongar_dsl.nlg.words import Text, Translator, WordsError, available, builtin_folder, quoted
from wongar_dsl.nlg.words.catalog_check import LintFinding
from wongar_dsl.nlg.words.languages import Root, is_code

from ..errors import FAILURE, SUCCESS, USAGE, UserError, write_error
from ..language import cache, language_folders, languages, user_folder
from ..load_game import games_in
from ..terminal.screen import echo


def words_command(words: Translator, language: str | None, game: str | None, message: str | None, renew: bool) -> int:
    """Run `wongar words`."""
    chosen = language or words.language
    # A new language is created by its first `--update`.
    if not (is_code(chosen) if renew else chosen in available(language_folders())):
        unknown = words.say("words.unknown_language", language=quoted(chosen), available=languages())
        raise UserError(f"{unknown} {words.say('words.do.language')}", USAGE)
    games = [*_games(game)]
    beside = library.load(game, cache()).words_beside if game is not None else []
    # Message names are scoped in the catalogs beside a rule file.
    inventory = MessageInventory.collect(games, scoped=bool(beside) and not renew)
    if renew:
        _update(words, chosen, inventory)
        return SUCCESS
    if message:
        return _say(words, chosen, message, inventory, [*language_folders(), *beside])
    return _check(words, chosen, games, game, inventory, beside)


def _games(name: str | None) -> Iterator[Game]:

    # Texts of variants are in the catalog of their base.
    every = library.builtin_names()
    for chain in [name, *(game for game in every if game.startswith(f"{name}/"))] if name else every:
        rules = library.load(chain, cache())
        yield rules.game(rules.model.players[0], cache=cache())


def _check(
    words: Translator, language: str, games: Sequence[Game], name: str | None, inventory: MessageInventory,
    beside: Sequence[Root],
) -> int:  # fmt: skip
    """Report completeness and errors of a language, or of the catalogs `beside` a rule file; return the exit code."""
    if beside:
        game, roots, wrong = games[0], [*language_folders(), *beside], list[LintFinding]()
        for folder in (root for root in beside if isinstance(root, Path)):
            others, complete = games_in(folder.parent)
            wrong += language_faults([game, *others], folder, [language], roots, complete)
        lacks = missing_texts(game, roots, even_if_wordless=True, asked=[language])
        for diagnosed in (lack.diagnostic for lack in lacks):
            span = diagnosed.span
            _print_finding(words, diagnosed, *(("", 0) if span is None else (span.source.name, span.line)))
        total, incomplete = sum(sentence.needed for sentence in messages_of(game)), len(lacks)
        done = total - sum(lack.message is not None for lack in lacks)
    else:
        state = state_of(language, inventory, language_folders(), games[0].model.name if name is not None else None)
        for finding in state.incomplete:
            _print_finding(words, words_fault(finding), finding.file, finding.line)
        total, done, incomplete, wrong = state.all, state.done, len(state.incomplete), [*state.wrong]
    for finding in wrong:
        _print_finding(words, words_fault(finding), finding.file, finding.line)
    counts = {"done": done, "all": total, "incomplete": incomplete, "wrong": len(wrong)}
    echo(words.say("cli.words.counts", None, language=Text(language), **counts))
    return FAILURE if wrong else SUCCESS


def _print_finding(words: Translator, found: Diagnostic, file: str, line: int) -> None:
    """Print a finding with its file and line, and the advice below it."""
    place = ":".join(filter(None, (relative_path(file), str(line or "")))) + ": " if file else ""
    echo(f"{place}{message(found, words.say)}")
    echo(f"    {advice(found, words.say)}")


def _say(words: Translator, language: str, name: str, inventory: MessageInventory, roots: Sequence[Root]) -> int:
    messages = known_messages(inventory)
    if name not in messages:
        near = did_you_mean(name, messages)
        advice = " " + words.capital(words.say("report.suggestion", name=Text(near))) if near else ""
        raise UserError(words.say("cli.words.no_message", message=quoted(name)) + advice, USAGE)
    results = list(preview(language, name, inventory, roots))
    if not results:
        raise UserError(words.say("words.untranslated", message=quoted(name), where=Text(language)))
    for result in results:
        echo(words.say(result.name, None, **result.details) if isinstance(result, WordsError) else result)
    return FAILURE if any(isinstance(result, WordsError) for result in results) else SUCCESS


def _update(words: Translator, language: str, inventory: MessageInventory) -> None:
    folder = _folder(language)
    try:
        for done in sync_catalog(folder, language, inventory):
            counts = {"new": done.new, "changed": done.changed, "gone": done.gone}
            echo(words.say("cli.words.updated", None, path=quoted(str(done.file)), **counts))
    except OSError as error:
        raise write_error(folder, error, words) from None


def _folder(language: str) -> Path:
    """Return the folder to write a language to.

    It is the folder that has the language already, otherwise the last folder named, otherwise the user's own.
    """
    places = [*reversed(language_folders()), *(root for root in [builtin_folder()] if isinstance(root, Path))]
    existing = next((place / language for place in places if (place / language).is_dir()), None)
    return existing or (language_folders() or [user_folder()])[-1] / language
