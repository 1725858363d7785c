"""`wongar rulebook`: the rulebook of a game, generated from its executable rules."""

from __future__ import annotations

import importlib
import logging
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wongar_dsl import render
from wongar_dsl.nlg.narration.excerpts import Style, markdown, read_rulebook
from wongar_dsl.nlg.prose.render.realised_rulebook import render_text
from wongar_dsl.nlg.words import Text, Translator
from wongar_dsl.session.scene import Scene, sample_setup
from wongar_dsl.session.seats import check_seats

from ..errors import SUCCESS, USAGE, UserError
from ..language import cache, load_unfiltered
from ..load_game import open_game
from ..terminal.screen import Screen, echo, echo_file

if TYPE_CHECKING:
    from wongar_dsl.nlg.narration.examples import WorkedExample
    from wongar_dsl.nlg.prose.render.realised_rulebook import ExampleText

#: Maximum width of a drawing in characters, in cells.
MAX_DRAWING_WIDTH = 80


def rulebook_command(words: Translator, game: str, form: str, style: Style, paper: str, players: int | None) -> int:
    """Run `wongar rulebook`."""
    pdf = _pdf_library(words) if form == "pdf" else None
    opened = open_game(game, words)
    rules = opened.rules
    check_seats(rules, players or rules.model.players[0])
    # A file has its own encoding, independent of the terminal.
    shown = opened.words if form == "text" else load_unfiltered(words.language, rules.words_beside)
    start: Scene | None = None
    examples: Mapping[ExampleText, WorkedExample] = {}
    if style == "reference":
        reading = read_rulebook(rules.model, shown, rules.name, players, style)
    else:
        # Takes time to import, and the reference has no examples.
        from wongar_dsl.nlg.narration.teaching_book import MAX_EXAMPLES_CPU_S, teaching_book

        end = time.process_time() + MAX_EXAMPLES_CPU_S
        book = teaching_book(rules, shown, players, None, cache(), lambda: time.process_time() > end)
        reading, examples = book.reading, book.examples
        start = sample_setup(rules, shown, players, None, cache())
    screen = Screen()
    if start is not None and form in ("md", "text"):
        caption = reading.say("rulebook.setup.picture", n=start.state.game.seats)
        room = min(MAX_DRAWING_WIDTH, screen.width - 1) if screen.stream.isatty() else MAX_DRAWING_WIDTH
        if drawn := render.plain_drawing(start, room, form == "md" or screen.unicode):
            reading.drawings["setup"] = caption, drawn
    if form == "md":
        echo_file("".join(f"{line}\n" for line in markdown(reading)))
    elif form in ("html", "pdf"):
        excerpts = {text: render.Excerpt.of(example, shown) for text, example in examples.items()}
        html = render.page(reading, rules.model, start, excerpts, paper, styled_pictures=pdf is not None)
        echo_file(html if pdf is None else pdf.HTML(string=html).write_pdf())
    else:
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
