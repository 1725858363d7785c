"""Builder of lexicons: merges the files of one language, checks them and builds the lexicon."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import TypeVar

from wongar_dsl.nlg.words.arguments import WordsError
from wongar_dsl.nlg.words.clause import COMMAS, ORDERS, Grammar, Order
from wongar_dsl.nlg.words.lexicon import (
    NUMERAL_DIMENSIONS,
    PLACES,
    PRONOUN_DIMENSIONS,
    SUBJECT,
    YOU,
    Adjective,
    Determiner,
    Features,
    Forms,
    Lexicon,
    Place,
    Preposition,
    Sound,
    Tree,
    as_list,
    as_mapping,
    as_text,
    as_words,
    is_yes,
    read_forms,
    unknown_feature,
)

T = TypeVar("T")

#: The sections that a lexicon file can have.
SECTIONS = frozenset({part.name for part in fields(Lexicon) if part.init}) - {"code", "owners_before", "_built"} | {
    "patterns"
}

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
            raise WordsError("words.unknown_section", where=code, word=key)

    def section(name: str) -> dict[str, Tree]:
        return as_mapping(tree.get(name, ""), f"{code}: {name}")

    def entries(name: str, read: Callable[[Tree, str], T]) -> dict[str, T]:
        return {key: read(value, f"{code}: {name}.{key}") for key, value in section(name).items()}

    def sound(value: Tree, where: str) -> Sound:
        parts = value if isinstance(value, dict) else {"starts": value}
        return Sound(as_words(parts.get("starts", ""), where), as_words(parts.get("unless", ""), where))

    sounds = entries("sounds", sound)
    stated = entries("features", as_words)
    # Short forms of names are for board diagrams; the sound of a word has the least weight.
    features = Features({"style": ("full", "short"), **stated, "sound": tuple(sounds)}, section("patterns"))
    plain = Features(features.dimensions)
    entries("patterns", partial(read_forms, plain))
    seen: set[str] = set()
    for values in features.dimensions.values():
        _no_second_meaning(code, seen, values)

    forms = partial(read_forms, features)
    # A word before a noun may change where the reader is addressed as the subject.
    describing = partial(read_forms, Features({**features.dimensions, "reader": (YOU,)}, features.patterns))
    numeral = partial(read_forms, Features({**NUMERAL_DIMENSIONS, **plain.dimensions}))
    pronoun_features = Features({**plain.dimensions, **PRONOUN_DIMENSIONS})

    def pronouns(name: str) -> Forms:
        return read_forms(pronoun_features, tree.get(name, {}), f"{code}: {name}")

    def determiner(value: Tree, where: str) -> Determiner:
        if not isinstance(value, dict):
            return Determiner(describing(value, where))
        rest = {key: form for key, form in value.items() if key not in {"sets", "alone", "agrees"}}
        settings = {
            key: _feature(features, as_text(value[key], where), where) for key in ("sets", "agrees") if key in value
        }
        alone = forms(value["alone"], where) if "alone" in value else None
        return Determiner(describing(rest, where), settings.get("sets"), alone, settings.get("agrees"))

    def preposition(value: Tree, where: str) -> Preposition:
        parts = value if isinstance(value, dict) else {"case": value}
        cases = as_words(parts.get("case", ""), where)
        for case in cases:
            if case not in features.dimensions.get("case", ()):
                case_features = Features({"case": features.dimensions.get("case", ())})
                raise unknown_feature(case_features, case, where)
        name = where.rpartition(".")[2]
        rest = {key: form for key, form in parts.items() if key not in {"case", "form"}}
        return Preposition(forms(parts.get("form", rest or name), where), cases)

    def adjective(value: Tree, where: str) -> Adjective:
        after = value.get("after", "") if isinstance(value, dict) else ""
        rest = {key: form for key, form in value.items() if key != "after"} if isinstance(value, dict) else value
        return Adjective(describing(rest, where), is_yes(after, where))

    prepositions = entries("prepositions", preposition)
    determiners = entries("determiners", determiner)
    adjectives = entries("adjectives", adjective)
    for words in (prepositions, determiners, adjectives):
        _no_second_meaning(code, seen, tuple(words))

    def required(value: Tree, where: str) -> tuple[frozenset[str], ...]:
        keys = (key.split(".") for key in as_words(value, where))
        return tuple(frozenset(_feature(features, feature, where) for feature in key) for key in keys)

    required_tree = tree.get("required", "")
    belonging = section("belonging")
    before = is_yes(belonging.pop("before", ""), f"{code}: belonging.before")
    return Lexicon(
        code=code,
        name=as_text(tree.get("name", code), code),
        locale=as_text(tree.get("locale", code), code),
        features=features,
        numbers=entries("numbers", lambda value, where: _feature(features, as_text(value, where), where)),
        sounds=sounds,
        determiners=determiners,
        prepositions=prepositions,
        adjectives=adjectives,
        conjunctions=entries("conjunctions", forms),
        contractions=entries("contractions", as_text),
        numerals=entries("numerals", numeral),
        ordinals=entries("ordinals", forms),
        times=entries("times", as_text),
        possessives=entries("possessives", _endings),
        belonging={key: as_words(value, f"{code}: belonging.{key}") for key, value in belonging.items()},
        owners_before=before,
        clauses=_clauses(section("clauses"), code),
        pronouns=pronouns("pronouns"),
        spoken_of=pronouns("spoken_of"),
        relatives=pronouns("relatives"),
        relatives_after=pronouns("relatives_after"),
        possession=pronouns("possession"),
        addressing=entries("addressing", as_text),
        addressing_before=entries("addressing_before", as_text),
        addressing_all=entries("addressing_all", as_text),
        imperative=is_yes(tree.get("imperative", ""), code),
        possession_other=pronouns("possession_other"),
        possession_before=pronouns("possession_before"),
        places=entries("places", _place),
        there=as_text(tree.get("there", ""), code),
        unnamed=_feature(features, as_text(tree["unnamed"], code), f"{code}: unnamed") if "unnamed" in tree else "",
        capitalise=is_yes(tree.get("capitalise", "yes"), code),
        capitals=entries("capitals", as_text),
        right_to_left=is_yes(tree.get("right_to_left", ""), code),
        transliteration=entries("transliteration", as_text),
        required=entries("required", required)
        if isinstance(required_tree, dict)
        else {"": required(required_tree, code)},
        quotation=_quotation(tree.get("quotation", ""), code),
        apart=frozenset(as_words(tree.get("apart", ""), code)),
        avoid=as_list(tree.get("avoid", ""), code),
        glossary=entries("glossary", as_list),
        after_numbers=frozenset(as_words(tree.get("after_numbers", ""), code)),
        ambiguous_numerals=frozenset(as_words(tree.get("ambiguous_numerals", ""), code)),
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
            raise WordsError("words.unknown_section", where=where, word=key)
    commas = next((allowed for allowed in COMMAS if allowed == tree.get("commas", "")), None)
    if commas is None:
        raise WordsError("words.bad_shape", where=f"{where}.commas")
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
            raise WordsError("words.unknown_section", where=f"{where}.none", word=word)
    texts = [as_text(none.get(key, ""), f"{where}.none.{key}") for key in ("word", "determiner")]
    denied = frozenset(allowed[word] for word in orders)
    return replace(grammar, none=texts[0], denied=denied, denied_as=texts[1])


def _place(value: Tree, where: str) -> dict[Place, tuple[str, ...]]:
    """Parse a sort of place: the words that it puts before a noun."""
    parts = as_mapping(value, where)
    if set(parts) != set(PLACES):
        raise WordsError("words.bad_shape", where=where)
    return {place: as_words(parts[place], f"{where}.{place}") for place in PLACES}


def _quotation(tree: Tree, where: str) -> tuple[str, ...]:
    """Return the quotation marks: opening and closing, then optionally those of nested quotations."""
    marks = as_words(tree, where)
    if len(marks) not in {0, 2, 4}:
        raise WordsError("words.bad_shape", where=f"{where}: quotation")
    return marks


def _endings(value: Tree, where: str) -> tuple[tuple[str, str], ...]:
    """Return endings of names with their additions; the longest first, the empty one (`otherwise`) last."""
    stated = {"otherwise": value} if isinstance(value, str) else value if isinstance(value, dict) else {}
    endings = {"" if key == "otherwise" else key: as_text(form, where) for key, form in stated.items()}
    return tuple(sorted(endings.items(), key=lambda entry: -len(entry[0])))


def _no_second_meaning(code: str, seen: set[str], words: Sequence[str]) -> None:
    """Raise `WordsError` if a word belongs to two sections: a word in a slot must have one meaning."""
    for word in words:
        if word in seen or word in RESERVED:
            raise WordsError("words.two_meanings", where=code, word=word)
        seen.add(word)
