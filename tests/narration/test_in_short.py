"""The rules in short: what somebody wrote holds only as long as nothing changes the articles that it speaks of."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.cli.command import LANGUAGES
from tests.small_games import written
from wongar_dsl import syntax as s
from wongar_dsl.engine import Game
from wongar_dsl.library import Rules, load
from wongar_dsl.narration.in_short import in_short
from wongar_dsl.words import Words

LAST = "Then the player who took the most area cards of a kind gains further points."
PHASES = "The later the phase, the more a ceremony counts."
ELDER = "at most 3 steps away"


#: What a variant changes: an article, a value that an article uses, and a cell of a table.
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


def told_of(game: Game, language: str = "en") -> list[str]:
    return [line.text for line in in_short(game, Words.load(language))]


def variant(folder: Path, text: str, base: str, seats: int = 3) -> Game:
    path = folder / "house.rules"
    path.write_text(f"variant house of {base}\n    source house rule\n\n{text}", encoding="utf-8")
    return load(path).game(seats)


@cache
def wongar() -> Rules:
    return load("wongar")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is told of a game with these changes."""
    return told_of(variant(tmp_path_factory.mktemp("house"), CHANGES, "wongar"))


def test_a_paragraph_gives_way_where_all_its_articles_have_changed(house: list[str]) -> None:
    base = told_of(wongar().game(3))
    gone = [line for line in base if not any(line in told for told in house)]
    assert gone == [PHASES, LAST]


def test_the_article_that_a_variant_replaces_follows_its_paragraph_marked_as_different(house: list[str]) -> None:
    assert house[2].startswith("Usually: An area card lets you place tokens, draw ritual cards")
    assert house[3:6] == ["Different here:", "Elder area card:", "The player receives the elder."]
    assert any(ELDER in line for line in house)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["wongar", "tongiaki", "ubongo", "connect_four", "nim"])
def test_no_change_of_one_article_takes_what_is_written_of_another_one(
    name: str, language: str, tmp_path: Path
) -> None:
    rules = load(name)
    words = Words.load(language)
    seats = rules.model.players[0]
    base = told_of(rules.game(seats), language)
    procedures = [one for one in rules.model.code.articles if isinstance(one, s.Procedure) and one.keyword == "rule"]
    for number, procedure in enumerate(procedures):
        folder = tmp_path / str(number)
        folder.mkdir()
        told = told_of(variant(folder, f"before rule {procedure.name.text}\n    nothing\n", name, seats), language)
        for kept in (line for line in base if not any(line in one for one in told)):
            paragraph = next(n for n in range(1, 20) if words.say(f"rules.{n}", rules.name) == kept)
            assert words.articles(f"rules.{paragraph}", rules.name)[1] == (f"rule.{procedure.name.text}",)


def test_of_a_changed_value_that_is_told_which_uses_it(house: list[str]) -> None:
    assert any(line.endswith("gains 10 victory points.") for line in house)
    assert not any("cards bonus" in line for line in house)


def test_a_changed_table_is_shown_where_nothing_else_of_the_paragraph_tells_it(house: list[str]) -> None:
    assert any(line.split() == ["The", "ancestor", "9", "5", "7"] for line in house)


def test_a_setting_of_the_table_changes_the_rules_as_a_variant_does() -> None:
    told = told_of(wongar().game(3, {"cards_bonus": 3}))
    assert LAST not in told
    assert any(line.endswith("gains 3 victory points.") for line in told)


def test_what_a_variant_says_of_itself_stays_until_another_one_changes_it(tmp_path: Path) -> None:
    own = [line for line in told_of(load("wongar/initiated").game(3)) if line.startswith("For the initiated")]
    again = told_of(variant(tmp_path, "set sting to yes\n", "wongar/initiated"))
    assert len(own) == 1
    assert own[0] not in again


def test_what_is_removed_is_told_no_more(tmp_path: Path) -> None:
    text = """remove define can_drop
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
    told = told_of(load(path).game(2), "de")
    assert told[:2] == ["Hier ist anders:", "Spielverlauf:"]
    assert not any("vier in einer Reihe" in line for line in told)


def test_a_game_without_a_summary_is_told_by_its_rules(tmp_path: Path) -> None:
    told = told_of(load(written(tmp_path, GIFTS)).game(2))
    assert told[0] == "Course of the game:"
    assert any("gain 2 points" in line for line in told)
    assert told.index("End of the game:") < told.index("The player with the most points wins.")
