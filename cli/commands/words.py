"""`wongar words`: how far is a language, what is wrong with it, and how does a sentence sound?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wongar_dsl.text.files import path_from_here
from wongar_dsl.words import Text, Words, WordsError, available, quoted, shipped

from ..cache import cache
from ..errors import Refusal
from ..language import folders, languages, user_folder
from ..saves import not_written
from ..terminal.screen import echo
from .options import text_option

if TYPE_CHECKING:
    from wongar_dsl.engine import Game
    from wongar_dsl.narration.translation import Sayings
    from wongar_dsl.text.diagnostics import Diagnostic
    from wongar_dsl.words.files import Root


def command(words: Words) -> click.Command:
    """The click command."""
    say = words.say

    def run(language: str | None, game: str | None, message: str | None, renew: bool) -> int:
        from wongar_dsl import library
        from wongar_dsl.narration.translation import Sayings
        from wongar_dsl.words.negotiation import is_code

        chosen = language or words.language
        # A language begins with its first `--update`.
        if not (is_code(chosen) if renew else chosen in available(folders())):
            unknown = say("words.unknown_language", language=quoted(chosen), available=languages())
            raise Refusal(f"{unknown} {say('words.do.language')}", 2)
        games = [*_games(game)]
        beside = library.load(game, cache()).words_beside if game is not None else []
        # Beside a rule file the words of a variant have names of their own.
        said = Sayings.of(games, scoped=bool(beside) and not renew)
        try:
            if renew:
                _update(words, chosen, said)
                return 0
            if message:
                return _say(words, chosen, message, said, [*folders(), *beside])
            if beside:
                return _check_beside(words, chosen, games[0], beside)
            return _check(words, chosen, games[0].model.name if game is not None else None, said)
        except WordsError as error:
            raise Refusal(say(error.name, None, **error.details)) from None

    return click.Command(
        "words",
        callback=run,
        help=say("cli.words.help"),
        params=[
            click.Argument(["language"], required=False, metavar=f"[{say('cli.words.metavar')}]"),
            text_option(words, ["--game"], "cli.game.metavar", "cli.words.game.help"),
            text_option(words, ["--say", "message"], "cli.message.metavar", "cli.words.say.help"),
            click.Option(["--update", "renew"], is_flag=True, help=say("cli.words.update.help")),
        ],
    )


def _games(name: str | None) -> Iterator[Game]:
    from wongar_dsl import library

    # What only a variant says stands among the words of its base.
    every = library.shipped_names()
    for found in [name, *(game for game in every if game.startswith(f"{name}/"))] if name else every:
        rules = library.load(found, cache())
        yield rules.game(rules.model.players[0], cache=cache())


def _check(words: Words, language: str, game: str | None, said: Sayings) -> int:
    from wongar_dsl.narration.catalog_faults import diagnostic
    from wongar_dsl.narration.translation import state_of

    state = state_of(language, said, folders(), game)
    for finding in (*state.incomplete, *state.wrong):
        _tell(words, diagnostic(finding), finding.file, finding.line)
    _count(words, language, state.done, state.all, len(state.incomplete), len(state.wrong))
    return int(bool(state.wrong))


def _check_beside(words: Words, language: str, game: Game, beside: Sequence[Root]) -> int:
    """How far the words beside a rule file are, and what is wrong with them."""
    from wongar_dsl.narration.catalog_faults import diagnostic, wrong_in
    from wongar_dsl.narration.messages import messages_of
    from wongar_dsl.narration.untranslated import lacking

    from .validate import games_in

    roots, wrong = [*folders(), *beside], []
    for folder in (root for root in beside if isinstance(root, Path)):
        others, complete = games_in(folder.parent)
        found = wrong_in([game, *others], folder, [language], roots)
        wrong += [finding for finding in found if complete or not finding.unused]
    lacks = lacking(game, roots, even_if_wordless=True, asked=[language])
    for diagnosed in (lack.diagnostic for lack in lacks):
        span = diagnosed.span
        _tell(words, diagnosed, span.source.name if span is not None else "", span.line if span is not None else 0)
    for finding in wrong:
        _tell(words, diagnostic(finding), finding.file, finding.line)
    every = sum(said.needed for said in messages_of(game))
    unsaid = sum(lack.message is not None for lack in lacks)
    _count(words, language, every - unsaid, every, len(lacks), len(wrong))
    return int(bool(wrong))


def _tell(words: Words, found: Diagnostic, file: str, line: int) -> None:
    """What was found, with the file and line that it is about, and below it what to do."""
    from wongar_dsl.narration.diagnostics import advice, message

    place = ":".join(filter(None, (path_from_here(file), str(line or "")))) + ": " if file else ""
    echo(f"{place}{message(found, words.say)}")
    echo(f"    {advice(found, words.say)}")


def _count(words: Words, language: str, done: int, every: int, incomplete: int, wrong: int) -> None:
    """How many sentences are there, and how much is left to do."""
    counts = {"done": done, "all": every, "incomplete": incomplete, "wrong": wrong}
    echo(words.say("cli.words.counts", None, language=Text(language), **counts))


def _say(words: Words, language: str, name: str, said: Sayings, roots: Sequence[Root]) -> int:
    from wongar_dsl.narration.translation import messages_known, preview
    from wongar_dsl.text.suggest import did_you_mean

    known = messages_known(said)
    if name not in known:
        near = did_you_mean(name, known)
        advice = " " + words.capital(words.say("report.suggestion", name=Text(near))) if near else ""
        raise Refusal(words.say("cli.words.no_message", message=quoted(name)) + advice, 2)
    results = list(preview(language, name, said, roots))
    if not results:
        raise Refusal(words.say("words.untranslated", message=quoted(name), where=Text(language)))
    for result in results:
        echo(words.say(result.name, None, **result.details) if isinstance(result, WordsError) else result)
    return int(any(isinstance(result, WordsError) for result in results))


def _update(words: Words, language: str, said: Sayings) -> None:
    from wongar_dsl.narration.translation import bring_up_to_date

    folder = _folder(language)
    try:
        for done in bring_up_to_date(folder, language, said):
            counts = {"new": done.new, "changed": done.changed, "gone": done.gone}
            echo(words.say("cli.words.updated", None, path=quoted(str(done.file)), **counts))
    except OSError as error:
        raise not_written(folder, error, words) from None


def _folder(language: str) -> Path:
    """Where a language is written: where it is already, else in the folder that was named, else in the user's own."""
    places = [*reversed(folders()), *(root for root in [shipped()] if isinstance(root, Path))]
    there = next((place / language for place in places if (place / language).is_dir()), None)
    return there or (folders() or [user_folder()])[-1] / language
