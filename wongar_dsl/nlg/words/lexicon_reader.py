"""Builder of lexicons: merges the files of one language, checks them and builds the lexicon."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from wongar_dsl.nlg.words.arguments import Text
from wongar_dsl.nlg.words.clause import COMMAS, ORDERS, Grammar, Order
from wongar_dsl.nlg.words.errors import WordsError
from wongar_dsl.nlg.words.inflection import Features, Forms, Tree, read_forms, unknown_feature
from wongar_dsl.nlg.words.lexicon import (
    NUMERAL_DIMENSIONS,
    PLACES,
    PRONOUN_DIMENSIONS,
    SUBJECT,
    YOU,
    Adjective,
    Determiner,
    Lexicon,
    Place,
    Preposition,
    Sound,
    as_list,
    as_mapping,
    as_text,
    as_words,
    is_yes,
)

T = TypeVar("T")

#: The sections that a lexicon file can have.
SECTIONS = frozenset({
    "name", "locale", "features", "patterns", "numbers", "sounds", "determiners", "prepositions", "adjectives",
    "conjunctions", "contractions", "numerals", "ordinals", "times", "possessives", "belonging", "capitalise",
    "capitals", "right_to_left", "transliteration", "required", "quotation", "apart", "avoid", "glossary",
    "after_numbers", "than", "clauses", "pronouns", "relatives", "relatives_after", "possession", "possession_other",
    "possession_before", "spoken_of", "addressing", "places", "there", "unnamed", "terms", "games",
})  # fmt: skip

#: Words in a slot with the same meaning in every language, which no lexicon may redefine.
RESERVED = frozenset({"num", "count", "ord", "times", "asis", "and", "or", "same", SUBJECT, *PLACES, *ORDERS})


def merge(trees: Sequence[Mapping[str, Tree]]) -> dict[str, Tree]:
    """Merge trees: a later one adds to and overrides earlier ones, entry by entry."""
    merged: dict[str, Tree] = {}
    for tree in trees:
        for section, entries in tree.items():
            if section == "games":
                games = as_mapping(merged.get("games", ""), "games")
                for game, words in as_mapping(entries, "games").items():
                    previous = as_mapping(games.get(game, ""), game)
                    games = {**games, game: {**previous, **as_mapping(words, game)}}
                merged["games"] = games
            elif isinstance(entries, dict):
                merged[section] = {**as_mapping(merged.get(section, ""), section), **entries}
            else:
                merged[section] = entries
    return merged


def build(code: str, tree: Mapping[str, Tree]) -> Lexicon:
    """Build the lexicon of the language `code`.

    Raises `WordsError` for an unknown section or feature, a value of the wrong shape, and a word with two meanings.
    """
    for key in tree:
        if key not in SECTIONS:
            raise WordsError("words.unknown_section", {"where": Text(code), "word": Text(key)})

    def section(name: str) -> dict[str, Tree]:
        return as_mapping(tree.get(name, ""), f"{code}: {name}")

    def entries(name: str, read: Callable[[str, Tree], T]) -> dict[str, T]:
        return {key: read(f"{code}: {name}.{key}", value) for key, value in section(name).items()}

    sounds = entries("sounds", _sound)
    stated = entries("features", lambda where, value: as_words(value, where))
    # Short forms of names are for board diagrams; the sound of a word has the least weight.
    features = Features({"style": ("full", "short"), **stated, "sound": tuple(sounds)}, section("patterns"))
    plain = Features(features.dimensions)
    entries("patterns", lambda where, value: read_forms(value, plain, where))
    seen: set[str] = set()
    for values in features.dimensions.values():
        _no_second_meaning(code, seen, values)

    def forms(where: str, value: Tree) -> Forms:
        return read_forms(value, features, where)

    # A word before a noun may change where the reader is addressed as the subject.
    to_reader = Features({**features.dimensions, "reader": (YOU,)}, features.patterns)

    def describing(where: str, value: Tree) -> Forms:
        return read_forms(value, to_reader, where)

    def pronouns(name: str) -> Forms:
        return read_forms(tree.get(name, {}), Features({**plain.dimensions, **PRONOUN_DIMENSIONS}), f"{code}: {name}")

    def numeral(where: str, value: Tree) -> Forms:
        return read_forms(value, Features({**NUMERAL_DIMENSIONS, **plain.dimensions}), where)

    def determiner(where: str, value: Tree) -> Determiner:
        if not isinstance(value, dict):
            return Determiner(describing(where, value))
        rest = {key: form for key, form in value.items() if key not in {"sets", "alone", "agrees"}}
        settings = {
            key: _feature(features, as_text(value[key], where), where) for key in ("sets", "agrees") if key in value
        }
        alone = forms(where, value["alone"]) if "alone" in value else None
        return Determiner(describing(where, rest), settings.get("sets"), alone, settings.get("agrees"))

    def preposition(where: str, value: Tree) -> Preposition:
        parts = value if isinstance(value, dict) else {"case": value}
        cases = as_words(parts.get("case", ""), where)
        for case in cases:
            if case not in features.dimensions.get("case", ()):
                case_features = Features({"case": features.dimensions.get("case", ())})
                raise unknown_feature(case_features, case, where)
        name = where.rpartition(".")[2]
        rest = {key: form for key, form in parts.items() if key not in {"case", "form"}}
        return Preposition(forms(where, parts.get("form", rest or name)), cases)

    def adjective(where: str, value: Tree) -> Adjective:
        if isinstance(value, dict) and "after" in value:
            rest = {key: form for key, form in value.items() if key != "after"}
            return Adjective(describing(where, rest), is_yes(value["after"], where))
        return Adjective(describing(where, value))

    prepositions = entries("prepositions", preposition)
    determiners = entries("determiners", determiner)
    adjectives = entries("adjectives", adjective)
    for words in (prepositions, determiners, adjectives):
        _no_second_meaning(code, seen, tuple(words))

    def required(where: str, value: Tree) -> tuple[frozenset[str], ...]:
        keys = [frozenset(key.split(".")) for key in as_words(value, where)]
        for key in keys:
            for feature in key:
                _feature(features, feature, where)
        return tuple(keys)

    required_tree = tree.get("required", "")
    belonging = section("belonging")
    before = is_yes(belonging.pop("before", ""), f"{code}: belonging.before")
    return Lexicon(
        code=code,
        name=as_text(tree.get("name", code), code),
        locale=as_text(tree.get("locale", code), code),
        features=features,
        numbers=entries("numbers", lambda where, value: _feature(features, as_text(value, where), where)),
        sounds=sounds,
        determiners=determiners,
        prepositions=prepositions,
        adjectives=adjectives,
        conjunctions=entries("conjunctions", forms),
        contractions=entries("contractions", lambda where, value: as_text(value, where)),
        numerals=entries("numerals", numeral),
        ordinals=entries("ordinals", forms),
        times=entries("times", lambda where, value: as_text(value, where)),
        possessives=entries("possessives", _endings),
        belonging={key: as_words(value, f"{code}: belonging.{key}") for key, value in belonging.items()},
        owners_before=before,
        clauses=_clauses(section("clauses"), code),
        pronouns=pronouns("pronouns"),
        spoken_of=pronouns("spoken_of"),
        relatives=pronouns("relatives"),
        relatives_after=pronouns("relatives_after"),
        possession=pronouns("possession"),
        addressing=entries("addressing", lambda where, value: as_text(value, where)),
        possession_other=pronouns("possession_other"),
        possession_before=pronouns("possession_before"),
        places=entries("places", _place),
        there=as_text(tree.get("there", ""), code),
        unnamed=_feature(features, as_text(tree["unnamed"], code), f"{code}: unnamed") if "unnamed" in tree else "",
        capitalise=is_yes(tree.get("capitalise", "yes"), code),
        capitals=entries("capitals", lambda where, value: as_text(value, where)),
        right_to_left=is_yes(tree.get("right_to_left", ""), code),
        transliteration=entries("transliteration", lambda where, value: as_text(value, where)),
        required=entries("required", required)
        if isinstance(required_tree, dict)
        else {"": required(code, required_tree)},
        quotation=_quotation(tree.get("quotation", ""), code),
        apart=frozenset(as_words(tree.get("apart", ""), code)),
        avoid=as_list(tree.get("avoid", ""), code),
        glossary=entries("glossary", lambda where, value: as_list(value, where)),
        after_numbers=frozenset(as_words(tree.get("after_numbers", ""), code)),
        than=frozenset(as_words(tree.get("than", ""), code)),
        terms=section("terms"),
        games={game: as_mapping(words, game) for game, words in section("games").items()},
    )


def _feature(features: Features, word: str, where: str) -> str:
    if features.dimension(word) is None:
        raise unknown_feature(features, word, where)
    return word


def _clauses(tree: Mapping[str, Tree], code: str) -> Grammar:
    """Parse the clause syntax."""
    where = f"{code}: clauses"
    for key in tree:
        if key not in {"inverted", "final", "commas", "none", "serial", "there_first"}:
            raise WordsError("words.unknown_section", {"where": Text(where), "word": Text(key)})
    commas = next((allowed for allowed in COMMAS if allowed == tree.get("commas", "")), None)
    if commas is None:
        raise WordsError("words.bad_shape", {"where": Text(f"{where}.commas")})
    inverted, final, serial, there_first = (
        is_yes(tree.get(key, ""), f"{where}.{key}") for key in ("inverted", "final", "serial", "there_first")
    )
    grammar = Grammar(inverted, final, commas, serial=serial, there_first=there_first)
    none = tree.get("none", "")
    if not isinstance(none, dict):
        return replace(grammar, none=as_text(none, f"{where}.none"))
    allowed = {order.name.lower(): order for order in Order}
    orders = as_words(none.get("orders", " ".join(allowed)), f"{where}.none.orders")
    for word in (*(key for key in none if key not in {"word", "orders", "determiner"}), *orders):
        if word not in allowed:
            raise WordsError("words.unknown_section", {"where": Text(f"{where}.none"), "word": Text(word)})
    texts = [as_text(none.get(key, ""), f"{where}.none.{key}") for key in ("word", "determiner")]
    denied = frozenset(allowed[word] for word in orders)
    return replace(grammar, none=texts[0], denied=denied, denied_as=texts[1])


def _place(where: str, value: Tree) -> dict[Place, tuple[str, ...]]:
    """Parse a sort of place: the words that it puts before a noun."""
    parts = as_mapping(value, where)
    if set(parts) != set(PLACES):
        raise WordsError("words.bad_shape", {"where": Text(where)})
    return {place: as_words(parts[place], f"{where}.{place}") for place in PLACES}


def _sound(where: str, value: Tree) -> Sound:
    if isinstance(value, dict):
        return Sound(as_words(value.get("starts", ""), where), as_words(value.get("unless", ""), where))
    return Sound(as_words(value, where))


def _quotation(tree: Tree, where: str) -> tuple[str, ...]:
    """Return the quotation marks: opening and closing, then optionally those of nested quotations."""
    marks = as_words(tree, where)
    if len(marks) not in {0, 2, 4}:
        raise WordsError("words.bad_shape", {"where": Text(f"{where}: quotation")})
    return marks


def _endings(where: str, value: Tree) -> tuple[tuple[str, str], ...]:
    """Return endings of names with their additions; the longest first, the empty one (`otherwise`) last."""
    endings = {"": as_text(value, where)} if isinstance(value, str) else {}
    if isinstance(value, dict):
        endings = {"" if key == "otherwise" else key: as_text(form, where) for key, form in value.items()}
    return tuple(sorted(endings.items(), key=lambda entry: -len(entry[0])))


def _no_second_meaning(code: str, seen: set[str], words: Sequence[str]) -> None:
    """Raise `WordsError` if a word belongs to two sections: a word in a slot must have one meaning."""
    for word in words:
        if word in seen or word in RESERVED:
            raise WordsError("words.two_meanings", {"where": Text(code), "word": Text(word)})
        seen.add(word)
