"""`?` and `rules`: options, cards and rules in words."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from wongar_dsl.engine import IllegalMove, State, notation
from wongar_dsl.narration import illegal
from wongar_dsl.table.forecast import Forecast
from wongar_dsl.table.foretelling import at_length
from wongar_dsl.table.grouping import FEW, MANY, grouped
from wongar_dsl.table.impossible import by_number, closed, impossible
from wongar_dsl.table.menu import NEAR, Entry, Menu
from wongar_dsl.table.scene import Scene
from wongar_dsl.table.subject import chosen_cards, grounds, open_cards
from wongar_dsl.table.table import Table
from wongar_dsl.text.escapes import visible
from wongar_dsl.text.suggest import did_you_mean
from wongar_dsl.words import Listing, Text, Words, quoted

from ..language import languages
from ..terminal.screen import clipped
from .menu import numbers

Paragraph = tuple[str, str]

#: The commands at the prompt, in the order in which they are explained.
NAMES = ("help", "why", "hint", "forecast", "undo", "save", "case", "log", "lang", "rules", "board", "read", "quit")
#: Those that can have something behind them.
TAKING = frozenset(("help", "why", "save", "case", "log", "lang"))
#: How rules call an option with which a player does nothing.
PASSING = frozenset(("pass", "decline", "stop", "leave", "rest", "check"))

#: So much of a wrong answer is said again.
LONGEST_REPEATED = 60


def explain_menu(table: Table, menu: Menu, scene: Scene) -> Iterator[Paragraph]:
    """All options, the cards that they are about, and the commands."""
    words, state = table.words, table.match.state
    decision = state.decision
    assert decision is not None
    yield "strong", words.say("cli.help.options")
    for entry in menu.entries:
        yield "", f"{entry.number:>3} {entry.text}"
    yield from _closed(table)
    yield from _about(table)
    cards = {
        name for entry in menu.entries for name in (*chosen_cards(state, entry.move), *open_cards(scene, entry.move))
    }
    for kind in sorted({name.partition("(")[0] for name in cards}):
        alike = sorted(name for name in cards if name.partition("(")[0] == kind)
        name = kind if len(alike) > 1 else alike[0]
        told = table.narrator.card(name)
        if told is not None:
            yield "", words.label(_title(table, name)) + told
    yield "strong", words.say("cli.help.commands")
    spoken = languages(table.rules.words_beside)
    for name in NAMES:
        yield (
            "",
            words.label(words.say(f"cli.command.{name}"))
            + words.say(f"cli.command.{name}.does", None, languages=spoken),
        )


def _closed(table: Table) -> Iterator[Paragraph]:
    """Which options are not there now, and by which condition of the rules."""
    state, narrator = table.match.state, table.narrator
    said = []
    for move, error in closed(state):
        told = illegal.explain(error, state, narrator, state.seat)
        option = narrator.option(state, move)
        if told:
            # Where the rules have no words for it, the sentence names the option itself.
            said.append(told[0] if option in told[0] else table.words.label(option) + told[0])
    if said:
        yield "strong", table.words.say("cli.help.closed")
        yield from (("", text) for text in said)


def explain_why(table: Table) -> Iterator[Paragraph]:
    """Why options are not there, if any are missing, else by which rule the question is asked."""
    missing = list(_closed(table))
    yield from missing or _about(table)
    yield "faint", table.words.say("cli.why.more")


def why_not(table: Table, about: str, menu: Menu, commands: Mapping[str, str]) -> list[str]:
    """Why what was named by its words, its notation or its number cannot be chosen now; nothing for a number that no
    option ever has."""
    state, move = table.match.state, None
    if about.isascii() and about.isdigit():
        move = by_number(state, table.numbering, int(about[:18]))
        if move is None:
            return []
    try:
        state.require(move or state.read(about))
    except IllegalMove as error:
        told = illegal.explain(error, state, table.narrator, state.seat)
        return told or cannot_now(table, about, menu) or [not_understood(table, about, menu, commands)]
    return []


def not_understood(table: Table, answer: str, menu: Menu, commands: Mapping[str, str]) -> str:
    """What is said to an answer that is no option and no command: what may have been meant, else what there is."""
    words, state = table.words, table.match.state
    near = menu.near(answer) or _passing(table, answer, menu) or _counted(table, answer, menu) or menu.partly(answer)
    meant = _command_meant(words, answer, commands)
    few = len(menu.entries) <= FEW
    items = [Text(f"{e.number} ({e.text})") for e in near[:FEW] or menu.entries[:FEW]]
    name = "cli.illegal.unknown" if few else "cli.illegal.many"
    if near or meant is not None:
        name = "cli.illegal.near"
        items = items if near else [Text(words.say("engine.quoted", text=quoted(meant or "")))]
    wrong = quoted(clipped(_unknown_part(state, answer), LONGEST_REPEATED))
    if name == "cli.illegal.many":
        return words.say(name, text=wrong, numbers=numbers(menu, words))
    return words.say(name, text=wrong, options=Listing(tuple(items)))


def _command_meant(words: Words, answer: str, commands: Mapping[str, str]) -> str | None:
    """The command that somebody misspelt or called by another word, with what can stand behind it; None for none."""
    first, _, rest = answer.partition(" ")
    first = first.casefold()
    others = {word: name for name in NAMES for word in words.say(f"cli.command.{name}.near").casefold().split()}
    known = {**others, **commands}
    near = first if first in known else did_you_mean(first, known, NEAR)
    if near is None:
        return None
    command = near if near in commands else words.say(f"cli.command.{known[near]}")
    rest = rest.strip() if known[near] in TAKING else ""
    return f"{command} {rest}" if rest else command


def _passing(table: Table, answer: str, menu: Menu) -> list[Entry]:
    """The options with which a player does nothing, for a word of the language for that."""
    decision, known = table.match.state.decision, table.words.say("cli.pass.near").casefold().split()
    word = answer.casefold().strip()
    if decision is None or menu.part is not None or (word not in known and did_you_mean(word, known, NEAR) is None):
        return []
    return [entry for entry in menu.entries if decision.options[entry.move.option].name in PASSING]


def _counted(table: Table, answer: str, menu: Menu) -> list[Entry]:
    """The option with a number that is written as a word of the language."""
    known, word = table.words.say("cli.number.near").casefold().split(", "), answer.casefold().strip()
    found = menu.exact(str(known.index(word) + 1)) if word in known else None
    return [found] if found is not None else []


def cannot_now(table: Table, answer: str, menu: Menu) -> list[str]:
    """What is said to words that name an option which cannot be chosen now: why, and what can be instead; nothing for
    words that name none."""
    state, narrator = table.match.state, table.narrator
    move = impossible(state, narrator, answer, misspelt=not menu.near(answer))
    if move is None:
        return []
    try:
        state.require(move)
    except IllegalMove as error:
        told = illegal.explain(error, state, narrator, state.seat)
    else:
        return []
    others = [entry for entry in menu.entries if entry.move.option == move.option]
    for group in grouped(others, table.words) if 0 < len(others) <= MANY else ():
        if group.heading:
            told.insert(1, f"{group.heading} {table.words.chain(group.texts)}")
        else:
            options = Listing(tuple(map(Text, group.texts)))
            told.insert(1, table.words.say("drawing.possible", None, options=options))
    return told


def _unknown_part(state: State, answer: str) -> str:
    """What of an answer means nothing: of a written option the argument that there is not, else all of it."""
    decision, parts = state.decision, notation.split(answer)
    model, seats = state.game.model, state.game.seats
    for spec in decision.options if decision is not None and parts is not None else ():
        if parts is not None and spec.name == parts[0] and len(spec.parameters) == len(parts[1]):
            for (_, kind), text in zip(spec.parameters, parts[1], strict=True):
                if notation.read_value(model, kind, text, seats) is None:
                    return text
    return answer


def explain_option(table: Table, entry: Entry, forecast: Forecast | None = None) -> Iterator[Paragraph]:
    """One option: what it says, what it would bring, what its card does, what its rule cites, and how it is written."""
    decision = table.match.state.decision
    assert decision is not None
    yield "strong", entry.text
    if forecast is not None:
        yield from (("outlook", line) for line in at_length(forecast, table.narrator, table.match.state.seat))
    scene = Scene(table.match.state, table.narrator, table.letters, table.match.state.seat)
    state = table.match.state
    lying = list(open_cards(scene, entry.move))
    for name in (*chosen_cards(state, entry.move), *lying):
        told = table.narrator.card(name)
        if told is not None:
            yield "", table.words.label(_title(table, name)) + told
        elif name in lying:
            # What the option itself names need not be named once more.
            yield "", _title(table, name)
    yield from _about(table)
    yield "faint", table.words.say("cli.help.notation", text=Text(entry.notation))


def explain_rules(table: Table) -> Iterator[Paragraph]:
    """The rules in short, where the whole of them can be read, and where they stand."""
    # What makes prose of rules is imported for those who want to read it.
    from wongar_dsl.narration.in_short import in_short

    words, narrator = table.words, table.narrator
    yield "strong", narrator.title()
    for paragraph in in_short(table.match.game, words):
        yield paragraph.style, paragraph.text
    game = table.file.replace("\n", "+") or table.rules.name
    yield "faint", words.say("cli.rules.whole", command=quoted(shlex.join(["wongar", "rulebook", game])))
    for book in table.match.game.model.merged.head.books:
        yield "faint", visible(book.title)
    for source in table.rules.sources:
        yield "faint", words.say("cli.rules.file", path=Text(visible(source.name)))


def _title(table: Table, name: str) -> str:
    text = table.narrator.term(name)
    return table.words.capital(text)


def _about(table: Table) -> Iterator[Paragraph]:
    """The rule in which the decision is taken: the card's words, if it is a card's, and the sources."""
    narrator, found = table.narrator, grounds(table.match, table.narrator)
    told = narrator.card(found.face) if found.face is not None else None
    if found.face is not None and told is not None:
        yield "", narrator.words.label(_title(table, found.face)) + told
    for line in found.cited:
        yield "faint", line
