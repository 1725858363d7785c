"""Structure of rulebooks: sections, their contents and sources, and what headings, places and cards say."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.mutants.operators import mutants, mutated
from tests.nlg.narration.told import write_words
from wongar_dsl.base.diagnostics import RulesError, Severity
from wongar_dsl.language import ast as s
from wongar_dsl.language.checker import check_game
from wongar_dsl.language.parser import reserved_words
from wongar_dsl.language.semantics import Model
from wongar_dsl.nlg.prose.document.document_model import Block, CountList, PicturePlace, Prose, Rulebook
from wongar_dsl.nlg.prose.document.outline import rulebook, unreported
from wongar_dsl.nlg.prose.document.play_texts import ExplainedCards
from wongar_dsl.nlg.prose.render.differences import differences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Translator

from .books import (
    LANGUAGES,
    book,
    document_of,
    model,
    plans_of,
    shipped,
    small,
    text_of_book,
    told,
    unverbalised_nodes,
    variant,
    words,
)


def test_rulebook_for_one_number_of_players_has_its_counts() -> None:
    [contents] = [part for part in book("ubongo", 3).sections if part.key == "contents"]
    items = contents.blocks[0]
    assert isinstance(items, CountList)
    assert next(item.counts for item in items.items if item.key == "remember.standing.item") == (3,)


CALLS = """
score points
setup
    lay_out()
play
    turn(player(1))
    finish()
    end game
rule lay_out()
    book()
rule turn(who: player)
    who chooses move
        go
            nothing
    draw(who)
    book()
rule draw(who: player)
    who gains 1 points
rule book()
    quiet()
rule quiet()
    player(2) gains 1 points
rule finish()
    player(1) gains 1 points
winner p
    most points of p
"""


def own_words(folder: Path, sentences: dict[str, str]) -> Translator:
    """Return English with sentences for the small game."""
    write_words(folder, "", {f"small.{name}": sentence for name, sentence in sentences.items()})
    return Translator.load("en", [folder / "locales"])


def test_rules_are_nested_below_their_only_caller_and_without_a_sentence_inlined(tmp_path: Path) -> None:
    said = ("lay_out", "turn", "draw", "book", "finish")
    document = rulebook(
        small(CALLS), own_words(tmp_path, {f"rule.{name}": "everybody [does|do] that" for name in said})
    )
    below = {part.key: [inner.key for inner in part.sections] for _, part in document.walk()}
    nested = {"play": ["rule.turn"], "rule.turn": ["rule.draw"], "rules": ["rule.book"], "end": ["rule.finish"]}
    assert {key: below[key] for key in nested} == nested
    assert "rule.quiet" not in below


PILES = """
cards card
    red
    blue
deck pack of card total 4
    2 red, 2 blue
pile stock holds card, seen {seen}
heap gone holds card, seen by all
heap kept holds card, seen by all
setup
    fill stock with pack
    {prepared}
play
    for each p in player
        p chooses turn
            take(one: {zone})
                move one from {zone} to kept
            otherwise
                nothing
    nobody wins
"""


@pytest.mark.parametrize(
    ("prepared", "order"),
    [
        ("shuffle stock", "shuffled"),
        ("move top of stock to gone\n    shuffle stock", "shuffled"),
        ("nothing", "in a fixed order"),
        ("shuffle stock\n    move top of stock to gone\n    move all of gone to stock", "in a fixed order"),
        ("shuffle stock\n    repeat 2 times\n        move top of stock to bottom of stock", "in a fixed order"),
        ("shuffle stock\n    move all of gone to stock\n    shuffle stock", "shuffled"),
    ],
)
def test_pile_has_an_order_only_if_something_is_put_on_it_unshuffled(prepared: str, order: str) -> None:
    assert f"Stock   {order} " in places(prepared, "gone")


def test_player_who_chooses_from_a_hidden_pile_sees_it() -> None:
    assert "nobody (the number is known)" in places("nothing", "gone")
    assert "only the player who chooses from it (the number is known)" in places("nothing", "stock")
    unknown = places("nothing", "stock", "by nobody")
    assert "only the player who chooses from it" in unknown
    assert "the number is known" not in unknown.partition("who chooses from it")[2].partition("\n")[0]


def places(prepared: str, zone: str, seen: str = "as a number") -> str:
    """Return the table of places of a game."""
    return text_of_book(small(PILES.format(prepared=prepared, zone=zone, seen=seen)), "en", "places")


def without_content(document: Rulebook) -> Iterator[str]:
    """Yield the keys of headings without content, and of components without a count."""
    for _, section in document.walk():
        if not section.sections and not any(map(has_content, section.blocks)):
            yield section.key
        counted = (item for block in section.blocks if isinstance(block, CountList) for item in block.items)
        yield from (item.key for item in counted if item.each is None and not item.counts)


def has_content(block: Block) -> bool:
    return isinstance(block, PicturePlace) or any(getattr(block, part, ()) for part in ("plans", "items", "rows"))


def emptied(rules: Model) -> Iterator[str]:
    """Yield changes that leave a rule without content, or a deck without a card of each kind."""
    for article in rules.merged.articles:
        if isinstance(article, s.Rule) and not article.gives:
            yield f"replace {article.span.source.line(article.span.line).strip()}\n    nothing\n"
        if isinstance(article, s.Deck):
            cards = {card.partition("(")[0]: card for card in article.part_names}
            yield from (f"remove {card} from deck {article.name.text}\n" for card in cards.values())
            yield from (f"set {card} in {article.name.text} to 0\n" for card in [*cards.values()][:1])


@pytest.mark.parametrize(("name", "step"), [("tongiaki", 7), ("kuhn_poker", 1)])
def test_a_heading_whose_content_a_variant_removes_is_removed(name: str, step: int) -> None:
    tried = 0
    for change in [*emptied(model(name))][::step]:
        try:
            changed = variant(name, change)
        except RulesError:
            # The base needs what the change removes.
            continue
        tried += 1
        document = rulebook(changed, words("en"))
        assert list(without_content(document)) == [], change
        assert list(unreported(changed, document)) == [], change
    assert tried


def test_a_rule_that_does_nothing_says_so() -> None:
    changed = variant("wongar", "replace rule elder_privilege()\n    nothing")
    sections = {part.key: part for _, part in document_of(changed).walk()}
    [block] = sections["rule.elder_privilege"].blocks
    assert isinstance(block, Prose)
    realised = (RealisedRulebook(document_of(changed), words(language), "") for language in LANGUAGES)
    assert [line.text for document in realised for line in document.sentences(block)] == [
        "Es geschieht nichts.",
        "Er gebeurt niets.",
        "Non succede nulla.",
        "Nothing happens.",
    ]


def test_a_card_without_copies_has_no_effect_and_no_place_in_headings() -> None:
    changed = variant("wongar", "remove elder_card from deck area_deck\nremove ritual(cube) from deck ritual_deck")
    document = document_of(changed)
    assert list(unverbalised_nodes(changed, document)) == []
    sections = {part.key: part for _, part in document.walk()}
    assert "effect.elder_card" not in sections
    [cards, _] = sections["effect.ritual"].blocks
    assert isinstance(cards, CountList)
    assert [item.key.rpartition(".")[2] for item in cards.items] == ["ritual(disc)", "ritual(cylinder)"]


#: All cards with an effect; the effect of a scorpion is part of a rule.
EFFECTS = (
    "token_card", "three_tokens", "four_rituals", "ancestor_card", "elder_card", "both_card", "ritual", "double_ritual",
)  # fmt: skip
#: Mutants with unchanged text: the token is taken from there.
READ_THE_SAME = {
    "281: condition dropped", "385: condition dropped", "387: condition dropped", "389: where dropped",
}  # fmt: skip


def effect_text(rules: Model, kind: str, language: str) -> str:
    """Return the text of a card's effect; all nodes of it must be said or have a reason for their omission."""
    [effect] = (effect for sort in rules.code.effects.values() for effect in sort if effect.name.text == kind)
    assert [*plans_of(rules, effect)[1].unreported(effect.body)] == []
    return "\n".join(told(rules, kind, language))


def test_rule_changes_change_the_text_of_cards_in_all_languages() -> None:
    """Each valid mutant of the cards changes the text, except those listed; a sample shows it."""
    rules, source = model("wongar"), shipped("wongar").sources[-1]
    tried, same = 0, set()
    for number, mutant in enumerate(mutant for mutant in mutants(rules, source) if mutant.key[1] in EFFECTS):
        key, kind = f"{mutant.span.line}: {mutant.what}", str(mutant.key[1])
        if number % 9 and key not in READ_THE_SAME:
            continue
        changed, diagnostics = check_game(mutated(rules.merged, mutant), frozenset(reserved_words()))
        if any(d.severity is Severity.ERROR for d in diagnostics):
            continue
        tried += 1
        texts = ([effect_text(model, kind, language) for model in (rules, changed)] for language in LANGUAGES)
        if any(before == after for before, after in texts):
            same.add(key)
    assert tried > 20
    assert same == READ_THE_SAME


def test_card_is_described_by_its_piece_its_kind_or_its_rule() -> None:
    cards = ExplainedCards(model("wongar"), words("en"), "wongar")
    assert "places a disc from their supply" in str(cards.card("token_card(disc)"))
    assert "places a token of the pictured kind from their supply" in str(cards.card("token_card"))
    assert "has received a scorpion card" in str(cards.card("scorpion_card"))
    assert cards.card("no_card") is None


def test_book_difference_and_help_say_that_cards_without_their_effect_have_none() -> None:
    base, bare = model("wongar"), variant("wongar", "\n".join(f"remove effect {kind}" for kind in EFFECTS))
    lines = {}
    for language in LANGUAGES:
        before, after = (RealisedRulebook(document_of(rules), words(language), rules.name) for rules in (base, bare))
        sections = {part.key: part for _, part in after.book.walk()}
        for kind in EFFECTS:
            prose = (block for block in sections[f"effect.{kind}"].blocks if isinstance(block, Prose))
            (lines[kind],) = (unit.text for block in prose for unit in after.units(block))
            assert ExplainedCards(bare, words(language), bare.name).card(kind) == lines[kind]
    changed = {part.key: part for part in differences(before, after)}
    assert [changed[f"effect.{kind}"].whole for kind in EFFECTS] == [None] * len(EFFECTS)
    new = {kind: [part.text for part in changed[f"effect.{kind}"].changes if part.sort == "new"] for kind in EFFECTS}
    assert new == {kind: [line] for kind, line in lines.items()}


GOLD = """
remember gold of each player: number 0 to 9
score points
{setup}play
    {play}
{end}
winner p
    most points of p
"""
TURN = "for each p in player{where}\n        p chooses pay\n            pay\n                p gains 1 points"
SETUP = "setup\n    set gold of player(2) to 3\n"
#: Sentences about who begins and who has the number 1, by key; `youngest` is Tongiaki's own.
SEATS = {
    "begins": {"en": "who goes first;", "de": "wer beginnt;", "nl": "wie begint;", "it": "chi comincia;"},
    "first": {
        "en": "who goes first, as the player with the number 1;", "de": "wer beginnt und die Nummer 1 hat;",
        "nl": "wie begint en nummer 1 is;", "it": "chi comincia e ha il numero 1;",
    },
    "numbered": {
        "en": "who has the number 1;", "de": "wer die Nummer 1 hat;", "nl": "wie nummer 1 is;",
        "it": "chi ha il numero 1;",
    },
    "youngest": {
        "en": "youngest player goes first;", "de": "jüngste Spieler beginnt;", "nl": "jongste speler begint;",
        "it": "giocatore più giovane;",
    },
    "counted": {
        "en": "Whoever goes first has the number 1;", "de": "Wer beginnt, hat die Nummer 1;",
        "nl": "Wie begint, is nummer 1;", "it": "Chi comincia ha il numero 1;",
    },
}  # fmt: skip


def seats_told(text: str, language: str) -> set[str]:
    counts = {key: text.count(sentences[language]) for key, sentences in SEATS.items()}
    assert max(counts.values()) <= 1, text
    return {key for key, count in counts.items() if count}


@pytest.mark.parametrize(
    ("where", "setup", "said"),
    [
        ("", "", {"begins"}),
        (" where gold of p > 1", "", {"begins"}),
        (" where gold of p > 1", SETUP, {"first"}),
        (" clockwise from player(2)", "", {"numbered"}),
        (" where p is not player(1)", "", {"numbered"}),
        (" clockwise from (first q in player with most gold of q)", "", set()),
    ],
)
def test_the_book_says_who_begins_and_who_has_which_number(where: str, setup: str, said: set[str]) -> None:
    rules = small(GOLD.format(setup=setup, play=TURN.format(where=where), end=""))
    for language in LANGUAGES:
        assert seats_told(text_of_book(rules, language), language) == said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("before rule take_turn\n    if me is player(2)\n        me gains 1 points for royal_islands", {"counted"}),
        ("after setup\n    set chain_over to no", set()),
        ("before rule place_first_ships\n    player(3) gains 1 points for royal_islands", {"counted"}),
    ],
)
def test_words_of_the_game_for_who_begins_stay_and_leave_no_number_open(change: str, said: set[str]) -> None:
    changed = variant("tongiaki", change)
    for language in LANGUAGES:
        assert seats_told(text_of_book(changed, language), language) == {"youngest", *said}


WINS = {"en": "the most points wins", "de": "wer die meisten points hat", "nl": "de meeste points", "it": "più points"}
ANY = TURN.format(where="")
RICH = "    if gold of player(1) > 2\n        "
LOOP = "repeat\n        player(1) gains 1 points\n        if points of player(1) > 3\n            "


@pytest.mark.parametrize(
    ("play", "end", "is_told"),
    [
        (ANY, "", True),
        (ANY, f"{RICH}player(1) wins\n    nobody wins", False),
        (ANY, f"{RICH}player(1) wins", True),
        (ANY, f"{RICH}end game\n    nobody wins", True),
        (ANY, f"    decide()\nrule decide()\n{RICH}end rule\n    nobody wins", True),
        (ANY, "    decide()\nrule decide()\n    nobody wins", False),
        (f"{LOOP}player(1) wins", "", False),
        (f"{LOOP}leave loop", "", True),
    ],
)
def test_the_winner_is_only_told_where_no_statement_always_decides(play: str, end: str, is_told: bool) -> None:
    rules = small(GOLD.format(setup="", play=play, end=end))
    for language, wins in WINS.items():
        assert (wins in text_of_book(rules, language)) == is_told


RICH_IF = """
remember gold of each player: number 0 to 9
define wealth(who: player) = gold of who * 2
play
    for each p in player
        p chooses dig
            dig
                set gold of p to 5
            rest
                nothing
        if wealth(p) > 0
            p wins
    nobody wins
"""


def test_words_for_a_number_that_is_only_asked_for_say_when_there_is_any(tmp_path: Path) -> None:
    own = own_words(tmp_path, {"define.wealth": "{who} [is|are] rich"})
    text = text_of_book(small(RICH_IF), "en", own=own)
    assert "A player is rich if gold of the player times 2 is more than 0." in " ".join(text.split())
