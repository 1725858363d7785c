"""`wongar rulebook`: the rulebook of a game, generated from its executable rules."""

from __future__ import annotations

import importlib
import logging
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

from wongar_dsl.engine import PlayFault
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.match import Match, Seat
from wongar_dsl.nlg.narration import Narrator
from wongar_dsl.nlg.narration.examples import WorkedExample
from wongar_dsl.nlg.narration.excerpts import Style, markdown, read_rulebook
from wongar_dsl.nlg.prose.document.short_rules import section_of
from wongar_dsl.nlg.prose.render.realised_rulebook import ExampleText, RealisedRulebook, render_text
from wongar_dsl.nlg.words import Text, Translator
from wongar_dsl.render.position_svg.excerpt import Excerpt
from wongar_dsl.render.rulebook_page import page
from wongar_dsl.session.scene import Scene
from wongar_dsl.session.seats import check_seats, letters_of, names_of

from ..errors import SUCCESS, USAGE, UserError
from ..language import cache, load_unfiltered
from ..load_game import open_game
from ..terminal.screen import Screen, echo, echo_file

#: Seed of the set-up in the picture, and its maximum number of moves.
SETUP_SEED, MAX_SETUP_MOVES = 1, 1_000
#: Maximum processor time for telling examples, in seconds.
MAX_EXAMPLES_CPU_S = 10


def rulebook_command(words: Translator, game: str, form: str, style: Style, paper: str, players: int | None) -> int:
    """Run `wongar rulebook`."""
    pdf = _pdf_library(words) if form == "pdf" else None
    opened = open_game(game, words)
    rules = opened.rules
    check_seats(rules, players or rules.model.players[0])
    # A file has its own encoding, independent of the terminal.
    shown = opened.words if form == "text" else load_unfiltered(words.language, rules.words_beside)
    reading = read_rulebook(rules.model, shown, rules.name, players, style)
    told = [*_examples(rules, reading, shown)] if style == "teach" else []
    for key, text, _ in told:
        reading.examples.setdefault(key, []).append(text)
    if form == "md":
        echo_file("".join(f"{line}\n" for line in markdown(reading)))
    elif form in ("html", "pdf"):
        start = _opening(rules, shown, players) if style == "teach" else None
        excerpts = {text: _excerpt(example, shown) for _, text, example in told}
        html = page(reading, rules.model, start, excerpts, paper, styled_pictures=pdf is not None)
        echo_file(html if pdf is None else pdf.HTML(string=html).write_pdf())
    else:
        screen = Screen()
        for paragraph in render_text(reading, screen.width - 1 if screen.stream.isatty() else None):
            screen.text(paragraph.text, paragraph.style, paragraph.indent)
        screen.stream.flush()
    if reading.missing_line_count:
        echo(words.say("rulebook.missing", n=reading.missing_line_count), err=True)
    return SUCCESS


def _pdf_library(words: Translator) -> Any:
    """Return the module that renders pages as PDF; raise `UserError` if it is missing, or output is to a terminal."""
    if sys.stdout.isatty():
        raise UserError(words.say("cli.rulebook.pdf.terminal"), USAGE)
    try:
        library = importlib.import_module("weasyprint")
    except (ImportError, OSError):  # The second one if libraries of the system are missing.
        command = Text("pip install 'wongar[pdf]'")
        raise UserError(
            words.say("cli.rulebook.pdf.missing", name=Text("WeasyPrint"), command=command), USAGE
        ) from None
    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)  # It reports each style for browsers only.
    return library


def _opening(rules: Rules, words: Translator, players: int | None) -> Scene | None:
    """Return a position after a random set-up as spectators see it, for some number of players or the fewest.

    Return None if the rules stop with a fault, or the set-up takes too long.
    """
    game = rules.game(players or rules.model.players[0], cache=cache())
    seats = [Seat("human")] * game.seats
    names, chance = names_of(seats), random.Random(SETUP_SEED)
    try:
        match = Match.begin(game, seats, SETUP_SEED, rules.hash)
        for _ in range(MAX_SETUP_MOVES):
            if match.state.over or not match.state.in_setup:
                return Scene(match.state, Narrator(game, words, names), letters_of(names), None)
            match.play(chance.choice(match.state.legal_moves()))
    except PlayFault:
        return None
    return None


def _examples(
    rules: Rules, reading: RealisedRulebook, words: Translator
) -> Iterator[tuple[str, ExampleText, WorkedExample]]:
    """Yield the worked examples of a game, with the key of the section that tells their most specific declaration."""
    from ..case_files import examples  # Takes time to import, and the reference has no examples.

    end = time.process_time() + MAX_EXAMPLES_CPU_S
    for example in examples(rules, words, cache(), lambda: time.process_time() > end).book.told:
        section = next(filter(None, (section_of(reading.book, key) for key in example.keys)), None)
        if section is not None:
            yield section, ExampleText(example.title, example.paragraphs()), example


def _excerpt(example: WorkedExample, words: Translator) -> Excerpt:
    """Return the parts of the positions before and after an example that it is about."""
    narrator = Narrator(example.before.game, words, example.names)
    return Excerpt(example.before, example.after, example.spots, narrator, letters_of(example.names))
