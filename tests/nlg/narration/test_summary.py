"""The rules in short: a written paragraph is used only while its declarations are unchanged."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.nlg.prose.books import LANGUAGES, model, variant, words
from wongar_dsl.base.span import Source
from wongar_dsl.engine import Game
from wongar_dsl.engine.library import load
from wongar_dsl.engine.library.loader import with_variant
from wongar_dsl.language import ast as s
from wongar_dsl.nlg.narration.excerpts import rules_summary
from wongar_dsl.nlg.prose.document.document_model import Prose, Rulebook
from wongar_dsl.nlg.prose.document.outline import rulebook
from wongar_dsl.nlg.prose.document.short_rules import SHORT, ShortRules
from wongar_dsl.nlg.prose.render.differences import differences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.words import Text

from .told import change as changed
from .told import game_of

LAST = "Then the player who took the most area cards of a kind (disc, cube or cylinder) gains further points."

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
play
    repeat 3 times
        for each p in player
            p chooses gift
                give
                    p gains 2 points
                wait
                    nothing
    end game
winner p
    most points of p
"""

NO_SCORPIONS = "remove scorpion_card from deck area_deck\nremove ritual_scorpion from deck ritual_deck"
#: Changes, the beginning of a paragraph, and what of it holds then.  Most are outside its declarations.
HOLDS = (
    ("wongar", "set now in rule scoring to early", "The later the phase, the more", "usually"),
    ("wongar", "remove scorpion_strikes from rule draw_ritual", "Each scorpion card advances", "usually"),
    ("wongar", "remove scorpion_strikes from rule scorpion_uncovered", "Each scorpion card advances", "usually"),
    ("wongar", "replace define may_play(card: ritual_card, here: area, me: player) = no", "In a ceremony", "usually"),
    ("wongar", "after rule scoring\n    set last_round to yes", "When the scorpion reaches", "usually"),
    ("wongar", "remove elder_card from deck area_deck", "An area card", "usually"),
    ("wongar", "remove elder_card from deck area_deck", "Each scorpion card advances", "as written"),
    ("wongar", NO_SCORPIONS, "Each scorpion card advances", "usually"),
    ("wongar", NO_SCORPIONS, "When the scorpion reaches", "usually"),
    ("wongar", CHANGES, LAST, "outdated"),
    # The replaced effect still calls the rule as before.
    ("wongar", CHANGES, "In a ceremony all players", "as written"),
    ("wongar/initiated", "", "For the initiated", "as written"),
    ("wongar/initiated", "set sting to yes", "For the initiated", "usually"),
    ("ubongo", "replace define distance(here: field, there: field) = 1", "The first to succeed may move", "usually"),
    ("tongiaki", "", "Instead of increasing your fleet", "as written"),
    ("tongiaki", "set discovered in rule voyage to land of ocean[here]", "Instead of increasing your fleet", "usually"),
    ("tongiaki", "allow found in choice turn only if most_royal > 3", "Instead of increasing your fleet", "usually"),
    ("tongiaki", "remove uncovered from rule seek_island", "The game ends with the turn", "usually"),
    ("tongiaki", "replace remember waters_left: number = 5", "The game ends with the turn", "usually"),
    # A value that a listed declaration reads is set elsewhere.
    ("tongiaki", "after landing in rule put_to_sea\n    set ending to yes", "The game ends with the turn", "usually"),
    (
        "tongiaki",
        "rule more()\n    set ending to yes\nafter rule found_royal\n    more()",
        "The game ends with the turn",
        "usually",
    ),
    # The text speaks of an option, of cards or of a winner that the variant removes or replaces.
    ("tongiaki", "remove found from choice turn", "Instead of increasing your fleet", "usually"),
    ("kuhn_poker", "remove bet from choice opening", "Each player has one of", "usually"),
    ("goofspiel", "replace winner p\n    most (1 if p is player(1) otherwise 0)", "Everyone has", "usually"),
    ("kuhn_poker", "replace remember stake of each player: number 1 to 4 = 2", "Each player has one of", "usually"),
)


def summary_lines(game: Game, language: str = "en") -> list[str]:
    return [line.text for line in rules_summary(game, words(language))]


def paragraphs(base: str, changes: str) -> dict[str, str]:
    """Return the English paragraphs of a shipped game, and what of each holds after these changes."""
    rules = variant(base, changes)
    return {words("en").say(p.message, base): p.holds for p in ShortRules(rules, words("en")).paragraphs()}


@cache
def house() -> Game:
    text = f"variant house of wongar\n    source house rule\n\n{CHANGES}"
    rules = with_variant(load("wongar"), Source("", text))[0]
    assert rules is not None
    return rules.game(3, backend="reference")


@pytest.mark.parametrize(("game", "change", "beginning", "holds"), HOLDS)
def test_paragraph_is_marked_if_a_declaration_that_it_depends_on_changes(
    game: str, change: str, beginning: str, holds: str
) -> None:
    assert [held for text, held in paragraphs(game, change).items() if text.startswith(beginning)] == [holds]


def test_a_changed_game_is_told_with_its_differences() -> None:
    base, lines = summary_lines(load("wongar").game(3, backend="reference")), summary_lines(house())
    assert [line for line in base if not any(line in changed for changed in lines)] == [LAST]
    assert lines[2].startswith("Usually: An area card lets you place tokens, draw ritual cards")
    assert lines[3:6] == ["Different here:", "– Elder area card:", "  – The player receives the elder."]
    assert any("at most 3 steps away" in line for line in lines)
    # A changed value is shown where it is used.
    assert any(line.endswith("gains 10 victory points.") for line in lines)
    assert not any("card bonus" in line for line in lines)
    assert any(line.split() == ["The", "ancestor", "9", "5", "7"] for line in lines)


def test_setting_changes_the_summary_like_a_variant() -> None:
    lines = summary_lines(load("wongar").game(3, {"cards_bonus": 3}, backend="reference"))
    assert LAST not in lines
    assert any(line.endswith("gains 3 victory points.") for line in lines)


@pytest.mark.parametrize("name", ["wongar", "tongiaki", "ubongo", "connect_four", "nim"])
def test_change_marks_only_paragraphs_about_the_declaration(name: str) -> None:
    procedures = [a for a in model(name).code.articles if isinstance(a, s.Procedure) and a.keyword == "rule"]
    # Any two rules differ in a digit of their binary numbers, so that few variants tell all of them apart.
    for digit in range(len(procedures).bit_length()):
        names = [rule.name.text for number, rule in enumerate(procedures, 1) if number >> digit & 1]
        held = paragraphs(name, "".join(f"before rule {rule}\n    nothing\n" for rule in names))
        about = written_about(name)
        keys = {f"rule.{rule}" for rule in names}
        assert {text: holds != "as written" for text, holds in held.items()} == {
            text: not keys.isdisjoint(about[text]) for text in held
        }


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
    lines = summary_lines(game_of(tmp_path, changed("connect_four", text)), "de")
    assert lines[:2] == ["Hier ist anders:", "– Spielverlauf:"]
    assert not any("vier in einer Reihe" in line for line in lines)


def test_game_without_a_written_summary_lists_its_rules(tmp_path: Path) -> None:
    lines = summary_lines(game_of(tmp_path, GIFTS))
    assert lines[0] == "Course of the game:"
    assert any("gain 2 points" in line for line in lines)
    assert lines.index("End of the game:") < lines.index("The player with the most points wins.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_rulebook_and_rules_in_play_mark_the_same(language: str) -> None:
    """The lines below *Different here* are list items, and the paragraphs are none."""
    said = words(language)
    reading = RealisedRulebook(rules_in_play(), said, "")
    short = reading.book.sections[0]
    assert short.key == SHORT
    told = [line for block in short.blocks if isinstance(block, Prose) for line in reading.sentences(block)]
    different, usual = said.say("rules.different"), said.say("rules.usual", text=Text("")).rstrip(". ")
    written = {said.say(f"rules.{n}", "wongar") for n in range(1, 11)}
    played = summary_lines(house(), language)
    marked = [line for line in played if line.startswith((different, usual))]
    assert marked == [line.text for line in told if line.text.startswith((different, usual))] != []
    for line in told:
        if line.text != different:
            assert (line.depth > 0) is not (line.text in written or line.text.startswith(usual)), line.text
        assert not line.depth or any(shown.endswith(f"– {line.text}") for shown in played), line.text
    assert not any(shown.lstrip().startswith("– ") and shown in written for shown in played)


@cache
def rules_in_play() -> Rulebook:
    return rulebook(house().model, words("en"), 3)


def test_difference_lists_only_the_rules_and_not_the_summary_of_them() -> None:
    books = (rulebook(model("wongar"), words("en"), 3), rules_in_play())
    old, new = (RealisedRulebook(book, words("en"), "") for book in books)
    assert SHORT not in [part.key for part in differences(old, new)]


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


@cache
def written_about(name: str) -> dict[str, tuple[str, ...]]:
    """Return the English paragraphs of a game with the declarations that they name."""
    said = words("en")
    numbers = (n for n in range(1, 20) if said.has(f"rules.{n}", name))
    return {said.say(f"rules.{n}", name): said.articles(f"rules.{n}", name)[1] for n in numbers}


@pytest.mark.parametrize("name", UNTOLD)
def test_every_declaration_is_named_by_a_paragraph_or_untold(name: str) -> None:
    told = {key for keys in written_about(name).values() for key in keys}
    spoken_of = s.Procedure | s.Define | s.Winner | s.LookupTable | s.Setting
    keys = {s.key_text(article) for article in model(name).merged.articles if isinstance(article, spoken_of)}
    untold = {f"{sort}.{article}".rstrip(".") for sort, names in UNTOLD[name].items() for article in names}
    assert keys - told == untold
