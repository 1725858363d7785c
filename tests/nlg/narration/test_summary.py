"""The rules in short: a written paragraph is used only while its declarations are unchanged."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES
from tests.nlg.prose.books import rules_of
from tests.small_games import write_rules
from wongar_dsl.base.diagnostics import RulesError
from wongar_dsl.base.span import Source
from wongar_dsl.engine import Game
from wongar_dsl.engine.library import Rules, load
from wongar_dsl.engine.library.loader import with_variant
from wongar_dsl.language import ast as s
from wongar_dsl.nlg.narration.summary import rules_summary
from wongar_dsl.nlg.prose.document.document_model import Prose
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.short_rules import SHORT, ShortRules
from wongar_dsl.nlg.prose.game_facts import GameFacts
from wongar_dsl.nlg.prose.render.differences import differences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Text, Translator

#: Games with a written summary and choices between options.
SUMMED = ("wongar", "tongiaki", "ubongo", "kuhn_poker")

LAST = "Then the player who took the most area cards of a kind gains further points."
PHASES = "The later the phase, the more a ceremony counts."
ELDER = "at most 3 steps away"


#: Changes of a variant: a declaration, a value used by a declaration, and a table cell.
CHANGES = """set cards_bonus to 10
set points_for[ancestor_alone, early] to 9
replace effect elder_card for me at here: area
    I take elder as figure_taken(player: me, figure)
    I choose elder_walk
        walk(there: area within 3 of place of elder)
            move elder to there as figure_moved(player: me, figure, area)
            ceremony(there, elder_alone)
"""
GIFTS = """
score points
remember turns: number 0 to 9
play
    repeat until turns = 3
        set turns to turns + 1
        for each p in player
            turn(p)
    end game
rule turn(p: player)
    p chooses gift
        give
            p gains 2 points
        wait
            nothing
winner p
    most points of p
"""


#: Changes outside the declarations that a paragraph is about, and the beginning of the paragraph that they make untrue.
UNTRUE = (
    ("wongar", "set now in rule scoring to early", PHASES),
    ("wongar", "remove scorpion_strikes from rule draw_ritual", "Each scorpion card advances"),
    ("wongar", "remove scorpion_strikes from rule scorpion_uncovered", "Each scorpion card advances"),
    ("wongar", "replace define may_play(card: ritual_card, here: area, me: player) = no", "In a ceremony all players"),
    ("ubongo", "replace define distance(here: field, there: field) = 1", "The first to succeed may move"),
    ("tongiaki", "set discovered in rule voyage to land of ocean[here]", "Instead you may turn an island"),
    ("tongiaki", "remove uncovered from rule seek_island", "The game ends with the turn"),
    ("tongiaki", "replace remember waters_left: number = 5", "The game ends with the turn"),
    # A value that a listed declaration reads is set elsewhere.
    ("tongiaki", "after landing in rule put_to_sea\n    set ending to yes", "The game ends with the turn"),
    (
        "tongiaki",
        "rule more()\n    set ending to yes\nafter rule found_royal\n    more()",
        "The game ends with the turn",
    ),
    ("wongar", "after rule scoring\n    set last_round to yes", "When the scorpion reaches"),
    ("kuhn_poker", "replace remember stake of each player: number 1 to 4 = 2", "Each player has one of three"),
)


def summary_lines(game: Game, language: str = "en") -> list[str]:
    return [line.text for line in rules_summary(game, Translator.load(language))]


@cache
def changed(base: str, changes: str) -> Rules | None:
    """Return a shipped game with changes, None if they are wrong."""
    text = f"variant house of {base}\n    source house rule\n\n{changes}"
    return with_variant(load(base), Source("", text))[0]


def variant(text: str, base: str, seats: int = 3) -> Game:
    rules = changed(base, text)
    assert rules is not None
    return rules.game(seats)


@cache
def wongar() -> Rules:
    return load("wongar")


@pytest.fixture(scope="module")
def house() -> list[str]:
    """Summary of the game with these changes."""
    return summary_lines(variant(CHANGES, "wongar"))


def test_paragraph_is_omitted_if_all_its_declarations_changed(house: list[str]) -> None:
    base = summary_lines(wongar().game(3))
    omitted = [line for line in base if not any(line in house_line for house_line in house)]
    assert omitted == [LAST]


@pytest.mark.parametrize(("game", "change", "untrue"), UNTRUE)
def test_paragraph_is_marked_if_a_declaration_that_it_depends_on_changes(game: str, change: str, untrue: str) -> None:
    rules = changed(game, change)
    assert rules is not None
    seats = rules.model.players[0]
    assert untrue in " ".join(summary_lines(load(game).game(seats)))
    assert not any(line.startswith(untrue) for line in summary_lines(rules.game(seats)))


def test_replaced_declaration_follows_its_paragraph_as_a_difference(house: list[str]) -> None:
    assert house[2].startswith("Usually: An area card lets you place tokens, draw ritual cards")
    assert house[3:6] == ["Different here:", "– Elder area card:", "  – The player receives the elder."]
    assert any(ELDER in line for line in house)


@pytest.mark.parametrize("name", ["wongar", "tongiaki", "ubongo", "connect_four", "nim"])
def test_change_marks_only_paragraphs_about_the_declaration(name: str) -> None:
    rules, languages = load(name), [Translator.load(language) for language in LANGUAGES]
    procedures = [a for a in rules.model.code.articles if isinstance(a, s.Procedure) and a.keyword == "rule"]
    # Any two rules differ in a digit of their binary numbers, so that few variants tell all of them apart.
    for digit in range(len(procedures).bit_length()):
        names = [rule.name.text for number, rule in enumerate(procedures, 1) if number >> digit & 1]
        house = changed(name, "".join(f"before rule {rule}\n    nothing\n" for rule in names))
        assert house is not None
        for words in languages:
            for paragraph in ShortRules(house.model, words).paragraphs():
                about = words.articles(paragraph.message, name)[1]
                concerned = not {f"rule.{rule}" for rule in names}.isdisjoint(about)
                assert (paragraph.holds != "as written") == concerned, paragraph


def test_changed_value_is_shown_where_it_is_used(house: list[str]) -> None:
    assert any(line.endswith("gains 10 victory points.") for line in house)
    assert not any("card bonus" in line for line in house)


def test_changed_table_is_shown(house: list[str]) -> None:
    assert any(line.split() == ["The", "ancestor", "9", "5", "7"] for line in house)


def test_setting_changes_the_summary_like_a_variant() -> None:
    lines = summary_lines(wongar().game(3, {"cards_bonus": 3}))
    assert LAST not in lines
    assert any(line.endswith("gains 3 victory points.") for line in lines)


def test_variants_own_paragraph_is_kept_until_changed() -> None:
    shown = [line for line in summary_lines(load("wongar/initiated").game(3)) if line.startswith("For the initiated")]
    changed = summary_lines(variant("set sting to yes\n", "wongar/initiated"))
    assert len(shown) == 1
    assert shown[0] not in changed


def test_removed_declarations_are_omitted(tmp_path: Path) -> None:
    text = """remove define can_drop
remove define full
remove define landing
remove remember height
replace play
    repeat
        for each p in player
            p chooses turn
                drop(foot: cell where owner of foot is nobody)
                    set owner of foot to p
                    if row of foot = 6
                        p wins
                otherwise
                    nobody wins
"""
    path = tmp_path / "house.rules"
    path.write_text(f"variant house of connect_four\n    source house rule\n\n{text}", encoding="utf-8")
    lines = summary_lines(load(path).game(2), "de")
    assert lines[:2] == ["Hier ist anders:", "– Spielverlauf:"]
    assert not any("vier in einer Reihe" in line for line in lines)


def test_game_without_a_written_summary_lists_its_rules(tmp_path: Path) -> None:
    lines = summary_lines(load(write_rules(tmp_path, GIFTS)).game(2))
    assert lines[0] == "Course of the game:"
    assert any("gain 2 points" in line for line in lines)
    assert lines.index("End of the game:") < lines.index("The player with the most points wins.")


def options_of(name: str) -> list[tuple[str, str]]:
    """The options of named choices that have others beside them."""
    choices = (node for article in load(name).model.code.procedures for node in s.walk(article))
    return [
        (choice.name.text, option.name.text)
        for choice in choices
        if isinstance(choice, s.Choose | s.ChooseSimultaneously) and choice.name is not None and len(choice.options) > 1
        for option in choice.options
    ]


@pytest.mark.parametrize("name", SUMMED)
def test_paragraphs_about_what_a_variant_makes_unreachable_are_marked(name: str) -> None:
    """Without an option, a paragraph about its rule is marked, and so is one about the rule with the choice."""
    base = load(name)
    words = Translator.load("en")
    written = {n: words.articles(f"rules.{n}", name)[1] for n in range(1, 20) if words.has(f"rules.{n}", name)}
    dead_before = {s.key_text(article) for article in GameFacts.of(base.model).dead}
    options, needed = options_of(name), 0
    for choice, option in options:
        change = f"remove {option} from choice {choice}\n"
        try:
            model = rules_of("house", f"variant house of {name}\n    source house rule\n\n{change}")
        except RulesError:
            # A message needs the argument of the option.
            needed += 1
            continue
        names = {".".join(filter(None, key)) for key in model.merged.changed}
        dead = {s.key_text(article) for article in GameFacts.of(model).dead} - dead_before
        holds = {paragraph.message: paragraph.holds for paragraph in ShortRules(model, words).paragraphs()}
        for number, articles in written.items():
            stale = not {*articles}.isdisjoint(names | dead)
            assert (holds[f"rules.{number}"] == "as written") is not stale, (choice, option, number)
    assert needed < len(options)


@pytest.mark.parametrize("restriction", ["", "allow found in choice turn only if most_royal > 3\n"])
def test_a_paragraph_about_a_rule_is_marked_where_its_only_option_is_restricted(restriction: str) -> None:
    lines = summary_lines(variant(restriction, "tongiaki"))
    royal = [line for line in lines if "Instead you may turn" in line]
    assert [line.startswith("Usually: ") for line in royal] == [bool(restriction)]


def test_a_paragraph_about_a_card_that_a_variant_removes_is_marked() -> None:
    lines = summary_lines(variant("remove elder_card from deck area_deck\n", "wongar"))
    assert any(line.startswith("Usually: An area card") for line in lines)


def test_a_rule_that_is_still_called_elsewhere_as_before_keeps_its_paragraph() -> None:
    lines = summary_lines(variant(CHANGES, "wongar"))
    assert any(line.startswith("In a ceremony all players") for line in lines)


@pytest.mark.parametrize(("base", "text"), [("wongar", CHANGES), ("tongiaki", "remove found from choice turn\n")])
@pytest.mark.parametrize("language", LANGUAGES)
def test_rulebook_and_rules_in_play_mark_the_same(base: str, text: str, language: str) -> None:
    game = variant(text, base)
    words = Translator.load(language)
    reading = RealisedRulebook(rulebook(game.model, words, game.seats), words, "")
    short = reading.book.sections[0]
    assert short.key == SHORT
    told = [line.text for block in short.blocks if isinstance(block, Prose) for line in reading.sentences(block)]
    marks = (words.say("rules.different"), words.say("rules.usual", text=Text("")).rstrip(". "))
    played = summary_lines(game, language)
    marked = [line for line in played if line.startswith(marks)]
    assert marked == [line for line in told if line.startswith(marks)] != []
    assert played[played.index(words.say("rules.different")) + 1].removeprefix("– ") in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_of_a_difference_stand_apart_from_paragraphs(language: str) -> None:
    """The lines below *Different here* are list items, and the paragraphs are none."""
    game = variant(CHANGES, "wongar")
    words = Translator.load(language)
    usual = words.say("rules.usual", text=Text("")).rstrip(". ")
    paragraphs = {words.say(f"rules.{n}", "wongar") for n in range(1, 11)}
    played = [line for line in rules_summary(game, words) if line.text != words.say("rules.different")]
    reading = RealisedRulebook(rulebook(game.model, words, game.seats), words, "")
    blocks = [block for block in reading.book.sections[0].blocks if isinstance(block, Prose)]
    told = [line for block in blocks for line in reading.sentences(block)]
    for line in told:
        if line.text != words.say("rules.different"):
            assert (line.depth > 0) is not (line.text in paragraphs or line.text.startswith(usual)), line.text
    for shown in played:
        assert not shown.text.lstrip().startswith("– ") or shown.text not in paragraphs
    for line in told:
        assert not line.depth or any(shown.text.endswith(f"– {line.text}") for shown in played), line.text


#: The declarations of shipped games that the rules in short do not mention.
UNTOLD = {
    "wongar": {
        "table": {"ceremonies_in", "first_tokens_times"},
        "setup": {""},
        "rule": {
            "lay_area_cards", "place_first_tokens", "deal_rituals", "choose_first_holders", "pass_boomerang",
            "turn_up_cards", "renew_ritual_pile", "lay_down",
        },
        "define": {"ritual_left", "others_here", "near_here", "can_use", "is_for"},
        "effect": {"ritual", "double_ritual"},
    },
    "tongiaki": {
        "table": {"way_of", "berths", "piers"},
        "option": {"ships_each"},
        "setup": {""},
        "define": {
            "on_map", "free", "roomy", "ships_at_sea", "arrival", "ends_at", "open_end", "some_open_end", "all_home",
            "leads_to", "departing", "emigrates", "comes_back", "leads_on", "waiting", "leads_back", "escapes",
            "leads_to_a_card",
        },
        "rule": {
            "place_first_ships", "nobody_served", "fetch", "come_back", "something_new", "look_ahead", "forget_ahead",
            "voyage_end", "give_up", "nothing_leads_on", "clear_island", "new_land_if_needed", "origin_of",
        },
    },
    "ubongo": {
        "table": {"place_of", "boards_returned", "ground_of"},
        "option": {"hard_side", "long_game", "sandglass"},
        "setup": {""},
        "play": {""},
        "rule": {"lay_gems", "stack_boards", "take_gems_before", "serve_next"},
        "define": {
            "nobody_made_it", "moment", "in_time", "waits", "reached_before", "earlier",
        },
    },
    "nim": {"table": {"first_matches"}, "setup": {""}},
    "tictactoe": {}, "connect_four": {}, "goofspiel": {}, "kuhn_poker": {},
}  # fmt: skip


def written_about(name: str) -> dict[str, tuple[str, ...]]:
    """Return the English paragraphs of a game with the declarations that they name."""
    words = Translator.load("en")
    numbers = (n for n in range(1, 20) if words.has(f"rules.{n}", name))
    return {words.say(f"rules.{n}", name): words.articles(f"rules.{n}", name)[1] for n in numbers}


@pytest.mark.parametrize("name", UNTOLD)
def test_every_declaration_is_named_by_a_paragraph_or_untold(name: str) -> None:
    told = {key for keys in written_about(name).values() for key in keys}
    spoken_of = s.Procedure | s.Define | s.Winner | s.LookupTable | s.Setting
    keys = {s.key_text(article) for article in load(name).model.merged.articles if isinstance(article, spoken_of)}
    untold = {f"{sort}.{article}".rstrip(".") for sort, names in UNTOLD[name].items() for article in names}
    assert keys - told == untold


@pytest.mark.parametrize("name", UNTOLD)
def test_paragraphs_about_the_winner_are_marked_if_another_one_wins(name: str) -> None:
    rules = load(name)
    if rules.model.code.winner is None:
        return
    text = "replace winner p\n    most (1 if p is player(1) otherwise 0)\n"
    lines = summary_lines(variant(text, name, rules.model.players[0]))
    about = [paragraph for paragraph, keys in written_about(name).items() if "winner" in keys]
    assert about
    assert not {*about} & {*lines}


def kinds_by_term(name: str) -> dict[str, set[tuple[str, str]]]:
    """Return the decks and kinds of cards with the same English term, for decks that have other kinds as well."""
    words, found = Translator.load("en"), dict[str, set[tuple[str, str]]]()
    for deck_name, deck in load(name).model.declared.decks.items():
        sort = load(name).model.cards[deck.cards.name]
        kinds = {sort.faces[face].kind for face, count in deck.copies if count}
        for kind in kinds if len(kinds) > 1 else ():
            if words.has_term(kind, name):
                found.setdefault(words.term(kind, name), set()).add((deck_name, kind))
    return found


@pytest.mark.parametrize("name", UNTOLD)
def test_paragraphs_about_removed_kinds_of_cards_are_marked(name: str) -> None:
    for term, cards in kinds_by_term(name).items():
        effects = {f"effect.{kind}" for _, kind in cards}
        about = {text for text, keys in written_about(name).items() if term in text or effects & {*keys}}
        removed = "".join(f"remove {kind} from deck {deck}\n" for deck, kind in sorted(cards))
        rules = changed(name, removed) if about else None
        if rules is not None:
            assert not about & {*summary_lines(rules.game(rules.model.players[0]))}, term


def test_a_paragraph_about_rules_for_removed_cards_is_marked() -> None:
    removed = "remove scorpion_card from deck area_deck\nremove ritual_scorpion from deck ritual_deck\n"
    lines = summary_lines(variant(removed, "wongar"))
    assert not any(line.startswith("Each scorpion card") for line in lines)
    assert any(line.startswith("Usually: When the scorpion reaches its last space") for line in lines)
    lines = summary_lines(variant("remove elder_card from deck area_deck\n", "wongar"))
    assert any(line.startswith("Each scorpion card") for line in lines)


def test_difference_lists_only_the_rules_and_not_the_summary_of_them() -> None:
    game, words = variant(CHANGES, "wongar"), Translator.load("en")
    old, new = (RealisedRulebook(rulebook(g.model, words, 3), words, "") for g in (wongar().game(3), game))
    assert SHORT not in [part.key for part in differences(old, new)]
