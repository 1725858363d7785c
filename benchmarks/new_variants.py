"""Variants created by `wongar new`: for each game and language they must check, pass their case and be playable."""

from __future__ import annotations

import contextlib
import io
import itertools
import random
import re
import tempfile
import time
from pathlib import Path

from wongar_dsl.cli.main import main
from wongar_dsl.engine.library import Rules, builtin_names, load
from wongar_dsl.engine.match import Match, Seat

LANGUAGES = ("de", "nl", "it", "en")
COMBINED = ("ubongo+hard+long",)


def begun(seconds: float, seed: int) -> tuple[int, list[str]]:
    """Return the number of variants created, and the failures."""
    every = list(itertools.product((*builtin_names(), *COMBINED), LANGUAGES))
    random.Random(seed).shuffle(every)
    count, wrong, end = 0, [], time.monotonic() + seconds
    for game, language in itertools.cycle(every):
        if time.monotonic() > end:
            return count, wrong
        with tempfile.TemporaryDirectory() as folder:
            if fault := _fault(Path(folder), game, language, seed):
                wrong.append(f"new --from {game} --lang {language}: {fault}")
        count += 1
    return count, wrong


def _fault(folder: Path, game: str, language: str, seed: int) -> str:
    """Return the failure of a variant of a game created in a language, or ""."""
    rules = folder / "mine" / "mine.rules"
    commands = (
        ["new", "mine", "--from", game, "--dir", str(rules.parent)],
        ["validate", str(rules)],
        ["test", str(rules.parent)],
        ["fmt", "--check", str(rules)],
    )
    for command in commands:
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
            code = main([*command, "--lang", language])
        if code or (command[0] == "validate" and out.getvalue().count("\n") > 1):
            return f"{command[0]}: {code}, {out.getvalue()}"
    _play(load(str(rules)), seed)
    text = rules.read_text(encoding="utf-8")
    offered = re.sub(r"^#(?! |$|    nothing)|^#(?=    nothing)", "", text, flags=re.MULTILINE)
    rules.write_text(offered, encoding="utf-8")
    load(str(rules))
    return "" if offered != text else "nothing is offered"


def _play(rules: Rules, seed: int) -> None:
    """Play a random game to its end."""
    seats = rules.model.players[0]
    match = Match.begin(rules.game(seats), [Seat("random", "")] * seats, seed, rules.hash)
    chance = random.Random(seed)
    while not match.state.over:
        match.play(chance.choice(match.state.legal_moves()))
