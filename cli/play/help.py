"""The metacommands `?`, `why` and `rules`: options, cards, rules in short and sections of the rulebook in words."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.terminal_text import escape_line
from wongar_dsl.engine import IllegalMove, State, notation
from wongar_dsl.nlg.narration import illegal_move
from wongar_dsl.nlg.words import Listing, Text, Translator, quoted
from wongar_dsl.render.text.lines import clip
from wongar_dsl.session.decisions import chosen_cards, cited_sentences, open_cards, rule_card
from wongar_dsl.session.forecast import Forecast, full_text
from wongar_dsl.session.game_session import GameSession
from wongar_dsl.session.menu import (
    MAX_PLAIN_GROUP,
    MIN_GROUPED_OPTIONS,
    MIN_SIMILARITY,
    Menu,
    MenuEntry,
    by_number,
    group_options,
    unavailable_moves,
    unavailable_options,
)
from wongar_dsl.session.scene import Scene

from ..language import cache, languages
from .menu import number_ranges

if TYPE_CHECKING:
    from wongar_dsl.nlg.narration.teaching_book import TextParagraph

Paragraph = tuple[str, str]

#: Usual short forms of commands, understood unless they mean an option.
SHORT_FORMS = {"q": "quit"}
#: The commands at the prompt, in the order of their explanation.
NAMES = ("help", "why", "hint", "forecast", "undo", "save", "case", "log", "lang", "rules", "board", "read", "quit")
#: Commands that accept an argument.
TAKING = frozenset(("help", "why", "save", "case", "log", "lang", "rules"))
#: Names in rules of options by which a player does nothing.
PASSING = frozenset(("pass", "decline", "stop", "leave", "rest", "check"))

#: Maximum length of a wrong answer repeated in an error message.
MAX_QUOTED_ANSWER = 60


def explain_menu(session: GameSession, menu: Menu, scene: Scene) -> Iterator[Paragraph]:
    """Yield all options, the cards they refer to, and the commands."""
    words, state = session.words, session.match.state
    decision = state.decision
    assert decision is not None
    yield "strong", words.say("cli.help.options")
    for entry in menu.entries:
        yield "", f"{entry.number:>3} {entry.text}"
    yield from _closed(session)
    yield from _about(session)
    cards = {
        name for entry in menu.entries for name in (*chosen_cards(state, entry.move), *open_cards(scene, entry.move))
    }
    for kind in sorted({name.partition("(")[0] for name in cards}):
        alike = sorted(name for name in cards if name.partition("(")[0] == kind)
        yield from _card(session, kind if len(alike) > 1 else alike[0])
    yield "strong", words.say("cli.help.commands")
    available = languages(session.rules.words_beside)
    for name in NAMES:
        yield (
            "",
            words.label(words.say(f"cli.command.{name}"))
            + words.say(f"cli.command.{name}.does", None, languages=available),
        )


def _closed(session: GameSession) -> Iterator[Paragraph]:
    """Yield the unavailable options with the condition of the rules that excludes them."""
    state, narrator = session.match.state, session.narrator
    sentences = []
    for move, error in unavailable_options(state):
        explanation = illegal_move.explain(error, state, narrator, state.seat)
        option = narrator.option(state, move)
        if explanation:
            # If the rules have no words for the condition, the sentence names the option itself.
            label = "" if option in explanation[0] else session.words.label(option)
            sentences.append(label + explanation[0])
    if sentences:
        yield "strong", session.words.say("cli.help.closed")
        yield from (("", text) for text in sentences)


def explain_why(session: GameSession) -> Iterator[Paragraph]:
    """Yield the reasons for unavailable options or, if there are none, the rule behind the question."""
    missing = list(_closed(session))
    yield from missing or _about(session)
    yield "faint", session.words.say("cli.why.more")


def why_not(session: GameSession, about: str, menu: Menu, commands: Mapping[str, str]) -> list[str]:
    """Return the reason why an option named by text, notation or number is unavailable.

    Empty for a number that no option ever has.
    """
    state, move = session.match.state, None
    if about.isascii() and about.isdigit():
        move = by_number(state, session.numbering, int(about[:18]))
        if move is None:
            return []
    try:
        state.require(move or state.read(about))
    except IllegalMove as error:
        explanation = illegal_move.explain(error, state, session.narrator, state.seat)
        reasons = explanation or unavailable_option(session, about, menu)
        return reasons or [unknown_answer(session, about, menu, commands)]
    return []


def unknown_answer(session: GameSession, answer: str, menu: Menu, commands: Mapping[str, str]) -> str:
    """Return the reply to an input that is no option and no command: suggestions, otherwise the options."""
    words, state = session.words, session.match.state
    near = (
        menu.match_misspelt(answer)
        or _passing(session, answer, menu)
        or _counted(session, answer, menu)
        or menu.match_partly(answer)
    )
    command = _command_meant(words, answer, commands)
    few = len(menu.entries) <= MAX_PLAIN_GROUP
    items = [Text(f"{e.number} ({e.text})") for e in near[:MAX_PLAIN_GROUP] or menu.entries[:MAX_PLAIN_GROUP]]
    name = "cli.illegal.unknown" if few else "cli.illegal.many"
    if near or command is not None:
        name = "cli.illegal.near"
        items = items if near else [Text(words.say("engine.quoted", text=quoted(command or "")))]
    wrong = quoted(clip(_unknown_part(state, answer), MAX_QUOTED_ANSWER))
    if name == "cli.illegal.many":
        return words.say(name, text=wrong, numbers=number_ranges(menu, words))
    return words.say(name, text=wrong, options=Listing(tuple(items)))


def _command_meant(words: Translator, answer: str, commands: Mapping[str, str]) -> str | None:
    """Return the command that a misspelt word or synonym means, with its argument; None if there is none."""
    first, _, rest = answer.partition(" ")
    first = first.casefold()
    others = {word: name for name in NAMES for word in words.say(f"cli.command.{name}.near").casefold().split()}
    candidates = {**others, **commands}
    near = first if first in candidates else did_you_mean(first, candidates, MIN_SIMILARITY)
    if near is None:
        return None
    command = near if near in commands else words.say(f"cli.command.{candidates[near]}")
    rest = rest.strip() if candidates[near] in TAKING else ""
    return f"{command} {rest}" if rest else command


def _passing(session: GameSession, answer: str, menu: Menu) -> list[MenuEntry]:
    """Return the options by which a player does nothing, if the answer is a word for that."""
    decision, pass_words = session.match.state.decision, session.words.say("cli.pass.near").casefold().split()
    word = answer.casefold().strip()
    if (
        decision is None
        or menu.part is not None
        or (word not in pass_words and did_you_mean(word, pass_words, MIN_SIMILARITY) is None)
    ):
        return []
    return [entry for entry in menu.entries if decision.options[entry.move.option].name in PASSING]


def _counted(session: GameSession, answer: str, menu: Menu) -> list[MenuEntry]:
    """Return the option whose number is written as a word."""
    number_words, word = session.words.say("cli.number.near").casefold().split(", "), answer.casefold().strip()
    entry = menu.exact(str(number_words.index(word) + 1)) if word in number_words else None
    return [entry] if entry is not None else []


def unavailable_option(session: GameSession, answer: str, menu: Menu) -> list[str]:
    """Return why an option named in words is unavailable, and its alternatives; empty if the words name none."""
    state, narrator, decision = session.match.state, session.narrator, session.match.state.decision
    errors = unavailable_moves(state, narrator, answer)
    explanation = illegal_move.explain_nearest(errors, state, narrator, state.seat)
    if not explanation or decision is None:
        return []
    named = {error.option for error in errors}
    others = [entry for entry in menu.entries if decision.options[entry.move.option].name in named]
    for group in group_options(others, session.words) if 0 < len(others) <= MIN_GROUPED_OPTIONS else ():
        if group.heading:
            explanation.insert(1, f"{group.heading} {session.words.chain(group.texts)}")
        else:
            options = Listing(tuple(map(Text, group.texts)))
            explanation.insert(1, session.words.say("drawing.possible", None, options=options))
    return explanation


def _unknown_part(state: State, answer: str) -> str:
    """Return the unknown argument of an option in notation, otherwise the whole answer."""
    decision, parts = state.decision, notation.split(answer)
    model, seats = state.game.model, state.game.seats
    for spec in decision.options if decision is not None and parts is not None else ():
        if parts is not None and spec.name == parts[0] and len(spec.parameters) == len(parts[1]):
            for (_, kind), text in zip(spec.parameters, parts[1], strict=True):
                if notation.read_value(model, kind, text, seats) is None:
                    return text
    return answer


def explain_option(session: GameSession, entry: MenuEntry, forecast: Forecast | None = None) -> Iterator[Paragraph]:
    """Yield the details of an option: text, forecast, cards, cited rule and notation."""
    decision = session.match.state.decision
    assert decision is not None
    yield "strong", entry.text
    if rule := session.narrator.option_rule(session.match.state, entry.move):
        yield "", rule
    if forecast is not None:
        yield from (("forecast", line) for line in full_text(forecast, session.narrator, session.match.state.seat))
    scene = Scene(session.match.state, session.narrator, session.letters, session.match.state.seat)
    state = session.match.state
    lying = list(open_cards(scene, entry.move))
    for name in (*chosen_cards(state, entry.move), *lying):
        card = list(_card(session, name))
        yield from card
        if not card and name in lying:
            # A card named by the option itself is not named again.
            yield "", _title(session, name)
    yield from _about(session)
    yield "faint", session.words.say("cli.help.notation", text=Text(entry.notation))


def explain_rules(session: GameSession, about: str) -> Iterator[TextParagraph]:
    """Yield the rules in short, or the section of the rulebook with the heading `about`, with its examples.

    The rules in short end with the command for the full rulebook and the sources.
    """
    # Imported here because the text generator is large and rarely needed.
    from wongar_dsl.nlg.narration import teaching_book as books

    words, game = session.words, session.match.game
    if about:
        end = time.process_time() + books.MAX_EXAMPLES_CPU_S
        book = books.teaching_book(
            session.rules, words, game.seats, game.settings, cache(), lambda: time.process_time() > end
        )
        reading = book.reading
        paragraphs = list(books.section_with_heading(reading, clip(about, MAX_QUOTED_ANSWER)))
        titles = (quoted(reading.heading(section.heading)) for section in reading.book.sections)
        headings = Listing(tuple(Text(words.say("engine.quoted", text=title)) for title in titles))
        refusal = words.say("cli.rules.no_section", text=quoted(clip(about, MAX_QUOTED_ANSWER)), headings=headings)
        yield from paragraphs or [books.TextParagraph(refusal, "wrong")]
        return
    yield books.TextParagraph(session.narrator.title(), "strong")
    for paragraph in books.rules_summary(game, words):
        yield replace(paragraph, indent="" if paragraph.style == "strong" else "  ")
    name = session.file.replace("\n", "+") or session.rules.name
    command = words.say("cli.rules.whole", command=quoted(shlex.join(["wongar", "rulebook", name])))
    books_and_files = [
        *(escape_line(book.title) for book in game.model.merged.head.books),
        *(words.say("cli.rules.file", path=Text(escape_line(source.name))) for source in session.rules.sources),
    ]
    yield from (books.TextParagraph(line, "faint", "  ") for line in (command, *books_and_files))


def _title(session: GameSession, name: str) -> str:
    return session.words.capital(session.narrator.term(name))


def _card(session: GameSession, name: str) -> Iterator[Paragraph]:
    """Yield the text of a card after its name, if it has one."""
    card_text = session.narrator.card(name)
    if card_text is not None:
        yield "", session.words.label(_title(session, name)) + card_text


def _about(session: GameSession) -> Iterator[Paragraph]:
    """Yield the rule behind the decision: the text of its card, if any, and the cited sources."""
    face = rule_card(session.match)
    yield from _card(session, face) if face is not None else ()
    for line in cited_sentences(session.match, session.narrator):
        yield "faint", line
