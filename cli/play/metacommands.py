"""What can be typed besides an option: `?`, undo, save, log, lang, rules, board, quit, in English or localised."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from wongar_dsl.engine.saves import SaveError
from wongar_dsl.engine.undo import Final
from wongar_dsl.words import Text

from .. import saves
from ..language import quoted
from ..opening import switch
from ..pictures.position import picture
from .display import Display
from .help import explain_menu, explain_option, explain_rules
from .menu import Menu

NAMES = ("help", "undo", "save", "log", "lang", "rules", "board", "quit")
#: What `obey` gives back when the same question stands.
SAME, AGAIN = "", "again"


class Metacommands:
    """The commands at the prompt."""

    def __init__(self, sitting: Display) -> None:
        self._sitting = sitting
        self._earlier: dict[str, str] = {}  # the words of languages that were spoken before, to find the way back

    def words(self) -> dict[str, str]:
        """Every word that is a command now, with the command's English name."""
        say = self._sitting.table.words.say
        return {name: name for name in NAMES} | {say(f"cli.command.{name}").casefold(): name for name in NAMES}

    def obey(self, answer: str, menu: Menu) -> str | None:
        """Do a command: `SAME` or an outcome of the sitting; None if it is none."""
        if answer.startswith("?"):
            return self._help(answer[1:].strip(), menu)
        word, _, rest = answer.partition(" ")
        name = (self._earlier | self.words()).get(word.casefold())
        if name is None or (rest and name not in ("help", "save", "log", "lang")):
            return None
        match name:
            case "help":
                return self._help(rest.strip(), menu)
            case "undo":
                return self._undo()
            case "save":
                return self._save(rest.strip())
            case "log":
                return self._log(rest.strip())
            case "lang":
                return self._lang(rest.strip())
            case "rules":
                for style, text in explain_rules(self._sitting.table):
                    self._sitting.screen.text(text, style, "  " if style != "strong" else "")
                return SAME
            case "board":
                self._sitting.screen.lines(picture(self._sitting.scene(self._sitting.looking)))
                return AGAIN
        return "left"

    def leave(self) -> None:
        """Save, and say so."""
        sitting = self._sitting
        sitting.save()
        if not sitting.saving_failed:
            path = sitting.table.path
            own = path.parent != saves.folder()
            sitting.say(
                "cli.left.file" if own else "cli.left", path=quoted(shlex.quote(str(path)) if own else str(path))
            )

    def _help(self, about: str, menu: Menu) -> str:
        sitting = self._sitting
        if about:
            entry = menu.exact(about) or next(iter(menu.said(about)), None)
            if entry is None:
                sitting.no_such_number(menu)
                return SAME
            for style, text in explain_option(sitting.table, entry):
                sitting.screen.text(text, style, "    ")
            return SAME
        for style, text in explain_menu(sitting.table, menu, sitting.scene(sitting.looking)):
            sitting.screen.text(text, style, "    ")
        return SAME

    def _undo(self) -> str:
        sitting = self._sitting
        final = sitting.table.match.undo()
        if final is not None:
            self._tell_why(final)
            return SAME
        sitting.save()
        now = len(sitting.table.match.history())
        sitting.told = {viewer: min(n, now) for viewer, n in sitting.told.items()}
        sitting.say("cli.undone")
        return "done"

    def _tell_why(self, final: Final) -> None:
        """Why a step cannot be taken back, with the event that stands in the way."""
        sitting = self._sitting
        sitting.say(f"cli.cannot_undo.{final.reason}", "wrong")
        if final.event is not None:
            told = sitting.table.narrator.event(final.event, sitting.looking)
            if told:
                sitting.screen.text(told, "faint", "  ")

    def _save(self, name: str) -> str:
        sitting = self._sitting
        try:
            path = Path(name).expanduser() if name else sitting.table.path
            sitting.table.save(path)
        except SaveError as error:
            sitting.screen.text(saves.refusal(error, sitting.table.words).text, "wrong")
            return SAME
        except (OSError, ValueError, RuntimeError) as error:
            why = saves.reason(error, sitting.table.words)
            sitting.say("cli.cannot_save", "wrong", path=quoted(name or str(sitting.table.path)), why=quoted(why))
            return SAME
        sitting.say("cli.saved_at", path=quoted(str(path)))
        return SAME

    def _log(self, count: str) -> str:
        """The last sentences of the log, or as many as were asked for; `all` of them with `*`."""
        sitting = self._sitting
        narrator, viewer = sitting.table.narrator, sitting.looking
        told = [t for t in (narrator.event(e, viewer) for e in sitting.table.match.history()) if t]
        wanted = int(count) if re.fullmatch(r"[1-9][0-9]{0,5}", count) else len(told)
        for text in told[-wanted:]:
            sitting.screen.text(text, indent="  ")
        return SAME

    def _lang(self, language: str) -> str:
        sitting = self._sitting
        if not language:
            sitting.say("cli.language_now", language=Text(sitting.table.words.name))
            return SAME
        spoken = self.words()
        trouble = switch(sitting.table, language)
        if trouble is not None:
            sitting.screen.text(trouble, "wrong")
            return SAME
        self._earlier |= spoken
        sitting.say("cli.language_now", language=Text(sitting.table.words.name))
        return AGAIN
