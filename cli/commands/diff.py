"""`wongar diff`: the differences between two games, in words, under the headings of the rulebook."""

from __future__ import annotations

from collections.abc import Sequence

from wongar_dsl.engine import Game, State
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.match import Seat
from wongar_dsl.lab.histories import GAMES, Divergence, first_divergence
from wongar_dsl.nlg.diagnostic_text import render_text
from wongar_dsl.nlg.narration.excerpts import read_rulebook
from wongar_dsl.nlg.narration.narrator import Narrator
from wongar_dsl.nlg.prose.render.differences import (
    MAX_SENTENCES,
    ChangedSection,
    differences,
    number_of_changes,
    summary,
)
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Text, Translator
from wongar_dsl.session.ending import points_by_origin
from wongar_dsl.session.seats import names_of

from ..errors import SUCCESS
from ..load_game import OpenedGame, open_game
from ..play.ending import scores
from ..terminal.screen import Screen, terminal_width

#: With more than this many changes, the most important ones are listed first; maximum number of those.
MAX_UNSUMMARISED, MAX_SUMMARISED = 20, 5


def diff_command(words: Translator, one: str, other: str, players: int | None, position: bool, seed: int) -> int:
    """Run `wongar diff`."""
    screen = Screen()
    first, second = open_game(one, words), open_game(other, words)
    old, new = (rulebook_reading(opened.rules, opened.words, players) for opened in (first, second))
    screen.text(words.say("diff.title", one=Text(old.title), other=Text(new.title)), "strong")
    parts = list(differences(old, new))
    if number_of_changes(parts) > MAX_UNSUMMARISED and all(part.key != "short" for part, _ in summary(parts)):
        # Otherwise the author's own summary comes first anyway.
        screen.text("")
        screen.text(words.say("diff.in_short"), "strong")
        for line in summary_of_changes(parts, words, MAX_SUMMARISED):
            screen.text(line, indent="  ")
    for part in parts:
        screen.text("")
        show_part(part, screen, words)
    if not parts:
        screen.text(words.say("diff.none"))
    # Only warnings about the course of the game (R04..) are a difference between games.
    if warnings := [w for w in second.rules.warnings if w.code.startswith("R04") and w not in first.rules.warnings]:
        screen.text("")
        screen.stream.write(render_text(warnings, words.say, terminal_width(), total=False) + "\n")
    if position:
        screen.text("")

        show_divergence(screen, first, second, players, seed, words)
    screen.stream.flush()
    return SUCCESS


#: Prefix of a line by sort of change, and its style where the terminal has colours.
MARKS = {
    "new": ("+ ", "number"),
    "gone": ("- ", "faint"),
    "changed": ("~ ", "number"),
    "moved": ("> ", ""),
    "kept": ("  ", "faint"),
}


def rulebook_reading(rules: Rules, words: Translator, players: int | None = None) -> RealisedRulebook:
    """Return the rulebook of a game in a language, for any number of players or for one."""
    return read_rulebook(rules.model, words, rules.name, players)


def summary_of_changes(parts: Sequence[ChangedSection], words: Translator, most: int = MAX_SENTENCES) -> list[str]:
    """Return the most important changes, each about a sentence with its heading."""
    lines = []
    for part, change in summary(parts, most):
        heading, sentence = Text(part.heading), Text(change.alone or change.text)
        removed = change.sort == "gone"
        lines.append(words.say("cli.games.gone" if removed else "cli.games.now", heading=heading, sentence=sentence))
    return lines


def show_part(part: ChangedSection, screen: Screen, words: Translator) -> None:
    """Print the differences under one heading.

    The origin of moved lines is printed above the first of them.
    """
    heading = Text(part.heading)
    screen.text(words.say(f"diff.{part.whole}", heading=heading) if part.whole else part.heading, "strong")
    source = ""
    for change in part.changes:
        mark, style = MARKS[change.sort]
        sign = mark + "  " * change.depth
        if change.source and change.source != source:
            screen.text(sign + words.say("diff.moved", heading=Text(change.source)), "faint", " " * len(sign))
        source = change.source
        screen.text(sign + change.text, style, " " * len(sign))


#: Number of previous choices shown.
LAST_CHOICES = 5


def show_divergence(
    screen: Screen, one: OpenedGame, other: OpenedGame, players: int | None, seed: int, words: Translator
) -> None:
    """Print the position, the choices that lead to it, and the options in each of the two games."""
    say = words.say
    games = [opened.create_game(players, (), "python") for opened in (one, other)]
    divergence = first_divergence(games[0], games[1], seed)
    if divergence is None:
        screen.text(say("diff.position.none", n=GAMES))
        return
    screen.text(say("diff.position", n=len(divergence.moves), seed=Text(str(divergence.seed))), "strong")
    if divergence.moves:
        screen.text(say("diff.position.last", moves=Text(words.apart(_last_choices(one, games[0], divergence)))))
    counted = divergence.one.scores != divergence.other.scores
    for opened, state in ((one, divergence.one), (other, divergence.other)):
        screen.text("")
        _show_options(screen, opened, state, counted)


def _last_choices(opened: OpenedGame, game: Game, found: Divergence) -> list[str]:
    """Return the last choices before the position, each with the player and the text of the option."""
    narrator = Narrator(game, opened.words, names_of([Seat("random")] * game.program.seats))
    state, _ = game.start(found.seed)
    lines = []
    for index, written in enumerate(found.moves):
        move = state.read(written)
        if index >= len(found.moves) - LAST_CHOICES:
            shown = Text(narrator.option(state, move))
            lines.append(opened.words.say("diff.row", row=Text(narrator.names[state.seat]), cells=shown))
        state.apply(move)
    return lines


def _show_options(screen: Screen, opened: OpenedGame, state: State, counted: bool) -> None:
    """Print the options, or the winners; with `counted`, also the points, because these differ."""
    names = names_of([Seat("random")] * state.game.program.seats)
    narrator = Narrator(state.game, opened.words, names)
    screen.text(narrator.title(), "strong")
    if state.over:
        screen.text(narrator.ending(state.winners))
    else:
        screen.text(narrator.prompt(state))
        for move in state.legal_moves():
            screen.text(f"  {narrator.option(state, move)}", indent="    ")
    if counted:
        screen.lines(scores(narrator, points_by_origin(narrator, state), state.winners, screen.width))
