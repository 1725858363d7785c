"""Error messages for rejected requests, in the user's language."""

from __future__ import annotations

from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.engine import IllegalMove, PlayFault
from wongar_dsl.engine.saves.saves import SaveError
from wongar_dsl.nlg.narration import Narrator, illegal_move
from wongar_dsl.nlg.words import Text, Translator, Value
from wongar_dsl.session.board.puzzle import CoveringFault
from wongar_dsl.session.errors import SessionSetupError

from ..host import TooManyError
from ..tables.table_session import (
    DrawingError,
    NotSavedError,
    RepeatedAnswerError,
    StaleError,
    TableSession,
    UndoBarrierError,
)
from ..views.repeat_form import repeat_error

#: Exceptions that a route reports to the user with `error_text`.
REPORTED = (
    IllegalMove,
    PlayFault,
    SaveError,
    OSError,
    SessionSetupError,
    DrawingError,
    UndoBarrierError,
    StaleError,
    RulesError,
    TooManyError,
    RepeatedAnswerError,
)


def error_text(error: Exception, words: Translator) -> str:
    """Return the message for an error that does not depend on the table."""
    match error:
        case SessionSetupError():
            details: dict[str, Value] = dict(error.details)
            if "low" in details and "option" in details:
                details["allowed"] = Text(words.say("cli.from_to", low=details.pop("low"), high=details.pop("high")))
            return words.say(f"cli.{error.reason}", None, **details)
        case SaveError(reason="in_use"):
            return words.say("serve.in_use")
        case SaveError():
            return words.say("serve.save")
        case NotSavedError():
            return words.say("serve.not_kept")
        case OSError():
            return words.say("cli.not_saved")
        case PlayFault() | RulesError():
            return words.say("cli.fault")
        case TooManyError():
            return words.say("serve.too_many_tables")
        case StaleError():
            return words.say("serve.stale")
        case RepeatedAnswerError():
            return words.say("serve.series")
    return words.say("serve.not_possible")


def table_error_text(error: Exception, table_session: TableSession, words: Translator, seat: int) -> str:
    """Return the message for an error in a seat's request.

    The caller holds the lock of the table.
    """
    narrator = Narrator(table_session.match.game, words, table_session.session.names)
    match error:
        case IllegalMove():
            pending = table_session.pending.get(seat)
            why = illegal_move.explain(error, pending.state, narrator, seat) if pending is not None else []
            return " ".join(why) or words.say("serve.not_possible")
        case DrawingError(fault=CoveringFault() as fault):
            row, column = (index + 1 for index in fault.spot)
            return words.say(f"cli.puzzle.{fault.kind}", None, piece=Text(fault.piece), row=row, column=column)
        case DrawingError():
            return words.say("cli.puzzle.wrong")
        case RepeatedAnswerError() if (limit := repeat_error(error.state, error.wanted)) is not None:
            move, n = limit
            if move is None:
                return words.say("serve.series.all", None, n=n)
            return words.say("serve.series.most", None, option=Text(narrator.option(error.state, move)), n=n)
        case UndoBarrierError():
            event = error.barrier.event
            shown = narrator.event(event, seat) if event is not None else None
            return " ".join(filter(None, (words.say(f"cli.cannot_undo.{error.barrier.reason}"), shown)))
    return error_text(error, words)
