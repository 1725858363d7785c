"""The checked model of a game: its declarations, and the type and meaning of each name and expression."""

from __future__ import annotations

from wongar_dsl.model.declarations import (
    CodeDeclarations,
    DeckDecl,
    Declarations,
    FigureDecl,
    PathsDecl,
    RememberDecl,
    ScoreDecl,
    Setting,
    ZoneDecl,
)
from wongar_dsl.model.model import (
    MAX_CELLS,
    CardSort,
    CoveringData,
    Decision,
    Face,
    Message,
    MessageArgument,
    MessageUse,
    Model,
    TableData,
    TooManyCells,
)
from wongar_dsl.model.types import FIGURE, NONE, NOTHING, NUMBER, PLAYER, TALLY, TRUTH, UNKNOWN, Local, Ref, Type

__all__ = [
    "FIGURE",
    "MAX_CELLS",
    "NONE",
    "NOTHING",
    "NUMBER",
    "PLAYER",
    "TALLY",
    "TRUTH",
    "UNKNOWN",
    "CardSort",
    "CodeDeclarations",
    "CoveringData",
    "Decision",
    "DeckDecl",
    "Declarations",
    "Face",
    "FigureDecl",
    "Local",
    "Message",
    "MessageArgument",
    "MessageUse",
    "Model",
    "PathsDecl",
    "Ref",
    "RememberDecl",
    "ScoreDecl",
    "Setting",
    "TableData",
    "TooManyCells",
    "Type",
    "ZoneDecl",
]
