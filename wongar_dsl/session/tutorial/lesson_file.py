"""Tutorial files `<game>.lesson.yaml` beside the rule file, parsed as strictly as rule cases."""

from __future__ import annotations

import re
from pathlib import Path

from wongar_dsl.base.did_you_mean import did_you_mean
from wongar_dsl.base.storage.files import FileOrFolder
from wongar_dsl.engine.library import Rules
from wongar_dsl.engine.match import Seat
from wongar_dsl.engine.rule_cases.file import CaseError, YamlNode, checked_mapping, parse_yaml, read_case_text
from wongar_dsl.session.errors import SessionSetupError
from wongar_dsl.session.seats.seat_spec import KINDS, read_seats
from wongar_dsl.session.tutorial.tutorial import LEARNER, Trigger, Tutorial, TutorialTopic

SUFFIX = ".lesson.yaml"
MAX_FILE_BYTES = 200_000
MAX_TOPICS, MAX_TIMES, MAX_NAMED = 200, 1000, 20

_FILE = ("seed", "seats", "hints")
_HINT = ("name", "when", "articles", "try", "look_at", "pause")
_WHEN = ("decision", "offers", "told", "time")
_FRAME = ("start", "end")
#: Truth values as they are written.
_TRUTHS = {"yes": True, "no": False}


def find_lesson(rules: Rules) -> tuple[FileOrFolder, tuple[str, ...]] | None:
    """Return the path of a game's tutorial file, and the game and variants that it is for; None if there is none.

    A variant without its own tutorial uses that of its base.
    """
    names = rules.model.merged.names
    for number, source in reversed(list(enumerate(rules.sources))):
        file = f"{Path(source.name).stem}{SUFFIX}"
        for folder in rules.folders:
            if (folder / file).is_file():
                return folder / file, names[: number + 1]
    return None


def lesson_of(rules: Rules) -> Tutorial | None:
    """Return the tutorial of a game, or None if there is no readable one."""
    location = find_lesson(rules)
    if location is None:
        return None
    try:
        return read_lesson(*location)
    except CaseError:
        return None


def read_lesson(place: FileOrFolder, names: tuple[str, ...] = ()) -> Tutorial:
    """Return the tutorial in a file, for a game and variants; raise `CaseError` if it is invalid."""
    return parse_lesson(read_case_text(place, MAX_FILE_BYTES, SUFFIX), names)


def parse_lesson(text: str, names: tuple[str, ...] = ()) -> Tutorial:
    """Return the tutorial in a text; raise `CaseError` if it is invalid."""
    keys = checked_mapping(parse_yaml(text), _FILE, needed=_FILE)
    seed = keys["seed"].seed
    if not 0 <= seed < 2**64:
        raise CaseError("cases.value", keys["seed"].line, name=str(seed), expected="number")
    nodes = keys["hints"].items
    if not nodes:
        raise CaseError("lesson.no_hints", keys["hints"].line)
    if len(nodes) > MAX_TOPICS:
        raise CaseError("lesson.too_many", nodes[MAX_TOPICS].line, limit=MAX_TOPICS)
    topics = tuple(map(_topic, nodes))
    names_so_far: set[str] = set()
    for topic in topics:
        if topic.name in names_so_far:
            raise CaseError("cases.twice", topic.line, name=topic.name)
        names_so_far.add(topic.name)
    return Tutorial(seed, _seats(keys["seats"]), topics, names)


def _seats(node: YamlNode) -> tuple[Seat, ...]:
    seats: list[Seat] = []
    for number, item in enumerate(node.items):
        kinds = KINDS[:1] if number == LEARNER else KINDS[1:]
        try:
            (seat,) = read_seats(item.text)
        except (SessionSetupError, ValueError):
            seat = Seat("")
        if (seat.kind == "human") != (number == LEARNER) or not seat.kind:
            raise CaseError("lesson.seat", item.line, name=item.text, known=kinds)
        seats.append(seat)
    if not seats:
        raise CaseError("cases.shape", node.line, expected="list")
    return tuple(seats)


def _topic(node: YamlNode) -> TutorialTopic:
    keys = checked_mapping(node, _HINT, needed=("name", "when"))
    name = keys["name"].text
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,59}", name):
        raise CaseError("cases.value", keys["name"].line, name=name, expected="name")
    pause = keys["pause"].text if "pause" in keys else "no"
    if pause not in _TRUTHS:
        raise CaseError("cases.value", keys["pause"].line, name=pause, expected="yes, no")
    return TutorialTopic(
        name,
        _when(keys["when"]),
        _texts(keys, "articles"),
        keys["try"].move_text if "try" in keys else "",
        _texts(keys, "look_at"),
        _TRUTHS[pause],
        node.line,
        {key: part.line for key, part in keys.items()},
    )


def _texts(keys: dict[str, YamlNode], key: str) -> tuple[str, ...]:
    several = keys[key].item_or_items if key in keys else []
    if len(several) > MAX_NAMED:
        raise CaseError("lesson.too_many", several[MAX_NAMED].line, limit=MAX_NAMED)
    return tuple(item.text for item in several)


def _when(node: YamlNode) -> Trigger:
    if isinstance(node.value, str):
        match node.value:
            case "start" | "end" as kind:
                return Trigger(kind)
        raise CaseError(
            "cases.value", node.line, name=node.value, expected="start, end, {decision: …}, {told: …}",
            suggestion=did_you_mean(node.value, _FRAME) or "",
        )  # fmt: skip
    keys = checked_mapping(node, _WHEN)
    if ("decision" in keys) == ("told" in keys):
        raise CaseError("lesson.when", node.line)
    if "offers" in keys and "decision" not in keys:
        raise CaseError("lesson.offers", keys["offers"].line)
    time = keys["time"].number if "time" in keys else 1
    if not 1 <= time <= MAX_TIMES:
        raise CaseError("cases.value", keys["time"].line, name=str(time), expected="number")
    if "decision" in keys:
        return Trigger("decision", keys["decision"].text, time, keys["offers"].text if "offers" in keys else "")
    return Trigger("told", keys["told"].text, time)
