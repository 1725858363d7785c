"""Realisation of messages in the reader's language: lexicon, catalogs and grammar, without any knowledge of rules."""

from __future__ import annotations

from wongar_dsl.words.arguments import (
    ADDRESSED,
    COUNTED,
    UNSAID,
    Again,
    Attribute,
    Instead,
    Listing,
    Name,
    Nominal,
    Of,
    Player,
    Relative,
    Said,
    Tally,
    Term,
    Text,
    Value,
    quoted,
)
from wongar_dsl.words.errors import WordsError
from wongar_dsl.words.negotiation import available, negotiate, shipped
from wongar_dsl.words.words import Words

__all__ = [
    "ADDRESSED",
    "COUNTED",
    "UNSAID",
    "Again",
    "Attribute",
    "Instead",
    "Listing",
    "Name",
    "Nominal",
    "Of",
    "Player",
    "Relative",
    "Said",
    "Tally",
    "Term",
    "Text",
    "Value",
    "Words",
    "WordsError",
    "available",
    "negotiate",
    "quoted",
    "shipped",
]
