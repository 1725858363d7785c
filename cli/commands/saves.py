"""`wongar saves`: the saved games, to list them or to remove those that are over."""

from __future__ import annotations

import json
import time

from wongar_dsl.base.terminal_text import fold
from wongar_dsl.engine.saves import SaveError, is_open, remove_finished
from wongar_dsl.nlg.narration.narrator import title
from wongar_dsl.nlg.words import Listing, PlayerName, Text, Translator
from wongar_dsl.session.game_session import GameProgress, SavedGame, list_saves, read_progress

from .. import save_paths
from ..errors import FAILURE, SUCCESS, USAGE, UserError, write_error
from ..language import cache, is_yes
from ..load_game import save_error
from ..terminal.screen import Screen, echo_data

#: Seconds spent on replaying saves to see whose turn it is. For the rest, the list only shows whether the game is over.
#: JSON output waits for all.
REPLAY_TIMEOUT_S = 1.0


def saves_command(words: Translator, form: str, prune: bool, yes: bool) -> int:
    """Run `wongar saves`."""
    saved_games = list_saves(save_paths.folder())
    if prune:
        return _prune(saved_games, yes, words)
    end = time.monotonic() + REPLAY_TIMEOUT_S
    standings = [_progress(saved) if form == "json" or time.monotonic() < end else None for saved in saved_games]
    if form == "json":
        games = (
            _save_data(n, saved, how) for n, (saved, how) in enumerate(zip(saved_games, standings, strict=True), 1)
        )
        echo_data(json.dumps(list(games), ensure_ascii=False, indent=2))
        return SUCCESS
    screen = Screen()
    if not saved_games:
        screen.text(words.say("cli.saves.none"))
    digits = len(str(len(saved_games)))
    for number, (saved, how) in enumerate(zip(saved_games, standings, strict=True), 1):
        title, status = _title_and_status(saved, how, words)
        when = words.moment(saved.written)
        screen.line([("number", f"{number:>{digits}} "), ("strong", title), ("faint", f"  {when}")])
        for line in fold(status, screen.width - digits - 2):
            screen.line([("", " " * (digits + 1)), ("", line)])
    if saved_games:
        screen.text(words.say("cli.saves.how"), "faint")
    return SUCCESS


def _progress(save: SavedGame) -> GameProgress | SaveError:
    """Return the progress of a saved game, or the reason why it cannot be continued."""
    try:
        return read_progress(save, cache()) if save.fault is None else save.fault
    except SaveError as error:
        return error


def _title_and_status(save: SavedGame, how: GameProgress | SaveError | None, words: Translator) -> tuple[str, str]:
    """Return the title of a saved game and its status; for a broken save, the file name and the fault."""
    fault = how if isinstance(how, SaveError) else save.fault
    if fault is not None or save.saved is None:
        return save.path.name, save_error(fault or SaveError("broken", path=str(save.path)), words).text
    players = Listing(tuple(map(PlayerName, save.names)))
    if how is None or isinstance(how, SaveError):
        state = words.say("cli.saves.finished" if save.over else "cli.saves.going_on")
    elif how.seat is not None:
        state = words.say("cli.saves.turn", None, player=PlayerName(save.names[how.seat]))
    elif how.winners:
        state = words.say("cli.saves.won", None, winners=Listing(tuple(PlayerName(save.names[p]) for p in how.winners)))
    else:
        state = words.say("cli.saves.draw")
    if is_open(save.path):
        state = words.say("cli.saves.open", None, state=Text(state))
    n = len(save.saved.choices)
    return title(words, save.saved.game), words.say("cli.saves.game", None, players=players, n=n, state=Text(state))


def _save_data(number: int, save: SavedGame, how: GameProgress | SaveError | None) -> dict[str, object]:
    """Return a saved game as JSON data; seats count from 1."""
    data: dict[str, object] = {"number": number, "file": str(save.path), "written": round(save.written, 3)}
    if isinstance(how, SaveError):
        data["fault"] = how.reason
    if save.saved is None:
        return data
    data |= {"game": save.saved.game, "players": list(save.names), "language": save.saved.language}
    data |= {"decisions": len(save.saved.choices), "over": save.over, "open": is_open(save.path)}
    if how is not None and not isinstance(how, SaveError):
        data |= {"decides": None if how.seat is None else how.seat + 1, "winners": [p + 1 for p in how.winners]}
    return data


def _prune(found: list[SavedGame], yes: bool, words: Translator) -> int:
    """Delete finished games, except those open in another program, and return the exit code."""
    screen, over = Screen(), [saved for saved in found if saved.over]
    if not over:
        screen.text(words.say("cli.saves.nothing_over"))
        return SUCCESS
    if not yes:
        question = words.say("cli.saves.sure", None, n=len(over))
        if not screen.interactive:
            raise UserError(words.say("cli.saves.ask_yes", None, n=len(over)), USAGE)
        try:
            answer = screen.ask(question)
        except EOFError:
            answer = ""
        if not is_yes(answer, words):
            return SUCCESS
    removed = 0
    for saved in over:
        try:
            removed += remove_finished(saved.path)
        except SaveError as error:
            screen.text(save_error(error, words).text, "wrong")
        except OSError as error:
            screen.text(write_error(saved.path, error, words).text, "wrong")
    screen.text(words.say("cli.saves.removed", None, n=removed))
    return SUCCESS if removed == len(over) else FAILURE
