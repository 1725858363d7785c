"""An author repairs a broken file using only the messages of `wongar validate`, in each language."""

from __future__ import annotations

import re

import pytest

from tests.cli.command import LANGUAGES, Command
from tests.journeys.person import LOCALES
from tests.language.broken import BASE, GAME, variant

#: Pattern of a quotation in any language.
_SAID = r"[“„«](.+?)[”“»]"
PLACE = re.compile(r"^ *--> (\S+):(\d+):(\d+)$", re.MULTILINE)
CARETS = re.compile(r"^ *\| +(\^+)$", re.MULTILINE)
MEANT = re.compile(rf"= (?:did you mean|meintest du|bedoelde je|intendevi) {_SAID}\?$", re.MULTILINE)
LEAVE_OUT = re.compile(rf": (?:Leave out|Lass|Laat|Togli) {_SAID}")
INDENT = re.compile(r"indent\s+it|rücke\s+es\s+ein|laat\s+het\s+dan\s+inspringen|falla\s+rientrare")
MISSING = re.compile(rf"^\S+ R0107: .*: {_SAID}$", re.MULTILINE)
BEGIN = re.compile(r"^\S+ R0110: ", re.MULTILINE)

#: Per broken file: the good text, then pairs of a correct passage and its replacement.
FILES = {
    "from a programming language": (
        GAME,
        ("            if last < 20\n", "            if last < 20 {\n"),
        (
            "                set last to last + 1\n            otherwise\n",
            "                last += 1\n            else\n",
        ),
        ("                set last to 0\n", "                last = 0\n"),
        ("box = 0)", "box == 0)"),
        ("        repeat 2 times\n", "        loop 2 times\n"),
        ("    most points of p", "    most p.points"),
        ("        otherwise\n            end game", "        else\n            end game;"),
    ),
    "from a rulebook": (
        GAME,
        ("players 2 to 4", "players 4-2"),
        ("grid 3 by 3", "grid 3 x 3"),
        ("move n stone from matches of chosen to box", "move n stones to box from matches of chosen"),
        ("p gains n points", "p gets n points"),
        ("            nobody wins", "            niemand gewinnt"),
        ("heap_a, heap_b, heap_c", "heap a, heap b, heap c"),
        ("first_matches[h] stone\n", "first_matches[h] stoen\n"),
    ),
    "blocks and brackets": (
        GAME,
        ("game heaps\n", ""),
        ("                p wins\n", "                p wins.\n"),
        ("            p loses 1 points\n", "        p loses 1 points\n"),
        ("player(1)", "player(1"),
        ("for each h in stack", "for h in stack"),
    ),
    "a variant": (
        variant(
            "set cards_bonus to 12\nset harsh to yes\nset points_for[alone, late] to 9\nremove draw from "
            "choice further\nadd to deck pack\n    2 small\nset players to 2 to 3"
        ),
        ("set cards_bonus to 12", "cards_bonus = 12"),
        ("set harsh to yes", "set harsh yes"),
        ("[alone, late]", "[late, alone]"),
        ("choice further", "choice turn"),
        ("add to deck", "add deck"),
        ("2 to 3", "3 - 2"),
    ),
}


def apply_advice(text: str, report: str) -> str:
    """Apply the first message with literal advice and return the new text; fail if there is none."""
    for message in re.split(r"(?m)^(?=\S+ R\d{4}: )", report):
        place = PLACE.search(message)
        if place is None:
            continue
        number, column = int(place[2]), int(place[3])
        lines = text.split("\n")
        line, carets = lines[number - 1], CARETS.search(message)
        end = column + (len(carets[1]) if carets else 1)
        meant, surplus, missing = MEANT.search(message), LEAVE_OUT.search(message), MISSING.search(message)
        if meant is not None:
            lines[number - 1] = line[: column - 1] + meant[1] + line[end - 1 :]
        elif BEGIN.search(message):
            lines.insert(number - 1, "game heaps")
        elif INDENT.search(message):
            lines[number - 1] = f"    {line}"
        elif surplus is not None:
            assert line[column - 1 :].startswith(surplus[1]), message
            lines[number - 1] = line[: column - 1].rstrip() + line[column - 1 + len(surplus[1]) :]
        elif missing is not None:
            lines[number - 1] = line[: column - 1] + missing[1] + line[column - 1 :]
        else:
            continue
        return "\n".join(lines)
    raise AssertionError(f"no message says what to write:\n{report}")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", FILES)
def test_broken_file_is_repaired_by_its_messages_alone(title: str, language: str, wongar: Command) -> None:
    good, *mistakes = FILES[title]
    text = good
    for right, wrong in mistakes:
        assert right in text, right
        text = text.replace(right, wrong, 1)
    name = "changed.rules" if good.startswith("variant") else "heaps.rules"
    wongar.patch.chdir(wongar.home)
    wongar.patch.setenv("LANG", LOCALES[language])
    (wongar.home / "heaps.rules").write_text(BASE, encoding="utf-8")
    report = ""
    for _ in range(2 * len(mistakes)):
        (wongar.home / name).write_text(text, encoding="utf-8")
        done = wongar("validate", name)
        if done.code == 0:
            return
        assert done.code == 1
        report = done.out + done.err
        text = apply_advice(text, report)
    raise AssertionError(f"still broken:\n{text}\n{report}")
