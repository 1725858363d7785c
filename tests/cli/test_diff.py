"""`wongar diff`: the changes of a variant, as sentences and in play."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from wongar_dsl.base.span import Source
from wongar_dsl.cli.arguments.load_game import OpenedGame
from wongar_dsl.cli.commands.rules.diff_view import rulebook_reading
from wongar_dsl.cli.commands.rules.divergence_view import show_divergence
from wongar_dsl.cli.terminal.screen import Screen
from wongar_dsl.engine.library import Rules, load
from wongar_dsl.engine.library.loader import with_variant
from wongar_dsl.nlg.prose.render.differences import differences
from wongar_dsl.nlg.prose.render.realised_rulebook import RealisedRulebook
from wongar_dsl.nlg.prose.render.render_text import render_text
from wongar_dsl.nlg.words import Translator

from .command import Command

Diff = Callable[..., str]

ROOT = Path(__file__).resolve().parents[2]

#: The elder walks up to three areas.
WALK = """\
    I take elder as figure_taken(player: me, figure)
    I choose elder_walk
        walk(there: area within 3 of place of elder)
            move elder to there as figure_moved(player: me, figure, area)
            ceremony(there, elder_alone)
"""

FAR_VARIANT = f"""variant far of wongar

set cards_bonus to 10
set points_for[ancestor_alone, early] to 6

replace effect elder_card for me at here: area
    source house rule
{WALK}"""


#: Variant that moves a paragraph down, one under another heading, and one under a list lead.
ORDER = f"""variant order of wongar

replace effect token_card(kind) for me at here: area
    source house rule
    repeat 3 times
        I choose further
            place(there: area) if supply[me, kind] > 0
                move 1 kind from supply of me to ground[there, me] as placed(player: me, token, area, n)
            draw if ritual_left()
                draw_ritual(me)
            decline
                tell declined(player: me)
    if supply[me, kind] > 0
        move 1 kind from supply of me to ground[here, me] as placed(player: me, token, area, n)

replace effect four_rituals for me at here: area
    source house rule
{WALK}    repeat 4 times
        draw_ritual(me)

replace effect elder_card for me at here: area
    source house rule
    repeat 5 times
        draw_ritual(me)

replace effect both_card for me at here: area
    source house rule
    if here is hands
        I take ancestor as figure_taken(player: me, figure)
        I take elder as figure_taken(player: me, figure)
        move ancestor to here as figure_moved(player: me, figure, area)
        move elder to here as figure_moved(player: me, figure, area)
        ceremony(here, both_together)
"""


NIGHT = """variant night of wongar
    source house rule

add to enum period
    night

add to enum origin after ceremonies_late
    ceremonies_night

add to track scorpion
    night 4 spaces

add to table ceremonies_in
    night ceremonies_night

add to table points_for  night
    ancestor_alone         9
    elder_alone            8
    both_together          7
"""


#: Output of `wongar diff` by arguments; those of shipped games recur.
_printed: dict[tuple[str, ...], str] = {}


@pytest.fixture
def diff(wongar: Command) -> Diff:
    """Return a function that returns the output of `wongar diff`, which runs once for the same arguments."""

    def output(*arguments: str) -> str:
        if arguments not in _printed:
            _printed[arguments] = wongar("diff", *arguments).out
        return _printed[arguments]

    return output


def divergence(one: Rules, other: Rules, language: str, seed: int = 1) -> str:
    """Return what `wongar diff --position` adds to the differences in words."""
    words, stream = Translator.load(language), io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    before, after = (OpenedGame(rules, words, "") for rules in (one, other))
    show_divergence(Screen(stream, interactive=False), before, after, None, seed, words)
    stream.seek(0)
    return stream.read()


@pytest.fixture
def reordering_variant(tmp_path: Path) -> str:
    path = tmp_path / "order.rules"
    path.write_text(ORDER, encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def walking_variant(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("walking") / "far.rules"
    path.write_text(FAR_VARIANT, encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def renamed_variant(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a copy of the shipped variant of Wongar, which has no summary by its author."""
    shipped = (ROOT / "rules" / "wongar" / "initiated.rules").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("renamed") / "mine.rules"
    path.write_text(shipped.replace("variant initiated", "variant mine"), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("language", "elder", "bonus"),
    [
        ("de", "das höchstens 3 statt 2 Schritte entfernt ist.", "10 statt 8 Siegpunkte"),
        ("nl", "dat hoogstens 3 in plaats van 2 stappen verderop ligt.", "10 in plaats van 8 winstpunten"),
        ("it", "che dista al massimo 3 invece di 2 passi.", "10 invece di 8 punti"),
        (
            "en",
            "that is at most 3 instead of 2 steps away.",
            "10 instead of 8 victory points",
        ),
    ],
)
def test_changed_number_is_shown_beside_the_old_one(
    wongar: Command, walking_variant: str, language: str, elder: str, bonus: str
) -> None:
    done = wongar("diff", "wongar", walking_variant, "--lang", language)
    assert done.code == 0
    assert elder in done.out
    assert bonus in done.out
    assert not [line for line in done.out.splitlines() if line.startswith(("+", "-"))]


def test_changed_table_cell_is_named_by_row_and_column(diff: Diff, walking_variant: str) -> None:
    assert "phase 1: 6 instead of 4" in diff("wongar", walking_variant, "--lang", "en").replace("  ", " ").lower()


def test_identical_games_have_no_differences(diff: Diff) -> None:
    assert "Both have the same rules." in diff("nim", "nim", "--lang", "en")


def test_added_and_removed_sentences_are_under_rulebook_headings(diff: Diff) -> None:
    out = diff("wongar", "wongar/initiated", "--lang", "en")
    assert "- The finder of the scorpion loses as many victory points" in out
    assert "+     play an area card" in out
    # An option alone is not a sentence, so the lead of its list is shown with it.
    lead = "  In clockwise order, starting with the holder of the boomerang, every player does the following:\n"
    assert f"The round\n{lead}+   They choose one of the following:\n" in out
    # Similar sentences are paired.
    assert re.search(r"\n- A ritual card is left if .*\n\+ A ritual card is left if", out)


def test_moved_sentences_are_neither_added_nor_removed(diff: Diff, reordering_variant: str) -> None:
    out = diff("wongar", reordering_variant, "--lang", "de")
    _, further, rituals, elder, both = (part.splitlines() for part in out.split("\n\n")[1:])
    assert [line[:2] for line in further[1:]] == ["~ ", "> "]
    assert further[1].startswith("~ Dreimal statt zweimal darf der Spieler")
    assert [line[:2] for line in rituals[1:]] == ["~ ", "> ", "> ", "~ ", "> "]
    assert rituals[2] == "> hierher verschoben aus: Gebietskarte „Ältester“"
    assert "3 statt 2" in rituals[4]
    assert [line[:2] for line in elder[1:]] == ["+ "]
    assert both[1].startswith("+ Wenn")
    assert [line[:4] for line in both[2:]] == [">   "] * 3


def test_changed_player_count_is_reported(diff: Diff, tmp_path: Path) -> None:
    path = tmp_path / "pair.rules"
    path.write_text("variant pair of goofspiel\n    source house rule\n\nset players to 2\n", encoding="utf-8")
    assert "for 2 players (before: for 2 to 4 players)" in diff("goofspiel", str(path), "--lang", "en")


def test_added_column_changes_no_other_cell(diff: Diff, tmp_path: Path) -> None:
    path = tmp_path / "night.rules"
    path.write_text(NIGHT, encoding="utf-8")
    out = diff("wongar", str(path), "--lang", "en")
    assert "+ Victory points for a ceremony, the elder, night: 8" in out
    assert "ancestor, phase" not in out


def test_first_diverging_position_is_shown_with_both_option_lists(diff: Diff) -> None:
    out = diff("wongar", "wongar/initiated", "--position", "--lang", "en")
    assert "Random game 1: after 0 decisions the two diverge." in out
    assert "Take the card from the emu area" in out
    assert "Place a disc in the kangaroo area" in out


def test_games_that_never_diverge_are_reported_as_such(diff: Diff) -> None:
    assert "the two never diverge" in diff("nim", "nim", "--position", "--lang", "en")


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_last_decisions_with_commas_are_told_apart(language: str) -> None:
    told = divergence(shipped("tongiaki"), variant("tongiaki", "set most_royal to {n}", 1), language)
    (line,) = (line for line in told.splitlines() if line.count(": ") > 3)
    decisions = line.partition(": ")[2].split("; ")
    assert len(decisions) == 5
    assert any("," in decision for decision in decisions)
    assert all(": " in decision for decision in decisions)


def test_divergence_in_points_only_shows_the_points(diff: Diff, tmp_path: Path) -> None:
    path = tmp_path / "dear.rules"
    path.write_text("variant dear of goofspiel\n\nset worth[three] to 7\n", encoding="utf-8")
    out = diff("goofspiel", str(path), "--position", "--players", "2", "--lang", "en")
    part = out.partition("the two diverge.")[2]
    before, after = part.partition("Goofspiel (dear)")[::2]
    assert re.search(r"Points +3 +3\n", before), out
    assert re.search(r"Points +3 +7\n", after), out


def test_numbers_that_depend_on_the_player_count_name_it(diff: Diff) -> None:
    out = diff("wongar", "wongar/initiated", "--lang", "en")
    assert "~ 136 (3 players), 138 (4 players), 140 (5 players) area cards (before: 150)\n" in out
    assert "~ 138 area cards (before: 150)\n" in diff("wongar", "wongar/initiated", "--players", "4", "--lang", "en")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("wongar", "wongar/initiated"),
        ("wongar/initiated", "wongar"),
        ("ubongo", "ubongo/hard"),
        ("ubongo/hard", "ubongo"),
        ("ubongo", "ubongo/long"),
        ("ubongo/long", "ubongo"),
    ],
)
def test_empty_cell_is_not_shown_as_a_replaced_value(diff: Diff, one: str, other: str) -> None:
    shown = diff(one, other, "--lang", "en")
    assert not [line for line in shown.splitlines() if line.startswith("~") and re.search(r"(^|\s)–(\s|$)", line)]


def test_added_and_removed_remarks_are_marked(diff: Diff) -> None:
    remark = "Pile of ritual cards, Remarks: no double ritual cards or scorpion cards"
    assert f"+ {remark}" in diff("wongar", "wongar/initiated", "--lang", "en")
    assert f"- {remark}" in diff("wongar/initiated", "wongar", "--lang", "en")


#: Words for "instead of" in each language.
INSTEAD = {"de": "statt", "nl": "in plaats van", "it": "invece di", "en": "instead of"}


@cache
def shipped(name: str) -> Rules:
    return load(name)


@cache
def variant(base: str, changes: str, number: int) -> Rules:
    """Return a variant of a shipped game with a number in its changes."""
    text = f"variant v{number} of {base}\n    source house rule\n\n{changes.format(n=number)}\n"
    rules, _ = with_variant(shipped(base), Source("v.rules", text))
    assert rules is not None
    return rules


@cache
def reading(base: str, changes: str, number: int, language: str) -> RealisedRulebook:
    """Return the rulebook of this variant in a language."""
    return rulebook_reading(variant(base, changes, number), Translator.load(language))


@cache
def rulebook_text(base: str, changes: str, number: int, language: str) -> str:
    """Return the text of this rulebook without references."""
    lines = (line.text for line in render_text(reading(base, changes, number, language), None))
    return re.sub(r" \[[^\]]*\]", "", "\n".join(lines))


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
@pytest.mark.parametrize(
    ("base", "changes"),
    [
        ("tongiaki", "set most_royal to {n}"),
        (
            "wongar",
            "set cards_bonus to {n}\n\n"
            "replace rule elder_privilege()\n    holder of elder gains {n} points for card_majorities\n\n"
            "replace effect four_rituals for me at here: area\n    repeat {n} times\n        draw_ritual(me)",
        ),
    ],
    ids=["tongiaki", "wongar"],
)
def test_numbers_are_merged_only_if_both_sentences_fit(language: str, base: str, changes: str) -> None:
    """A merged line is a sentence of the rulebook with either number; *1 instead of 2 islands* is not."""
    between = f" {INSTEAD[language]} "
    for number, changed in ((1, 2), (2, 1), (2, 3)):
        old, new = (reading(base, changes, n, language) for n in (number, changed))
        lines = [change.text for part in differences(old, new) for change in part.changes if change.sort == "changed"]
        merged = [line.strip() for line in lines if between in line]
        # Skip cells, which hold only a number, and *due volte*, in which the noun is part of the adverb.
        sentences = [text.rstrip(".:;") for text in merged if not re.search(rf": \S+{between}\S+$|\bvolte\b", text)]
        for n in (changed, number) if sentences else ():
            rulebook = rulebook_text(base, changes, n, language)
            for line in sentences:
                first, last = line.split(between)
                before, after = first.rpartition(" ")[0], last.partition(" ")[2]
                assert re.search(rf"{re.escape(before)}(\s?\S+){{1,2}} {re.escape(after)}", rulebook, re.IGNORECASE), (
                    line
                )


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
def test_no_heading_is_empty(diff: Diff, tmp_path: Path, language: str) -> None:
    """A moved or unreachable passage leaves no empty heading behind."""
    path = tmp_path / "still.rules"
    path.write_text("variant still of kuhn_poker\n\nremove bet from choice opening\n", encoding="utf-8")
    games = [("kuhn_poker", str(path)), (str(path), "kuhn_poker"), ("wongar", "wongar/initiated"), ("nim", "goofspiel")]
    for before, after in games:
        title, *parts = diff(before, after, "--lang", language).strip().split("\n\n")
        assert title
        assert not [part for part in parts if "\n" not in part], (before, after)


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
@pytest.mark.parametrize("turned", [False, True])
def test_sentence_moved_under_a_shared_lead_is_marked_as_moved(diff: Diff, language: str, turned: bool) -> None:
    games = ("wongar/initiated", "wongar") if turned else ("wongar", "wongar/initiated")
    out = diff(*games, "--lang", language)
    assert [line[0] for line in out.splitlines() if " 18 " in line] == [">"]


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
@pytest.mark.parametrize(("one", "other"), [("ubongo", "ubongo+hard+long"), ("wongar", "wongar/initiated")])
def test_decisions_before_the_divergence_are_verbalised(language: str, one: str, other: str) -> None:
    for seed in (1, 7):
        out = divergence(shipped(one), shipped(other), language, seed)
        assert not re.search(r"\b\w+\([\w, ]+\)|\b[a-z]+_\w+", out)
        assert "place(" not in out


@pytest.mark.parametrize(
    ("language", "heading"), [("de", "Kurz gesagt"), ("nl", "In het kort"), ("it", "In breve"), ("en", "In short")]
)
def test_long_diff_begins_with_a_summary(diff: Diff, renamed_variant: str, language: str, heading: str) -> None:
    _, head, *_ = diff("wongar", renamed_variant, "--lang", language).split("\n\n")
    first, *lines = head.splitlines()
    assert first == heading
    assert 2 <= sum(": " in line for line in lines) <= 5
    # No sentence that refers to a preceding line.
    assert not any(word in head for word in (" Diese ", " Deze ", " Questa ", " This "))


def test_short_or_author_summarised_diff_has_no_summary(wongar: Command, diff: Diff, walking_variant: str) -> None:
    assert "Kurz gesagt" not in diff("wongar", walking_variant, "--lang", "de")
    out = diff("wongar", "wongar/initiated", "--lang", "de")
    assert out.split("\n\n")[1].startswith("Worum es geht\n+ Für Eingeweihte: ")
    listed = wongar("games", "wongar", "--lang", "de").out
    assert "Worum es geht: Für Eingeweihte: " in listed


#: Ubongo with the puzzles solved one after the other, so that the players share one set of pieces.
IN_TURN = """variant in_turn of ubongo
    source house rule

replace rule run_sandglass(begin: number, ending: number)
    source house rule
    for each p in player clockwise from starter
        p chooses covering by time from moment(begin) within ending seconds
            solve(covering: solution[ground_of[puzzle of p, played_level], thrown])
                solved(p, time, ending)
            give_up
                tell gives_up(player: p)
"""


def test_shared_pieces_are_shown_with_their_old_count_per_player(diff: Diff, tmp_path: Path) -> None:
    path = tmp_path / "in_turn.rules"
    path.write_text(IN_TURN, encoding="utf-8")
    out = diff("ubongo", str(path), "--lang", "en")
    assert "~ 12 pieces (before: 12 pieces for each player)" in re.sub(" +", " ", out)


#: Variant that ends the game on empty heaps before the check in the base is reached.
LAST_LOSES = """variant last_loses of nim
    source house rule

after taken in play
    if (every h in stack has matches of h is empty)
        left of p wins
"""


@pytest.mark.parametrize(
    ("language", "warning"),
    [
        ("en", "warning R0410: this is never reached"),
        ("de", "Warnung R0410: "),
        ("nl", "Waarschuwing R0410: "),
        ("it", "avviso R0410: "),
    ],
)
def test_unreachable_line_of_the_base_is_reported(diff: Diff, tmp_path: Path, language: str, warning: str) -> None:
    path = tmp_path / "last_loses.rules"
    path.write_text(LAST_LOSES, encoding="utf-8")
    changed = diff("nim", str(path), "--lang", language)
    assert warning in changed
    assert "nim.rules:30" in changed
    assert warning not in diff(str(path), str(path), "--lang", language)


@pytest.mark.parametrize("language", ["de", "nl", "it", "en"])
@pytest.mark.parametrize(
    ("base", "board", "sections"),
    [
        ("connect_four", "grid 6 by 6", ["contents", "board"]),
        ("tictactoe", "grid 4 by 4\n    touching diagonally", ["contents", "board"]),
        ("tictactoe", "hexagons 3 by 3", ["board"]),
    ],
)
def test_changed_regular_board_is_reported(
    base: str, board: str, sections: list[str], language: str, tmp_path: Path
) -> None:
    """Its text has the key of its picture, and its number of areas stands with the one board among the components."""
    path = tmp_path / "other.rules"
    path.write_text(f"variant other of {base}\n    source house rule\n\nreplace board cell\n    {board}\n")
    one, other = (rulebook_reading(game, Translator.load(language)) for game in (load(base), load(path)))
    changed = {part.key: part.changes for part in differences(one, other)}
    assert [key for key in ("contents", "board") if changed.get(key)] == sections
    assert all(len(changed[key]) in (1, 2) for key in sections)
