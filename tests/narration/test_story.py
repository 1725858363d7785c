"""What is alike is told together, and only that; whoever may not see something is told no more by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from wongar_dsl.library import load
from wongar_dsl.narration import story
from wongar_dsl.narration.narrator import Narrator
from wongar_dsl.narration.story import Story
from wongar_dsl.words import Words

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


def told(folder: Path, statements: list[str], viewer: int | None = 0, without: tuple[str, ...] = ()) -> list[str]:
    """What is told of the game in which these statements are all that happens."""
    path = folder / "tales.rules"
    path.write_text(GAME.replace("{}", "\n    ".join(statements)), encoding="utf-8")
    words = folder / "locales" / "en"
    words.mkdir(parents=True, exist_ok=True)
    entries = [ENTRY.format(name, said) for name, said in SENTENCES.items() if name not in without]
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'
    (words / "messages.po").write_text("\n".join([head, *entries]), encoding="utf-8")
    (words / "lexicon.yaml").write_text(LEXICON, encoding="utf-8")
    game = load(path).game(2)
    _, events = game.start(1)
    narrator = Narrator(game, Words.load("en", [folder / "locales"]), ["Anna", "Bert"])
    return [line.text for line in Story(viewer).tell(narrator, events) if "game is over" not in line.text]


LEAVE = ["tell leaves(p: player(1))", "tell leaves(p: player(2))"]
DRAW = "move top of stack to holding of player(1) as drew(p: player(1), card)"


def test_what_several_do_is_told_in_one_sentence(tmp_path: Path) -> None:
    assert told(tmp_path, LEAVE) == ["Anna and Bert leave."]


def test_what_one_does_alone_is_told_as_ever(tmp_path: Path) -> None:
    assert told(tmp_path, LEAVE[:1]) == ["Anna leaves."]


def test_what_comes_between_parts_the_story(tmp_path: Path) -> None:
    between = [LEAVE[0], "tell rests(p: player(2))", LEAVE[1]]
    assert told(tmp_path, between) == ["Anna leaves.", "Bert rests.", "Bert leaves."]


def test_parts_that_the_language_does_not_count_are_named_once_with_how_often(tmp_path: Path) -> None:
    assert told(tmp_path, [LEAVE[0], LEAVE[0]]) == ["Anna (twice) leave."]


def test_of_very_many_events_only_so_many_are_joined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told of a step does not have to be held in memory as a whole."""
    assert told(tmp_path, LEAVE) == ["Anna and Bert leave."]
    monkeypatch.setattr(story, "AT_ONCE", 1)
    assert told(tmp_path, LEAVE) == ["Anna leaves.", "Bert leaves."]


@pytest.mark.parametrize("missing", ["leaves.together", "leaves.each"])
def test_a_language_without_both_sentences_tells_one_after_the_other(tmp_path: Path, missing: str) -> None:
    assert told(tmp_path, LEAVE, without=(missing,)) == ["Anna leaves.", "Bert leaves."]


def test_what_differs_where_all_should_agree_is_not_told_together(tmp_path: Path) -> None:
    moves = [f"move 2 red from bowl to plate as moved(p: player({seat}), kind: red)" for seat in (1, 2)]
    assert told(tmp_path, moves) == ["Anna moves 2 rubies.", "Bert moves 2 rubies."]


def test_what_is_alike_is_counted(tmp_path: Path) -> None:
    moves = [f"move {n} {kind} from bowl to plate as moved(p: player(1), kind: {kind})"
             for n, kind in ((2, "red"), (1, "blue"), (3, "red"))]  # fmt: skip
    assert told(tmp_path, moves) == ["Anna moves 5 rubies and one pearl."]


def test_cards_that_somebody_may_not_see_are_counted_and_not_told(tmp_path: Path) -> None:
    assert told(tmp_path, [DRAW] * 4, 1) == ["Anna draws 4 sheets."]
    (own,) = told(tmp_path, [DRAW] * 4, 0)
    assert "2 aces" in own
    assert "2 deuces" in own
    assert "sheet" not in own


ENDINGS = {
    "rests.implied": "{p}",
    "leaves.after": "{p} [leaves|leave].",
    "moved.also": "{p} {kind:num}",
    "rests": "{p} [rests|rest].",
    "leaves": "{p} [leaves|leave].",
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


def as_story(folder: Path, statements: list[str], *endings: str, without: tuple[str, ...] = ()) -> list[str]:
    """What is told where these sentences are there besides."""
    more = {name: said for name, said in ENDINGS.items() if "." not in name or name in endings}
    with pytest.MonkeyPatch.context() as patch:
        for name, said in more.items():
            patch.setitem(SENTENCES, name, said)
        return told(folder, statements, None, without)


def test_what_one_does_is_told_in_one_sentence_up_to_four_things(tmp_path: Path) -> None:
    deeds = [f"tell {name}(p: player(1))" for name in ("leaves", "rests")]
    assert as_story(tmp_path, deeds) == ["Anna leaves and rests."]
    five = [deeds[1], MOVE.format(1, "red", 1, "red"), DRAW, deeds[0], MOVE.format(1, "blue", 1, "blue")]
    assert as_story(tmp_path, five) == [
        "Anna rests, moves one ruby, draws a sheet and leaves.",
        "Anna moves one pearl.",
    ]


def test_what_begins_a_sentence_again_begins_another_one(tmp_path: Path) -> None:
    deeds = [f"tell {name}(p: player(1))" for name in ("leaves", "rests", "leaves", "rests")]
    assert as_story(tmp_path, deeds) == ["Anna leaves and rests.", "Anna leaves and rests."]


def test_what_the_next_one_implies_is_not_told_and_else_it_is(tmp_path: Path) -> None:
    rests = "tell rests(p: player(1))"
    assert as_story(tmp_path, [rests, LEAVE[0]], "rests.implied") == ["Anna leaves."]
    assert as_story(tmp_path, [rests, LEAVE[1]], "rests.implied") == ["Anna rests.", "Bert leaves."]
    assert as_story(tmp_path, [rests], "rests.implied") == ["Anna rests."]


def test_what_another_one_does_can_be_the_second_half_of_a_sentence(tmp_path: Path) -> None:
    deeds = [DRAW, LEAVE[1], "tell rests(p: player(2))"]
    assert as_story(tmp_path, deeds, "leaves.after") == ["Anna draws a sheet; Bert leaves and rests."]
    assert as_story(tmp_path, deeds) == ["Anna draws a sheet.", "Bert leaves and rests."]


def test_what_several_do_with_the_same_verb_names_it_once(tmp_path: Path) -> None:
    moves = [MOVE.format(n, kind, p, kind) for n, kind, p in ((2, "red", 1), (1, "blue", 2), (3, "red", 2))]
    without = ("moved.together",)
    assert as_story(tmp_path, moves, "moved.also", without=without) == [
        "Anna moves 2 rubies, Bert one pearl and 3 rubies."
    ]
    moves = [MOVE.format(n, kind, p, kind) for n, kind, p in ((2, "red", 1), (1, "blue", 1), (3, "red", 2))]
    assert as_story(tmp_path, moves, "moved.also", without=without) == [
        "Anna moves 2 rubies and one pearl, Bert 3 rubies."
    ]


def test_lists_of_one_sort_name_their_verb_once(tmp_path: Path) -> None:
    draws = [DRAW, DRAW, *[DRAW.replace("player(1)", "player(2)")] * 2]
    lists = ("drew.together", "drew.also")
    assert as_story(tmp_path, draws, *lists) == ["Anna draws 2 sheets.", "Bert draws 2 sheets."]
    assert as_story(tmp_path, draws, *lists, "drew.together.also") == ["Anna draws 2 sheets and Bert 2 sheets."]


GIVE = "move {} {} from bowl to plate as gave(p: player(1), kind: {}, q: player({}))"


def test_what_several_parts_are_about_is_named_once_and_stands_together(tmp_path: Path) -> None:
    gifts = [GIVE.format(n, kind, kind, p) for n, kind, p in ((2, "red", 1), (1, "blue", 1), (1, "red", 2))]
    assert as_story(tmp_path, gifts, "gave.together", "gave.each") == [
        "Anna gives 2 rubies to Anna, one to Bert and one pearl to Anna."
    ]


def test_what_is_counted_is_named_once_behind_a_number_of_the_same(tmp_path: Path) -> None:
    gains = [f"tell won(p: player({p}), n: {n}, kind: red)" for p, n in ((1, 3), (2, 1))]
    assert as_story(tmp_path, gains, "won.also") == ["Anna gains 3 points for rubies and Bert one for rubies."]


def test_the_very_same_thing_several_times_in_a_row_is_told_once_with_how_often(tmp_path: Path) -> None:
    rests = [f"tell rests(p: player({p}))" for p in (1, 1, 1, 2)]
    assert as_story(tmp_path, rests, "rests.together") == ["Anna rests three times.", "Bert rests."]


def test_more_can_follow_a_list_behind_a_comma_where_the_language_has_one_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deeds = [MOVE.format(2, "red", 1, "red"), MOVE.format(1, "blue", 1, "blue"), LEAVE[0]]
    assert as_story(tmp_path, deeds, "moved.together") == ["Anna moves 2 rubies and one pearl, and leaves."]
    monkeypatch.setattr("tests.narration.test_story.LEXICON", f'clauses: {{serial: ""}}\n{LEXICON}')
    assert as_story(tmp_path, deeds, "moved.together") == ["Anna moves 2 rubies and one pearl and leaves."]


def test_a_list_can_be_the_second_half_of_a_sentence(tmp_path: Path) -> None:
    deeds = [MOVE.format(1, "red", 1, "red"), *(f"tell leaves(p: player({p}))" for p in (2, 1))]
    assert as_story(tmp_path, deeds, "leaves.together.after") == ["Anna moves one ruby; Bert and Anna go."]
    assert as_story(tmp_path, deeds) == ["Anna moves one ruby.", "Bert and Anna leave."]


def test_what_is_told_by_the_way_stands_behind_what_both_speak_of(tmp_path: Path) -> None:
    statements = ["tell counted(kind: red)", "tell seen(p: player(1), kind: red)"]
    assert as_story(tmp_path, statements, "counted.aside") == ["Anna sees a ruby (counted)."]
    other = ["tell counted(kind: blue)", statements[1]]
    assert as_story(tmp_path, other, "counted.aside") == ["Pearls have been counted.", "Anna sees a ruby."]


def test_a_round_has_a_heading_and_what_comes_before_it_stands_apart(tmp_path: Path) -> None:
    statements = [LEAVE[0], "tell begins(n: 2)", LEAVE[1]]
    assert as_story(tmp_path, statements, "begins.heading") == ["Anna leaves.", "Lap 2", "Bert leaves."]
    assert as_story(tmp_path, statements) == ["Anna leaves.", "Lap 2 begins.", "Bert leaves."]
