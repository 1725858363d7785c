"""What happened, told in order; what is alike is told together: *Anna, Bert and Cleo leave*, not three sentences.

A language tells a message together with those after it if it has two sentences more for it: `<message>.together`, which
has a list `parts` and else only what all of them share, and `<message>.each` for one part of the list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from wongar_dsl.engine.events import Event
from wongar_dsl.model import NUMBER, Type
from wongar_dsl.narration.narrator import Narrator, Raw
from wongar_dsl.words import Listing, Text
from wongar_dsl.words.words import EACH, TOGETHER

_Arguments = Mapping[str, tuple[Type, Raw]]


def story(narrator: Narrator, events: Iterable[Event], viewer: int | None) -> list[str]:
    """The sentences that a seat (or whoever watches) is told of some events, those that are alike in one."""
    return [said for run in _runs(narrator, events, viewer) if (said := _told(narrator, run))]


def _runs(narrator: Narrator, events: Iterable[Event], viewer: int | None) -> Iterator[list[Event]]:
    """The events as they are seen, in groups that one sentence can tell."""
    run: list[Event] = []
    shared: object = None
    for event in events:
        seen = narrator.seen(event, viewer)
        if seen is None:
            continue
        common = _shared(narrator, seen)
        if run and (common is None or common != shared):
            yield run
            run = []
        run.append(seen)
        shared = common
    if run:
        yield run


def _shared(narrator: Narrator, seen: Event) -> object:
    """What an event has in common with others that can be told together with it; None if it is told alone."""
    message, words = seen.spec.message, narrator.words
    if not message or not all(words.has(f"{message}{part}", narrator.scope) for part in (TOGETHER, EACH)):
        return None
    slots = words.slots(f"{message}{TOGETHER}", narrator.scope)
    return message, tuple(sorted((name, value) for name, (_, value) in seen.arguments().items() if name in slots))


def _told(narrator: Narrator, run: list[Event]) -> str | None:
    message = run[0].spec.message
    if len(run) == 1 or not message:
        return narrator.sentence(run[0])
    parts: dict[object, list[_Arguments]] = {}
    for event in run:
        known = event.arguments()
        parts.setdefault(tuple((name, value) for name, (_, value) in known.items() if name != "n"), []).append(known)
    listed = [Text(text) for same in parts.values() for text in _each(narrator, message, same)]
    values = {name: narrator.value(kind, value) for name, (kind, value) in run[0].arguments().items()}
    return narrator.words.say(f"{message}{TOGETHER}", narrator.scope, **{**values, "parts": Listing(tuple(listed))})


def _each(narrator: Narrator, message: str, same: list[_Arguments]) -> list[str]:
    """Parts of a list that differ in nothing but their number: counted, where the language counts them."""

    def part(n: int) -> str:
        return narrator.say(f"{message}{EACH}", {**same[0], "n": (NUMBER, n)})

    numbers = [_number(known) for known in same]
    counted = part(sum(numbers))
    return [counted] if len(same) == 1 or counted != part(numbers[0]) else [part(n) for n in numbers]


def _number(known: _Arguments) -> int:
    _, n = known.get("n", (NUMBER, 1))
    return n if isinstance(n, int) else 1
