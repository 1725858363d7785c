"""Realisation of messages in the reader's language: lexicon, catalogs and grammar, without any knowledge of rules."""

from __future__ import annotations

from wongar_dsl.nlg.words.arguments import (
    ADDRESSED,
    ALL_ADDRESSED,
    COUNTED,
    UNSAID,
    Anaphor,
    Attribute,
    Genitive,
    Listing,
    NounPhrase,
    PlayerName,
    ProperName,
    Relative,
    Replacement,
    Sentence,
    Term,
    Text,
    Value,
    ValueList,
    WordsError,
    quoted,
)
from wongar_dsl.nlg.words.languages import available, builtin_folder, negotiate
from wongar_dsl.nlg.words.translator import Translator

__all__ = [
    "ADDRESSED",
    "ALL_ADDRESSED",
    "COUNTED",
    "UNSAID",
    "Anaphor",
    "Attribute",
    "Genitive",
    "Listing",
    "NounPhrase",
    "PlayerName",
    "ProperName",
    "Relative",
    "Replacement",
    "Sentence",
    "Term",
    "Text",
    "Translator",
    "Value",
    "ValueList",
    "WordsError",
    "available",
    "builtin_folder",
    "negotiate",
    "quoted",
]
