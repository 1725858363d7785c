"""`?` and `rules`: options, cards and rules in words."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import replace

from wongar_dsl import ir
from wongar_dsl.engine import IllegalMove, State, notation
from wongar_dsl.engine.knowledge import copies
from wongar_dsl.ir.containers import container
from wongar_dsl.narration import illegal
from wongar_dsl.narration.illegal import article_at, citations
from wongar_dsl.table.forecast import Forecast
from wongar_dsl.table.foretelling import at_length
from wongar_dsl.table.grouping import FEW, MANY, grouped
from wongar_dsl.table.impossible import impossible
from wongar_dsl.table.menu import NEAR, Entry, Menu
from wongar_dsl.table.scene import Scene
from wongar_dsl.table.table import Table
from wongar_dsl.text.escapes import visible
from wongar_dsl.text.span import Span
from wongar_dsl.text.suggest import did_you_mean
from wongar_dsl.words import Listing, Text, quoted

from ..language import languages
from ..terminal.screen import clipped

Paragraph = tuple[str, str]

#: The commands at the prompt, in the order in which they are explained.
NAMES = ("help", "hint", "forecast", "undo", "save", "case", "log", "lang", "rules", "board", "read", "quit")

#: So much of a wrong answer is said again, and so many options are shown in its place.
LONGEST_REPEATED = 60
EXAMPLES = 3
#: So much is said of what lies in a row.
IN_FRONT = 2


def explain_menu(table: Table, menu: Menu, scene: Scene) -> Iterator[Paragraph]:
    """All options with their notation, the cards that they are about, and the commands."""
    words, state = table.words, table.match.state
    decision = state.decision
    assert decision is not None
    yield "strong", words.say("cli.help.options")
    for entry in menu.entries:
        yield "", f"{entry.number:>3} {entry.text}  [{entry.notation}]"
    yield from _about(table, decision)
    cards = {name for entry in menu.entries for name in _chosen_cards(table, entry) + _open_cards(table, entry, scene)}
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


def not_understood(table: Table, answer: str, menu: Menu, commands: Iterable[str]) -> str:
    """What is said to an answer that is no option and no command: what may have been meant, else what there is."""
    words, state = table.words, table.match.state
    near = menu.near(answer)
    meant = did_you_mean(answer.casefold(), commands, NEAR)
    few = len(menu.entries) <= FEW
    shown = near[:FEW] or menu.entries[: FEW if few else EXAMPLES]
    items = [Text(f"{e.number} ({e.text})") for e in shown]
    name = "cli.illegal.unknown" if few else "cli.illegal.many"
    if near or meant is not None:
        name = "cli.illegal.near"
        items = items if near else [Text(words.say("engine.quoted", text=quoted(meant or "")))]
    wrong = clipped(_unknown_part(state, answer), LONGEST_REPEATED)
    return words.say(name, text=quoted(wrong), options=Listing(tuple(items)))


def cannot_now(table: Table, answer: str, menu: Menu) -> list[str]:
    """What is said to words that name an option which cannot be chosen now: why, and what can be instead; nothing for
    words that name none."""
    state, narrator = table.match.state, table.narrator
    move = impossible(state, narrator, answer)
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
    """One option: what it says, how it is written, what it would bring, what its card does, and what its rule cites."""
    decision = table.match.state.decision
    assert decision is not None
    yield "strong", entry.text
    yield "", table.words.say("cli.help.notation", text=Text(entry.notation))
    if forecast is not None:
        yield from (("outlook", line) for line in at_length(forecast, table.narrator, table.match.state.seat))
    scene = Scene(table.match.state, table.narrator, table.letters, table.match.state.seat)
    lying = _open_cards(table, entry, scene)
    for name in _chosen_cards(table, entry) + lying:
        told = table.narrator.card(name)
        if told is not None:
            yield "", table.words.label(_title(table, name)) + told
        elif name in lying:
            # What the option itself names need not be named once more.
            yield "", _title(table, name)
    yield from _about(table, decision)


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


def with_cards(table: Table, menu: Menu, scene: Scene) -> Menu:
    """The menu with what lies open where an option leads: a card, or what comes first in a row."""
    entries = []
    for entry in menu.entries:
        cards = [table.narrator.term(name, "short") for name in _open_cards(table, entry, scene)]
        cards += _in_front(table, entry, scene)
        entries.append(replace(entry, card=table.words.chain(cards) if cards else ""))
    return Menu(tuple(entries))


def _title(table: Table, name: str) -> str:
    text = table.narrator.term(name)
    return table.words.capital(text)


def _about(table: Table, decision: ir.DecisionSpec) -> Iterator[Paragraph]:
    """The rule in which the decision is taken: the card's words, if it is a card's, and the sources."""
    narrator, model = table.narrator, table.match.game.model
    face = _face(table, decision.rule)
    told = narrator.card(face) if face is not None else None
    if face is not None and told is not None:
        yield "", narrator.words.label(_title(table, face)) + told
    span = table.match.game.program.spans.get(decision.rule) or _first_check(decision)
    article = article_at(model, span) if span is not None else None
    if article is not None:
        for line in citations(model, article, narrator):
            yield "faint", line


def _face(table: Table, kind: str) -> str | None:
    """The face of the card whose rule this is: of those of its kind the last that whoever decides has seen."""
    model = table.match.game.model
    if any(sort.index(kind) is not None for sort in model.cards.values()):
        return kind
    for event in reversed(table.match.history()):
        seen = table.match.game.knowledge.seen(event, table.match.state.seat)
        for (_, of), value in zip(seen.spec.fields, seen.values, strict=True) if seen is not None else ():
            if of.kind == "cards" and isinstance(value, int) and value >= 0:
                name = model.value_name(of, value)
                if name.partition("(")[0] == kind:
                    return name
    return None


def _first_check(decision: ir.DecisionSpec) -> Span | None:
    return next((c.span for o in decision.options for c in o.checks), None)


def _chosen_cards(table: Table, entry: Entry) -> list[str]:
    """The cards that are an option's arguments."""
    model, decision = table.match.game.model, table.match.state.decision
    assert decision is not None
    parameters = decision.options[entry.move.option].parameters
    return [
        model.value_name(kind, value)
        for (_, kind), value in zip(parameters, entry.move.arguments, strict=True)
        if kind.kind == "cards" and value >= 0
    ]


def _open_cards(table: Table, entry: Entry, scene: Scene) -> list[str]:
    """The cards that lie open where an option leads."""
    state, model = table.match.state, table.match.game.model
    decision = state.decision
    assert decision is not None
    found: list[str] = []
    spec = decision.options[entry.move.option]
    for (_, kind), value in zip(spec.parameters, entry.move.arguments, strict=True):
        for place in scene.places if kind.kind == "board" else ():
            if place.kind == "slot" and place.indices == (kind,) and _speaks_of(spec, place.name):
                spots = (at for indices, at in copies(place) if indices == (value,) and scene.visible(place, indices))
                found += [model.value_name(place.type, c) for at in spots if (c := state.cells[at]) >= 0]
    return found


def _in_front(table: Table, entry: Entry, scene: Scene) -> list[str]:
    """The first things of the open rows to which an option leads."""
    state, decision = table.match.state, table.match.state.decision
    assert decision is not None
    spec = decision.options[entry.move.option]
    found: list[str] = []
    for (_, kind), value in zip(spec.parameters, entry.move.arguments, strict=True):
        for place in scene.places if kind.kind == "enum" and value >= 0 else ():
            zone = container(place)
            if zone is None or not zone.ordered or place.indices != (kind,) or not scene.visible(place, (value,)):
                continue
            things = zone.told(state.cells, place.at(value), place.width)
            found += [table.narrator.short(place.type, thing) for thing in things[:IN_FRONT]]
    return found


def _speaks_of(spec: ir.OptionSpec, zone: str) -> bool:
    """Whether an option's conditions name a zone, so that what lies there matters for it."""
    return any(re.search(rf"\b{re.escape(zone)}\b", check.span.text) for check in spec.checks)
