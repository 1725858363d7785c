"""Aggregation of similar events into one sentence, without revealing hidden values."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.engine.library import load
from wongar_dsl.nlg.narration import story
from wongar_dsl.nlg.narration.narrator import Narrator
from wongar_dsl.nlg.narration.story import Story
from wongar_dsl.nlg.words import Translator

GAME = """
game tales
    players 2
    source house rule
cards sheet
    one
    two
deck sheets of sheet
    2 one
    2 two
enum colour = red, blue
pile stack holds sheet, seen by nobody
hand holding of each player holds sheet, seen by owner
tokens bowl holds colour, seen by all
tokens plate holds colour, seen by all
setup
    fill bowl with 9 red
    fill bowl with 9 blue
    fill stack with sheets
play
    {}
    nobody wins
"""

ENTRY = 'msgctxt "tales.{}"\nmsgid "{}"\nmsgstr ""\n'
SENTENCES = {
    "rests": "{p} rests.",
    "drew": "{p} draws {card:indef}.",
    "drew.together": "{p} draws {parts:and}.",
    "drew.each": "{card:num asis}",
    "moved": "{p} moves {kind:num}.",
    "moved.together": "{p} moves {parts:and}.",
    "moved.each": "{kind:num asis}",
    "leaves": "{p} leaves.",
    "leaves.together": "{parts:and} leave.",
    "leaves.each": "{p}",
}
LEXICON = """
games:
  tales:
    sheet: {sg: sheet, pl: sheets}
    one: {sg: ace, pl: aces}
    two: {sg: deuce, pl: deuces}
    red: {sg: ruby, pl: rubies}
    blue: {sg: pearl, pl: pearls}
"""


def story_of(folder: Path, statements: list[str], viewer: int | None = 0, without: tuple[str, ...] = ()) -> list[str]:
    """Return the story of a game that consists of these statements."""
    path = folder / "tales.rules"
    path.write_text(GAME.replace("{}", "\n    ".join(statements)), encoding="utf-8")
    words = folder / "locales" / "en"
    words.mkdir(parents=True, exist_ok=True)
    entries = [ENTRY.format(name, sentence) for name, sentence in SENTENCES.items() if name not in without]
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'
    (words / "messages.po").write_text("\n".join([head, *entries]), encoding="utf-8")
    (words / "lexicon.yaml").write_text(LEXICON, encoding="utf-8")
    game = load(path).game(2)
    _, events = game.start(1)
    narrator = Narrator(game, Translator.load("en", [folder / "locales"]), ["Anna", "Bert"])
    return [line.text for line in Story(viewer).unreported(narrator, events) if "game is over" not in line.text]


LEAVE = ["tell leaves(p: player(1))", "tell leaves(p: player(2))"]
DRAW = "move top of stack to holding of player(1) as drew(p: player(1), card)"


def test_same_action_of_several_players_is_one_sentence(tmp_path: Path) -> None:
    assert story_of(tmp_path, LEAVE) == ["Anna and Bert leave."]


def test_single_event_uses_its_plain_sentence(tmp_path: Path) -> None:
    assert story_of(tmp_path, LEAVE[:1]) == ["Anna leaves."]


def test_event_in_between_prevents_aggregation(tmp_path: Path) -> None:
    between = [LEAVE[0], "tell rests(p: player(2))", LEAVE[1]]
    assert story_of(tmp_path, between) == ["Anna leaves.", "Bert rests.", "Bert leaves."]


def test_repeated_uncountable_parts_are_named_with_a_count(tmp_path: Path) -> None:
    assert story_of(tmp_path, [LEAVE[0], LEAVE[0]]) == ["Anna (twice) leave."]


def test_number_of_aggregated_events_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit bounds the memory for the story of a step."""
    assert story_of(tmp_path, LEAVE) == ["Anna and Bert leave."]
    monkeypatch.setattr(story, "AT_ONCE", 1)
    assert story_of(tmp_path, LEAVE) == ["Anna leaves.", "Bert leaves."]


@pytest.mark.parametrize("missing", ["leaves.together", "leaves.each"])
def test_aggregation_needs_both_messages(tmp_path: Path, missing: str) -> None:
    assert story_of(tmp_path, LEAVE, without=(missing,)) == ["Anna leaves.", "Bert leaves."]


def test_events_with_different_common_values_are_not_aggregated(tmp_path: Path) -> None:
    moves = [f"move 2 red from bowl to plate as moved(p: player({seat}), kind: red)" for seat in (1, 2)]
    assert story_of(tmp_path, moves) == ["Anna moves 2 rubies.", "Bert moves 2 rubies."]


def test_similar_events_are_summed(tmp_path: Path) -> None:
    moves = [f"move {n} {kind} from bowl to plate as moved(p: player(1), kind: {kind})"
             for n, kind in ((2, "red"), (1, "blue"), (3, "red"))]  # fmt: skip
    assert story_of(tmp_path, moves) == ["Anna moves 5 rubies and one pearl."]


def test_hidden_cards_are_counted_but_not_named(tmp_path: Path) -> None:
    assert story_of(tmp_path, [DRAW] * 4, 1) == ["Anna draws 4 sheets."]
    (line,) = story_of(tmp_path, [DRAW] * 4, 0)
    assert "2 aces" in line
    assert "2 deuces" in line
    assert "sheet" not in line


ENDINGS = {
    "rests.implied": "{p}",
    "leaves.after": "{p} [leaves|leave].",
    "moved.also": "{p} {kind:num}",
    "rests": "{p} [rests|rest].",
    "leaves": "{p} [leaves|leave].",
    "ends": "the game [is|are] nearly over.",
    "moved": "{p} [moves|move] {kind:num}.",
    "drew": "{p} [draws|draw] {card:indef}.",
    "counted": "{kind:pl} have been counted.",
    "counted.aside": "counted",
    "begins.heading": "Lap {n}",
    "begins": "lap {n} [begins|begin].",
    "drew.together": "{p} [draws|draw] {parts:and}.",
    "moved.together": "{p} [moves|move] {parts:and}.",
    "drew.also": "{p} {card:indef}",
    "drew.together.also": "{p} {parts:and}",
    "rests.together": "{p} [rests|rest] {n:times}.",
    "gave": "{p} [gives|give] {kind:num} {q:to}.",
    "gave.together": "{p} [gives|give] {parts:and}.",
    "gave.each": "{kind:num asis} {q:to}",
    "won": "{p} [gains|gain] {n:point} {kind:for pl}.",
    "won.also": "{p} {n:point} {kind:for pl}",
    "leaves.together.after": "{parts:and} [go|go].",
    "seen": "{p} [sees|see] {kind:indef}.",
    "seen.about": "{kind}",
}
MOVE = "move {} {} from bowl to plate as moved(p: player({}), kind: {})"


def story_lines_with(folder: Path, statements: list[str], *endings: str, without: tuple[str, ...] = ()) -> list[str]:
    """Return the story with these additional messages in the catalog."""
    more = {name: sentence for name, sentence in ENDINGS.items() if "." not in name or name in endings}
    with pytest.MonkeyPatch.context() as patch:
        for name, sentence in more.items():
            patch.setitem(SENTENCES, name, sentence)
        return story_of(folder, statements, None, without)


def test_up_to_four_actions_of_a_player_share_a_sentence(tmp_path: Path) -> None:
    deeds = [f"tell {name}(p: player(1))" for name in ("leaves", "rests")]
    assert story_lines_with(tmp_path, deeds) == ["Anna leaves and rests."]
    five = [deeds[1], MOVE.format(1, "red", 1, "red"), DRAW, deeds[0], MOVE.format(1, "blue", 1, "blue")]
    assert story_lines_with(tmp_path, five) == [
        "Anna rests, moves one ruby, draws a sheet and leaves.",
        "Anna moves one pearl.",
    ]


def test_repeated_first_action_starts_a_new_sentence(tmp_path: Path) -> None:
    deeds = [f"tell {name}(p: player(1))" for name in ("leaves", "rests", "leaves", "rests")]
    assert story_lines_with(tmp_path, deeds) == ["Anna leaves and rests.", "Anna leaves and rests."]


def test_implied_event_is_omitted_only_before_its_implier(tmp_path: Path) -> None:
    rests = "tell rests(p: player(1))"
    assert story_lines_with(tmp_path, [rests, LEAVE[0]], "rests.implied") == ["Anna leaves."]
    assert story_lines_with(tmp_path, [rests, LEAVE[1]], "rests.implied") == ["Anna rests.", "Bert leaves."]
    assert story_lines_with(tmp_path, [rests], "rests.implied") == ["Anna rests."]


def test_second_players_actions_can_follow_a_semicolon(tmp_path: Path) -> None:
    deeds = [DRAW, LEAVE[1], "tell rests(p: player(2))"]
    assert story_lines_with(tmp_path, deeds, "leaves.after") == ["Anna draws a sheet; Bert leaves and rests."]
    assert story_lines_with(tmp_path, deeds) == ["Anna draws a sheet.", "Bert leaves and rests."]


def test_sentence_that_names_nothing_has_no_second_half(tmp_path: Path) -> None:
    lines = story_lines_with(tmp_path, [DRAW, "tell ends", LEAVE[1]], "leaves.after")
    assert lines == ["Anna draws a sheet.", "The game is nearly over.", "Bert leaves."]


def test_verb_shared_by_players_is_named_once(tmp_path: Path) -> None:
    moves = [MOVE.format(n, kind, p, kind) for n, kind, p in ((2, "red", 1), (1, "blue", 2), (3, "red", 2))]
    without = ("moved.together",)
    assert story_lines_with(tmp_path, moves, "moved.also", without=without) == [
        "Anna moves 2 rubies, and Bert one pearl and 3 rubies."
    ]
    moves = [MOVE.format(n, kind, p, kind) for n, kind, p in ((2, "red", 1), (1, "blue", 1), (3, "red", 2))]
    assert story_lines_with(tmp_path, moves, "moved.also", without=without) == [
        "Anna moves 2 rubies and one pearl, and Bert 3 rubies."
    ]


def test_verb_shared_by_lists_is_named_once(tmp_path: Path) -> None:
    draws = [DRAW, DRAW, *[DRAW.replace("player(1)", "player(2)")] * 2]
    lists = ("drew.together", "drew.also")
    assert story_lines_with(tmp_path, draws, *lists) == ["Anna draws 2 sheets.", "Bert draws 2 sheets."]
    assert story_lines_with(tmp_path, draws, *lists, "drew.together.also") == ["Anna draws 2 sheets and Bert 2 sheets."]


GIVE = "move {} {} from bowl to plate as gave(p: player(1), kind: {}, q: player({}))"


def test_items_of_a_list_are_grouped_by_noun(tmp_path: Path) -> None:
    gifts = [GIVE.format(n, kind, kind, p) for n, kind, p in ((2, "red", 1), (1, "blue", 1), (1, "red", 2))]
    assert story_lines_with(tmp_path, gifts, "gave.together", "gave.each") == [
        "Anna gives 2 rubies to Anna, one to Bert and one pearl to Anna."
    ]


def test_counted_noun_is_named_only_with_the_first_number(tmp_path: Path) -> None:
    gains = [f"tell won(p: player({p}), n: {n}, kind: red)" for p, n in ((1, 3), (2, 1))]
    assert story_lines_with(tmp_path, gains, "won.also") == ["Anna gains 3 points for rubies and Bert one for rubies."]


def test_identical_events_in_a_row_are_counted(tmp_path: Path) -> None:
    rests = [f"tell rests(p: player({p}))" for p in (1, 1, 1, 2)]
    assert story_lines_with(tmp_path, rests, "rests.together") == ["Anna rests three times.", "Bert rests."]


def test_serial_comma_follows_a_list_if_the_language_has_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deeds = [MOVE.format(2, "red", 1, "red"), MOVE.format(1, "blue", 1, "blue"), LEAVE[0]]
    assert story_lines_with(tmp_path, deeds, "moved.together") == ["Anna moves 2 rubies and one pearl, and leaves."]
    monkeypatch.setattr("tests.nlg.narration.test_story.LEXICON", f'clauses: {{serial: ""}}\n{LEXICON}')
    assert story_lines_with(tmp_path, deeds, "moved.together") == ["Anna moves 2 rubies and one pearl and leaves."]


def test_list_can_follow_a_semicolon(tmp_path: Path) -> None:
    deeds = [MOVE.format(1, "red", 1, "red"), *(f"tell leaves(p: player({p}))" for p in (2, 1))]
    assert story_lines_with(tmp_path, deeds, "leaves.together.after") == ["Anna moves one ruby; Bert and Anna go."]
    assert story_lines_with(tmp_path, deeds) == ["Anna moves one ruby.", "Bert and Anna leave."]


def test_aside_follows_the_value_shared_by_both_events(tmp_path: Path) -> None:
    statements = ["tell counted(kind: red)", "tell seen(p: player(1), kind: red)"]
    assert story_lines_with(tmp_path, statements, "counted.aside") == ["Anna sees a ruby (counted)."]
    different = ["tell counted(kind: blue)", statements[1]]
    assert story_lines_with(tmp_path, different, "counted.aside") == ["Pearls have been counted.", "Anna sees a ruby."]


def test_round_heading_separates_sentences(tmp_path: Path) -> None:
    statements = [LEAVE[0], "tell begins(n: 2)", LEAVE[1]]
    assert story_lines_with(tmp_path, statements, "begins.heading") == ["Anna leaves.", "Lap 2", "Bert leaves."]
    assert story_lines_with(tmp_path, statements) == ["Anna leaves.", "Lap 2 begins.", "Bert leaves."]
